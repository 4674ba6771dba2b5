#pragma once

#include "urdf/description.hpp"
#include "urdf/element_reader.hpp"

namespace featherline::urdf {

/// `<origin>` below `parent`; the identity where there is none.
Origin read_origin(const XMLElement& parent, ElementReader& reader);

Link read_link(const XMLElement& element, ElementReader& reader);

Joint read_joint(const XMLElement& element, ElementReader& reader);

/// Replaces the type that ordinary tools see by that of a `<featherline_joint>` child, if there is one.
/// See README.md in this folder.
void read_joint_extension(const XMLElement& element, Joint& joint, ElementReader& reader);

/// Scales an axis to unit length. A zero axis is an error, a visible change of length a warning.
/// `subject` names the axis in the message.
Eigen::Vector3d normalised(const Eigen::Vector3d& axis, const std::string& subject, const XMLElement& element,
                           ElementReader& reader);

}  // namespace featherline::urdf
