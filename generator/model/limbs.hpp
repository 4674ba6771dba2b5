#pragma once

#include "model/tree.hpp"

#include <vector>

/// Limbs that have the same structure: legs, arms, fingers. Emitted code can compute them side by side, one limb in
/// each lane of a vector (algorithms/context.hpp).
namespace featherline::model {

/// Subtrees with one parent whose joints are of the same types in the same order. The bodies of all limbs are listed in
/// the same order, so that limbs[0][k] and limbs[1][k] have the same place.
struct LimbGroup {
  std::vector<std::vector<int>> limbs;        ///< at least two lists of bodies
  int parent = -1;                            ///< body that carries the limbs, -1: the world
  std::vector<std::vector<int>> rotors = {};  ///< bodies on the parent that each limb turns (build_tree.hpp)

  int size() const { return static_cast<int>(limbs.size()); }
  int bodies_of_limb() const { return static_cast<int>(limbs.front().size()); }
};

/// All groups of limbs, the outer ones first. A limb can have groups of its own, such as the fingers of two hands.
/// A mimic joint and the joint that it follows are in one limb, or their limbs are in no group.
std::vector<LimbGroup> find_limb_groups(const Tree& tree);

/// Bodies that are computed together: one body, or one body of each limb of a group.
struct FoldedBody {
  std::vector<int> members;  ///< by lane: index in the tree; the first one stands for all
  int parent = -1;           ///< index of a folded body, -1 is the world
  int idx_q = 0, idx_v = 0;  ///< among the coordinates of folded bodies

  int lanes() const { return static_cast<int>(members.size()); }
};

/// A tree in which the limbs of a group are one limb. Limbs inside such a limb are not folded again.
struct Folding {
  std::vector<FoldedBody> bodies;  ///< parents first
  /// By coordinate of the folded bodies: the coordinates of the tree that it stands for, one a lane.
  std::vector<std::vector<int>> positions, velocities;
  /// By coordinate of the folded bodies: the group that its body belongs to, -1 for none.
  std::vector<int> group_of_velocity;

  bool has_lanes() const;
  /// The coordinate of the folded bodies that stands for coordinate k of the tree alone, -1 if k is of a limb.
  int velocity_alone(int k) const;
};

/// The group of a folded body, -1 for none.
inline int group_of_body(const Folding& folding, int i) {
  const FoldedBody& body = folding.bodies[static_cast<std::size_t>(i)];
  return body.lanes() > 1 ? folding.group_of_velocity[static_cast<std::size_t>(body.idx_v)] : -1;
}

/// Folds the groups that save the most bodies.
Folding fold_bodies(const Tree& tree);
/// Every body by itself.
Folding unfolded(const Tree& tree);

/// A canonical tree whose equal limbs are computed side by side.
struct FoldedTree {
  CanonicalTree full;
  /// The folded bodies, each with the numbers of its first member, and with the coordinates of the folding. Its
  /// own_frames are chosen for the folded robot.
  CanonicalTree walked;
  Folding folding;

  bool has_lanes() const { return folding.has_lanes(); }
};

FoldedTree fold_limbs(const CanonicalTree& tree);

}  // namespace featherline::model
