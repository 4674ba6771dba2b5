#pragma once

#include "model/tree.hpp"

#include <string>

/// What NAME.h and NAME_c.cpp say about the inputs that the user chose (model/chosen_inputs.hpp). Every text is empty if
/// there are none.
namespace featherline::emit {

/// Constants and getters of the header.
std::string c_chosen_inputs(const model::Tree& tree, const std::string& name, const std::string& scalar);
/// The definitions of these getters.
std::string c_chosen_input_getters(const model::Tree& tree, const std::string& name,
                                   const std::string& scalar);

}  // namespace featherline::emit
