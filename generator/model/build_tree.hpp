#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <optional>
#include <string>
#include <vector>

namespace featherline::model {

struct BuildOptions {
  bool floating_base = false;        ///< the root link floats; else it is welded to the world
  Vector3 gravity{0.0, 0.0, -9.81};  ///< in world axes [m/s^2]
  std::optional<std::vector<std::string>> joint_order{};  ///< names of all moving joints; absent: depth first
  bool joint_dynamics = false;            ///< keep <dynamics> damping and friction in the joints
  bool mimic_independent = false;         ///< <mimic> is ignored, every joint has its own coordinate
  bool allow_unphysical_inertia = false;  ///< see check_inertias
  /// Entries of a rotation closer than this to zero become zero (snap_rotation). The default catches angles
  /// written with 11 decimals (1.57079632679, off by 5e-12) and keeps 1.5708 and 1.570796327 as they are. What it
  /// changes stays below the promised agreement of 1e-10 in inverse dynamics and its derivatives; in forward
  /// dynamics' derivatives it grows with the condition of M (tiago: 2e-9), so that quarter_turns.hpp decides. A
  /// coarser value is reported joint by joint. 0 turns it off.
  double snap_tolerance = default_snap_tolerance;

  static constexpr double default_snap_tolerance = 5e-11;
};

/// The moving bodies of a robot, with their joints in the order of q and everything fixed merged into them.
///
/// - Order: depth first from the root, siblings in byte order of joint name, fixed joints taking part (what
///   Pinocchio does); or `joint_order`, which must name every moving joint once, parents before children. The
///   floating base is body 0, the root link, with a joint called "root_joint" (followed by underscores where the
///   URDF has that name itself); `joint_order` may leave it out.
/// - Merging: what fixed joints hold is welded into the body that carries it; the world swallows what hangs on a
///   fixed root. Every link stays in Tree::links with its body and its placement.
/// - Planar joints: the plane's normal is the body frame's z axis and the in-plane axes are plane_axes(axis). With
///   a normal other than +z the body frame is therefore turned against the URDF's child frame, which stays where
///   the URDF puts it as a Link; q = [x y theta], and v = [vx vy omega] are components in the body frame.
/// - Mimic joints share the coordinate of the joint at the end of their chain, with multiplier and offset composed.
///
/// After an error among `findings` the tree is unusable. Checks the inertias (check_inertias); warns about <mimic> on fixed
/// joints and about snapping coarser than the default; about bodies that move without inertia warn_massless does. Linear in the number of links.
UserTree build_tree(const urdf::Description& robot, const BuildOptions& options, Diagnostics& findings);

}  // namespace featherline::model
