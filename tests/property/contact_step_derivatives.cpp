// Derivatives of steps with contacts against central differences of the reference's step.
#include "reference/solver.hpp"
#include "stepped_robot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <set>

namespace property::contact_step_derivatives {

using namespace contact_steps;

namespace {

/// A sphere and three points as feet; masses and what else there is of numbers are inputs.
const Stepped& quadruped() {
  static const Stepped robot = [] {
    Options options =
        options_of("front_left_foot:sphere=0.05,front_right_foot,rear_left_foot,rear_right_foot");
    options.joint_dynamics_file = {"drives", "* 0.2 0 0.01"};
    options.parameters = {"gravity", "payload:trunk", "inertia:front_left_shank", "damping", "armature"};
    options.functions = {"contact_step", "contact_step_derivatives", "contact_step_parameter_derivatives",
                         "contact_step_sensitivities"};
    return Stepped("robots/quadruped.urdf", options);
  }();
  return robot;
}

/// A direction in which everything that a step takes may move, and the end of a step in the tangent of another one.
struct Direction {
  VectorXd q, v, tau, p, contact;

  explicit Direction(std::mt19937& random)
      : q(reference::uniform_vector(18, 1.0, random)),
        v(reference::uniform_vector(18, 1.0, random)),
        tau(reference::uniform_vector(18, 1.0, random)),
        p(reference::uniform_vector(quadruped().tree().chosen.num_parameters(), 0.01, random)),
        contact(VectorXd::Zero(24)) {
    for (Eigen::Index point = 0; point < 4; ++point) {
      contact[6 * point] = 1e-3 * reference::uniform_vector(1, 1.0, random)[0];
      contact.segment<2>(6 * point + 4) = reference::uniform_vector(2, 1.0, random);
    }
  }
};

/// Where planes are fixed in the world, a step of q takes its way along the normals off the gaps.
State moved(const State& s, const Direction& along, double h) {
  const model::UserTree& tree = quadruped().tree();
  State to = s;
  to.q = reference::integrate<double>(tree, s.q, h * along.q);
  to.v += h * along.v;
  to.tau += h * along.tau;
  to.p += h * along.p;
  to.contact += h * along.contact;
  for (Eigen::Index point = 0; point < 4; ++point) {
    const Vector3d n = s.contact.segment<3>(6 * point + 1).normalized();
    const int link = tree.constraints.all[static_cast<std::size_t>(point)].anchors.front().link;
    const auto foot = [&](const VectorXd& q) {
      reference::Solver<double> solver(tree);
      return reference::pose_of(tree.links[static_cast<std::size_t>(link)], solver.body_poses(q)).p;
    };
    to.contact[6 * point] += n.dot(foot(to.q) - foot(s.q));
  }
  return to;
}

/// How fast the end of the reference's step moves, by central differences: [q_next; v_next]. Nothing where a mode
/// changes.
std::optional<VectorXd> differences(const State& s, const Direction& along) {
  constexpr double h = 1e-6;
  const model::UserTree& tree = quadruped().tree();
  const auto modes = [](const State& at) {
    const std::vector<double> status = quadruped().step(at)[3].values;
    return std::vector<double>(status.begin() + 4, status.end());
  };
  std::vector<State> ends;
  for (const double step : {-h, h}) {
    const State at = moved(s, along, step);
    if (modes(at) != modes(s)) return std::nullopt;
    const Outputs end = reference::find_outputs("contact_step")->compute(tree, at);
    ends.push_back(at);
    ends.back().q = values(end, 0);
    ends.back().v = values(end, 1);
  }
  State both = ends[0];
  both.q1 = ends[1].q;
  VectorXd rate(36);
  rate << values(reference::find_outputs("difference")->compute(tree, both), 0), ends[1].v - ends[0].v;
  return rate / (2 * h);
}

VectorXd predicted(const State& s, const Direction& along) {
  const Outputs matrices = quadruped().run(1, s), points = quadruped().run(2, s),
                numbers = quadruped().run(3, s);
  const auto matrix = [](const Outputs& all, int k, Eigen::Index columns) {
    return Eigen::Map<const Eigen::MatrixXd>(all[static_cast<std::size_t>(k)].values.data(), 36, columns);
  };
  VectorXd state(36);
  state << along.q, along.v;
  VectorXd rate = matrix(matrices, 0, 36) * state + matrix(matrices, 1, 18) * along.tau +
                  matrix(numbers, 0, along.p.size()) * along.p;
  for (const auto& [k, entry] : {std::pair(0, 0), {1, 4}, {2, 5}}) {
    for (Eigen::Index point = 0; point < 4; ++point)
      rate += matrix(points, k, 4).col(point) * along.contact[6 * point + entry];
  }
  return rate;
}

State touching_state(std::mt19937& random, int k) {
  State s = quadruped().state(random);
  s.v *= 0.1;
  quadruped().put_ground(s, {0.1, -0.2, 1.0}, 1e-4, 0.15 * (1 + k % 5), k % 2 == 0 ? 0.0 : 0.3);
  return s;
}

}  // namespace

TEST_CASE("derivatives of a step are what central differences of the reference give, in all modes") {
  std::mt19937 random(11);
  std::set<double> modes;
  int compared = 0;
  for (int k = 0; k < 20; ++k) {
    const State s = touching_state(random, k);
    const Direction along(random);
    const auto expected = differences(s, along);
    if (!expected) continue;
    ++compared;
    CAPTURE(k);
    CHECK((predicted(s, along) - *expected).norm() < 1e-5 * (1.0 + expected->norm()));
    for (std::size_t point = 4; point < 8; ++point) modes.insert(quadruped().step(s)[3].values[point]);
  }
  CHECK(compared >= 8);
  CHECK(modes == std::set<double>{0.0, 1.0, 2.0});
}

TEST_CASE("derivatives are not numbers where a step has none") {
  std::mt19937 random(1);
  State s = touching_state(random, 1);
  s.contact[4] = -1.0;
  CHECK(std::isnan(quadruped().run(1, s)[0].values[0]));
  CHECK(std::isnan(quadruped().run(2, s)[1].values[0]));
  CHECK(std::isnan(quadruped().run(3, s)[0].values[0]));
}

}  // namespace property::contact_step_derivatives
