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

/// Where loops are eliminated: the joints that q_all and v_all are about, in their order.
std::vector<std::string> joints_of_q_all(const model::Tree& tree);
/// Of the moving bodies, as the robot's file gives them [kg].
double total_mass(const model::Tree& tree);

/// Names and values of sizes that arrays of these functions have, besides those that every robot has; no value where
/// nothing has that size.
std::vector<Replacement> further_sizes(std::span<const LoweredFunction> functions, const model::Tree& tree);

/// What skeletons say about the robot, in several bindings: all sizes, what stands between the braces of arrays of
/// `scalar`, and the like.
std::vector<Replacement> robot_values(const Request& request, const std::string& scalar);

/// What stands for a joint in the table of a binding, behind its type. The last three limits are rare, and infinite by
/// default in featherline::JointInfo: without `all_limits` they are left out where they are infinite.
std::string joint_literal(const model::Joint& joint, const std::string& type, const std::string& scalar,
                          bool all_limits);

/// -1 for a contact, which has no residual.
int first_residual(const model::Constraint& constraint);
/// What the rows of each type of constraint that occurs are, behind `comment` and a dash.
std::string row_meanings(const model::Tree& tree, const std::string& comment);

/// "lower", "upper", "velocity", "effort", "acceleration", "deceleration" and "jerk". JSON has no infinity: a missing
/// limit is null.
Json limits_json(const model::Joint& joint);
/// "dynamics": of "armature", "damping", "friction", "stiffness" and "rest" those that are not 0.
void add_dynamics(const model::Joint& joint, Json& entry);
/// "rotors", with axes in their carriers' frames; "locked_joints": name, type, child and q of each; "positions":
/// q by name.
void add_positions(const model::Tree& tree, Json& manifest);
/// "tendons", if there are some.
void add_tendons(const model::Tree& tree, Json& manifest);
/// "external_forces", "parameters", "frame_axes", "frames", "stabilisation", "constraints".
void add_chosen(const model::Tree& tree, Json& manifest);

/// One object for each group of equal limbs (model/limbs.hpp): the names of its limbs, the body that carries them
/// (null: the world), and the joints of each limb in the same order.
Json limbs_json(const model::UserTree& tree);

}  // namespace featherline::emit
