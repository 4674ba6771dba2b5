#pragma once

#include "joints/constraint_table.hpp"
#include "joints/geometry.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// Constraints on the motion of the tree: contacts that the user chose, and the loops and wheels of the robot's file.
///
/// Each is about one or two frames, which are placed in links. F is the frame of a contact or wheel; F1 and F2 are the
/// two ends of a loop. A constraint holds if its acceleration rows are zero:
///
///     type           rows  acceleration that is held                                   axes
///     contact_point  3     of the origin of F                                          the world's
///     contact_weld   6     of the origin of F; angular acceleration of F               the world's
///     contact_normal 1     derivative of the velocity of the origin of F along z       fixed in the world, or of F
///     contact_friction 2   the same along x and y                                      fixed in the world, or of F
///     contact_sphere 3     derivative of the velocity of the point p - R n, whose way  the world's
///                          from the origin p of F is fixed in the world
///     loop_point     3     second time derivative of e = R_WF1^T (p_F2 - p_F1)         of F1
///     loop_axis      5     the same; derivative of the x and y parts of the angular    of F1
///                          velocity of F2 relative to F1 (z is the axis)
///     loop_weld      6     the same; derivative of all three parts                     of F1
///     rolling        3     derivative of the velocity of the wheel's lowest point      forward, sideways, up
///     no_sliding     1     derivative of the velocity of the origin of F along its z   of F
///     coupling       1     of the sum e of coefficient times position, less an offset  of no frame
///
/// The sphere has the centre p and the radius R, and n is the ground's normal, which only steps with contacts know:
/// other functions do not exist with spheres.
///
/// "Acceleration" is the classical one: the time derivative of a point's velocity, without gravity.
///
/// A loop has position errors e, and all have velocity errors de, the velocity rows J v. In linear rows of a loop de is
/// the rate of e. In its turning rows de is the angular velocity, which is the rate of e where e is zero.
namespace featherline {
class Diagnostics;
namespace description {
struct Description;
struct Constraint;
}  // namespace description
}  // namespace featherline

namespace featherline::model {

struct Tree;
struct UserTree;

/// A frame F in a link L.
struct FrameInLink {
  int link = 0;         ///< in Tree::links
  Placement placement;  ///< X_LF
};
/// Its z is the axis of loop_axis, the axle of a wheel, the direction of no_sliding. contact_normal and
/// contact_friction have its axes unless theirs are fixed in the world.
using Anchor = FrameInLink;

struct Constraint {
  std::string name;
  ConstraintType type = ConstraintType::contact_point;
  std::vector<Anchor> anchors;  ///< F; or F1 and F2
  struct Term {
    int body;  ///< of the joint, which has one axis and a coordinate of its own
    double coefficient;
  };
  std::vector<Term> terms = {};  ///< of a coupling
  double offset = 0.0;
  double radius = 0.0;                ///< of a wheel or a sphere [m]
  std::optional<Matrix3> world_axes;  ///< of contact_normal and contact_friction; nothing: those of F
  std::optional<Vector3> held_at;     ///< of a contact: its anchor in the world (with_values())
  int first_row = 0;                  ///< among the rows of all constraints
  int first_residual = 0;             ///< among those that have a residual: all but contacts
  int line = 0;                       ///< in the robot's file; 0 for contacts

  bool is_contact() const { return kind_of(type).is_contact; }
  bool is_loop() const { return anchors.size() == 2; }
  int num_rows() const { return kind_of(type).rows; }
  /// The first rows are linear, those behind them turn.
  int num_linear_rows() const { return std::min(3, num_rows()); }
  int num_residual_rows() const { return is_contact() ? 0 : num_rows(); }
  /// The row of lambda that is below zero where the constraint pulls at the ground; -1: it has none.
  int normal_row() const { return kind_of(type).normal_row < 0 ? -1 : first_row + kind_of(type).normal_row; }
};

/// A joint whose limits and Coulomb friction are in the problem of steps with contacts (model/joint_roles.hpp).
struct ContactJoint {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  int idx_q, idx_v;
  double lower = -infinity, upper = infinity, friction = 0.0;  ///< [rad, m], [N m, N]
};

struct Constraints {
  std::vector<Constraint> all;  ///< contacts in the user's order, then those of the file
  std::vector<ContactJoint> joints = {};
  /// Gains of Baumgarte's stabilisation: the acceleration rows are set to -kp e - kd de. e of a contact is how
  /// far it is from its anchor, along its rows that do not turn. A contact without an anchor, a wheel and no_sliding
  /// have no position to hold: e is zero. [1/s^2], [1/s]
  double kp = 0.0, kd = 0.0;
  /// Of inverse dynamics under constraints: coordinates of v that no motor acts on, ascending (model/joint_roles.hpp), and
  /// what moments are divided by to be compared with forces, the size of the robot [m].
  std::vector<int> without_motor;
  double length = 1.0;

  int count() const { return static_cast<int>(all.size()); }
  int num_rows() const { return all.empty() ? 0 : all.back().first_row + all.back().num_rows(); }
  int num_residual_rows() const {
    return all.empty() ? 0 : all.back().first_residual + all.back().num_residual_rows();
  }
  /// Sets first_row and first_residual of all.
  void number_rows();
};

/// The loops, wheels and couplings of the file. Reports joints that cannot be coupled, loops whose ends never move
/// relative to each other, and wheels that do not move. Rotations are snapped as those of joints are
/// (BuildOptions::snap_tolerance).
std::vector<Constraint> build_constraints(const description::Description& description, const UserTree& tree,
                                          double snap_tolerance, Diagnostics& diagnostics);

/// The body whose joint has this name and may be part of a coupling or of an eliminated loop. If there is none, reports
/// why and returns -1.
int coupled_body(const description::Description& description, const description::Constraint& loop,
                 const std::string& joint, const UserTree& tree, Diagnostics& diagnostics);

/// Entries of J M^-1 J^T of a free body with the mass m and the size L of the robot: 1/m and 1/(m L^2).
struct FreeBodyRows {
  double linear = 1.0, turning = 1.0;
};
FreeBodyRows free_body_rows(const Tree& tree);

/// Which rows count as zero: those that are dropped, because they depend on rows before them or hold nothing. With
/// D = J M^-1 J^T = L E L^T, L unit lower triangular and E diagonal, row k is dropped if
///
///     E_k <= pivot_tolerance (s_k + error_of_rows_before b_k),  E_k = D_kk - sum over kept j < k of L_kj^2 E_j,
///
///     s_k = sum of D_rr over the group of k + least_row * (entry of a free body)
///     b_k = sum over kept j < k of L_kj^2 E_j (s_j + b_j) / E_j
///
/// pivot_tolerance is that of featherline/pivot.hpp. The group of k is the linear or the turning rows of its
/// constraint.
///  - least_row: a group may be made of rounding errors, such as the turning rows of a pin between bodies that move in
///    one plane.
///  - b_k, in units of rounding, is what errors of the rows before leave in row k: (s_j + b_j) / E_j is the relative
///    error of E_j. A pivot of 1e-7 of its entry leaves 1e-9 in a row that depends on it.
///
/// tests/property/constraints.cpp decided both numbers, least_row by its pins between parallel joints.
inline constexpr double least_row = 1e-6, error_of_rows_before = 0.1;

/// X_BF, or X_WF for a frame that is welded to the world.
Placement frame_in_body(const Tree& tree, const FrameInLink& frame);
/// The body that carries it, -1 for the world.
int body_of(const Tree& tree, const FrameInLink& frame);

}  // namespace featherline::model
