#pragma once

#include "model/tree.hpp"

#include <string>
#include <vector>

namespace featherline::emit {

/// Enumerators of Link, by link.
std::vector<std::string> link_enumerators(const model::Tree& tree);

/// Names of the pose step functions, by body.
std::vector<std::string> pose_step_names(const model::Tree& tree);

/// Bodies whose joint has coordinates of its own, in the order of q; a coupled mimic joint has none.
std::vector<int> independent_joints(const model::Tree& tree);

}  // namespace featherline::emit
