// Locked joints: random robots beside the same robots whose locked joints stand still, and our own robots beside URDFs
// with fixed joints.
#include "locked_against_fixed.hpp"
#include "reference/solver.hpp"
#include "support/random.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

namespace property::locked_joints {

using namespace featherline;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr double tolerance = 1e-12;

/// Entries of q of the joint, a mimic joint's own.
std::vector<double> position_of(const model::Joint& joint, const VectorXd& q) {
  if (joint.mimics >= 0) return {joint.multiplier * q[joint.idx_q] + joint.offset};
  return {q.begin() + joint.idx_q, q.begin() + joint.idx_q + joint.nq};
}

/// Locks on about half of the joints, with those that mimic them, where x puts them.
std::vector<model::Lock> random_locks(const model::UserTree& tree, const VectorXd& q, test::Random& random) {
  std::vector<bool> locks(tree.bodies.size(), false);
  std::vector<model::Lock> chosen;
  const std::size_t free = static_cast<std::size_t>(random.below(static_cast<int>(tree.bodies.size())));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Joint& joint = tree.bodies[i].joint;
    if (joint.mimics < 0 && joint.line > 0) locks[i] = i != free && random.chance(0.5);
  }
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Joint& joint = tree.bodies[i].joint;
    if (locks[joint.mimics < 0 ? i : static_cast<std::size_t>(joint.mimics)])
      chosen.push_back({joint.name, position_of(joint, q)});
  }
  return chosen;
}

/// For each entry of v of the locked robot, its entry of v of the whole robot; the same of q.
struct Entries {
  std::vector<Index> q, v;
};
Entries entries_in(const model::UserTree& whole, const model::UserTree& locked) {
  Entries entries;
  for (const model::Body& body : locked.bodies) {
    if (body.joint.mimics >= 0) continue;
    for (const model::Body& other : whole.bodies) {
      if (other.joint.name != body.joint.name) continue;
      REQUIRE(other.joint.mimics < 0);
      for (int k = 0; k < body.joint.nq; ++k) entries.q.push_back(other.joint.idx_q + k);
      for (int k = 0; k < body.joint.nv; ++k) entries.v.push_back(other.joint.idx_v + k);
    }
  }
  REQUIRE(static_cast<int>(entries.q.size()) == locked.nq);
  REQUIRE(static_cast<int>(entries.v.size()) == locked.nv);
  return entries;
}

void compare(const model::UserTree& whole, const model::UserTree& locked, const test::State& x) {
  const Entries entries = entries_in(whole, locked);
  VectorXd v = VectorXd::Zero(whole.nv), a = VectorXd::Zero(whole.nv);
  v(entries.v) = x.v(entries.v);
  a(entries.v) = x.a(entries.v);
  const VectorXd q_locked = x.q(entries.q), v_locked = v(entries.v), a_locked = a(entries.v);
  reference::Solver<double> of_whole(whole), of_locked(locked);
  CHECK(test::relative_error(of_locked.rnea(q_locked, v_locked, a_locked),
                             of_whole.rnea(x.q, v, a)(entries.v)) <= tolerance);
  CHECK(test::relative_error(of_locked.crba(q_locked), of_whole.crba(x.q)(entries.v, entries.v)) <=
        tolerance);
  for (int link = 0; link < static_cast<int>(whole.links.size()); ++link) {
    const auto pose = of_locked.link_pose(q_locked, link), expected = of_whole.link_pose(x.q, link);
    CHECK(test::relative_error(pose.p, expected.p) <= tolerance);
    CHECK(test::relative_error(pose.R, expected.R) <= tolerance);
  }
}

}  // namespace

TEST_CASE("a random robot with locked joints is the robot whose locked joints stand still") {
  int locked_joints = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    test::Random random(seed);
    test::RobotOptions robot{.joints = 14, .mimic = 0.3};
    model::BuildOptions build;
    build.floating_base = random.chance(0.5);
    description::Description description = test::random_robot(seed, robot);
    for (description::Joint& joint : description.joints) joint.line = 1;
    const model::UserTree whole = test::tree_of(description, build);
    const test::State x = test::random_state(whole, seed);
    const std::vector<model::Lock> locks = random_locks(whole, x.q, random);
    locked_joints += static_cast<int>(locks.size());
    Diagnostics findings;
    model::lock_joints(description, {locks, {}}, true, build.floating_base, findings);
    REQUIRE_FALSE(findings.has_errors());
    compare(whole, test::tree_of(description, build), x);
  }
  CHECK(locked_joints > 300);
}

TEST_CASE("robots with locked joints have the flops and values of URDFs with fixed joints") {
  const std::vector<std::string> names = test::first_order();
  test::compare_with_fixed("robots/mobile_manipulator.urdf", false,
                           "left_finger_slide=0.02,right_finger_slide=0.015,lift=0.3", names);
  test::compare_with_fixed("robots/arm6.urdf", false, "shoulder=0,wrist_pitch=1.5707963267948966", names);
  test::compare_with_fixed(
      "robots/quadruped.urdf", true,
      "front_left_knee=-1.2,front_right_knee=-1.2,rear_left_knee=-1.2,rear_right_knee=-1.2", names);
}

}  // namespace property::locked_joints
