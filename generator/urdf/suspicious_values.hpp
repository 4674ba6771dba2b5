#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

/// Values that are allowed and hardly meant: told as warnings.
namespace featherline::urdf {

/// Values that look like millimetres, grams or degrees; each kind is told once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles close to, and not at, multiples of 90 degrees; told once for the file.
void check_angles(const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
