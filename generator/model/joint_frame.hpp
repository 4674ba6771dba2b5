#pragma once

#include "model/tree.hpp"

#include <cmath>

/// How the algorithms apply a joint's constant placement, and the rounding that is cleaned off it.
namespace featherline::model {

/// Rounding of products of exact rotations; 1e-12 changed tiago's forward dynamics by 2e-10.
inline constexpr double structural_zero = 1e-14;

/// Entries within rounding of 0, relative to `scale`, become exactly that.
template <class M>
M without_residue(const M& x, double scale) {
  return x.unaryExpr([scale](double v) { return std::abs(v) < structural_zero * scale ? 0.0 : v; });
}

/// The same for a rotation, whose entries may also be +-1.
Matrix3 clean_rotation(const Matrix3& R);

Matrix3 rotation_z(double angle);

/// A rotation that takes z to the unit vector `axis`; a signed permutation where the axis is a coordinate axis.
Matrix3 align_z(const Vector3& axis);

/// X_PB in canonical frames as the algorithms apply it: a constant part and an angle added to the joint's.
struct JointFrame {
  Placement X;
  double offset = 0.0;
};

/// Takes the rotation about the joint's own z axis out of E, so that E = Rz(a) Rx(b) has more zeros, when the
/// angle costs nothing (quarter turns stay in E as permutations) or saves a dense rotation.
JointFrame split_offset(const Joint& joint, const Placement& X);

}  // namespace featherline::model
