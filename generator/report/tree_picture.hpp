#pragma once

#include "model/tree.hpp"

#include <string>

namespace featherline::report {

/// The kinematic tree as SVG: a row for each body. A link's area follows its mass. A chain stays in its column, and
/// branches move to the next one.
std::string tree_picture(const model::Tree& tree);

}  // namespace featherline::report
