#pragma once

#include "urdf/description.hpp"

#include <optional>
#include <string_view>

namespace featherline::urdf {

const char* name_of(JointType type);

/// A type URDF itself has, by the name it has there.
std::optional<JointType> native_joint_type(std::string_view name);

/// A type that only the extension element can name.
std::optional<JointType> extension_joint_type(std::string_view name);

/// Whether the motion depends on `Joint::axis`.
bool uses_axis(JointType type);

/// Number of velocity coordinates.
int dof_of(JointType type);

}  // namespace featherline::urdf
