#pragma once

#include "diagnostic.hpp"
#include "urdf/description.hpp"

namespace featherline::urdf {

/// Every check below, in this order. Those that need a sound tree are left out where it is none.
void check(const Description& description, Diagnostics& diagnostics);

/// Names of links and of joints are unique.
void check_names(const Description& description, Diagnostics& diagnostics);

/// The joints connect the links to one tree: known ends, one parent each, one root, no loop.
void check_structure(const Description& description, Diagnostics& diagnostics);

/// Masses and inertias are those of matter.
void check_inertias(const Description& description, Diagnostics& diagnostics);

/// Limits, second axes and mimic relations make sense.
void check_joints(const Description& description, Diagnostics& diagnostics);
void check_mimics(const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
