#pragma once

#include "catalog/array.hpp"

namespace featherline::catalog {

/// Values for every input that a function has.
struct State {
  Eigen::VectorXd q, v, a, tau, b, w;
};

/// Inputs and outputs of the emitted functions. CMake reads the shapes between the braces, too
/// (runtime/cmake/ReadCatalogue.cmake): an argument is one entry that begins `inline const Argument NAME{"NAME", {SHAPE}`.
namespace arguments {

// Inputs, some of which other functions compute.
inline const Argument q{
    "q",      {nq}, "joint positions", "rad, m", "; quaternions are unit, order x y z w", Quantity::position,
    &State::q};
inline const Argument v{"v",
                        {nv},
                        "joint velocities",
                        "rad/s, m/s",
                        "; floating: [linear; angular] in the body frame",
                        Quantity::velocity,
                        &State::v};
inline const Argument a{"a",
                        {nv},
                        "joint accelerations",
                        "rad/s^2, m/s^2",
                        ": time derivative of v, entry by entry",
                        Quantity::acceleration,
                        &State::a};
inline const Argument tau{"tau",
                          {nv},
                          "joint torques and forces",
                          "N m, N",
                          "; floating: [force; torque] in the body frame",
                          Quantity::force,
                          &State::tau};
inline const Argument b{"b",      {nv}, "any vector of generalised forces", "", "", Quantity::any_vector,
                        &State::b};
inline const Argument w{"w", {nv}, "weights of the outputs", "", "", Quantity::any_vector, &State::w};

/// Inputs that every function has, behind its own. None so far.
inline const std::vector<Argument> of_every_function{};

// Dynamics.
inline const Argument x{"x", {nv}, "M^-1 b"};
inline const Argument M{"M", {nv, nv}, "joint-space inertia, full and symmetric", "kg m^2, kg m, kg"};
inline const Argument C{"C", {nv, nv}, "Coriolis matrix: C v = bias - gravity, and dM/dt - 2 C is skew"};
inline const Argument Minv{"Minv", {nv, nv}, "inverse of the joint-space inertia, full and symmetric"};

// First derivatives.
inline const Argument dtau_dq{
    "dtau_dq", {nv, nv}, "d tau_i / d q_j, along the tangent where q has quaternions"};
inline const Argument dtau_dv{"dtau_dv", {nv, nv}, "d tau_i / d v_j"};
inline const Argument da_dq{"da_dq", {nv, nv}, "d a_i / d q_j, along the tangent where q has quaternions"};
inline const Argument da_dv{"da_dv", {nv, nv}, "d a_i / d v_j"};
inline const Argument da_dtau{"da_dtau", {nv, nv}, "d a_i / d tau_j, which is M^-1"};

// Second derivatives.
inline const Argument d2tau_dqdq{
    "d2tau_dqdq", {nv, nv, nv}, "d/dq_k (d tau_i / d q_j), along the tangent where q has quaternions"};
inline const Argument d2tau_dvdv{"d2tau_dvdv", {nv, nv, nv}, "d2 tau_i / (d v_j d v_k)"};
inline const Argument d2tau_dqdv{"d2tau_dqdv", {nv, nv, nv}, "d2 tau_i / (d q_j d v_k)"};
inline const Argument dM_dq{"dM_dq", {nv, nv, nv}, "d M_ij / d q_k"};
inline const Argument d2a_dqdq{
    "d2a_dqdq", {nv, nv, nv}, "d/dq_k (d a_i / d q_j), along the tangent where q has quaternions"};
inline const Argument d2a_dvdv{"d2a_dvdv", {nv, nv, nv}, "d2 a_i / (d v_j d v_k)"};
inline const Argument d2a_dqdv{"d2a_dqdv", {nv, nv, nv}, "d2 a_i / (d q_j d v_k)"};
inline const Argument d2a_dqdtau{
    "d2a_dqdtau", {nv, nv, nv}, "d2 a_i / (d q_j d tau_k), the derivative of M^-1"};
inline const Argument H{
    "H",
    {2 * nv, 2 * nv},
    "second derivatives with respect to (q, v); symmetric but for the q block inside one joint with several "
    "degrees of freedom, where row j and column k is d/dq_k (d/dq_j): turns do not commute. A second-order "
    "expansion takes (H + H^T) / 2"};
inline const Argument dMw_dq{"dMw_dq", {nv, nv}, "d (M w)_j / d q_k = sum over i of w_i dM_ij / dq_k"};
inline const Argument dMinvw_dq{
    "dMinvw_dq", {nv, nv}, "d (M^-1 w)_j / d q_k = sum over i of w_i dM^-1_ij / dq_k"};

// Kinematics.
inline const Argument R{"R", {3, 3}, "rotation from link axes to world axes"};
inline const Argument p{"p", {3}, "origin of the link frame in the world", "m"};
inline const Argument J{
    "J", {6, nv}, "rows [linear; angular], in the axes and about the point the frame names"};

}  // namespace arguments

/// All inputs, in the order in which states list them.
const std::vector<Argument>& inputs();

}  // namespace featherline::catalog
