#include "robot_inputs.hpp"

#include "formats/reader.hpp"
#include "model/build_tree.hpp"

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <fstream>
#include <numbers>
#include <random>
#include <stdexcept>

namespace featherline::bench {

model::UserTree read_tree(const std::string& urdf, bool floating_base) {
  Diagnostics findings;
  const description::Description description = formats::read_file(urdf, findings);
  model::BuildOptions options;
  options.floating_base = floating_base;
  options.mimic_independent = true;
  options.snap_tolerance =
      0.0;  // as the generator reads it: quarter turns are made exact function by function
  if (findings.has_errors()) throw std::runtime_error{"cannot read " + urdf};
  model::UserTree tree = model::build_tree(description, options, findings);
  if (findings.has_errors()) throw std::runtime_error{"cannot build a tree from " + urdf};
  return tree;
}

int deepest_link(const model::Tree& tree) {
  int deepest = 0, most = -1;
  for (std::size_t l = 0; l < tree.links.size(); ++l) {
    int depth = 0;
    for (int i = tree.links[l].body; i >= 0; i = tree.bodies[static_cast<std::size_t>(i)].parent) ++depth;
    if (depth <= most) continue;
    most = depth;
    deepest = static_cast<int>(l);
  }
  return deepest;
}

namespace {

using Generator = std::mt19937_64;

double uniform(Generator& random, double bound) {
  return bound * (2.0 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1.0);
}

void write_quaternion(Generator& random, double* q) {
  Eigen::Vector4d x;
  do {
    for (double& component : x) component = uniform(random, 1.0);
  } while (x.norm() < 0.1 || x.norm() > 1.0);
  Eigen::Map<Eigen::Vector4d>{q} = x.normalized();
}

void write_coordinates(Generator& random, const model::Joint& joint, double* q) {
  using model::JointType;
  switch (joint.type) {
    case JointType::floating:
      for (int k = 0; k < 3; ++k) q[k] = uniform(random, 1.0);
      return write_quaternion(random, q + 3);
    case JointType::spherical:
      return write_quaternion(random, q);
    case JointType::prismatic:
      q[0] = uniform(random, 1.0);
      return;
    default:
      for (int k = 0; k < joint.nq; ++k) q[k] = uniform(random, std::numbers::pi);
  }
}

State random_state(Generator& random, const model::Tree& tree) {
  State state;
  state.q.resize(static_cast<std::size_t>(tree.nq));
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) write_coordinates(random, body.joint, state.q.data() + body.joint.idx_q);
  }
  for (int i = 0; i < tree.nv; ++i) {
    state.v.push_back(uniform(random, 10.0));
    state.a.push_back(uniform(random, 50.0));
  }
  return state;
}

}  // namespace

std::vector<State> random_states(const model::Tree& tree, int count) {
  Generator random{20260917};
  std::vector<State> states;
  for (int i = 0; i < count; ++i) states.push_back(random_state(random, tree));
  return states;
}

std::map<std::string, Facts> read_facts(const std::string& manifest) {
  std::ifstream file{manifest};
  if (!file) throw std::runtime_error{"there is no manifest " + manifest};
  std::map<std::string, Facts> facts;
  const nlohmann::json content = nlohmann::json::parse(file);
  for (const auto& [name, entry] : content.at("functions").items()) {
    facts[name] = {entry.at("flops").get<int>(), entry.at("sincos").get<int>(),
                   entry.at("formulation").get<std::string>()};
  }
  return facts;
}

}  // namespace featherline::bench
