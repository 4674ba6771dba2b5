#include "catalog/methods.hpp"

#include "algorithms/whole_body/whole_body.hpp"

/// What the robot is and does as a whole.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

// Mass, momentum, energy.
const Argument center{"c", {3}, "centre of mass of all moving bodies in the world", "m"};
const Argument center_jacobian{"J", {3, nv}, "dc/dt = J v: rows in world axes [m], columns like v", "rad, m"};
const Argument momentum{
    "h", {6}, "[linear; angular] momentum, about the centre of mass and in world axes", "kg m/s, kg m^2/s"};
const Argument momentum_matrix{
    "A", {6, nv}, "h = A v: rows like h [linear; angular], columns like v", "kg, kg m, kg m^2"};
const Argument momentum_bias{
    "b", {6}, "dA/dt v: [force; moment] about the centre of mass and in world axes", "N, N m"};
const Argument momentum_by_q{"dh_dq",
                             {6, nv},
                             "d h / d q with v held: rows like h [linear; angular], columns steps of q; d h "
                             "/ d v is centroidal_momentum_matrix",
                             "kg m/s, kg m^2/s"};
const Argument kinetic{"T", {1}, "kinetic energy of the bodies; armature has no part in it", "J"};
const Argument potential{"U", {1}, "potential energy; 0 if the centre of mass is at the world's origin", "J"};

// Parameters of bodies.
const Argument Y{"Y",
                 {nv, 10 * num_bodies},
                 "tau = Y pi: rows like tau [N m, N]; ten columns for each body in joint order, for m [kg], "
                 "m cx, m cy, m cz [kg m], Ixx, Ixy, Iyy, Ixz, Iyz, Izz [kg m^2] about the origin of the "
                 "body's joint frame, in its axes"};
const Argument Y_base{"Y",
                      {nv, num_base_parameters},
                      "tau = Y beta: rows like tau [N m, N], columns like base_parameters, which says how "
                      "beta is made of pi. They are the columns base_columns of regressor"};

// Steps in the configuration space.
const Argument dq{"dq",
                  {nv, nv},
                  "d q_next / d q: rows steps of q_next [rad, m], columns steps of q",
                  "rad, m",
                  "; the identity where q_next is q + dv"};
const Argument ddv{"ddv",
                   {nv, nv},
                   "d q_next / d dv: rows steps of q_next [rad, m], columns entries of dv",
                   "rad, m",
                   "; the identity where q_next is q + dv"};

}  // namespace

std::vector<FunctionSpec> whole_body_functions() {
  return {{.name = "center_of_mass",
           .inputs = {q},
           .outputs = {center},
           .depends = on_inertia,
           .formulations = {{by::first_moments, center_of_mass}, {by::limb_lanes, center_of_mass}},
           .needs_mass = true},
          {.name = "center_of_mass_jacobian",
           .inputs = {q},
           .outputs = {center_jacobian},
           .depends = on_inertia,
           .formulations = {{by::first_moments, center_of_mass_jacobian},
                            {by::limb_lanes, center_of_mass_jacobian}},
           .needs_mass = true},
          {.name = "centroidal_momentum",
           .inputs = {q, v},
           .outputs = {momentum},
           .depends = on_inertia,
           .formulations = {{by::link_frames, centroidal_momentum}, {by::limb_lanes, centroidal_momentum}},
           .needs_mass = true},
          {.name = "centroidal_momentum_matrix",
           .inputs = {q},
           .outputs = {momentum_matrix},
           .depends = on_inertia,
           .formulations = {{by::link_frames, centroidal_momentum_matrix},
                            {by::limb_lanes, centroidal_momentum_matrix}},
           .needs_mass = true},
          {.name = "centroidal_momentum_bias",
           .inputs = {q, v},
           .outputs = {momentum_bias},
           .depends = on_inertia,
           .formulations = {{by::link_frames, centroidal_momentum_bias},
                            {by::limb_lanes, centroidal_momentum_bias}},
           .needs_mass = true},
          {.name = "centroidal_momentum_derivatives",
           .inputs = {q, v},
           .outputs = {momentum_by_q},
           .depends = on_inertia,
           .formulations = {{by::link_frames, centroidal_momentum_derivatives},
                            {by::limb_lanes, centroidal_momentum_derivatives}},
           .needs_mass = true},
          {.name = "kinetic_energy",
           .inputs = {q, v},
           .outputs = {kinetic},
           .depends = on_inertia,
           .formulations = {{by::link_frames, kinetic_energy}, {by::limb_lanes, kinetic_energy}}},
          {.name = "potential_energy",
           .inputs = {q},
           .outputs = {potential},
           .depends = on_gravity,
           .formulations = {{by::first_moments, potential_energy}, {by::limb_lanes, potential_energy}}},
          {.name = "regressor",
           .inputs = {q, v, a},
           .outputs = {Y},
           .depends = on_gravity_alone,
           .formulations = {{by::carried_axes, regressor},
                            {by::limb_lanes, regressor, {}, needs::columns_of_limbs},
                            {by::rows, regressor_by_rows},
                            {by::rows_in_lanes, regressor_by_rows, {}, needs::own_rows}}},
          {.name = "base_regressor",
           .inputs = {q, v, a},
           .outputs = {Y_base},
           .depends = on_base_parameters,
           .formulations = {{by::carried_axes, base_regressor},
                            {by::limb_lanes, base_regressor, {}, needs::base_parameters_of_limbs}}},
          {.name = "integrate",
           .inputs = {q, dv},
           .outputs = {q_next},
           .depends = on_nothing,
           .formulations = {{by::exponential_map, integrate}}},
          {.name = "difference",
           .inputs = {q0, q1},
           .outputs = {dv},
           .depends = on_nothing,
           .formulations = {{by::exponential_map, difference}}},
          {.name = "integrate_derivatives",
           .inputs = {q, dv},
           .outputs = {dq, ddv},
           .depends = on_nothing,
           .formulations = {{by::exponential_map, integrate_derivatives}}}};
}

}  // namespace featherline::catalog
