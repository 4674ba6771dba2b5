#pragma once

#include "emit/emit.hpp"

#include <string>
#include <vector>

/// The files beside the header, one function each, and what several of them begin with. Each returns the whole content.
namespace featherline::emit {

/// The generator's version, "0.1.0".
std::string version();
/// First line of every emitted file but the manifest: version and input. Options are in the header and the manifest,
/// the digest of the input in the manifest only, so that a source changes when its own function does.
std::string banner(const Request& request);
/// The assertion that the runtime headers are of this version. Sources do not include the header, which changes with
/// every function added, and so each has its own.
std::string version_check();

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

}  // namespace featherline::emit
