#pragma once

#include "urdf/element_reader.hpp"

namespace featherline::urdf {

/// Tells what of the file has no part in the result: elements, attributes and text that URDF does not know
/// are warnings ("ignored: ..."), told once per kind; parts of URDF that dynamics does not need are notes.
/// Appearance and collision (`<visual>`, `<collision>`, `<material>`) go without saying.
void report_vocabulary(const XMLElement& robot, ElementReader& reader);

}  // namespace featherline::urdf
