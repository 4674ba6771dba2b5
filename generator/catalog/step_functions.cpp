#include "catalog/methods.hpp"

#include "algorithms/lanes/limb_inverse.hpp"
#include "algorithms/papers/papers.hpp"

/// Steps in time.
namespace featherline::catalog {

namespace {

const char* const adding = "limbs of joints that move by adding to q, or the integrator rk4";
const Requirement steps_of_limbs{
    steps_fit_limbs, "the integrator semi_implicit, and limbs of joints that move by adding to q"},
    stages_of_limbs{stages_fit_limbs, adding},
    own_stages_of_limbs{[](const model::Tree&tree) { return has_no_mimic(tree) && stages_fit_limbs(tree); },
                        "limbs of joints that each have a coordinate and add to q, or the integrator rk4"};

const Method factor_in_calls{"sparse factor and loops", Kind::loops},
    lanes_in_calls{"limb lanes and loops", Kind::lanes_and_loops, needs::limbs};

const Requirement contact_points{has_contact_points_alone, "contacts, all of them points or spheres"},
    contact_points_of_limbs{limbs_have_contact_points,
                            "contacts, all of them points or spheres, the same on equal limbs"},
    points_and_parameters{[](const model::Tree&tree) {
                            return has_contact_points_alone(tree) && tree.chosen.num_parameters() > 0;
                          },
                          "contacts, all of them points or spheres, and --parameters"};

const Argument v_next{"v_next", {nv}, "v_next", {motion_of_free_joints}};

const Argument A{"A", {2 * nv, 2 * nv}, "A of steps"};
const Argument B{"B", {2 * nv, nv}};

const Dependence on_all_but_geometry = [] {
  Dependence all = on_all;
  all.geometry = Dependence::Geometry::not_yet;
  return all;
}();
const Shape by_points{2 * nv, num_constraints};

/// A column for each step.
Argument of_steps(Argument argument, const char* name, const char* words) {
  argument.name = name;
  argument.shape = {argument.shape.sides().front(), num_steps};
  argument.words = words;
  return argument;
}

const std::vector<Formulation> of_step = {
    {by::sparse_factor, with<take_step, acceleration_by<factor_solver>>},
    {by::articulated_bodies, with<take_step, acceleration_by_articulated_bodies>},
    {by::articulated_clusters, with<take_step, acceleration_by<cluster_solver>>},
    {by::limb_lanes, with<take_step, acceleration_by_articulated_bodies>, {}, own_stages_of_limbs},
    {by::trunk_factor, with<take_step, acceleration_in_lanes>, {}, stages_of_limbs},
    {by::denoc, with<take_step, acceleration_by_denoc>, {}, needs::own_coordinates},
    {by::denoc_in_lanes, with<take_step, acceleration_by_denoc>, {}, own_stages_of_limbs}};

FunctionSpec repeated(const char* name, std::vector<Argument> outputs) {
  return function(name, {q, v, of_steps(tau, "tau", "tau"), dt}, std::move(outputs), on_all, of_step,
                  {.inverts_inertia = true, .repeats = true});
}

const std::vector<Formulation> of_contact_step = {
    {by::sparse_factor, contact_step, {}, contact_points},
    {by::trunk_factor, contact_step_in_lanes, {}, contact_points_of_limbs}};

const Argument positive_step{"dt", {}, "dt above 0", {}, Quantity::time, &State::dt};
const Argument point_impulses{"impulse", {3, num_constraints}, "impulse of points"};
const Argument step_status{"status", {num_status_entries}};

}  // namespace

std::vector<FunctionSpec> step_functions() {
  return {
      function("step", {q, v, tau, dt}, {q_next, v_next}, on_all, of_step, {.inverts_inertia = true}),
      repeated("rollout", {of_steps(q_next, "q_all", "q_all of rollouts"),
                           of_steps(v_next, "v_all", "v_all of rollouts")}),
      repeated("rollout_end", {q_next, v_next}),
      function(
          "step_derivatives", {q, v, tau, dt}, {A, B}, on_all,
          {{by::dmm, with<step_derivatives, linear_by_dmm>},
           {by::sparse_factor, with<step_derivatives, linear_by_factor>},
           {by::aza, with<step_derivatives, linear_by_aza>},
           {by::limb_lanes, step_derivatives_in_lanes, {}, steps_of_limbs},
           {factor_in_calls,
            with<step_derivatives_in_calls, aba_derivatives<linear_by_factor>>,
            {},
            needs::moving_joints},
           {lanes_in_calls, with<step_derivatives_in_calls, aba_derivatives_in_lanes>},
           {by::vector_loops, step_derivatives_by_routines<aba_derivatives_in_loops>},
           {by::dense_kernels, step_derivatives_by_routines<aba_derivatives_in_loops>},
           {by::panels_and_kernels,
            with<step_derivatives_in_calls, aba_derivatives_in_panels>,
            {},
            needs::panels},
           {by::panels_and_kernels_in_lanes,
            with<step_derivatives_in_calls, aba_derivatives_in_panels>,
            {},
            needs::panels},
           {by::lanes_and_kernels, with<step_derivatives_in_calls, aba_derivatives_in_lanes_and_kernels>},
           {by::limb_columns, step_derivatives_by_limb_columns}},
          {.unrolled_flops = {.pairs = 105.0, .minv_products = 4.0},
           .inverts_inertia = true,
           .uses_common_frames = true}),
      function("contact_step", {q, v, tau, positive_step, contact},
               {q_next, v_next, point_impulses, step_status}, on_all, of_contact_step,
               {.inverts_inertia = true}),
      function("contact_step_warm", {q, v, tau, positive_step, contact, start},
               {q_next, v_next, point_impulses, step_status}, on_all, of_contact_step,
               {.inverts_inertia = true}),
      function("contact_step_derivatives", {q, v, tau, positive_step, contact}, {A, B}, on_all,
               {{by::sparse_factor, with<contact_step_derivatives, 1>, {}, contact_points},
                {by::columns_side_by_side, with<contact_step_derivatives, 8>, {}, contact_points}},
               {.inverts_inertia = true, .uses_common_frames = true}),
      function("contact_step_parameter_derivatives", {q, v, tau, positive_step, contact},
               {{"dx_dgap", by_points}, {"dx_dfriction", by_points}, {"dx_drestitution", by_points}}, on_all,
               {{by::sparse_factor, with<contact_step_parameter_derivatives, 1>, {}, contact_points},
                {by::columns_side_by_side, with<contact_step_parameter_derivatives, 8>, {}, contact_points}},
               {.inverts_inertia = true}),
      function("contact_step_sensitivities", {q, v, tau, positive_step, contact},
               {{"dx_dp", {2 * nv, num_parameters}}}, on_all_but_geometry,
               {{by::sparse_factor, with<contact_step_sensitivities, 1>, {}, points_and_parameters},
                {by::columns_side_by_side, with<contact_step_sensitivities, 8>, {}, points_and_parameters}},
               {.inverts_inertia = true})};
}

}  // namespace featherline::catalog
