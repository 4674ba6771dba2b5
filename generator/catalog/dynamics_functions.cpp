#include "catalog/entries.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/lanes/limb_lanes.hpp"
#include "algorithms/papers/denoc.hpp"
#include "algorithms/papers/dual_quaternion_newton_euler.hpp"
#include "algorithms/papers/gauss.hpp"
#include "algorithms/routines/loops.hpp"
#include "algorithms/routines/panels.hpp"
#include "algorithms/routines/panels_and_kernels.hpp"
#include "catalog/formulations.hpp"

/// Dynamics and its derivatives.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

const Dependence on_inertia{.inertia = true}, on_gravity{.gravity = true, .inertia = true},
    on_all{Dependence::Forces::yes, true, true}, on_all_but_forces{Dependence::Forces::not_yet, true, true};

// Outputs: dynamics.
const Argument x{"x", {nv}, "M^-1 b, like a", "rad/s^2, m/s^2"};
const Argument M{"M", {nv, nv}, "joint-space inertia, full and symmetric", "kg m^2, kg m, kg"};
const Argument C{"C",
                 {nv, nv},
                 "Coriolis matrix: C v = bias - gravity without external forces, and dM/dt - 2 C is skew; "
                 "rows like tau [N m, N], columns like v",
                 "rad/s, m/s"};
const Argument Minv{
    "Minv", {nv, nv}, "inverse of the joint-space inertia, full and symmetric", "1/(kg m^2), 1/(kg m), 1/kg"};

// First derivatives. The header says what steps of q are.
const Argument dtau_dq{
    "dtau_dq", {nv, nv}, "d tau_i / d q_j: rows like tau [N m, N], columns steps of q", "rad, m"};
const Argument dtau_dv{
    "dtau_dv", {nv, nv}, "d tau_i / d v_j: rows like tau [N m, N], columns like v", "rad/s, m/s"};
const Argument da_dq{
    "da_dq", {nv, nv}, "d a_i / d q_j: rows like a [rad/s^2, m/s^2], columns steps of q", "rad, m"};
const Argument da_dv{
    "da_dv", {nv, nv}, "d a_i / d v_j: rows like a [rad/s^2, m/s^2], columns like v", "rad/s, m/s"};
const Argument da_dtau{"da_dtau", {nv, nv}, "d a_i / d tau_j, which is M^-1", "1/(kg m^2), 1/(kg m), 1/kg"};

// Second derivatives.
const Argument d2tau_dqdq{"d2tau_dqdq",
                          {nv, nv, nv},
                          "d/dq_k (d tau_i / d q_j): i like tau [N m, N], j and k steps of q",
                          "rad, m"};
const Argument d2tau_dvdv{"d2tau_dvdv",
                          {nv, nv, nv},
                          "d2 tau_i / (d v_j d v_k): i like tau [N m, N], j and k like v",
                          "rad/s, m/s"};
const Argument d2tau_dqdv{"d2tau_dqdv",
                          {nv, nv, nv},
                          "d2 tau_i / (d q_j d v_k): i like tau [N m, N], j steps of q [rad, m], k like v",
                          "rad/s, m/s"};
const Argument dM_dq{
    "dM_dq", {nv, nv, nv}, "d M_ij / d q_k: i and j like M [kg m^2, kg m, kg], k steps of q", "rad, m"};
const Argument d2a_dqdq{"d2a_dqdq",
                        {nv, nv, nv},
                        "d/dq_k (d a_i / d q_j): i like a [rad/s^2, m/s^2], j and k steps of q",
                        "rad, m"};
const Argument d2a_dvdv{"d2a_dvdv",
                        {nv, nv, nv},
                        "d2 a_i / (d v_j d v_k): i like a [rad/s^2, m/s^2], j and k like v",
                        "rad/s, m/s"};
const Argument d2a_dqdv{"d2a_dqdv",
                        {nv, nv, nv},
                        "d2 a_i / (d q_j d v_k): i like a [rad/s^2, m/s^2], j steps of q [rad, m], k like v",
                        "rad/s, m/s"};
const Argument d2a_dqdtau{"d2a_dqdtau",
                          {nv, nv, nv},
                          "d2 a_i / (d q_j d tau_k), the derivative of M^-1: i like a [rad/s^2, m/s^2], j "
                          "steps of q [rad, m], k like tau",
                          "N m, N"};
