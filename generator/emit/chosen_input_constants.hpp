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
