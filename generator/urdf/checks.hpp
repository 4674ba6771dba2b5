#pragma once

#include "diagnostic.hpp"
#include "urdf/description.hpp"

namespace featherline::urdf {

/// Every check below, in this order. Those that need a sound tree are left out where it is none.
void check(const Description& description, Diagnostics& diagnostics);

/// Names are unique and fit for messages and manifests.
void check_names(const Description& description, Diagnostics& diagnostics);

/// The joints connect the links to one tree: known ends, one parent each, one root, no loop.
void check_structure(const Description& description, Diagnostics& diagnostics);

/// Masses and inertias are those of matter. A negative principal moment is an error, unless the links welded
/// to that link outweigh it: then the body that moves is possible. The moments are looked at only if
/// `is_tree` says that check_names and check_structure found no error.
void check_inertias(const Description& description, bool is_tree, Diagnostics& diagnostics);

/// Limits, axes and friction make sense.
void check_joints(const Description& description, Diagnostics& diagnostics);

/// Mimic relations name another joint with one coordinate and run in no circle.
void check_mimics(const Description& description, Diagnostics& diagnostics);

/// Values that look like millimetres, grams or degrees; each kind is told once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles close to, and not at, multiples of 90 degrees; told once for the file.
void check_angles(const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
