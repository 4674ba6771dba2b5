#pragma once

#include "description/description.hpp"
#include "joints/geometry.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <optional>
#include <string>
#include <unordered_map>
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

// Which joint hangs on which, in what order they stand in q, and which drives which.

/// The indices of links or joints by name, for many look-ups. It is looked up only, never walked.
class NameIndex {
 public:
  template <class Part>
  explicit NameIndex(const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) index_.emplace(parts[i].name, static_cast<int>(i));
  }
  /// -1 where nothing has that name.
  int find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> index_;
};

/// For one look-up: -1 where no part has that name.
template <class Part>
int find_named(const std::vector<Part>& parts, const std::string& name) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

using Indices = std::vector<std::size_t>;

/// The links and joints of a Description as a rooted tree of indices.
struct Topology {
  std::size_t root = 0;   ///< link without a parent joint
  Indices parent, child;  ///< per joint: its links
  Indices order;          ///< all joints, fixed ones too: depth first, siblings by name or as written
};

/// The joints have to form one tree over all links, as description::check() sees to it.
Topology find_topology(const description::Description& robot);

/// Moving joints (indices into Description::joints) in the order of q: depth first, or as `joint_order` names
/// them; `base_joint`, the name of the floating base's joint, may stand first there. Nothing on error.
std::optional<Indices> order_joints(const description::Description& robot, const Topology& topology,
                                    const std::optional<std::vector<std::string>>& joint_order,
                                    const std::string& base_joint, Diagnostics& findings);

/// coordinate = multiplier * (coordinate of `driver`) + offset
struct Coupling {
  int driver = -1;  ///< joint index; -1: the joint has a coordinate of its own
  double multiplier = 1.0;
  double offset = 0.0;
};

/// The coupling of every joint to the joint at the end of its chain of <mimic>s. Errors: unknown joint, cycle,
/// and a mimic or driver that has not exactly one coordinate. Warns of <mimic> on a fixed joint and ignores it.
std::vector<Coupling> resolve_mimics(const description::Description& robot, Diagnostics& findings);

// Findings about inertias: inertias that no matter can have, and joints that move no inertia.

/// Checks that masses and inertias are possible. A negative mass or principal moment is an error. With
/// `allow_unphysical` it is a warning, because the equations are still defined. It is always a warning if
///  - it is within rounding of the scale of the link,
///  - links welded to the link outweigh it, because only their sum moves,
///  - it has no effect: the link is welded to the world, or no joint turns it about the axis of that moment.
/// It is also a warning if moments are zero or break the triangle inequality, or if a link has inertia but no mass.
/// `tree` was built from `robot`.
void check_inertias(const description::Description& robot, const UserTree& tree, bool allow_unphysical,
                    Diagnostics& findings);

/// A joint that moves no inertia in any configuration. It makes the mass matrix singular.
struct MasslessJoint {
  int body = -1;
  std::vector<int> links;  ///< indices into Tree::links of everything the joint moves
};

/// Finds the first joint of each subtree without inertia, and leaf joints whose body has no inertia in a direction of
/// motion, such as a point mass on a revolute axis. Mimics do not count, because their driver moves other inertia.
/// Joints with armature do not count either.
std::vector<MasslessJoint> find_massless_joints(const UserTree& tree);

/// Reports a warning for each massless joint, with its name and its links. Call it after the armature of the joints
/// is set.
void warn_massless(const UserTree& tree, Diagnostics& findings);

// Rotors behind gears (<featherline_rotor>). A rotor with inertia I about its axis s turns with the angular velocity
// w + N qd s, where w is that of its carrier and qd the rate of its joint. As the carrier's inertia includes it at
// rest, it adds the kinetic energy I N qd (s . w) + I N^2 qd^2 / 2: the second term is armature, the first one
// armature leaves out.

/// Reads the rotors of the file into the tree, and adds to the carriers what their links leave out. Rotors of joints
/// that do not move stay as a part of their carrier. Reports rotors that the world carries.
void add_rotors(const description::Description& robot, UserTree& tree, Diagnostics& findings);

/// The same mechanism without rotors. Where a rotor's axis is that of its joint, and one of the joint's two bodies
/// carries it, s . w + qd is s . w of the other body, and I N qd (s . w) is a difference of squares:
///
///   qd = y - x:  N x (y - x) = N (y^2 - x^2) / 2 - N (y - x)^2 / 2   with x = s . w of the parent, y of the joint's body
///
/// So inertia I N about the axis moves from the parent to the joint's body, and the joint gets I N (N - 1)
/// (Joint::geared). If the joint's body carries the rotor, y takes the place of x in front, and this is I N (N + 1).
/// Energy, momentum and torques stay what they are. Every other rotor becomes a body of its own behind its carrier.
Tree without_rotors(Tree tree);

/// Coulomb friction is smoothed to friction v / sqrt(v^2 + friction_smoothing^2), so that it has derivatives. The
/// unit is rad/s or m/s. At ten times this speed the torque is 0.5 % less than Coulomb's.
inline constexpr double friction_smoothing = 1e-2;

/// Sets damping, Coulomb friction and armature of the tree's joints from a text of lines:
///   JOINT DAMPING FRICTION ARMATURE [STIFFNESS REST]
/// Units are N m s/rad, N m, kg m^2, N m/rad, rad. Prismatic joints have N s/m, N, kg, N/m, m. All values are at the
/// joint: ARMATURE is the inertia of the rotor times the square of the gear ratio. JOINT `*` means every joint that turns
/// about or slides along axes, and every ball, which gets no spring. A ball gets one from a line with its name, whose
/// REST is 0. A later line replaces earlier ones. Blank lines and comments after # are skipped. Errors name `file` and
/// line.
void set_joint_dynamics(UserTree& tree, const std::string& text, const std::string& file,
                        Diagnostics& findings);

}  // namespace featherline::model
