#pragma once

#include "urdf/element_reader.hpp"

namespace featherline::urdf {

/// Reports a file that xacro still has to expand: elements that are xacro's instructions, anywhere in the
/// file. An xmlns:xacro attribute alone, or the tag of some undefined macro, is no sign: xacro leaves both
/// behind. \return whether nothing was reported
bool refuse_xacro(const XMLElement& robot, ElementReader& reader);

}  // namespace featherline::urdf
