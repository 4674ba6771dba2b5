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
  return {{.name = "constrained_dynamics",
           .inputs = {q, v, tau, active},
           .outputs = {a, lambda},
           .depends = on_all_and_gains,
           .formulations = {{by::sparse_factor, constrained_dynamics_by_factor},
                            {by::articulated_bodies, constrained_dynamics_by_articulated_bodies},
                            {by::udwadia_kalaba, constrained_dynamics_by_pseudo_inverse},
                            {by::limb_lanes, constrained_dynamics_in_lanes, {}, needs::constraints_of_limbs}},
           .inverts_inertia = true},
          {.name = "constrained_dynamics_derivatives",
           .inputs = {q, v, tau, active},
           .outputs = {da_dq, da_dv, constrained_da_dtau, dlambda_dq, dlambda_dv, dlambda_dtau},
           .depends = on_all_and_gains,
           .formulations =
               {{by::sparse_factor, constrained_derivatives_unrolled},
                {by::columns_side_by_side, constrained_derivatives_by_columns},
                {by::panels_and_kernels, constrained_derivatives_in_panels, {}, needs::panels_of_contacts},
                {by::limb_lanes_of_calls, constrained_derivatives_in_lanes, {}, needs::constraints_of_limbs}},
           .inverts_inertia = true,
           .uses_common_frames = true},
          {.name = "impulse_dynamics",
           .inputs = {q, v, active},
           .outputs = {v_after, impulse},
           .depends = on_M,
           .formulations = {{by::sparse_factor, impulse_dynamics_by_factor},
                            {by::limb_lanes, impulse_dynamics_in_lanes, {}, needs::constraints_of_limbs}},
           .inverts_inertia = true},
          {.name = "delassus",
           .inputs = {q},
           .outputs = {D},
           .depends = on_M,
           .formulations = {{by::sparse_factor, delassus_by_factor},
                            {by::limb_lanes, delassus_in_lanes, {}, needs::constraints_of_limbs}},
           .inverts_inertia = true},
          {.name = "constrained_inverse_dynamics",
           .inputs = {q, v, a, weights},
           .outputs = {held_tau, least_lambda},
           .depends = on_all,
           .formulations = {{by::least_norm, constrained_inverse_dynamics},
                            {by::limb_lanes, constrained_inverse_dynamics, {}, needs::trunk_without_motors}},
           .knows_motors = true},
          {.name = "constrained_inverse_dynamics_derivatives",
           .inputs = {q, v, a, weights},
           .outputs = {dtau_dq, dtau_dv, dtau_da, dlambda_dq, dlambda_dv, dlambda_da},
           .depends = on_all,
           .formulations = {{by::least_norm, constrained_inverse_derivatives},
                            {by::least_norm_rows, constrained_inverse_derivatives_by_rows},
                            {by::least_norm_rows_in_lanes, constrained_inverse_derivatives_by_rows}},
           .uses_common_frames = true,
           .knows_motors = true},
          {.name = "constraint_residual",
           .inputs = {q, v},
           .outputs = {e, de},
           .formulations = {{by::link_frames, constraint_residual}}}};
}

}  // namespace featherline::catalog
