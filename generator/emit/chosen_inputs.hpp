#pragma once

#include "emit/emit.hpp"
#include "support/json.hpp"

#include <string>

/// What is emitted about the inputs that the user chose (model/chosen_inputs.hpp). Every text is empty if there are
/// none.
namespace featherline::emit {

std::string chosen_inputs_include(const model::Tree& tree);
/// The constants of the C++ header.
std::string chosen_inputs_constants(const model::Tree& tree);
/// Their sizes, each behind a comma: ", num_parameters = 3".
std::string chosen_inputs_sizes(const model::Tree& tree, const std::string& prefix = "");
/// Adds "external_forces" and "parameters" to a manifest.
void add_chosen_inputs(const model::Tree& tree, Json& manifest);

}  // namespace featherline::emit
