#pragma once

#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// What the constraints of the robot mean for the functions that are asked for.
namespace featherline {

/// Throws UsageError for a gain KP that nothing has a position for. Warns of constraints of the URDF that no function
/// knows, and if rows of constraints depend on each other at a random state, with all of them active: forces in such rows
/// are not determined.
void check_constraints(const std::vector<std::string>& functions, const Options& options,
                       const model::UserTree& tree, const std::string& file, Diagnostics& findings);

/// Whether each limb that is computed side by side with others can move along all rows of its constraints at a random
/// state. A planar leg cannot move its foot sideways.
bool limbs_move_all_rows(const model::UserTree& tree);

}  // namespace featherline
