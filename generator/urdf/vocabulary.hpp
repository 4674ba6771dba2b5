#pragma once

#include "urdf/element_reader.hpp"
#include "urdf/reader.hpp"

namespace featherline::urdf {

/// Tells the user what has no part in the result.
///
///  - An attribute or element that we do not know, in an element that dynamics reads, is an error, or a warning if
///    unknown words are ignored: it may be a mistyped number of the robot.
///  - In <robot>, and where a name has a prefix ("drake:rotor_inertia"), it is a warning: it belongs to another tool.
///    Text between elements is a warning, too.
///  - What is known to be for other tools is a note. Appearance and collision are not mentioned.
///
/// What occurs several times is one finding.
void report_vocabulary(const XMLElement& robot, UnknownWords unknown, ElementReader& reader);

}  // namespace featherline::urdf
