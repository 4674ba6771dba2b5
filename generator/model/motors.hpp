#pragma once

#include "model/tree.hpp"

#include <string>
#include <vector>

/// Which joints have motors (--actuated).
namespace featherline::model {

/// The coordinates of v that no motor acts on, ascending (Constraints::without_motor). Joints that have motors are
/// named; without names all have one but free joints and those that loops go through. Throws UsageError for a name that
/// is not that of a joint with a motor, or stands there twice.
std::vector<int> coordinates_without_motor(const description::Description& description, const UserTree& tree,
                                           const std::vector<std::string>& named);

/// The bodies whose joints loops go through, ascending: those between the two ends of a loop.
std::vector<int> bodies_in_loops(const Tree& tree);

}  // namespace featherline::model
