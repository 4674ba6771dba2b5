#pragma once

#include "emit/emit.hpp"
#include "emit/text.hpp"
#include "ir/robot_tables.hpp"

#include <string>
#include <vector>

/// Emitted files, and what several of them begin with. A function called ..._file returns the whole content.
namespace featherline::emit {

/// The generator's version, "0.1.0".
std::string version();
/// First line of every emitted file but the manifest: version and input. Options are in the header and the manifest,
/// the digest of the input in the manifest only, so that a source changes when its own function does.
std::string banner(const Request& request);
/// The skeleton with these values, as render(), the banner, and the robot's emitted name.
std::string file_text(const Request& request, std::string_view skeleton, std::vector<Replacement> values,
                      const std::vector<Replacement>& shared = {});
/// The assertion that the runtime headers are of this version. Sources do not include the header, which changes with
/// every function added, and so each has its own.
std::string version_check();

std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts);
/// The comment lines for the end of NAME.hpp: frames, inertias, and the meaning of names in emitted code.
std::string reading_guide(const Request& request);
/// Of that the table of names: what occurs in these functions.
std::string names_table(const Request& request);

std::string definitions_file(const Request& request);
std::string function_definition_file(const Request& request, const LoweredFunction& function,
                                     const FunctionFacts& facts);
/// The steps and tables of functions that take a link; featherline/kinematics.hpp walks them.
std::string pose_steps_file(const Request& request);
std::string function_source_file(const Request& request, const LoweredFunction& function);
/// The index arrays of a packed function: for the header, and for the C functions that copy them.
std::string packed_index_file_name(const Request& request, const LoweredFunction& function);
std::string packed_index_file(const Request& request, const LoweredFunction& function);
std::string manifest_file(const Request& request, const std::vector<FunctionFacts>& facts, int image_bytes);

/// For namespace detail, the struct `name` with the tables of featherline/vector_loops.hpp, and of
/// featherline/panels.hpp. Routines that read it belong to the code `code`.
std::string table_text(const ir::AxisTable& table, const std::string& name, const std::string& code);
std::string table_text(const ir::PanelTable& table, const std::string& name, const std::string& code);

/// NAME::prepare (featherline/prepare.hpp): what the header declares, and what a function's files define. `code` tells
/// the code of one function of one robot from that of others.
std::string prepare_declarations(const Request& request);
std::string prepare_definitions(const Request& request, const LoweredFunction& function);
std::string code_definitions(const Request& request, const LoweredFunction& function, int code_bytes);
std::string code_number(const std::string& robot, const std::string& code);
/// What the skeleton of pose steps says of the robot.
std::vector<Replacement> walk_tables(const ir::LinkWalk& walk, const model::Tree& tree);

}  // namespace featherline::emit