const Argument H{
    "H",
    {2 * nv, 2 * nv},
    "second derivatives with respect to (q, v), rows and columns first the steps of q [rad, m], then v "
    "[rad/s, m/s]; symmetric but for the q block inside one joint with several "
    "degrees of freedom, where row j and column k is d/dq_k (d/dq_j): turns do not commute. A second-order "
    "expansion takes (H + H^T) / 2"};
const Argument dMw_dq{"dMw_dq",
                      {nv, nv},
                      "d (M w)_j / d q_k = sum over i of w_i dM_ij / dq_k: rows like M w, columns steps of q",
                      "rad, m"};
const Argument dMinvw_dq{
    "dMinvw_dq",
    {nv, nv},
    "d (M^-1 w)_j / d q_k = sum over i of w_i dM^-1_ij / dq_k: rows like M^-1 w, columns steps of q",
    "rad, m"};

const char* const dual_quaternions_source = "Silva, Quiroz-Omana, Adorno 2022, eqs. (16) to (30)";

/// The decoupled natural orthogonal complement. Its mass matrix takes the operations of "link frames", in another order.
Formulation by_denoc(Run run, const char* source, Applies applies = nullptr) {
  return {.name = "DeNOC", .run = run, .applies = applies, .source = source};
}
Formulation mass_matrix_by_name() {
  Formulation formulation = by_denoc(mass_matrix_by_denoc, "Saha 1999, eqs. (13), (23b) and (24)");
  formulation.by_name_only = true;
  return formulation;
}
Formulation aba_denoc_without_mimic() {
  return by_denoc(aba_by_denoc,
                  "Saha 1997, A decomposition of the manipulator inertia matrix; Saha 1999, eq. (20)",
                  has_no_mimic);
}
Formulation aba_in_lanes_by_denoc() {
  Formulation formulation = aba_denoc_without_mimic();
  formulation.name = "limb lanes by DeNOC";
  formulation.applies = has_limbs_and_own_coordinates;
  formulation.in_lanes = true;
  return formulation;
}
Formulation coriolis_by_denoc() {
  Formulation formulation = by_denoc(nullptr, "Saha 1999, eqs. (13), (28) and (29)");
  formulation.run = in_chosen_frames(coriolis_matrix_by_denoc);
  return formulation;
}

