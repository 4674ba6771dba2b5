#pragma once

#include "algorithms/constraints/constrained_dynamics.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "algorithms/routines/routine_calls.hpp"
#include "algorithms/steps/steps.hpp"
#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "model/limbs.hpp"

/// The methods that the entries of the catalogue combine with algorithms, and what they ask of a robot.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

std::vector<FunctionSpec> dynamics_functions(), derivatives_functions(), second_order_functions(),
    product_functions(), kinematics_functions(), frames_functions(), whole_body_functions(), step_functions(),
    constraint_functions(), rate_functions(), sensitivity_functions();

inline FunctionSpec function(const char* name, std::vector<Argument> inputs, std::vector<Argument> outputs,
                             const Dependence& depends, std::vector<Formulation> formulations,
                             const FunctionTraits& traits = {}) {
  return {traits, name, {}, {}, {}, std::move(inputs), std::move(outputs), depends, std::move(formulations)};
}

inline const Dependence on_inertia{.inertia = true}, on_gravity_alone{.gravity = true},
    on_gravity{.gravity = true, .inertia = true}, on_M{.inertia = true, .armature = true},
    on_nothing{.geometry = Dependence::Geometry::no};
/// Base parameters are combinations of numbers.
inline const Dependence on_base_parameters{.gravity = true, .geometry = Dependence::Geometry::not_yet};
/// Of torques at rest or in motion, without acceleration.
inline const Dependence on_all_but_armature{.forces = Dependence::Forces::yes,
                                            .gravity = true,
                                            .inertia = true,
                                            .damping = true,
                                            .friction = true,
                                            .springs = true};
inline const Dependence on_all = [] {
  Dependence all = on_all_but_armature;
  all.armature = true;
  return all;
}();
inline const Dependence on_all_and_gains = [] {
  Dependence all = on_all;
  all.stabilisation = true;
  return all;
}();
inline const Dependence on_all_but_forces = [] {
  Dependence all = on_all;
  all.forces = Dependence::Forces::not_yet;
  return all;
}();
/// Of second derivatives of inverse dynamics. Friction alone is not linear in q, v and a.
inline const Dependence on_second{
    .forces = Dependence::Forces::not_yet, .gravity = true, .inertia = true, .friction = true};

// Of inverse and of forward dynamics, free and constrained. The header says what steps of q are.
inline const Argument dtau_dq{"dtau_dq", {nv, nv}};
inline const Argument dtau_dv{"dtau_dv", {nv, nv}};
inline const Argument da_dq{"da_dq", {nv, nv}};
inline const Argument da_dv{"da_dv", {nv, nv}};
/// Of steps.
inline const Argument q_next{"q_next", {nq}, "q_next", {arguments::unit_quaternions}};

namespace needs {

/// The first joint that has no coordinate of its own, and whose it has; or a tendon.
std::string coupled_joints(const model::Tree& tree);
/// The first tendon.
std::string coupling_tendon(const model::Tree& tree);

inline const Requirement parameters{[](const model::Tree& tree) { return tree.chosen.num_parameters() > 0; },
                                    "--parameters"};
/// C++ has no arrays of size 0.
inline const Requirement clusters{[](const model::Tree& tree) { return tree.clusters != nullptr; },
                                  "eliminated loops"};
inline const Requirement articulated_clusters{algorithms::has_articulated_clusters,
                                              "eliminated loops, and no other joints that are coupled"};
inline const Requirement moving_joints{[](const model::Tree& tree) { return tree.nv > 0; },
                                       "joints that move"};
inline const Requirement own_coordinates{algorithms::has_own_coordinates, "a coordinate for each joint",
                                         coupled_joints};
inline const Requirement shared_coordinates{
    [](const model::Tree& tree) { return !algorithms::has_no_mimic(tree); }, "joints that share coordinates"};
inline const Requirement own_steps_of_limbs{
    [](const model::Tree& tree) {
      return algorithms::has_no_mimic(tree) && algorithms::steps_fit_limbs(tree);
    },
    "the integrator semi_implicit, and limbs of joints that each have a coordinate and add to q"};
inline const Requirement constraints{
    [](const model::Tree& tree) { return tree.nv > 0 && tree.constraints.num_rows() > 0; },
    "contacts, loops or wheels"};
inline const Requirement plain_terms{algorithms::has_plain_terms,
                                     "a robot without gravcomp, tendons and springs of balls, and free "
                                     "joints without armature, damping and springs",
                                     coupling_tendon};
inline const Requirement panels{
    algorithms::fits_panels,
    "more joints than a floating base, neither external forces nor payloads, placements and gears as inputs, "
    "no gravcomp and springs of balls, and free joints without armature, damping and springs",
    coupling_tendon};
inline const Requirement panels_of_contacts{algorithms::contacts_fit_panels,
                                            "a robot that panels fit, and contacts or wheels; behind a "
                                            "floating base contacts without axes of the world"};
inline const Requirement fixed_placements{
    [](const model::Tree& tree) { return tree.chosen.placements.empty(); }, "placements that are no inputs"};
inline const Requirement contracted_panels{
    algorithms::fits_contracted_panels,
    "more joints than a floating base, all with one axis, neither external forces nor payloads, placements "
    "and gears as inputs, no gravcomp and springs of balls, and free joints without armature, damping and "
    "springs",
    coupling_tendon};
inline const Requirement limbs{
    [](const model::Tree& tree) { return model::fold_bodies(tree).has_lanes(); },
    "equal limbs, and no two subtrees on one link have joints of the same types in the same order",
    coupling_tendon};

const char* const alike = "limbs that are also equal in frames, inputs and parameters";
inline const Requirement frames_of_limbs{algorithms::frames_fit_limbs, alike};
inline const Requirement links_of_limbs{algorithms::links_fit_limbs, alike};
inline const Requirement columns_of_limbs{algorithms::limbs_share_columns, "no columns of rotors"};
inline const Requirement own_rows{
    algorithms::fits_rows, "no eliminated loops, no columns of joints, and a coordinate for each joint",
    coupled_joints};
inline const Requirement base_parameters_of_limbs{algorithms::limbs_share_base_parameters, alike};
inline const Requirement missing_motors{
    algorithms::lacks_motors, "constraints, coordinates without motors, and no loops that are eliminated"};
inline const Requirement trunk_without_motors{
    algorithms::trunk_lacks_motors,
    "equal limbs whose joints all have motors, and a trunk where some do not"};
inline const Requirement constraints_of_limbs{
    algorithms::limbs_fulfil_constraints,
    "limbs that carry all constraints and can move along all their rows"};

}  // namespace needs

