#pragma once

#include "joints/geometry.hpp"
#include "joints/joint_table.hpp"
#include "model/chosen_frames.hpp"
#include "model/chosen_inputs.hpp"
#include "model/constraints.hpp"
#include "model/planar_loop.hpp"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The kinematic tree the algorithms walk: moving bodies only, in joint order, parents before children.
///
/// Notation (CONTRIBUTING.md): R_PB rotates components from frame B to frame P; p_PB is B's origin measured
/// from P's origin, expressed in P. A body's frame B is its joint's child frame.
namespace featherline::model {

struct Clusters;

/// Infinite where the file gives none.
struct Limits {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double lower = -infinity, upper = infinity, velocity = infinity, effort = infinity;
  double acceleration = infinity, deceleration = infinity, jerk = infinity;
};

/// Motion of the body frame B against the parent body frame P:
///   X_PB(q) = placement * X_J(multiplier * q + offset)
/// X_J is what the row of its type says (joint_table.hpp): turns about and slides along `axis` and `axis2`, the first
/// motion carrying the later ones, a screw with `pitch`; a quaternion's rotation (spherical), a pose (floating), or
/// x, y, theta in the plane normal to +z (planar).
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  Placement placement;              ///< joint frame at zero position, in the parent body frame
  Placement in_user = {};           ///< of a canonical tree: its joint frame in that of the user's tree
  Vector3 axis = Vector3::UnitZ();  ///< unit, in the joint frame
  Vector3 axis2 = Vector3::UnitY();
  double pitch = 0.0;  ///< [m/rad]
  int idx_q = 0, nq = 1, idx_v = 0, nv = 1;
  Limits limits;
  double multiplier = 1.0, offset = 0.0;  ///< mimic: coordinates are multiplier * driver + offset
  int mimics = -1;  ///< body whose joint drives this one, or -1; indices are then shared
  /// Of robots with clusters: its first coordinate among those of all joints, and whether a loop was eliminated that it
  /// follows from. It then has the indices of a joint that drives it, `mimics`.
  CoordinateIndex all = {};
  bool is_eliminated = false;
  double damping = 0.0, friction = 0.0, armature = 0.0;
  double geared = 0.0;  ///< what rotors add to M here beside their part in the inertias (build_tree.hpp)
  /// Turns a body that is symmetric about the axis: where it has turned to makes no difference, and it stays at 0.
  bool turns_rotor = false;
  /// Of a spring in a joint with one coordinate: its torque is 0 where multiplier * q is `rest`.
  double stiffness = 0.0, rest = 0.0;
  /// Of a spring in a free joint: entries of q at rest. That of a ball is at rest where the ball is not turned.
  std::array<double, 7> rest_pose = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
  int line = 0;           ///< in the file; 0 for the floating base
  std::string file = {};  ///< where it stands

  const JointRow& row() const { return row_of(type); }
  /// A direction of one of its motions, in the joint frame.
  Vector3 direction(Direction along) const {
    if (along == Direction::axis) return axis;
    if (along == Direction::axis2) return axis2;
    return Vector3::Unit(static_cast<int>(along));
  }
};

/// A coordinate that a tendon's length depends on.
struct TendonEnd {
  int idx_q, idx_v;
  double coefficient;
};

/// A cable of length L = sum of coefficient * q over its ends, with a drive and a spring along it:
///   tau += coefficient * (armature L'' + damping L' + friction L' / sqrt(L'^2 + epsilon^2) + stiffness (L - rest))
/// at each end. So armature is in M between all ends, whatever branches of the tree they are on.
struct Tendon {
  std::string name;
  std::vector<TendonEnd> ends;  ///< each coordinate once, in the order of v
  double damping = 0.0, friction = 0.0, armature = 0.0, stiffness = 0.0, rest = 0.0;
};

struct Body {
  std::string name;  ///< of the link right behind the joint
  int parent = -1;   ///< index in Tree::bodies, -1 is the world
  Joint joint;
  Inertia inertia;  ///< of the body with everything welded to it
  /// Its matter whose weight a force lifts (<gravcomp>), but for Tree::lift; only m and h count.
  Inertia lifted = {};
  /// X_BU: where the body's frame of the user's tree is. Empty for bodies that the user does not have: those between
  /// the motions of a joint that was split.
  std::optional<Placement> user_frame = Placement{};
};

/// Every link of the robot's file, merged or not: where it is and which body carries it.
struct Link {
  std::string name;
  int body = -1;        ///< -1: welded to the world
  Placement placement;  ///< X_BL, link frame in the body frame
  double mass = 0.0;
  Vector3 com = Vector3::Zero();  ///< in the link frame
  Inertia inertia = {};           ///< in the link frame, about its origin; of links that move
  int lock = -1;                  ///< in Tree::locked, if the joint that carries it is locked
};

