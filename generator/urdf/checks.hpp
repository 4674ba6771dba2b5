#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

namespace featherline::urdf {

/// Every check below, in this order. Those that need a sound tree are left out where it is none.
void check(const Description& description, Diagnostics& diagnostics);

/// Names are unique and fit for messages and manifests.
void check_names(const Description& description, Diagnostics& diagnostics);

/// The joints connect the links to one tree: known ends, one parent each, one root, no loop.
void check_structure(const Description& description, Diagnostics& diagnostics);

/// Limits, axes and friction make sense.
void check_joints(const Description& description, Diagnostics& diagnostics);

/// Values that look like millimetres, grams or degrees; each kind is told once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles close to, and not at, multiples of 90 degrees; told once for the file.
void check_angles(const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
