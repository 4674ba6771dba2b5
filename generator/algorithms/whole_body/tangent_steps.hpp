#pragma once

#include "algorithms/context.hpp"

/// Steps in the configuration space. A joint whose velocity is in the axes of its child moves for unit time with a
/// constant velocity. Sources: Murray, Li, Sastry, "A Mathematical Introduction to Robotic Manipulation", 1994, section
/// 2.3 and appendix A; Sola, Deray, Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, section II
/// and appendices B to D. All other joints add.
///
/// There are no branches, so that any scalar will do, and no angle is an exception. For an angle of zero,
/// exponential.hpp says why.
namespace featherline::algorithms {

/// q_next = q (+) dv.
void integrate(Context& context);

/// dv with q0 (+) dv = q1: quaternions turn the short way, angles subtract.
void difference(Context& context);

/// d q_next / d q and d q_next / d dv, tangent to tangent: Ad(exp(dv)^-1) and the right Jacobian.
void integrate_derivatives(Context& context);

}  // namespace featherline::algorithms
