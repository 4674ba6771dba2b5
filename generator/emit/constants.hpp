#pragma once

#include "emit/emit.hpp"
#include "emit/text.hpp"
#include "model/tree.hpp"
#include "support/json.hpp"

#include <span>
#include <string>
#include <vector>

/// Constants of the robot, as several of the emitted files have them.
namespace featherline::emit {

/// Zeros, and quaternions that do not turn.
std::vector<double> neutral_position(const model::Tree& tree);

/// Of the moving bodies, as the URDF gives them [kg].
double total_mass(const model::Tree& tree);

/// Names and values of sizes that arrays of these functions have, besides those that every robot has; no value where
/// nothing has that size.
std::vector<Replacement> further_sizes(std::span<const LoweredFunction> functions, const model::Tree& tree);

/// What skeletons say about the robot, in several bindings: all sizes, what stands between the braces of arrays of
/// `scalar`, and the like.
std::vector<Replacement> robot_values(const Request& request, const std::string& scalar);

/// -1 for a contact, which has no residual.
int first_residual(const model::Constraint& constraint);
/// What the rows of each type of constraint that occurs are, behind `comment` and a dash.
std::string row_meanings(const model::Tree& tree, const std::string& comment);

/// "lower", "upper", "velocity", "effort", "acceleration", "deceleration" and "jerk". JSON has no infinity: a missing limit is null.
Json limits_json(const model::Joint& joint);
/// "locked_joints": name, type, child and q of each.
void add_locked_joints(const model::Tree& tree, Json& manifest);
/// "external_forces", "parameters", "frame_axes", "frames", "stabilisation", "constraints".
void add_chosen(const model::Tree& tree, Json& manifest);

/// One object for each group of equal limbs (model/limbs.hpp): the names of its limbs, the body that carries them
/// (null: the world), and the joints of each limb in the same order.
Json limbs_json(const model::UserTree& tree);

}  // namespace featherline::emit
