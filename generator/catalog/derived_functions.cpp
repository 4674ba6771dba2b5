#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "catalog/methods.hpp"

/// Products of weights with derivatives; rates in time, while the robot moves with v and a; and derivatives with respect
/// to the parameters that the user chose.
namespace featherline::catalog {

namespace {

const Argument wq{"wq", {nv}};
const Argument wv{"wv", {nv}};
const Argument wa{"wa", {nv}};
const Argument wtau{"wtau", {nv}};
const Argument wtau_of_step{"wtau", {nv}, "wtau of steps"};
const Argument M_rate{"M_rate", {nv, nv}};
const Argument tau_rate{"tau_rate", {nv}, "tau_rate", {force_of_free_joints}};
const Argument J_rate{"J_rate", {num_frame_rows, nv}};

}  // namespace

std::vector<FunctionSpec> product_functions() {
  return {function("rnea_vjp", {q, v, a, w}, {wq, wv, wa}, on_all,
                   {{by::link_frames, rnea_vjp}, {by::limb_lanes, rnea_vjp}}),
          function("aba_vjp", {q, v, tau, w}, {wq, wv, wtau}, on_all,
                   {{by::sparse_factor, with<aba_vjp, factor_solver>},
                    {by::articulated_bodies, with<aba_vjp, articulated_solver>},
                    {by::articulated_clusters, with<aba_vjp, cluster_solver>},
                    {by::limb_lanes, with<aba_vjp, articulated_solver>, {}, needs::own_coordinates}},
                   {.inverts_inertia = true}),
          function("step_vjp", {q, v, tau, dt, w_next}, {wq, wv, wtau_of_step}, on_all,
                   {{by::sparse_factor, with<step_vjp, factor_solver>},
                    {by::articulated_bodies, with<step_vjp, articulated_solver>},
                    {by::articulated_clusters, with<step_vjp, cluster_solver>},
                    {by::limb_lanes, with<step_vjp, articulated_solver>, {}, needs::own_steps_of_limbs}},
                   {.inverts_inertia = true}),
          function("frame_poses_vjp", {q, wp, wR}, {wq}, {},
                   {{by::columns, frame_poses_vjp},
                    {by::limb_lanes, frame_poses_vjp, {}, needs::frames_of_limbs}})};
}

std::vector<FunctionSpec> rate_functions() {
  return {function("mass_matrix_rate", {q, v}, {M_rate}, on_inertia,
                   {{by::link_frames, mass_matrix_rate}, {by::limb_lanes, mass_matrix_rate}}),
          function("rnea_rate", {q, v, a, jerk}, {tau_rate}, on_all,
                   {{by::link_frames, rnea_rate}, {by::limb_lanes, rnea_rate}}),
          function("frame_jacobian_rates", {q, v}, {J_rate}, {},
                   {{by::columns, algorithms::frame_kinematics},
                    {by::limb_lanes, algorithms::frame_kinematics, {}, needs::frames_of_limbs}})};
}

std::vector<FunctionSpec> sensitivity_functions() {
  return {function("rnea_parameter_derivatives", {q, v, a}, {{"dtau_dp", {nv, num_parameters}}}, on_all,
                   {{by::link_frames, rnea_parameter_derivatives, {}, needs::parameters}}),
          function("aba_parameter_derivatives", {q, v, tau}, {{"da_dp", {nv, num_parameters}}}, on_all,
                   {{by::sparse_factor, aba_parameter_derivatives, {}, needs::parameters}},
                   {.inverts_inertia = true}),
          function("frame_parameter_jacobians", {q}, {{"J_p", {num_frame_rows, num_parameters}}}, {},
                   {{by::columns, frame_parameter_jacobians, {}, needs::parameters}})};
}

}  // namespace featherline::catalog
