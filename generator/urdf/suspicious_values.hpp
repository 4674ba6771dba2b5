#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

/// Values that are allowed but are probably mistakes. They are reported as warnings.
namespace featherline::urdf {

/// Values that look like millimetres, grams or degrees. Each kind is reported once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles that are close to multiples of 90 degrees but not equal to them, and that snapping with this tolerance leaves
/// so. Reported once for the file.
void check_angles(const Description& description, double snap_tolerance, Diagnostics& diagnostics);

/// For --snap-angles: makes these angles exact, and all that are written with ten decimals or more.
std::string tolerance_for_exact_turns(const Description& description);

}  // namespace featherline::urdf
