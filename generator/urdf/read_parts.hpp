#pragma once

#include "urdf/description.hpp"
#include "urdf/element_reader.hpp"

namespace featherline::urdf {

/// Turns elements into values.
Link read_link(const XMLElement& element, ElementReader& reader);
Joint read_joint(const XMLElement& element, ElementReader& reader);
Constraint read_constraint(const XMLElement& element, ElementReader& reader);

}  // namespace featherline::urdf
