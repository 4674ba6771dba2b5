#pragma once

#include "description/description.hpp"
#include "model/build_tree.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

/// Seeded random robots for property tests, as descriptions, as URDF text, and as trees.
namespace featherline::test {

struct RobotOptions {
  int joints = 8;  ///< moving ones; fixed joints come on top
  /// Types to draw from; all of them when empty. The first joints use each type once, so that with enough joints
  /// every type occurs; whether at or away from the root depends on the seed.
  std::vector<model::JointType> types = {};
  double chain = 0.6;     ///< probability that a joint hangs on the link made last, else on any link
  double fixed = 0.25;    ///< probability of a fixed joint between two moving ones
  double mimic = 0.0;     ///< probability that a joint with one coordinate mimics an earlier one
  double straight = 0.5;  ///< probability of right-angled placements and coordinate axes, as in real robots
};

/// Valid by every rule of the reader; inertias physically possible; names random so that the order of q differs
/// from document order.
description::Description random_robot(std::uint64_t seed, const RobotOptions& options = {});

struct LimbOptions {
  int limbs = 4;
  /// Of one limb, apart from the joint that carries it. They decide its structure; numbers differ between limbs.
  RobotOptions limb = {};
  RobotOptions trunk = {};  ///< no joints: the limbs hang on the root link
  bool mirrored = false;    ///< every second limb is the mirror image of the one before
};

/// A random robot with equal limbs on one of its links. Revolute joints may be continuous in some limbs. Joints of limb
/// k have names that begin with "limb_k_".
description::Description random_limbs(std::uint64_t seed, const LimbOptions& options = {});

/// URDF that reads back as `robot`, numbers to the last bit; joint types URDF lacks through the extension element.
std::string to_urdf(const description::Description& robot);

/// build_tree of random_robot, which must not have any finding.
model::UserTree random_tree(std::uint64_t seed, const RobotOptions& options = {},
                            const model::BuildOptions& build = {});

/// build_tree of a description that must be faultless.
model::UserTree tree_of(const description::Description& robot, const model::BuildOptions& build = {});

/// Gives balls and free joints springs of random stiffness, free joints with random poses at rest.
void add_pose_springs(model::Tree& tree, std::uint64_t seed);

struct State {
  Eigen::VectorXd q, v, a, tau;
};

/// Angles within +-pi, displacements within +-1, unit quaternions; entries of v, a, tau within the bounds.
State random_state(const model::Tree& tree, std::uint64_t seed, double velocity = 10.0,
                   double acceleration = 50.0, double torque = 50.0);

}  // namespace featherline::test
