#pragma once

#include "description/description.hpp"
#include "support/diagnostic.hpp"

#include <string>

namespace featherline::description {

/// Checks names, then the tree of links, then joints, and then values that are probably mistakes.
/// Checks that need a sound tree are skipped if it is not sound.
void check(const Description& description, Diagnostics& diagnostics);

/// The place of a part of the description in its file.
Location at(const Description& description, const Link& link, int line, const std::string& below = {});
Location at(const Description& description, const Constraint& constraint, int line,
            const std::string& below = {});
Location at(const Description& description, const Joint& joint, int line, const std::string& below = {});

// Values that are allowed but are probably mistakes. They are reported as warnings.

/// Values that look like millimetres, grams or degrees. Each kind is reported once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles that are close to multiples of 90 degrees but not equal to them, and that snapping with this tolerance leaves
/// so. Reported once for the file.
void check_angles(const Description& description, double snap_tolerance, Diagnostics& diagnostics);

/// For --snap-angles: makes these angles exact, and all that are written with ten decimals or more.
std::string tolerance_for_exact_turns(const Description& description);

}  // namespace featherline::description
