#pragma once

#include "emit/emit.hpp"

#include <string>
#include <vector>

/// One function per emitted file. Each returns the whole content.
namespace featherline::emit {

/// The generator's version, "0.1.0".
std::string version();
/// First lines of every emitted source: version and input. Options are in the header and the manifest only,
/// so that a source changes when its own function does.
std::string banner(const Request& request);

std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts);
std::string definitions_file(const Request& request);
std::string function_definition_file(const Request& request, const FunctionRequest& function,
                                     const FunctionFacts& facts);
std::string function_source_file(const Request& request, const FunctionRequest& function);
std::string eigen_file(const Request& request);
std::string manifest_file(const Request& request, const std::vector<FunctionFacts>& facts, int image_bytes);

}  // namespace featherline::emit
