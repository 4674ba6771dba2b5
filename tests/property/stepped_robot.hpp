// A robot whose steps with contacts are run by the interpreter.
#pragma once

#include "ir/interpreter.hpp"
#include "model/chosen_frames.hpp"
#include "reference/expected.hpp"
#include "support/as_emitted.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace property::contact_steps {

using namespace featherline;
using Eigen::Vector3d;
using Eigen::VectorXd;
using reference::Outputs;
using reference::State;

/// `joints`: what --contact-joints names; they get damping, friction and armature.
inline Options options_of(const std::string& contacts, const std::vector<std::string>& joints = {}) {
  Options options;
  options.build.floating_base = true;
  options.contacts = model::parse_contacts(contacts);
  options.functions = {"contact_step"};
  options.contact_joints = joints;
  if (!joints.empty()) options.joint_dynamics_file = {"drives", "* 0.2 1.5 0.01"};
  return options;
}

class Stepped {
 public:
  Stepped(const std::string& file, const Options& options)
      : robot_(read(file, options)), functions_(test::lower_as_emitted(robot_, options)) {}

  const model::UserTree& tree() const { return robot_.tree; }
  int num_points() const { return tree().constraints.count(); }
  Outputs step(const State& s) const { return run(0, s); }
  /// Of function k of the options.
  Outputs run(std::size_t k, const State& s) const {
    const auto list = [](const VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    std::vector<std::vector<double>> inputs = {list(s.q), list(s.v), list(s.tau), list(s.dt),
                                               list(s.contact)};
    if (s.p.size() > 0) inputs.insert(inputs.begin() + 3, list(s.p));
    auto arrays = ir::KernelInterpreter<>(functions_[k].kernel, inputs).run();
    Outputs outputs;
    for (std::size_t i = 0; i < arrays.size(); ++i)
      outputs.push_back({functions_[k].spec->outputs[i].name, std::move(arrays[i])});
    return outputs;
  }
  /// The largest part of what is allowed to be wrong in the equation of motion or in a condition.
  double worst(const State& s, const Outputs& outputs) const {
    const reference::Residual left = reference::find_outputs("contact_step")->residual(tree(), s, outputs);
    double worst = 0.0;
    for (std::size_t i = 0; i < left.values.size(); ++i) {
      const double part = std::abs(left.values[i]) / std::max(left.sizes[i], left.factored[i]);
      worst = part <= worst ? worst : part;  // NaN is worst
    }
    return worst;
  }
  State state(std::mt19937& random) const { return reference::random_state(tree(), random); }
  /// All points touch or nearly touch a plane with this normal.
  void put_ground(State& s, const Vector3d& normal, double gap, double friction, double restitution) const {
    for (int k = 0; k < num_points(); ++k) s.contact.segment<6>(6 * k) << gap, normal, friction, restitution;
  }

 private:
  static Robot read(const std::string& file, const Options& options) {
    Diagnostics findings;
    return read_robot(file, options, findings);
  }

  Robot robot_;
  std::vector<LoweredFunction> functions_;
};

inline Eigen::Map<const VectorXd> values(const Outputs& outputs, int k) {
  const std::vector<double>& x = outputs[static_cast<std::size_t>(k)].values;
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace property::contact_steps
