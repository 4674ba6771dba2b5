#pragma once

#include "model/tree.hpp"
#include "urdf/description.hpp"

#include <string>

namespace featherline::model {

/// A moving joint's type, axes, sizes nq and nv, limits and friction; placement and indices are still open. A
/// planar joint's axis is +z, the turn of its plane belongs to the placement (build_tree.hpp).
Joint joint_from_urdf(const urdf::Joint& source);

/// The joint between the world and a floating base.
Joint floating_base_joint(const std::string& name);

}  // namespace featherline::model
