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
  return {
      {.name = "rnea_vjp",
       .inputs = {q, v, a, w},
       .outputs = {wq, wv, wa},
       .depends = on_all,
       .formulations = {{by::link_frames, rnea_vjp}, {by::limb_lanes, rnea_vjp}}},
      {.name = "aba_vjp",
       .inputs = {q, v, tau, w},
       .outputs = {wq, wv, wtau},
       .depends = on_all,
       .formulations = {{by::sparse_factor, with<aba_vjp, factor_solver>},
                        {by::articulated_bodies, with<aba_vjp, articulated_solver>},
                        {by::articulated_clusters, with<aba_vjp, cluster_solver>},
                        {by::limb_lanes, with<aba_vjp, articulated_solver>, {}, needs::own_coordinates}},
       .inverts_inertia = true},
      {.name = "step_vjp",
       .inputs = {q, v, tau, dt, w_next},
       .outputs = {wq, wv, wtau_of_step},
       .depends = on_all,
       .formulations = {{by::sparse_factor, with<step_vjp, factor_solver>},
                        {by::articulated_bodies, with<step_vjp, articulated_solver>},
                        {by::articulated_clusters, with<step_vjp, cluster_solver>},
                        {by::limb_lanes, with<step_vjp, articulated_solver>, {}, needs::own_steps_of_limbs}},
       .inverts_inertia = true},
      {.name = "frame_poses_vjp",
       .inputs = {q, wp, wR},
       .outputs = {wq},
       .formulations = {{by::columns, frame_poses_vjp},
                        {by::limb_lanes, frame_poses_vjp, {}, needs::frames_of_limbs}}}};
}

std::vector<FunctionSpec> rate_functions() {
  return {{.name = "mass_matrix_rate",
           .inputs = {q, v},
           .outputs = {M_rate},
           .depends = on_inertia,
           .formulations = {{by::link_frames, mass_matrix_rate}, {by::limb_lanes, mass_matrix_rate}}},
          {.name = "rnea_rate",
           .inputs = {q, v, a, jerk},
           .outputs = {tau_rate},
           .depends = on_all,
           .formulations = {{by::link_frames, rnea_rate}, {by::limb_lanes, rnea_rate}}},
          {.name = "frame_jacobian_rates",
           .inputs = {q, v},
           .outputs = {J_rate},
           .formulations = {{by::columns, algorithms::frame_kinematics},
                            {by::limb_lanes, algorithms::frame_kinematics, {}, needs::frames_of_limbs}}}};
}

std::vector<FunctionSpec> sensitivity_functions() {
  return {{.name = "rnea_parameter_derivatives",
           .inputs = {q, v, a},
           .outputs = {{"dtau_dp", {nv, num_parameters}}},
           .depends = on_all,
           .formulations = {{by::link_frames, rnea_parameter_derivatives, {}, needs::parameters}}},
          {.name = "aba_parameter_derivatives",
           .inputs = {q, v, tau},
           .outputs = {{"da_dp", {nv, num_parameters}}},
           .depends = on_all,
           .formulations = {{by::sparse_factor, aba_parameter_derivatives, {}, needs::parameters}},
           .inverts_inertia = true},
          {.name = "frame_parameter_jacobians",
           .inputs = {q},
           .outputs = {{"J_p", {num_frame_rows, num_parameters}}},
           .formulations = {{by::columns, frame_parameter_jacobians, {}, needs::parameters}}}};
}

}  // namespace featherline::catalog
