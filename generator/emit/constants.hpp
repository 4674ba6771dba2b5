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

/// Constants of every robot besides its sizes and names: the neutral position, the total mass, the parents.
namespace featherline::emit {

/// Zeros, and quaternions that do not turn.
std::vector<double> neutral_position(const model::Tree& tree);

/// Of the moving bodies, as the URDF gives them [kg].
double total_mass(const model::Tree& tree);

/// What stands between the braces of neutral[] and parents[].
std::string neutral_rows(const model::Tree& tree, const std::string& scalar);
std::string parent_rows(const model::Tree& tree);

/// The definitions for NAME.hpp.
std::string robot_constants(const model::Tree& tree);

// Constants of NAME.hpp that only some functions need: sizes of their arrays, and the inertial parameters that
// regressors are about.

/// Names and values of sizes that arrays of these functions have, besides nq and nv, which every robot has.
std::vector<std::pair<std::string, int>> further_sizes(
    const std::vector<const catalog::FunctionSpec*>& functions, const model::Tree& tree);
std::vector<std::pair<std::string, int>> further_sizes(const Request& request);

/// Definitions for NAME.hpp, a blank line first; nothing if no function needs them.
std::string inertial_constants(const Request& request);
/// The header that they need.
std::string inertial_includes(const Request& request);

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

// What emitted files say about the frames that the user chose. Nothing, where there are none.

std::string frames_include(const model::Tree& tree);
/// Constants of NAME.hpp.
std::string frame_constants(const model::Tree& tree);
/// "p" and, column by column, "R".
Json to_json(const model::Placement& placement);
/// "frames": ..., "frame_axes": ... of the manifest.
void add_frames(const model::Tree& tree, Json& manifest);

/// Of NAME.h and NAME_c.cpp.
std::string c_frames(const model::Tree& tree, const std::string& name);
std::string c_frame_getters(const model::Tree& tree, const std::string& name);

// What emitted files say about the constraints of the robot. Nothing, where there are none.

std::string constraints_include(const model::Tree& tree);
/// Constants of NAME.hpp.
std::string constraint_constants(const model::Tree& tree);
/// "constraints": ..., "stabilisation": ... of the manifest.
void add_constraints(const model::Tree& tree, Json& manifest);

/// Of NAME.h and NAME_c.cpp.
std::string c_constraints(const model::Tree& tree, const std::string& name);
std::string c_constraint_getters(const model::Tree& tree, const std::string& name);

/// "locked_joints": ... of the manifest: name, type, child and q of each. Nothing if there are none.
void add_locked_joints(const model::Tree& tree, Json& manifest);

// What is emitted about the inputs that the user chose (model/chosen_inputs.hpp). Every text is empty if there are
// none.

std::string chosen_inputs_include(const model::Tree& tree);
/// The constants of the C++ header.
std::string chosen_inputs_constants(const model::Tree& tree);
/// What stands between the braces of parameter_defaults[] and parameters[].
std::string parameter_default_rows(const model::Tree& tree, const std::string& scalar);
std::string parameter_rows(const model::Tree& tree);
/// "gravity is (0.0, 0.0, -9.81) m/s^2 in world axes", or where it is in `p`. Never empty.
std::string gravity_sentence(const model::Tree& tree);
/// A line that says where they lie in batches.
std::string chosen_inputs_in_batches(const model::Tree& tree);
/// Names and values of the sizes among them.
std::vector<std::pair<std::string, int>> chosen_inputs_sizes(const model::Tree& tree);
/// Adds "external_forces" and "parameters" to a manifest.
void add_chosen_inputs(const model::Tree& tree, Json& manifest);

}  // namespace featherline::emit
