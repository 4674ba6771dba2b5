#pragma once

#include "urdf/element_reader.hpp"

/// What of a file is not for us: what xacro still has to expand, and what has no part in the result.
namespace featherline::urdf {

/// Tells what of the file has no part in the result: elements, attributes and text that URDF does not know
/// are warnings ("ignored: ..."), told once per kind; parts of URDF that dynamics does not need are notes.
/// Appearance and collision (`<visual>`, `<collision>`, `<material>`) go without saying.
void report_vocabulary(const XMLElement& robot, ElementReader& reader);

/// Reports a file that xacro still has to expand: elements that are xacro's instructions, anywhere in the
/// file. An xmlns:xacro attribute alone, or the tag of some undefined macro, is no sign: xacro leaves both
/// behind. \return whether nothing was reported
bool refuse_xacro(const XMLElement& robot, ElementReader& reader);

}  // namespace featherline::urdf
