#include "report/pictures.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::report {
namespace {

using model::Matrix3;
using model::Vector3;

/// What no body has, by the principal moments, smallest first.
std::string flaw_of(double mass, const Vector3& moments) {
  // Decimals of a thin rod or a flat plate, whose moments are just possible, may be off by so much.
  constexpr double rounding = 1e-9;
  if (mass < 0.0) return "its mass is negative";
  if (moments[0] < 0.0) return "a principal moment is negative";
  if (mass == 0.0) return "it has no mass";
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + rounding))
    return "one principal moment is larger than the sum of the other two";
  return {};
}

}  // namespace

std::optional<Ellipsoid> equivalent_ellipsoid(const urdf::Link& link) {
  if (!link.inertial) return std::nullopt;
  const urdf::Inertial& inertial = *link.inertial;
  if (inertial.mass == 0.0 && inertial.inertia.isZero(0.0)) return std::nullopt;
  Ellipsoid ellipsoid;
  ellipsoid.moments = urdf::principal_moments(inertial.inertia);
  ellipsoid.flaw = flaw_of(inertial.mass, ellipsoid.moments);
  ellipsoid.semi_axes = Vector3::Zero();
  ellipsoid.shape = Matrix3::Zero();
  if (inertial.mass <= 0.0) return ellipsoid;
  const double factor = 5.0 / inertial.mass;
  for (int k = 0; k < 3; ++k) {
    const double square = factor * (ellipsoid.moments.sum() / 2.0 - ellipsoid.moments[k]);
    ellipsoid.semi_axes[k] = std::sqrt(std::max(square, 0.0));
  }
  const Matrix3 R_LI = urdf::rotation(inertial.origin);
  const Matrix3 second_moments = inertial.inertia.trace() / 2.0 * Matrix3::Identity() - inertial.inertia;
  ellipsoid.shape = factor * (R_LI * second_moments * R_LI.transpose());
  return ellipsoid;
}

}  // namespace featherline::report
