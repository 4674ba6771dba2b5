#pragma once

#include "emit/emit.hpp"
#include "emit/signature.hpp"

#include <string>
#include <utility>
#include <vector>

/// Constants of NAME.hpp that only some functions need: sizes of their arrays, and the inertial parameters that
/// regressors are about.
namespace featherline::emit {

/// Names and values of sizes that arrays of these functions have, besides nq and nv, which every robot has.
std::vector<std::pair<std::string, int>> further_sizes(
    const std::vector<const catalog::FunctionSpec*>& functions, const model::Tree& tree);
std::vector<std::pair<std::string, int>> further_sizes(const Request& request);

/// Definitions for NAME.hpp, a blank line first; nothing if no function needs them.
std::string inertial_constants(const Request& request);
/// The header that they need.
std::string inertial_includes(const Request& request);

}  // namespace featherline::emit
