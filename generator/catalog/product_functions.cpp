#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "catalog/methods.hpp"

/// Products of weights with derivatives.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

const Argument wq{"wq", {nv}, "derivative of the weighted sum by steps of q"};
const Argument wv{"wv", {nv}, "derivative of the weighted sum by v"};
const Argument wa{"wa", {nv}, "derivative of the weighted sum by a: M w"};
const Argument wtau{"wtau", {nv}, "derivative of the weighted sum by tau: M^-1 w"};
const Argument wtau_of_step{"wtau", {nv}, "derivative of the weighted sum by tau"};

const char* const reverse_mode = "reverse mode: Griewank, Walther, Evaluating Derivatives, section 3.2; of ";

}  // namespace

std::vector<FunctionSpec> product_functions() {
  return {
      {.name = "rnea_vjp",
       .brief = "w^T times the derivatives of inverse dynamics with respect to q, v and a, without forming "
                "matrices.",
       .source = std::string(reverse_mode) + "Luh, Walker, Paul 1980",
       .inputs = {q, v, a, w},
       .outputs = {wq, wv, wa},
       .depends = on_all,
       .formulations = {{by::link_frames, rnea_vjp}, {by::limb_lanes, rnea_vjp}}},
      {.name = "aba_vjp",
       .brief = "w^T times the derivatives of forward dynamics with respect to q, v and tau, without forming "
                "matrices.",
       .source = std::string(reverse_mode) +
                 "inverse dynamics with weights M^-1 w; Singh, Russell, Wensing, first order, eq. (5)",
       .inputs = {q, v, tau, w},
       .outputs = {wq, wv, wtau},
       .depends = on_all,
       .formulations = {{by::sparse_factor, with<aba_vjp, factor_solver>},
                        {by::articulated_bodies, with<aba_vjp, articulated_solver>},
                        {by::articulated_clusters, with<aba_vjp, cluster_solver>},
                        {by::limb_lanes, with<aba_vjp, articulated_solver>, {}, needs::own_coordinates}},
       .inverts_inertia = true},
      {.name = "step_vjp",
       .brief = "w_next^T times the derivatives of step with respect to q, v and tau: w_next^T A and "
                "w_next^T B, without forming matrices.",
       .source = std::string(reverse_mode) + "step, stage by stage",
       .inputs = {q, v, tau, dt, w_next},
       .outputs = {wq, wv, wtau_of_step},
       .depends = on_all,
       .formulations = {{by::sparse_factor, with<step_vjp, factor_solver>},
                        {by::articulated_bodies, with<step_vjp, articulated_solver>},
                        {by::articulated_clusters, with<step_vjp, cluster_solver>},
                        {by::limb_lanes, with<step_vjp, articulated_solver>, {}, needs::own_steps_of_limbs}},
       .inverts_inertia = true},
      {.name = "frame_poses_vjp",
       .brief =
           "Derivative of the sum of all entries of frame_poses, each times its weight, with respect to q.",
       .source = std::string(reverse_mode) + "Featherstone, RBDA section 4.2",
       .inputs = {q, wp, wR},
       .outputs = {wq},
       .formulations = {{by::columns, frame_poses_vjp},
                        {by::limb_lanes, frame_poses_vjp, {}, needs::frames_of_limbs}}}};
}

}  // namespace featherline::catalog
