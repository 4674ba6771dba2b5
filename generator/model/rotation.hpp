#pragma once

#include "model/tree.hpp"

namespace featherline::model {

/// R_PB of URDF's fixed-axis roll, pitch, yaw [rad]: Rz(yaw) Ry(pitch) Rx(roll).
Matrix3 rotation_from_rpy(const Vector3& rpy);

/// The rotation nearest to R in which every entry that lies within `tolerance` of zero is exactly zero (and the
/// axes this leaves alone are exact units). Decimal angles in files, 1.5708 for a quarter turn, hide zeros that
/// the generated code would otherwise multiply by. The result is a rotation to rounding; R itself comes back
/// where nothing is near zero, or where `tolerance` is 0.
Matrix3 snap_rotation(const Matrix3& R, double tolerance);

/// A rotation whose third column is the unit vector `normal`: the axes of a planar joint's plane. The first
/// column is the coordinate axis after the dominant one of `normal`, in the cycle x y z, projected to the plane;
/// so +x gives (y, z, x), +y gives (z, x, y) and +z the identity.
Matrix3 plane_axes(const Vector3& normal);

}  // namespace featherline::model
