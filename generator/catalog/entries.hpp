#pragma once

#include "catalog/functions.hpp"

/// The entries of the catalogue. functions() joins them in this order.
namespace featherline::catalog {

std::vector<FunctionSpec> dynamics_functions();
std::vector<FunctionSpec> kinematics_functions();
std::vector<FunctionSpec> whole_body_functions();
std::vector<FunctionSpec> constraint_functions();

}  // namespace featherline::catalog