namespace by {

// Straight-line code.
inline const Method link_frames{"link frames"};
inline const Method first_moments{"composite first moments"};
inline const Method sparse_factor{"sparse factor"};
inline const Method articulated_bodies{"articulated bodies", Kind::straight_line, needs::own_coordinates};
inline const Method articulated_clusters{"articulated clusters", Kind::straight_line,
                                         needs::articulated_clusters};
inline const Method aza_columns{"AZA columns", Kind::straight_line, needs::own_coordinates};
inline const Method aza{"AZA", Kind::straight_line, needs::own_coordinates};
inline const Method dmm{"DMM"};
inline const Method piecewise_frames{"piecewise frames"};
inline const Method body_frames{"body frames", Kind::straight_line, {}, algorithms::body_frames};
inline const Method ground_frame{"ground frame", Kind::straight_line, {}, algorithms::ground_frame};
inline const Method unrolled{"unrolled"};
inline const Method carried_axes{"carried axes"};
inline const Method carried_lanes{"carried axes in lanes", Kind::axes_in_lanes, needs::columns_of_limbs};
inline const Method exponential_map{"exponential map"};
inline const Method loop_closure{"loop closure", Kind::straight_line, needs::clusters};
inline const Method pose_steps{"pose steps"};
inline const Method columns{"columns"};
inline const Method shared_axes{"shared axes"};
inline const Method denoc{"DeNOC"};
inline const Method least_norm{"least norm"};
inline const Method least_norm_rows{"least norm and dense rows", Kind::loops, needs::missing_motors};
inline const Method least_norm_rows_in_lanes{"limb lanes and dense rows", Kind::lanes_and_loops,
                                             needs::trunk_without_motors};
inline const Method udwadia_kalaba{"Udwadia-Kalaba"};

// Equal limbs side by side.
inline const Method limb_lanes{"limb lanes", Kind::lanes, needs::limbs};
inline const Method trunk_factor{"limb lanes by trunk factor", Kind::lanes, needs::limbs};
inline const Method denoc_in_lanes{"limb lanes by DeNOC", Kind::lanes, needs::limbs};

// Calls that write the outputs.
inline const Method columns_side_by_side{"columns side by side", Kind::loops, needs::constraints};
inline const Method limb_columns{"limb lanes column by column", Kind::lanes_and_loops, needs::limbs};
inline const Method limb_lanes_of_calls{limb_lanes.name, Kind::lanes_and_loops, needs::limbs};
inline const Method vector_loops{"vector loops", Kind::loops, needs::moving_joints};
inline const Method dense_kernels{"dense kernels", Kind::loops, needs::moving_joints, nullptr,
                                  algorithms::Routines::unrolled};
inline const Method rows{"rows", Kind::loops, needs::own_rows};
inline const Method rows_in_lanes{"limb lanes and rows", Kind::lanes_and_loops, needs::limbs};
inline const Method panels{"panels", Kind::loops};
inline const Method panels_and_kernels{"panels and dense kernels", Kind::loops};
inline const Method panels_and_kernels_in_lanes{"panels and dense kernels in limb lanes",
                                                Kind::lanes_and_loops, needs::limbs};
inline const Method unrolled_and_kernels{"unrolled and dense kernels", Kind::straight_line_and_loops,
                                         needs::shared_coordinates};
inline const Method lanes_and_kernels{"limb lanes and dense kernels", Kind::lanes_and_loops, needs::limbs};

// Papers' own systems.
inline const Method denoc_by_name{denoc.name, Kind::by_name};
inline const Method dual_quaternions{"dual quaternions", Kind::by_name, needs::fixed_placements};
inline const Method gauss{"Gauss", Kind::by_name, needs::fixed_placements};

}  // namespace by

}  // namespace featherline::catalog
