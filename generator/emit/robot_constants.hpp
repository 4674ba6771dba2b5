#pragma once

#include "model/tree.hpp"

#include <string>
#include <vector>

/// Constants of every robot besides its sizes and names: the neutral position, the total mass, the parents.
namespace featherline::emit {

/// Zeros, and quaternions that do not turn.
std::vector<double> neutral_position(const model::Tree& tree);

/// Of the moving bodies, as the URDF gives them [kg].
double total_mass(const model::Tree& tree);

/// What stands between the braces of neutral[] and parents[].
std::string neutral_rows(const model::Tree& tree, const std::string& scalar);
std::string parent_rows(const model::Tree& tree);

/// The definitions for NAME.hpp.
std::string robot_constants(const model::Tree& tree);

}  // namespace featherline::emit
