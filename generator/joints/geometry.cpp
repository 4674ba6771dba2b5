#include "joints/geometry.hpp"

#include "support/text.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace featherline::model {

Inertia& Inertia::operator+=(const Inertia& other) {
  mass += other.mass;
  h += other.h;
  J += other.J;
  return *this;
}

// Parallel axes with a first moment in place of a centre of mass, so that massless bodies need no special case:
// every particle at r in B lies at R r + p in P, and J = sum m (|r|^2 1 - r r^T).
Inertia Inertia::expressed_in(const Placement& X_PB) const {
  const Vector3& p = X_PB.p;
  const Vector3 g = X_PB.R * h + 0.5 * mass * p;
  Inertia in_P;
  in_P.mass = mass;
  in_P.h = X_PB.R * h + mass * p;
  in_P.J = X_PB.R * J * X_PB.R.transpose() + 2.0 * g.dot(p) * Matrix3::Identity() - g * p.transpose() -
           p * g.transpose();
  in_P.J = (0.5 * (in_P.J + in_P.J.transpose())).eval();
  return in_P;
}

Inertia unidentifiable_part(const JointRow& row, const Inertia& inertia, Grouping grouping) {
  Inertia part;
  switch (row.unidentifiable) {
    case Unidentifiable::mass_and_moments_across: {
      part.mass = inertia.mass;
      part.h.z() = inertia.h.z();
      const Matrix3& J = inertia.J;
      const double alpha = grouping == Grouping::J_xx ? J(0, 0) : (J(0, 0) + J(1, 1) - J(2, 2)) / 2.0;
      part.J(0, 0) = part.J(1, 1) = alpha;
      break;
    }
    case Unidentifiable::rotational_inertia:
      part.J = inertia.J;
      break;
    case Unidentifiable::mass:
      part.mass = inertia.mass;
      break;
    case Unidentifiable::nothing:
      break;
  }
  return part;
}

Parameters parameters_of(const Inertia& inertia) {
  const Matrix3& J = inertia.J;
  Parameters p;
  p << inertia.mass, inertia.h, J(0, 0), J(0, 1), J(1, 1), J(0, 2), J(1, 2), J(2, 2);
  return p;
}

Inertia inertia_of(const Parameters& p) {
  Inertia inertia{p[0], p.segment<3>(1), {}};
  inertia.J << p[4], p[5], p[7], p[5], p[6], p[8], p[7], p[8], p[9];
  return inertia;
}

Matrix3 rotation_from_rpy(const Vector3& rpy) {
  const double cr = std::cos(rpy.x()), sr = std::sin(rpy.x());
  const double cp = std::cos(rpy.y()), sp = std::sin(rpy.y());
  const double cy = std::cos(rpy.z()), sy = std::sin(rpy.z());
  Matrix3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

Matrix3 rotation_from_quaternion(double x, double y, double z, double w) {
  const double xx = x * x, yy = y * y, zz = z * z, ww = w * w, length = (ww + xx) + (yy + zz);
  Matrix3 R;
  R << (ww + xx) - (yy + zz), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),  //
      2.0 * (x * y + w * z), (ww + yy) - (xx + zz), 2.0 * (y * z - w * x),   //
      2.0 * (x * z - w * y), 2.0 * (y * z + w * x), (ww + zz) - (xx + yy);
  return R / length;
}

namespace {

Matrix3 without_small(const Matrix3& R, double tolerance) {
  return (R.array().abs() <= tolerance).select(0.0, R);
}

/// A row with two zeros is a unit vector, and then so is the column of its remaining entry.
void complete_units(Matrix3& R) {
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const double next = R(row, (column + 1) % 3), after = R(row, (column + 2) % 3);
      if (next != 0.0 || after != 0.0) continue;
      const double unit = R(row, column) < 0.0 ? -1.0 : 1.0;
      R.col(column).setZero();
      R(row, column) = unit;
    }
  }
}

}  // namespace

// Orthogonality leaves a rotation three patterns of zeros: six (a signed permutation), four (one axis kept, a
// plane rotation in the others), or a single one. Two zeros that share no row and no column force a third.
Matrix3 snap_rotation(const Matrix3& R, double tolerance) {
  if (tolerance <= 0.0) return R;
  Matrix3 snapped = without_small(R, tolerance);
  if ((snapped.array() != 0.0).all()) return R;
  complete_units(snapped);
  complete_units(snapped);  // a unit found in the last row may complete an earlier one
  // Gram-Schmidt that starts from the row with the most zeros: the later rows only lose a multiple of it, so no zero
  // is lost. (Rows of a rotation with one zero share no other.)
  Eigen::Index first = 0;
  (snapped.array() == 0.0).rowwise().count().maxCoeff(&first);
  const Eigen::Index second = (first + 1) % 3, third = (first + 2) % 3;
  snapped.row(first).normalize();
  snapped.row(second) -= snapped.row(second).dot(snapped.row(first)) * snapped.row(first);
  snapped.row(second).normalize();
  snapped.row(third) = snapped.row(first).cross(snapped.row(second));
  return without_small(snapped, 1e-15);  // residues of the cross product, and negative zeros
}

Matrix3 plane_axes(const Vector3& normal) {
  int dominant = 0;
  normal.cwiseAbs().maxCoeff(&dominant);
  Matrix3 R;
  R.col(2) = normal;
  R.col(0) = Vector3::Unit((dominant + 1) % 3);
  R.col(0) -= R.col(0).dot(normal) * normal;
  R.col(0).normalize();
  R.col(1) = R.col(2).cross(R.col(0));
  return (R.array() == 0.0).select(Matrix3::Zero(), R);
}

template <class M>
M round_residue(const M& x, double scale) {
  return x.unaryExpr([scale](double v) { return std::abs(v) < structural_zero * scale ? 0.0 : v; });
}
template Vector3 round_residue(const Vector3&, double);
template Matrix3 round_residue(const Matrix3&, double);

template <class M>
M round_entries(const M& x, double scale) {
  return round_residue(x, scale).unaryExpr([scale](double v) { return round_number(v, scale); });
}
template Vector3 round_entries(const Vector3&, double);
template Matrix3 round_entries(const Matrix3&, double);
template Eigen::MatrixXd round_entries(const Eigen::MatrixXd&, double);

Inertia round_inertia(const Inertia& I) {
  return {round_number(I.mass, I.mass), round_entries(I.h, I.h.norm()), round_entries(I.J, I.J.norm())};
}

Placement round_placement(const Placement& X, double scale) {
  return {round_entries(X.R, 1.0), round_entries(X.p, scale)};
}

Inertia rounded_difference(const Inertia& whole, const Inertia& part) {
  return {whole.mass - part.mass, round_entries(Vector3(whole.h - part.h), whole.h.cwiseAbs().maxCoeff()),
          round_entries(Matrix3(whole.J - part.J), whole.J.cwiseAbs().maxCoeff())};
}

Matrix3 round_rotation(const Matrix3& R) {
  return round_residue(R, 1.0).unaryExpr(
      [](double v) { return std::abs(std::abs(v) - 1.0) < structural_zero ? std::copysign(1.0, v) : v; });
}

Matrix3 rotation_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 R;
  R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return R;
}

Matrix3 align_z(const Vector3& axis) { return round_rotation(plane_axes(axis)); }

}  // namespace featherline::model
