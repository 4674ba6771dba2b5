#include "algorithms/constraints/constrained_dynamics.hpp"
#include "catalog/methods.hpp"

/// Dynamics under the constraints of model/constraints.hpp.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

const Argument lambda{
    "lambda",
    {num_constraint_rows},
    "constraint forces [force; moment] that act on the robot, row by row as listed above; zero in rows of "
    "constraints that are not active, and in rows that depend on rows before",
    "N, N m",
    ". Contacts of a robot with a floating base are dropped row by row in the axes of the base; their force "
    "is then given in axes of the world"};
const Argument constrained_da_dtau{
    "da_dtau", {nv, nv}, "d a_i / d tau_j: rows like a, columns like tau", "1/(kg m^2), 1/(kg m), 1/kg"};
const Argument dlambda_dq{"dlambda_dq",
                          {num_constraint_rows, nv},
                          "d lambda_i / d q_j: rows like lambda [N, N m], columns steps of q",
                          "rad, m"};
const Argument dlambda_dv{"dlambda_dv",
                          {num_constraint_rows, nv},
                          "d lambda_i / d v_j: rows like lambda [N, N m], columns like v",
                          "rad/s, m/s"};
const Argument dlambda_dtau{"dlambda_dtau",
                            {num_constraint_rows, nv},
                            "d lambda_i / d tau_j: rows like lambda [N, N m], columns like tau",
                            "N m, N"};
const Argument weights{
    "active",
    {num_constraints},
    "which constraints hold, and how much they may carry",
    "",
    ": 0 for one that does not hold, as if it were not there; else its forces are divided by "
    "this number before they are squared",
    Quantity::active,
    &State::active};
const Argument held_tau{"tau",
                        {nv},
                        "joint torques and forces; where no motor acts (--actuated), those that the motion "
                        "would need besides: zero up to rounding where it is possible",
                        "N m, N",
                        {force_of_free_joints}};
const Argument least_lambda{
    "lambda",
    {num_constraint_rows},
    "constraint forces [force; moment] that act on the robot, row by row as listed above, of the least sum "
    "of squares, moments divided by the size of the robot, those of constraint k by active[k]; zero in rows "
    "of constraints that are not active",
    "N, N m"};
const Argument dtau_da{
    "dtau_da", {nv, nv}, "d tau_i / d a_j: rows like tau, columns like a", "kg m^2, kg m, kg"};
const Argument dlambda_da{"dlambda_da",
                          {num_constraint_rows, nv},
                          "d lambda_i / d a_j: rows like lambda [N, N m], columns like a",
                          "rad/s^2, m/s^2"};
const Argument v_after{"v_after", {nv}, "velocities after the impact, like v", "rad/s, m/s"};
const Argument impulse{"impulse",
                       {num_constraint_rows},
                       "impulses of the constraints on the robot, row by row like lambda",
                       "N s, N m s"};
const Argument D{"D",
                 {num_constraint_rows, num_constraint_rows},
                 "J M^-1 J^T of all constraints, full and symmetric: the acceleration of the rows at unit "
                 "lambda; J v is the velocity of the rows",
                 "1/kg, 1/(kg m), 1/(kg m^2)"};
const Argument e{"e",
                 {num_residual_rows},
                 "position errors of loops; zero for wheels and where sliding is held, which have none",
                 "m, rad"};
const Argument de{
    "de",
    {num_residual_rows},
    "velocity errors: J v of all constraints that are not contacts",
    "m/s, rad/s",
    ". In turning rows of loops it is the angular velocity, which is the rate of e where e is zero"};

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
