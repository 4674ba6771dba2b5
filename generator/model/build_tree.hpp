#pragma once

#include "description/description.hpp"
#include "joints/geometry.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <optional>
#include <string>
#include <vector>

namespace featherline::model {

// Joints that the user fixes at a position (--lock). What they carry is merged, as behind a fixed joint.

/// A joint and its entries of q: "elbow=0.5", "float=0:0:1:0:0:0:1".
struct Lock {
  std::string joint;
  std::vector<double> position;
};

/// The locks that the text of --lock lists. Throws UsageError for what is malformed.
std::vector<Lock> parse_locks(const std::string& text);
/// The text again.
std::string text_of(const std::vector<Lock>& locks);

struct LockRequest {
  std::vector<Lock> locks;
  /// Joints that stay free while all others are locked; empty: only `locks` are locked. A joint without a position in
  /// `locks` stands at 0, at unit rotation, or where the locked joint that it mimics puts it. Joints that mimic a free
  /// joint go on doing so.
  std::vector<std::string> all_but;
};

/// Makes joints of the description fixed, with description::Joint::locked. `coupled`: <mimic> has an effect, so the
/// leader of a joint that moves cannot be locked, and joints that the file holds (description::Joint::held) are locked.
/// Throws UsageError for joints that do not exist or do not move, for wrong positions, and if nothing is left to move.
/// Warns of positions outside the limits.
void lock_joints(description::Description& robot, const LockRequest& request, bool coupled,
                 bool floating_base, Diagnostics& findings);

/// X_J: where a locked joint holds its child, in the joint frame.
Placement held_at(const description::Joint& joint);

/// What the file says of drives and springs that enters the joints: nothing, rotor inertia, or all of it.
enum class JointDynamics { off, armature, model };

struct BuildOptions {
  bool floating_base = false;        ///< the root link floats; else it is welded to the world
  std::optional<Vector3> gravity{};  ///< in world axes [m/s^2]; absent: what the file says, or 0 0 -9.81
  std::optional<std::vector<std::string>> joint_order{};  ///< names of all moving joints; absent: depth first
  LockRequest locked = {};  ///< read_robot() hands it to lock_joints(); build_tree() sees fixed joints
  std::optional<JointDynamics> joint_dynamics{};  ///< absent: what is usual for the format
  bool mimic_independent = false;                 ///< <mimic> is ignored, every joint has its own coordinate
  bool allow_unphysical_inertia = false;          ///< see check_inertias
  /// Entries of a rotation closer than this to zero become zero (snap_rotation). 0 turns this off. The default changes
  /// angles with 11 decimals (1.57079632679, wrong by 5e-12). It does not change 1.5708 and 1.570796327. Results of
  /// inverse dynamics and its derivatives then change by less than the promised 1e-10. In derivatives of forward
  /// dynamics the change grows with the condition of M (tiago: 2e-9), so quarter_turns.hpp decides whether the default
  /// applies. A tolerance above the default is reported joint by joint.
  double snap_tolerance = default_snap_tolerance;

  static constexpr double default_snap_tolerance = 5e-11;
};

/// The moving bodies of a robot, with their joints in the order of q and everything fixed merged into them.
///
///  - Order: depth first from the root, siblings in byte order of joint name; fixed joints count, too. Pinocchio uses
///    the same order. Or `joint_order`, which must name every moving joint once, parents before children, and may name
///    locked ones. The floating base is body 0, the root link. Its joint is called "root_joint", followed by
///    underscores if the file has that name. `joint_order` may leave it out.
///  - Merging: links on fixed joints are welded to the body that carries them, or to the world if the root is fixed.
///    Every link stays in Tree::links with its body and its placement. Locked joints (lock_joints()) are fixed joints.
///  - Planar joints: z of the body frame is the normal of the plane, and the axes in the plane are plane_axes(axis).
///    If the normal is not +z, the body frame is turned against the child frame of the file. The Link keeps the frame
///    of the file. q = [x y theta]; v = [vx vy omega] is in the body frame.
///  - Mimic joints share the coordinate of the joint at the end of their chain. Multipliers and offsets are composed.
///
/// Do not use the tree if there is an error among `findings`. Checks the inertias (check_inertias). Warns about
/// <mimic> on fixed joints and about snapping with more than the default tolerance. warn_massless() warns about
/// bodies that move without inertia. The effort is linear in the number of links.
UserTree build_tree(const description::Description& robot, const BuildOptions& options,
                    Diagnostics& findings);

/// Where forces lift the same part of every body's weight, gravity is less instead: Body::lifted goes to Tree::lift.
void share_lift(UserTree& tree);

}  // namespace featherline::model