const FunctionSpec entries[] = {
    {.name = "rnea",
     .group = dynamics,
     .brief = "Inverse dynamics: the torques that produce the acceleration a, gravity included.",
     .source = "Luh, Walker, Paul 1980; Featherstone, RBDA table 5.1",
     .inputs = {q, v, a},
     .outputs = {tau},
     .depends = on_all,
     .formulations = {{"link frames", rnea},
                      in_lanes(rnea),
                      by_denoc(rnea_by_denoc, "Saha 1999, eqs. (7), (12) and (30)"),
                      by_name("dual quaternions", rnea_by_dual_quaternions, dual_quaternions_source)}},
    {.name = "bias",
     .group = dynamics,
     .brief =
         "Coriolis, centrifugal and gravity torques C(q, v) v + g(q), less the torques of external forces.",
     .source = "Featherstone, RBDA section 6.1",
     .inputs = {q, v},
     .outputs = {tau},
     .depends = on_all,
     .formulations = {{"link frames", bias},
                      in_lanes(bias),
                      by_name("dual quaternions", bias_by_dual_quaternions, dual_quaternions_source)}},
    {.name = "gravity",
     .group = dynamics,
     .brief = "Gravity torques g(q).",
     .source = "Featherstone, RBDA section 6.1",
     .inputs = {q},
     .outputs = {tau},
     .depends = on_gravity,
     .formulations = {{"link frames", gravity, {}},
                      {"composite first moments", gravity_by_composites, {}},
                      in_lanes(gravity_by_composites),
                      by_name("dual quaternions", gravity_by_dual_quaternions, dual_quaternions_source),
                      by_name("Gauss", gravity_by_gauss, "Silva, Quiroz-Omana, Adorno 2022, eq. (47)")}},
    {.name = "mass_matrix",
     .group = dynamics,
     .brief = "Joint-space inertia matrix M(q).",
     .source = "Featherstone, RBDA table 6.2",
     .inputs = {q},
     .outputs = {M},
     .depends = on_inertia,
     .formulations = {{"link frames", mass_matrix},
                      in_lanes(mass_matrix),
                      mass_matrix_by_name(),
                      by_name("Gauss", mass_matrix_by_gauss, "Silva, Quiroz-Omana, Adorno 2022, eq. (43)")}},
    {.name = "coriolis_matrix",
     .group = dynamics,
     .brief = "A Coriolis matrix C(q, v) with dM/dt - 2 C skew.",
     .source = "Singh, Russell, Wensing, first order, eq. (23)",
     .inputs = {q, v},
     .outputs = {C},
     .depends = on_inertia,
     .formulations = or_one_of(or_lanes(in_frames(coriolis_matrix), coriolis_matrix),
                               {coriolis_by_denoc(), by_name("Gauss", coriolis_matrix_by_gauss,
                                                             "Silva, Quiroz-Omana, Adorno 2022, eq. (44)")}),
     .uses_common_frames = true},
    {.name = "aba",
     .group = dynamics,
     .brief = "Forward dynamics: the accelerations the torques tau produce, gravity included.",
     .source = "Featherstone, RBDA tables 6.3, 6.5 and 7.1",
     .inputs = {q, v, tau},
     .outputs = {a},
     .depends = on_all,
     .formulations = {{"sparse factor", aba_by_factor, {}},
                      {"articulated bodies", aba_by_articulated_bodies, has_no_mimic},
                      in_lanes(aba_by_articulated_bodies, has_limbs_and_own_coordinates),
                      in_lanes(aba_in_lanes, "limb lanes by trunk factor"),
                      aba_denoc_without_mimic(),
                      aba_in_lanes_by_denoc()},
     .inverts_inertia = true},
    {.name = "aza",
     .group = dynamics,
     .brief = "Product with the inverse inertia: x = M(q)^-1 b.",
     .source = "Singh, Russell, Wensing, first order with multi-DoF joints, section III-E; RBDA table 6.5",
     .inputs = {q, b},
     .outputs = {x},
     .depends = on_inertia,
     .formulations = {{"sparse factor", aza_by_factor, {}},
                      {"articulated bodies", aza_by_articulated_bodies, has_no_mimic},
                      in_lanes(aza_by_articulated_bodies, has_limbs_and_own_coordinates),
                      in_lanes(aza_in_lanes, "limb lanes by trunk factor")},
     .inverts_inertia = true},
    {.name = "minv",
     .group = dynamics,
     .brief = "Inverse of the joint-space inertia matrix.",
     .source = "Featherstone, RBDA table 6.3; Singh, Russell, Wensing, first order with multi-DoF joints, "
               "eq. (34)",
     .inputs = {q},
     .outputs = {Minv},
     .depends = on_inertia,
     .formulations = or_lanes_and_kernels(or_loops({{"sparse factor", minv_by_factor},
                                                    {"AZA columns", minv_by_aza, has_no_mimic},
                                                    in_lanes(minv_in_lanes)},
                                                   unrolled_minv_flops, minv_in_loops),
                                          minv_in_lanes_and_kernels),
     .inverts_inertia = true},
    {.name = "rnea_derivatives",
     .group = derivatives,
     .brief = "First derivatives of inverse dynamics with respect to q and v; with respect to a they are "
              "mass_matrix.",
     .source = "IDSVA: Singh, Russell, Wensing, first order, Algorithm 1, with and without multi-DoF joints",
     .inputs = {q, v, a},
     .outputs = {dtau_dq, dtau_dv},
     .depends = on_all,
     .formulations =
         or_panels(or_lanes(in_frames(rnea_derivatives), rnea_derivatives), rnea_derivatives_in_panels),
     .uses_common_frames = true},
    {.name = "aba_derivatives",
     .group = derivatives,
     .brief = "First derivatives of forward dynamics with respect to q, v and tau.",
     .source = "FDSVA: Singh, Russell, Wensing, first order, eq. (5); with multi-DoF joints, sections "
               "III-E and V-D",
     .inputs = {q, v, tau},
     .outputs = {da_dq, da_dv, da_dtau},
     .depends = on_all,
     .formulations = or_limb_columns(
         or_lanes_and_kernels(
             or_panels_and_kernels(or_loops({{"DMM", aba_derivatives_by_dmm},
                                             {"sparse factor", aba_derivatives_by_factor},
                                             {"AZA", aba_derivatives_by_aza, has_no_mimic},
                                             in_lanes(aba_derivatives_in_lanes)},
                                            unrolled_aba_derivatives_flops, aba_derivatives_in_loops),
                                   aba_derivatives_in_panels),
             aba_derivatives_in_lanes_and_kernels),
         aba_derivatives_by_limb_columns),
     .inverts_inertia = true,
     .uses_common_frames = true},
    {.name = "rnea_second_derivatives",
     .group = second_order,
     .brief = "Second derivatives of inverse dynamics with respect to q and v, and the derivative of the "
              "inertia "
              "matrix.",
     .source = "IDSVA: Singh, Russell, Wensing, second order, Algorithm 1",
     .inputs = {q, v, a},
     .outputs = {d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq},
     .depends = on_all_but_forces,
     .formulations =
         or_panels(or_loops(or_lanes(in_frames(rnea_second_derivatives), rnea_second_derivatives),
                            unrolled_rnea_second_derivatives_flops, rnea_second_derivatives_in_loops),
                   rnea_second_derivatives_in_panels),
     .uses_common_frames = true},
    {.name = "aba_second_derivatives",
     .group = second_order,
     .brief = "Second derivatives of forward dynamics with respect to q, v and tau; it is linear in tau.",
     .source = "Singh, Russell, Wensing, second order, Algorithm 1, and M a + b = tau differentiated twice",
     .inputs = {q, v, tau},
     .outputs = {d2a_dqdq, d2a_dvdv, d2a_dqdv, d2a_dqdtau},
     .depends = on_all_but_forces,
     .formulations = or_panels_and_kernels(
         or_loops({{"unrolled", in_chosen_frames(aba_second_derivatives)},
                   {"unrolled and dense kernels",
                    aba_second_derivatives_unrolled_with_kernels,
                    has_shared_coordinates,
                    {},
                    true}},
                  unrolled_aba_second_derivatives_flops, aba_second_derivatives_in_loops),
         aba_second_derivatives_in_panels),
     .inverts_inertia = true,
     .uses_common_frames = true},
    {.name = "rnea_vector_hessian",
     .group = second_order,
     .brief = "Second derivatives of w^T tau with respect to (q, v), without forming tensors.",
     .source = "Singh, Russell, Wensing, second order, contracted with w before the sums are taken",
     .inputs = {q, v, a, w},
     .outputs = {H},
     .depends = on_all_but_forces,
     .formulations = or_panels(or_lanes(in_frames(rnea_vector_hessian), rnea_vector_hessian),
                               rnea_vector_hessian_in_panels, fits_contracted_panels),
     .uses_common_frames = true},
    {.name = "mass_matrix_vector_derivative",
     .group = second_order,
     .brief = "Derivative of M(q) w with respect to q, w held.",
     .source = "Singh, Russell, Wensing, second order, eq. (18), contracted with w",
     .inputs = {q, w},
     .outputs = {dMw_dq},
     .depends = on_inertia,
     .formulations =
         or_panels(or_lanes(in_frames(mass_matrix_vector_derivative), mass_matrix_vector_derivative),
                   mass_matrix_vector_derivative_in_panels, fits_contracted_panels),
     .uses_common_frames = true},
    {.name = "aba_vector_hessian",
     .group = second_order,
     .brief = "Second derivatives of w^T a, a the forward dynamics, with respect to (q, v), without forming "
              "tensors.",
     .source = "rnea_vector_hessian with weights M^-1 w, and M a + b = tau differentiated twice",
     .inputs = {q, v, tau, w},
     .outputs = {H},
     .depends = on_all_but_forces,
     .formulations = or_lanes_and_kernels(
         or_panels_and_kernels(or_loops(in_frames(aba_vector_hessian), unrolled_aba_vector_hessian_flops,
                                        aba_vector_hessian_in_loops),
                               aba_vector_hessian_in_panels, fits_contracted_panels),
         aba_vector_hessian_in_lanes_and_kernels),
     .inverts_inertia = true,
     .uses_common_frames = true},
    {.name = "minv_vector_derivative",
     .group = second_order,
     .brief = "Derivative of M(q)^-1 w with respect to q, w held: also the second derivatives of w^T a "
              "with respect "
              "to q and tau.",
     .source = "d(M^-1) = -M^-1 dM M^-1",
     .inputs = {q, w},
     .outputs = {dMinvw_dq},
     .depends = on_inertia,
     .formulations = or_limb_columns(
         or_panels_and_kernels(
             or_loops(or_lanes(in_frames(minv_vector_derivative), minv_vector_derivative_in_lanes),
                      unrolled_minv_vector_derivative_flops, minv_vector_derivative_in_loops),
             minv_vector_derivative_in_panels, fits_contracted_panels),
         minv_vector_derivative_by_limb_columns),
     .inverts_inertia = true,
     .uses_common_frames = true}};

}  // namespace

std::vector<FunctionSpec> dynamics_functions() { return {std::begin(entries), std::end(entries)}; }

}  // namespace featherline::catalog
