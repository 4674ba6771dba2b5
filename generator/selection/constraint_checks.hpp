#pragma once

#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// What the constraints of the robot mean for the functions that are asked for.
namespace featherline {

/// Throws UsageError for --contacts that no function needs, and for a gain KP that nothing has a position for. Warns of
/// constraints of the URDF that no function knows.
void refuse_unused_constraints(const std::vector<std::string>& functions, const Options& options,
                               const model::UserTree& tree, const std::string& file, Diagnostics& findings);

/// Whether each limb that is computed side by side with others can move along all rows of its constraints at a random
/// state. A planar leg cannot move its foot sideways.
bool limbs_move_all_rows(const model::UserTree& tree);

/// Warns if some function has constraints whose rows depend on each other at a random state, with all of them active.
/// Forces in such rows are not determined.
void warn_of_dependent_rows(const std::vector<std::string>& functions, const model::UserTree& tree,
                            const std::string& file, Diagnostics& findings);

}  // namespace featherline
