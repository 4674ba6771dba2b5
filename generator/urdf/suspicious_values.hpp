#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

/// Values that are allowed but are probably mistakes. They are reported as warnings.
namespace featherline::urdf {

/// Values that look like millimetres, grams or degrees. Each kind is reported once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles that are close to multiples of 90 degrees but not equal to them. Reported once for the file.
void check_angles(const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
