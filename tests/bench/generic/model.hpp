#pragma once

#include <vector>

#include "generic/spatial.hpp"
#include "model/tree.hpp"

namespace featherline::bench::generic {

enum class LinkJoint { revolute, prismatic, floating };

/// A body with the joint that carries it.
struct Link {
  int parent = -1;  ///< -1: the ground
  Pose placement;   ///< at zero position, in the parent body's frame
  LinkJoint joint = LinkJoint::revolute;
  int idx_q = 0, idx_v = 0;
  Vector3d axis = Vector3d::UnitZ();
  Vector6 S = Vector6::Zero();  ///< joint axis in the body frame, constant; of one-degree-of-freedom joints
  Matrix6 I = Matrix6::Zero();  ///< about the body frame's origin
  std::vector<int> path;        ///< from this link to the root, itself first
  std::vector<int> subtree;     ///< itself and all it carries, ascending

  int nv() const { return joint == LinkJoint::floating ? 6 : 1; }
  /// Column k of the joint's motion subspace; a floating joint's velocity is [linear; angular].
  Vector6 axis_column(int k) const {
    return joint == LinkJoint::floating ? Vector6{Vector6::Unit((k + 3) % 6)} : S;
  }
  /// What the joint adds to a motion, in the body frame: S x for this joint's part x of all coordinates.
  Vector6 joint_motion(const VectorXd& x) const {
    return joint == LinkJoint::floating ? join(x.segment<3>(idx_v + 3), x.segment<3>(idx_v))
                                        : Vector6{S * x[idx_v]};
  }
};

/// A tree of bodies, parents before children. On fixed ground, with one-degree-of-freedom joints only, link i has
/// coordinate i.
struct Model {
  std::vector<Link> links;
  Vector6 gravity = Vector6::Zero();  ///< of the ground, [0; g] in world axes [m/s^2]
  int nv = 0;

  int size() const { return static_cast<int>(links.size()); }
  const Link& link(int i) const { return links[static_cast<std::size_t>(i)]; }

  /// Pose of link i in its parent, at the coordinates q of the whole tree.
  Pose pose(int i, const VectorXd& q) const;
};

/// Which joints an algorithm is written for.
enum class Joints { one_degree_of_freedom, floating_too };

/// Throws std::invalid_argument where the tree has a joint that is not revolute, continuous, prismatic or, if allowed,
/// floating, or a coupled mimic joint.
Model make_model(const model::Tree& tree, Joints allowed = Joints::one_degree_of_freedom);

/// The benchmark mechanism of paper 001, section VI: N links of 1 kg and 1 m, centre of mass at half length,
/// about their local z axes, I_zz = 1 kg m^2 at the centre of mass; links lie along x. Link i hangs on link
/// (i - 1) / branching. Gravity acts in the plane of motion, along -y.
model::UserTree paper_tree(int num_links, int branching);

/// As paper_tree, but with axes in all directions, general inertias and some prismatic joints: for tests.
model::UserTree scrambled_tree(int num_links, int branching, unsigned seed);

}  // namespace featherline::bench::generic