/// A joint that the user locked. What it carries is merged.
struct LockedJoint {
  std::string name;
  JointType type;
  std::vector<double> position;  ///< entries of q
  std::string child;             ///< the link right behind it
};

/// Turns inside its carrier about an axis that the carrier holds, gear_ratio times as fast as its joint moves. It is
/// symmetric about the axis. The inertia of the carrier includes it as it is at rest there.
struct Rotor {
  int joint = -1;    ///< the body whose joint it turns with; the joint's own rate counts, of a mimic too
  int carrier = -1;  ///< body; -1 is the world
  Vector3 axis = Vector3::UnitZ();  ///< unit, in the carrier
  double gear_ratio = 1.0;
  double inertia = 0.0;  ///< about the axis [kg m^2]
  int line = 0;          ///< in the file
  std::string file = {};
};

/// What a column of the regressor multiplies that is no inertia of a body. The offset is a constant torque; the
/// stiffness is that of a spring with the rest of the joint.
enum class ColumnKind { armature, damping, friction, stiffness, offset, rotor };

struct JointColumn {
  ColumnKind kind;
  std::string joint;  ///< by name: trees split joints
  Rotor rotor = {};   ///< of the user's tree

  bool is_rotor() const { return kind == ColumnKind::rotor; }
};

/// A minimal set of inertial parameters: base parameters = map * all parameters, ten for each body of the user's tree,
/// and those of joint_columns. The regressor is base regressor * map.
struct BaseParameters {
  std::vector<int> columns;  ///< of the regressor, which are those of the base regressor; ascending
  Eigen::MatrixXd map;       ///< one row for each of them, a column for each of the regressor

  int count() const { return static_cast<int>(columns.size()); }
};

/// A position of the robot that its file names.
struct NamedPosition {
  std::string name;
  std::vector<double> q;
};

/// How steps in time are computed (algorithms/steps/steps.hpp).
enum class Integrator { semi_implicit, rk4 };

/// What the two trees below share. A function that takes it works in any frames.
struct Tree {
  std::string name;
  bool floating_base = false;
  int nq = 0, nv = 0;
  Vector3 gravity{0.0, 0.0, -9.81};           ///< in world axes [m/s^2]
  double lift = 0.0;                          ///< the part of all weight that forces lift
  std::vector<Body> bodies;                   ///< one joint each, in the order of q; parents first
  std::vector<Link> links;                    ///< document order
  std::vector<Tendon> tendons = {};           ///< document order
  std::vector<Rotor> rotors = {};             ///< of the user's tree; document order
  std::vector<LockedJoint> locked;            ///< depth first
  std::vector<NamedPosition> positions = {};  ///< as in the file; a floating base stands at 0
  /// Of the regressor; null until a function needs them (algorithms/whole_body/whole_body.hpp).
  std::shared_ptr<const BaseParameters> base_parameters = nullptr;
  std::vector<JointColumn> joint_columns = {};  ///< of the regressor, behind those of bodies
  /// Mass and first moment of what regrouping moved from root bodies to the world, in its axes: matter on axes and in
  /// centres that do not move. It has no effect on torques, but is part of the centre of mass (canonical.hpp).
  Inertia grounded;
  ChosenInputs chosen;
  ChosenFrames frames;
  Constraints constraints;
  std::shared_ptr<const Clusters> clusters = nullptr;  ///< null where no loop is eliminated
  Integrator integrator = Integrator::semi_implicit;
  std::vector<AppliedForce> applied_forces;  ///< only if the tree was made by with_values()
};

/// The robot as its user sees it: one body a joint, frames of its file. Made by build_tree().
struct UserTree : Tree {};

/// What algorithms trace: joints with one axis have it along +z, those with several are split. Made by canonicalise().
struct CanonicalTree : Tree {
  /// By body: whether derivative algorithms express it in its own frame. If not, they express it in the frame that its
  /// parent is expressed in (algorithms/derivatives/composite_motion.hpp). Empty if nobody chose.
  std::vector<bool> own_frames = {};
};

/// The body whose joint has the coordinate.
int body_of(const Tree& tree, const TendonEnd& end);
/// Whether forces lift some bodies.
bool has_lifted(const Tree& tree);
/// Whether a free joint has armature, damping or a spring.
bool has_damped_free_joint(const Tree& tree);
/// Whether a ball or a free joint has a spring.
bool has_pose_springs(const Tree& tree);

/// How many bodies the user's tree has.
int num_user_bodies(const Tree& tree);

/// The children of the world, then those of each body: those of body i stand at i + 1. They ascend.
std::vector<std::vector<int>> children_by_parent(const Tree& tree);

/// The longest distance along the tree between two joint origins or centres of mass [m]. It does not depend on where
/// the robot stands in the world.
double robot_size(const Tree& tree);

/// Bodies with joint, placement and inertial parameters, then links: what --dump-after prints.
std::string dump(const Tree& tree);

}  // namespace featherline::model
