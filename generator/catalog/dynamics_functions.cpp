#include "catalog/methods.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/lanes/limb_inverse.hpp"
#include "algorithms/papers/papers.hpp"

/// Dynamics and its derivatives.
namespace featherline::catalog {

namespace {

// Outputs: dynamics.
const Argument x{"x", {nv}};
const Argument M{"M", {nv, nv}};
const Argument C{"C", {nv, nv}};
const Argument Minv{"Minv", {nv, nv}};

// First derivatives. The header says what steps of q are.
const Argument da_dtau{"da_dtau", {nv, nv}};

// Second derivatives.
const Argument d2tau_dqdq{"d2tau_dqdq", {nv, nv, nv}};
const Argument d2tau_dvdv{"d2tau_dvdv", {nv, nv, nv}};
const Argument d2tau_dqdv{"d2tau_dqdv", {nv, nv, nv}};
const Argument dM_dq{"dM_dq", {nv, nv, nv}};
const Argument d2a_dqdq{"d2a_dqdq", {nv, nv, nv}};
const Argument d2a_dvdv{"d2a_dvdv", {nv, nv, nv}};
const Argument d2a_dqdv{"d2a_dqdv", {nv, nv, nv}};
const Argument d2a_dqdtau{"d2a_dqdtau", {nv, nv, nv}};
const Argument H{"H", {2 * nv, 2 * nv}};
const Argument dMw_dq{"dMw_dq", {nv, nv}};
const Argument dMinvw_dq{"dMinvw_dq", {nv, nv}};

const char* const dual_quaternions_source = "Silva, Quiroz-Omana, Adorno 2022, eqs. (16) to (30)";

const char* const aba_denoc_source =
    "Saha 1997, A decomposition of the manipulator inertia matrix; Saha 1999, eq. (20)";

}  // namespace

std::vector<FunctionSpec> dynamics_functions() {
  return {
      function("rnea", {q, v, a}, {tau}, on_all,
               {{by::link_frames, rnea},
                {by::limb_lanes, rnea},
                {by::denoc, rnea_by_denoc, "Saha 1999, eqs. (7), (12) and (30)"},
                {by::dual_quaternions, rnea_by_dual_quaternions, dual_quaternions_source}}),
      function("bias", {q, v}, {tau}, on_all_but_armature,
               {{by::link_frames, bias},
                {by::limb_lanes, bias},
                {by::dual_quaternions, bias_by_dual_quaternions, dual_quaternions_source}}),
      function("gravity", {q}, {tau}, on_gravity,
               {{by::link_frames, algorithms::gravity},
                {by::first_moments, gravity_by_composites},
                {by::limb_lanes, gravity_by_composites},
                {by::dual_quaternions, gravity_by_dual_quaternions, dual_quaternions_source},
                {by::gauss, gravity_by_gauss, "Silva, Quiroz-Omana, Adorno 2022, eq. (47)"}}),
      function("mass_matrix", {q}, {M}, on_M,
               {{by::link_frames, mass_matrix},
                {by::limb_lanes, mass_matrix},
                {by::denoc_by_name, mass_matrix_by_denoc, "Saha 1999, eqs. (13), (23b) and (24)"},
                {by::gauss, mass_matrix_by_gauss, "Silva, Quiroz-Omana, Adorno 2022, eq. (43)"}}),
      function("coriolis_matrix", {q, v}, {C}, on_inertia,
               {{by::piecewise_frames, coriolis_matrix},
                {by::body_frames, coriolis_matrix},
                {by::ground_frame, coriolis_matrix},
                {by::limb_lanes, coriolis_matrix},
                {by::denoc, coriolis_matrix_by_denoc, "Saha 1999, eqs. (13), (28) and (29)"},
                {by::gauss, coriolis_matrix_by_gauss, "Silva, Quiroz-Omana, Adorno 2022, eq. (44)"}},
               {.uses_common_frames = true}),
      function(
          "aba", {q, v, tau}, {a}, on_all,
          {{by::sparse_factor, algorithms::aba<acceleration_by<factor_solver>>},
           {by::articulated_bodies, algorithms::aba<acceleration_by_articulated_bodies>},
           {by::articulated_clusters, algorithms::aba<acceleration_by<cluster_solver>>},
           {by::limb_lanes, algorithms::aba<acceleration_by_articulated_bodies>, {}, needs::own_coordinates},
           {by::trunk_factor, algorithms::aba<acceleration_in_lanes>},
           {by::denoc, algorithms::aba<acceleration_by_denoc>, aba_denoc_source, needs::own_coordinates},
           {by::denoc_in_lanes, algorithms::aba<acceleration_by_denoc>, aba_denoc_source,
            needs::own_coordinates}},
          {.inverts_inertia = true}),
      function("aza", {q, b}, {x}, on_M,
               {{by::sparse_factor, with<algorithms::aza, factor_solver>},
                {by::articulated_bodies, with<algorithms::aza, articulated_solver>},
                {by::articulated_clusters, with<algorithms::aza, cluster_solver>},
                {by::limb_lanes, with<algorithms::aza, articulated_solver>, {}, needs::own_coordinates},
                {by::trunk_factor, aza_in_lanes}},
               {.inverts_inertia = true}),
      function("minv", {q}, {Minv}, on_M,
               {{by::sparse_factor, minv_by_factor},
                {by::aza_columns, minv_by_aza},
                {by::limb_lanes, minv_in_lanes},
                {by::vector_loops, minv_in_loops},
                {by::dense_kernels, minv_in_loops},
                {by::lanes_and_kernels, minv_in_lanes_and_kernels}},
               {.unrolled_flops = {.minv_products = 1.3}, .inverts_inertia = true})};
}

std::vector<FunctionSpec> derivatives_functions() {
  return {function("rnea_derivatives", {q, v, a}, {dtau_dq, dtau_dv}, on_all_but_armature,
                   {{by::piecewise_frames, rnea_derivatives},
                    {by::body_frames, rnea_derivatives},
                    {by::ground_frame, rnea_derivatives},
                    {by::limb_lanes, rnea_derivatives},
                    {by::panels, rnea_derivatives_in_panels, {}, needs::panels}},
                   {.uses_common_frames = true}),
          function("aba_derivatives", {q, v, tau}, {da_dq, da_dv, da_dtau}, on_all,
                   {{by::dmm, aba_derivatives<linear_by_dmm>},
                    {by::sparse_factor, aba_derivatives<linear_by_factor>},
                    {by::aza, aba_derivatives<linear_by_aza>},
                    {by::limb_lanes, aba_derivatives_in_lanes},
                    {by::vector_loops, aba_derivatives_in_loops},
                    {by::dense_kernels, aba_derivatives_in_loops},
                    {by::panels_and_kernels, aba_derivatives_in_panels, {}, needs::panels},
                    {by::panels_and_kernels_in_lanes, aba_derivatives_in_panels, {}, needs::panels},
                    {by::lanes_and_kernels, aba_derivatives_in_lanes_and_kernels},
                    {by::limb_columns, aba_derivatives_by_limb_columns}},
                   {.unrolled_flops = {.pairs = 105.0, .minv_products = 4.0},
                    .inverts_inertia = true,
                    .uses_common_frames = true})};
}

std::vector<FunctionSpec> second_order_functions() {
  return {
      function("rnea_second_derivatives", {q, v, a}, {d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq}, on_second,
               {{by::piecewise_frames, rnea_second_derivatives},
                {by::body_frames, rnea_second_derivatives},
                {by::ground_frame, rnea_second_derivatives},
                {by::limb_lanes, rnea_second_derivatives},
                {by::vector_loops, rnea_second_derivatives_in_loops, {}, needs::plain_terms},
                {by::panels, rnea_second_derivatives_in_panels, {}, needs::panels}},
               {.unrolled_flops = {.triples = 50.0}, .uses_common_frames = true}),
      function("aba_second_derivatives", {q, v, tau}, {d2a_dqdq, d2a_dvdv, d2a_dqdv, d2a_dqdtau},
               on_all_but_forces,
               {{by::unrolled, aba_second_derivatives},
                {by::unrolled_and_kernels, aba_second_derivatives_unrolled_with_calls},
                {by::vector_loops, aba_second_derivatives_in_loops, {}, needs::plain_terms},
                {by::dense_kernels, aba_second_derivatives_in_loops, {}, needs::plain_terms},
                {by::panels_and_kernels, aba_second_derivatives_in_panels, {}, needs::panels},
                {by::panels_and_kernels_in_lanes, aba_second_derivatives_in_panels, {}, needs::panels}},
               {.unrolled_flops = {.triples = 50.0, .tensor_products = 0.6},
                .inverts_inertia = true,
                .uses_common_frames = true}),
      function("rnea_vector_hessian", {q, v, a, w}, {H}, on_second,
               {{by::piecewise_frames, rnea_vector_hessian},
                {by::body_frames, rnea_vector_hessian},
                {by::ground_frame, rnea_vector_hessian},
                {by::limb_lanes, rnea_vector_hessian},
                {by::panels, rnea_vector_hessian_in_panels, {}, needs::contracted_panels}},
               {.uses_common_frames = true}),
      function("mass_matrix_vector_derivative", {q, w}, {dMw_dq}, on_inertia,
               {{by::piecewise_frames, mass_matrix_vector_derivative},
                {by::body_frames, mass_matrix_vector_derivative},
                {by::ground_frame, mass_matrix_vector_derivative},
                {by::limb_lanes, mass_matrix_vector_derivative},
                {by::panels, mass_matrix_vector_derivative_in_panels, {}, needs::contracted_panels}},
               {.uses_common_frames = true}),
      function("aba_vector_hessian", {q, v, tau, w}, {H}, on_all_but_forces,
               {{by::piecewise_frames, aba_vector_hessian},
                {by::body_frames, aba_vector_hessian},
                {by::ground_frame, aba_vector_hessian},
                {by::vector_loops, aba_vector_hessian_in_loops},
                {by::dense_kernels, aba_vector_hessian_in_loops},
                {by::panels_and_kernels, aba_vector_hessian_in_panels, {}, needs::contracted_panels},
                {by::panels_and_kernels_in_lanes, aba_vector_hessian_in_panels, {}, needs::contracted_panels},
                {by::lanes_and_kernels, aba_vector_hessian_in_lanes_and_kernels}},
               {.unrolled_flops = {.pairs = 100.0, .minv_products = 4.5},
                .inverts_inertia = true,
                .uses_common_frames = true}),
      function(
          "minv_vector_derivative", {q, w}, {dMinvw_dq}, on_M,
          {{by::piecewise_frames, minv_vector_derivative},
           {by::body_frames, minv_vector_derivative},
           {by::ground_frame, minv_vector_derivative},
           {by::limb_lanes, minv_vector_derivative_in_lanes},
           {by::vector_loops, minv_vector_derivative_in_loops},
           {by::dense_kernels, minv_vector_derivative_in_loops},
           {by::panels_and_kernels, minv_vector_derivative_in_panels, {}, needs::contracted_panels},
           {by::panels_and_kernels_in_lanes, minv_vector_derivative_in_panels, {}, needs::contracted_panels},
           {by::limb_columns, minv_vector_derivative_by_limb_columns}},
          {.unrolled_flops = {.pairs = 40.0, .minv_products = 2.5},
           .inverts_inertia = true,
           .uses_common_frames = true})};
}

}  // namespace featherline::catalog
