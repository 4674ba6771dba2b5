#pragma once

#include "model/tree.hpp"
#include "support/json.hpp"

#include <string>

/// What emitted files say about the constraints of the robot. Nothing, where there are none.
namespace featherline::emit {

std::string constraints_include(const model::Tree& tree);
/// Constants of NAME.hpp.
std::string constraint_constants(const model::Tree& tree);
/// "constraints": ..., "stabilisation": ... of the manifest.
void add_constraints(const model::Tree& tree, Json& manifest);

/// Of NAME.h and NAME_c.cpp.
std::string c_constraints(const model::Tree& tree, const std::string& name);
std::string c_constraint_getters(const model::Tree& tree, const std::string& name);

}  // namespace featherline::emit
