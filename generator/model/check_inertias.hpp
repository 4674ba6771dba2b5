#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

namespace featherline::model {

/// Masses and inertias are those of matter. A negative mass or principal moment is an error, or a warning with
/// `allow_unphysical`: the equations are defined all the same. It is a warning in any case
///  - where it is within rounding of the link's own scale,
///  - where links welded to it outweigh it: only their sum moves,
///  - where nothing feels it: the link is welded to the world, or no joint turns it about the axis of that moment.
/// Warns of moments that are zero or break the triangle inequality, and of inertia without mass.
/// `tree` is what was built from `robot`.
void check_inertias(const urdf::Description& robot, const UserTree& tree, bool allow_unphysical,
                    Diagnostics& findings);

}  // namespace featherline::model
