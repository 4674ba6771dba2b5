#include "catalog/methods.hpp"

/// What the robot is and does as a whole.
namespace featherline::catalog {

namespace {

// Mass, momentum, energy.
const Argument center{"c", {3}};
const Argument center_jacobian{"J", {3, nv}, "J of the centre of mass"};
const Argument momentum{"h", {6}};
const Argument momentum_matrix{"A", {6, nv}, "A of momentum"};
const Argument momentum_bias{"b", {6}, "b of momentum"};
const Argument momentum_by_q{"dh_dq", {6, nv}};
const Argument kinetic{"T", {1}};
const Argument potential{"U", {1}};

// Parameters of bodies.
const Argument Y{"Y", {nv, 10 * num_bodies}};
const Argument Y_base{"Y", {nv, num_base_parameters}, "Y of base parameters"};

// Steps in the configuration space.
const Argument dq{"dq", {nv, nv}};
const Argument ddv{"ddv", {nv, nv}};

FunctionSpec of_masses(const char* name, std::vector<Argument> inputs, const Argument& output,
                       const Method& method, void (*algorithm)(Context&)) {
  return function(name, std::move(inputs), {output}, on_inertia,
                  {{method, algorithm}, {by::limb_lanes, algorithm}}, {.needs_mass = true});
}

}  // namespace

std::vector<FunctionSpec> whole_body_functions() {
  return {
      of_masses("center_of_mass", {q}, center, by::first_moments, center_of_mass),
      of_masses("center_of_mass_jacobian", {q}, center_jacobian, by::first_moments, center_of_mass_jacobian),
      of_masses("centroidal_momentum", {q, v}, momentum, by::link_frames, centroidal_momentum),
      of_masses("centroidal_momentum_matrix", {q}, momentum_matrix, by::link_frames,
                centroidal_momentum_matrix),
      of_masses("centroidal_momentum_bias", {q, v}, momentum_bias, by::link_frames, centroidal_momentum_bias),
      of_masses("centroidal_momentum_derivatives", {q, v}, momentum_by_q, by::link_frames,
                centroidal_momentum_derivatives),
      function("kinetic_energy", {q, v}, {kinetic}, on_inertia,
               {{by::link_frames, kinetic_energy}, {by::limb_lanes, kinetic_energy}}),
      function("potential_energy", {q}, {potential}, on_gravity,
               {{by::first_moments, potential_energy}, {by::limb_lanes, potential_energy}}),
      function("regressor", {q, v, a}, {Y}, on_gravity_alone,
               {{by::carried_axes, regressor},
                {by::carried_lanes, regressor_in_lanes_of_axes},
                {by::limb_lanes, regressor, {}, needs::columns_of_limbs},
                {by::rows, regressor_by_rows},
                {by::rows_in_lanes, regressor_by_rows, {}, needs::own_rows}}),
      function("base_regressor", {q, v, a}, {Y_base}, on_base_parameters,
               {{by::carried_axes, base_regressor},
                {by::limb_lanes, base_regressor, {}, needs::base_parameters_of_limbs}}),
      function("integrate", {q, dv}, {q_next}, on_nothing, {{by::exponential_map, integrate}}),
      function("difference", {q0, q1}, {dv}, on_nothing, {{by::exponential_map, difference}}),
      function("integrate_derivatives", {q, dv}, {dq, ddv}, on_nothing,
               {{by::exponential_map, integrate_derivatives}})};
}

}  // namespace featherline::catalog
