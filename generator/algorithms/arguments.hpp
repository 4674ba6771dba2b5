#pragma once

#include "algorithms/registry.hpp"

/// Inputs and outputs of the emitted functions: name, shape, and what the doc comment says of them.
namespace featherline::algorithms::arguments {

inline constexpr const char* tensor = "nv x nv x nv, T(i, j, k) at i + nv j + nv^2 k";

inline const Argument q{"q", "nq", "joint positions [rad, m]; quaternions are unit, order x y z w"};
inline const Argument v{"v", "nv",
                        "joint velocities [rad/s, m/s]; floating: [linear; angular] in the body frame"};
inline const Argument a{"a", "nv",
                        "joint accelerations [rad/s^2, m/s^2]: time derivative of v, entry by entry"};
inline const Argument tau{"tau", "nv",
                          "joint torques and forces [N m, N]; floating: [force; torque] in the body frame"};
inline const Argument b{"b", "nv", "any generalised forces, like tau [N m, N]"};
inline const Argument x{"x", "nv", "M^-1 b, like a [rad/s^2, m/s^2]"};
inline const Argument C{
    "C", "nv x nv, column-major",
    "Coriolis matrix: C v = bias - gravity, and dM/dt - 2 C is skew; rows like tau [N m, N], "
    "columns like v [rad/s, m/s]"};
inline const Argument Minv{
    "Minv", "nv x nv, column-major",
    "inverse of the joint-space inertia, full and symmetric [1/(kg m^2), 1/(kg m), 1/kg]"};

// "Steps of q" are explained in the header, where q (+) e is.
inline const Argument dtau_dq{"dtau_dq", "nv x nv, column-major",
                              "d tau_i / d q_j: rows like tau [N m, N], columns are steps of q [rad, m], "
                              "such as N m/rad"};
inline const Argument dtau_dv{"dtau_dv", "nv x nv, column-major",
                              "d tau_i / d v_j: rows like tau [N m, N], columns like v [rad/s, m/s]"};
inline const Argument da_dq{"da_dq", "nv x nv, column-major",
                            "d a_i / d q_j: rows like a [rad/s^2, m/s^2], columns are steps of q [rad, m]"};
inline const Argument da_dv{"da_dv", "nv x nv, column-major",
                            "d a_i / d v_j: rows like a [rad/s^2, m/s^2], columns like v [rad/s, m/s]"};
inline const Argument da_dtau{"da_dtau", "nv x nv, column-major",
                              "d a_i / d tau_j, which is M^-1 [1/(kg m^2), 1/(kg m), 1/kg]"};
inline const Argument d2tau_dqdq{
    "d2tau_dqdq", tensor, "d/dq_k (d tau_i / d q_j): i like tau [N m, N], j and k steps of q [rad, m]"};
inline const Argument d2tau_dvdv{
    "d2tau_dvdv", tensor, "d2 tau_i / (d v_j d v_k): i like tau [N m, N], j and k like v [rad/s, m/s]"};
inline const Argument d2tau_dqdv{
    "d2tau_dqdv", tensor,
    "d2 tau_i / (d q_j d v_k): i like tau [N m, N], j steps of q [rad, m], k like v [rad/s, m/s]"};
inline const Argument dM_dq{"dM_dq", tensor,
                            "d M_ij / d q_k: i and j like M [kg m^2, kg m, kg], k steps of q [rad, m]"};
inline const Argument d2a_dqdq{
    "d2a_dqdq", tensor, "d/dq_k (d a_i / d q_j): i like a [rad/s^2, m/s^2], j and k steps of q [rad, m]"};
inline const Argument d2a_dvdv{
    "d2a_dvdv", tensor, "d2 a_i / (d v_j d v_k): i like a [rad/s^2, m/s^2], j and k like v [rad/s, m/s]"};
inline const Argument d2a_dqdv{
    "d2a_dqdv", tensor,
    "d2 a_i / (d q_j d v_k): i like a [rad/s^2, m/s^2], j steps of q [rad, m], k like v [rad/s, m/s]"};
inline const Argument d2a_dqdtau{"d2a_dqdtau", tensor,
                                 "d2 a_i / (d q_j d tau_k), the derivative of M^-1: i like a [rad/s^2, "
                                 "m/s^2], j steps of q [rad, m], k like "
                                 "tau [N m, N]"};
inline const Argument w{"w", "nv", "weights of the outputs"};
inline const Argument H{
    "H", "2*nv x 2*nv, column-major",
    "second derivatives with respect to (q, v), rows and columns first the steps of q [rad, m], then v "
    "[rad/s, m/s]; "
    "symmetric but for the q block inside one joint with several "
    "degrees of freedom, where row j and column k is d/dq_k (d/dq_j): turns do not commute. A second-order "
    "expansion takes (H + H^T) / 2"};
inline const Argument dMw_dq{
    "dMw_dq", "nv x nv, column-major",
    "d (M w)_j / d q_k = sum over i of w_i dM_ij / dq_k: rows like M w, columns steps of q "
    "[rad, m]"};
inline const Argument dMinvw_dq{
    "dMinvw_dq", "nv x nv, column-major",
    "d (M^-1 w)_j / d q_k = sum over i of w_i dM^-1_ij / dq_k: rows like M^-1 w, columns "
    "steps of q [rad, m]"};
inline const Argument R{"R", "3 x 3, column-major", "rotation from link axes to world axes"};
inline const Argument p{"p", "3", "origin of the link frame in the world [m]"};
inline const Argument J{"J", "6 x nv, column-major",
                        "rows [linear; angular], in the axes and about the point the frame names"};
inline const Argument M{"M", "nv x nv, column-major",
                        "joint-space inertia, full and symmetric [kg m^2, kg m, kg]"};

}  // namespace featherline::algorithms::arguments
