#pragma once

#include "emit/emit.hpp"
#include "emit/text.hpp"
#include "model/tree.hpp"
#include "support/json.hpp"

#include <map>
#include <set>
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

/// "locked_joints": name, type, child and q of each.
void add_locked_joints(const model::Tree& tree, Json& manifest);
/// "external_forces", "parameters", "frame_axes", "frames", "stabilisation", "constraints".
void add_chosen(const model::Tree& tree, Json& manifest);

// What is said about equal limbs (model/limbs.hpp).

/// One object for each group: the names of its limbs, the body that carries them (null: the world), and the joints of
/// each limb in the same order.
Json limbs_json(const model::UserTree& tree);

/// For the doc comment of the header: one line for each group. Nothing for a robot without equal limbs.
std::string limbs_comment(const model::UserTree& tree);

/// Patterns of lanes that have the other sign in values called mir_..., by the number of lanes.
using MirroredLanes = std::map<int, std::set<std::vector<int>>>;
MirroredLanes mirrored_lanes(const Request& request);

/// For the reading guide: the types of values in lanes, which limb is in which lane, and which ones are mirrored.
std::string lanes_table(const model::FoldedTree& tree, const MirroredLanes& mirrored);
/// "w2 holds w of bodies 2, 5, 8 and 11": an example from the first group.
std::string lanes_example(const model::FoldedTree& tree);

}  // namespace featherline::emit
