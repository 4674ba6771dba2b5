#include "algorithms/constraints/constrained_dynamics.hpp"
#include "catalog/methods.hpp"

/// Dynamics under the constraints of model/constraints.hpp.
namespace featherline::catalog {

namespace {

const Argument lambda{"lambda", {num_constraint_rows}};
const Argument constrained_da_dtau{"da_dtau", {nv, nv}, "da_dtau under constraints"};
const Argument dlambda_dq{"dlambda_dq", {num_constraint_rows, nv}};
const Argument dlambda_dv{"dlambda_dv", {num_constraint_rows, nv}};
const Argument dlambda_dtau{"dlambda_dtau", {num_constraint_rows, nv}};
const Argument weights{"active", {num_constraints}, "active as weights",
                       {},       Quantity::active,  &State::active};
const Argument held_tau{"tau", {nv}, "tau where motors are", {force_of_free_joints}};
const Argument least_lambda{"lambda", {num_constraint_rows}, "lambda of least norm"};
const Argument dtau_da{"dtau_da", {nv, nv}};
const Argument dlambda_da{"dlambda_da", {num_constraint_rows, nv}};
const Argument v_after{"v_after", {nv}};
const Argument impulse{"impulse", {num_constraint_rows}};
const Argument D{"D", {num_constraint_rows, num_constraint_rows}};
const Argument e{"e", {num_residual_rows}};
const Argument de{"de", {num_residual_rows}};

}  // namespace

std::vector<FunctionSpec> constraint_functions() {
  return {
      function("constrained_dynamics", {q, v, tau, active}, {a, lambda}, on_all_and_gains,
               {{by::sparse_factor, constrained_dynamics_by_factor},
                {by::articulated_bodies, constrained_dynamics_by_articulated_bodies},
                {by::udwadia_kalaba, constrained_dynamics_by_pseudo_inverse},
                {by::limb_lanes, constrained_dynamics_in_lanes, {}, needs::constraints_of_limbs}},
               {.inverts_inertia = true}),
      function("constrained_dynamics_derivatives", {q, v, tau, active},
               {da_dq, da_dv, constrained_da_dtau, dlambda_dq, dlambda_dv, dlambda_dtau}, on_all_and_gains,
               {{by::sparse_factor, constrained_derivatives_unrolled},
                {by::columns_side_by_side, constrained_derivatives_by_columns},
                {by::panels_and_kernels, constrained_derivatives_in_panels, {}, needs::panels_of_contacts},
                {by::limb_lanes_of_calls, constrained_derivatives_in_lanes, {}, needs::constraints_of_limbs}},
               {.inverts_inertia = true, .uses_common_frames = true}),
      function("impulse_dynamics", {q, v, active}, {v_after, impulse}, on_M,
               {{by::sparse_factor, impulse_dynamics_by_factor},
                {by::limb_lanes, impulse_dynamics_in_lanes, {}, needs::constraints_of_limbs}},
               {.inverts_inertia = true}),
      function("delassus", {q}, {D}, on_M,
               {{by::sparse_factor, delassus_by_factor},
                {by::limb_lanes, delassus_in_lanes, {}, needs::constraints_of_limbs}},
               {.inverts_inertia = true}),
      function("constrained_inverse_dynamics", {q, v, a, weights}, {held_tau, least_lambda}, on_all,
               {{by::least_norm, constrained_inverse_dynamics},
                {by::limb_lanes, constrained_inverse_dynamics, {}, needs::trunk_without_motors}},
               {.knows_motors = true}),
      function("constrained_inverse_dynamics_derivatives", {q, v, a, weights},
               {dtau_dq, dtau_dv, dtau_da, dlambda_dq, dlambda_dv, dlambda_da}, on_all,
               {{by::least_norm, constrained_inverse_derivatives},
                {by::least_norm_rows, constrained_inverse_derivatives_by_rows},
                {by::least_norm_rows_in_lanes, constrained_inverse_derivatives_by_rows}},
               {.uses_common_frames = true, .knows_motors = true}),
      function("constraint_residual", {q, v}, {e, de}, {}, {{by::link_frames, constraint_residual}})};
}

}  // namespace featherline::catalog
