#include "selection/sample_state.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <numbers>
#include <random>

namespace featherline {
namespace {

/// In [-1, 1); the distributions of <random> differ between standard libraries.
double uniform(std::mt19937_64& random) {
  return 2.0 * static_cast<double>(random() >> 11) / static_cast<double>(std::uint64_t{1} << 53) - 1.0;
}

double range(const std::string& input) {
  if (input == "q") return std::numbers::pi;
  return input == "v" || input == "b" || input == "w" ? 10.0 : 50.0;
}

}  // namespace

std::vector<std::vector<double>> sample_inputs(const ir::Function& function, const model::Tree& tree, int k) {
  std::mt19937_64 random(static_cast<std::uint64_t>(k));
  std::vector<std::vector<double>> inputs;
  for (const ir::Parameter& parameter : function.inputs) {
    std::vector<double>& x = inputs.emplace_back(static_cast<std::size_t>(parameter.size));
    for (double& value : x) value = range(parameter.name) * uniform(random);
    if (parameter.name != "q") continue;
    for (const model::Body& body : tree.bodies) {
      const model::Joint& joint = body.joint;
      if (joint.type != model::JointType::floating && joint.type != model::JointType::spherical) continue;
      Eigen::Map<Eigen::Vector4d>(x.data() + joint.idx_q + joint.nq - 4).normalize();
    }
  }
  return inputs;
}

}  // namespace featherline
