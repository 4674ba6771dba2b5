#pragma once

#include "emit/emit.hpp"
#include "support/json.hpp"

#include <string>
#include <utility>
#include <vector>

/// What is emitted about the inputs that the user chose (model/chosen_inputs.hpp). Every text is empty if there are
/// none.
namespace featherline::emit {

std::string chosen_inputs_include(const model::Tree& tree);
/// The constants of the C++ header.
std::string chosen_inputs_constants(const model::Tree& tree);
/// Names and values of the sizes among them.
std::vector<std::pair<std::string, int>> chosen_inputs_sizes(const model::Tree& tree);
/// Adds "external_forces" and "parameters" to a manifest.
void add_chosen_inputs(const model::Tree& tree, Json& manifest);

}  // namespace featherline::emit
