#pragma once

#include "emit/emit.hpp"
#include "emit/signature.hpp"
#include "model/tree.hpp"
#include "support/json.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Constants of the robot, as several of the emitted files have them. What a robot does not have gives an empty text.
namespace featherline::emit {

/// Zeros, and quaternions that do not turn.
std::vector<double> neutral_position(const model::Tree& tree);

/// Of the moving bodies, as the URDF gives them [kg].
double total_mass(const model::Tree& tree);

/// What stands between the braces of neutral[], parents[], parameter_defaults[] and parameters[].
std::string neutral_rows(const model::Tree& tree, const std::string& scalar);
std::string parent_rows(const model::Tree& tree);
std::string parameter_default_rows(const model::Tree& tree, const std::string& scalar);
std::string parameter_rows(const model::Tree& tree);

std::vector<std::string> frame_enumerators(const model::Tree& tree);
/// -1 for a contact, which has no residual.
int first_residual(const model::Constraint& constraint);
/// What the rows of each type of constraint that occurs are, behind `comment` and a dash.
std::string row_meanings(const model::Tree& tree, const std::string& comment);
/// "gravity is (0.0, 0.0, -9.81) m/s^2 in world axes", or where it is in `p`. Never empty.
std::string gravity_sentence(const model::Tree& tree);

/// The definitions for NAME.hpp: of every robot, and those that only some functions need, which are sizes of their arrays
/// and the inertial parameters that regressors are about.
std::string robot_constants(const model::Tree& tree);
std::string inertial_constants(const Request& request);

/// Names and values of sizes that arrays of these functions have, besides nq and nv, which every robot has.
std::vector<std::pair<std::string, int>> further_sizes(
    const std::vector<const catalog::FunctionSpec*>& functions, const model::Tree& tree);
std::vector<std::pair<std::string, int>> further_sizes(const Request& request);

/// Of NAME.h and NAME_c.cpp: what the user chose.
std::string c_declarations_of_chosen(const model::Tree& tree, const std::string& name,
                                     const std::string& scalar);
std::string c_getters_of_chosen(const model::Tree& tree, const std::string& name, const std::string& scalar);

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
