#pragma once

#include "model/constraints.hpp"
#include "model/planar_loop.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

/// Loops that are eliminated: the joints that they tie keep few coordinates, from which the others follow.
///
/// "All joints" have a coordinate each, as if there were no loops. The robot's own coordinates y, those of Tree::nq and
/// Tree::nv, are the independent ones of them:
///
///     q_all = gamma(y),   v_all = G(y) v,   a_all = G(y) a + dG/dt v,   tau = G^T tau_all
///
/// Source: Chignoli, Adrian, Kim, Wensing, "Recursive rigid-body dynamics algorithms for systems with kinematic loops",
/// 2023, whose G and g these are.
namespace featherline::description {
struct Constraint;
struct Description;
}  // namespace featherline::description

namespace featherline::model {

/// position = sum of factor * position + offset
struct LinearStep {
  struct Term {
    CoordinateIndex of;
    double factor;
  };
  CoordinateIndex of;
  std::vector<Term> terms;
  double offset = 0.0;
  std::shared_ptr<const PlanarLoop> bars =
      {};  ///< the parallelogram that the sum comes from, at one of its two sums
};
/// What gives the positions of joints that are not independent.
using ClusterStep = std::variant<LinearStep, PlanarLoop>;

/// Joints that loops tie together, for people.
struct Cluster {
  std::vector<std::string> loops, independent, dependent;
};

struct Clusters {
  int nq = 0, nv = 0;                      ///< of all joints
  std::vector<int> positions, velocities;  ///< by coordinate of all joints: its place in y, -1 if it follows
  std::vector<ClusterStep> steps;          ///< each needs what is there before it
  std::vector<Cluster> all;
  std::vector<Constraint> loops;          ///< what is eliminated, but for `couplings`
  std::vector<std::array<Link, 2>> ends;  ///< of these loops, as links of the user's tree
  std::vector<Constraint> couplings;

  /// Whether G is constant.
  bool is_linear() const;
};

/// Random states keep off positions at which loops are this near to where they cannot be assembled.
inline constexpr double assembly_margin = 1e-2;

/// Positions of all joints, angles within half a turn. Nothing if some loop cannot be assembled at y, or if the square
/// of the sine that it hangs on is less than `margin`: of a parallelogram, that between its bars.
std::optional<Eigen::VectorXd> positions_of_all_joints(const Clusters& clusters, const Eigen::VectorXd& y,
                                                       double margin);

/// A random position at which all loops close, none nearer to its edge than assembly_margin: angles within half a turn,
/// slides within 1 m, unit quaternions. Nothing if 20,000 tries find none.
std::optional<Eigen::VectorXd> random_closed_position(const Tree& tree, const Clusters& clusters,
                                                      std::mt19937& random);

/// Eliminates the loops that the file marks, and those in `names`: takes them from the tree's constraints, numbers its
/// coordinates anew, and sets Tree::clusters. Throws UsageError for a name that is no loop.
void eliminate_loops(const description::Description& robot, const std::vector<std::string>& names,
                     UserTree& tree, Diagnostics& findings);

/// The tree in which every joint has its coordinates, without clusters. T is a Tree that has clusters.
template <class T>
T with_all_joints(T tree) {
  const auto eliminated = tree.clusters;
  tree.nq = eliminated->nq;
  tree.nv = eliminated->nv;
  tree.clusters = nullptr;
  for (auto& body : tree.bodies) {
    body.joint.idx_q = body.joint.all.q;
    body.joint.idx_v = body.joint.all.v;
    if (body.joint.is_eliminated) body.joint.mimics = -1;
    body.joint.is_eliminated = false;
  }
  return tree;
}

/// How two joints of a loop follow from its others: a PlanarLoop, or two sums where the loop is a parallelogram, whose
/// bars turn by the same angles. Or why they cannot.
struct LoopGeometry {
  std::vector<ClusterStep> steps;
  std::string problem, remedy;
};

/// `taken`: by body, whether the joint follows from another loop. The joints that follow are the two last ones of the
/// others, counted outward from the body where both ends of the loop meet, then in joint order; not those that `read`
/// names independent.
LoopGeometry loop_geometry(const UserTree& tree, const Constraint& loop, const description::Constraint& read,
                           const std::vector<bool>& taken);

}  // namespace featherline::model
