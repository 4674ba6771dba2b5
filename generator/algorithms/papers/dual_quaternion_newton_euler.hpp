#pragma once

#include "algorithms/dual_quaternion.hpp"
#include "algorithms/joints.hpp"

/// Newton-Euler by dual quaternions: Silva, Quiroz-Omana and Adorno (paper 004), section 3, eqs. (16)-(30). Poses are
/// unit dual quaternions x, twists and wrenches pure ones: xi = omega + eps v, zeta = f + eps tau.
///
/// What differs from the paper:
/// - The frame c_i of a body is the project's own: its origin lies on the joint, not in the centre of mass. A centre
///   does not always exist: regrouping takes mass from bodies, and payloads may be inputs. So (25) and (26) have terms
///   of the first moment h; they vanish where h = 0, and what remains are the paper's.
/// - Joint twists, Table 1, are in the axes of the child, as v is. So Ad(x_j^c) of (19) to (21) is the identity on them.
/// - Poses are those from body to body. The paper takes them as (x_ci^0)* x_c(i-1)^0, through the world, which costs
///   digits where the robot is far away.
/// - Trees: the wrenches of all children add up in (29).
/// - One projection (30) for all joints: the dual part of <zeta, s>, s the unit twist of the axis. For s = l it is the
///   torque about l, for s = eps l the force along l.
namespace featherline::algorithms {

/// The twist omega + eps v of a motion.
inline PureDualQuaternion twist(const Motion& m) { return {m.w, m.u}; }

/// tau of q, v, a.
void rnea_by_dual_quaternions(Context& context);
/// tau = C(q, v) v + g(q).
void bias_by_dual_quaternions(Context& context);
/// tau = g(q).
void gravity_by_dual_quaternions(Context& context);

}  // namespace featherline::algorithms
