#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <numeric>

namespace featherline::reference {
namespace {

using model::Tree;

/// Columns of the regressor: inverse dynamics of the robot if all its matter were the one unit of a parameter.
Outputs unit_torques(const Tree& robot, const State& x, const std::vector<int>& parameters) {
  Tree tree = robot;
  tree.applied_forces.clear();
  for (model::Body& body : tree.bodies) {
    body.inertia = {};
    body.joint.damping = body.joint.friction = body.joint.armature = 0.0;
  }
  OutputArray Y{"Y", {}};
  for (const int k : parameters) {
    model::Inertia& inertia = tree.bodies[static_cast<std::size_t>(k / 10)].inertia;
    constexpr int row[] = {0, 0, 1, 0, 1, 2}, column[] = {0, 1, 1, 2, 2, 2};
    if (k % 10 == 0) {
      inertia.mass = 1.0;
    } else if (k % 10 < 4) {
      inertia.h[k % 10 - 1] = 1.0;
    } else {
      const int entry = k % 10 - 4;
      inertia.J(row[entry], column[entry]) = inertia.J(column[entry], row[entry]) = 1.0;
    }
    append(Y.values, Solver<double>(tree).rnea(x.q, x.v, x.a));
    inertia = {};
  }
  return {Y};
}

Outputs regressor(const Tree& tree, const State& x) {
  std::vector<int> all(10 * tree.bodies.size());
  std::iota(all.begin(), all.end(), 0);
  return unit_torques(tree, x, all);
}

Outputs base_regressor(const Tree& tree, const State& x) {
  return unit_torques(tree, x, tree.base_parameters->columns);
}

}  // namespace

std::vector<OutputFunction> expected_whole_body() {
  return {{.name = "regressor", .compute = regressor}, {.name = "base_regressor", .compute = base_regressor}};
}

}  // namespace featherline::reference
