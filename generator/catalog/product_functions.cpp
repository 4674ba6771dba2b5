#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "catalog/methods.hpp"

/// Products of weights with derivatives.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

const Argument wq{"wq", {nv}};
const Argument wv{"wv", {nv}};
const Argument wa{"wa", {nv}};
const Argument wtau{"wtau", {nv}};
const Argument wtau_of_step{"wtau", {nv}, "wtau of steps"};

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

}  // namespace featherline::catalog
