#include "formats/mjcf/matter.hpp"

#include <cmath>
#include <numbers>

namespace featherline::mjcf {
namespace {

constexpr double pi = std::numbers::pi;

/// The moments of points with these mean squares of x, y, z.
Vector3d moments_of(const Vector3d& squares) { return Vector3d::Constant(squares.sum()) - squares; }

/// The volume between an ellipsoid and one that is a micrometre larger, as MuJoCo has it.
Vector3d moments_of_thin_ellipsoid(const Vector3d& size) {
  const Vector3d larger = size.array() + 1e-6;
  const double inner = size.prod(), outer = larger.prod();
  return (outer * moments_of(larger.cwiseAbs2()) - inner * moments_of(size.cwiseAbs2())) /
         (5.0 * (outer - inner));
}

/// Thomsen's approximation.
double surface_of_ellipsoid(const Vector3d& s) {
  constexpr double p = 1.6075;
  const double sum = std::pow(s[0] * s[1], p) + std::pow(s[1] * s[2], p) + std::pow(s[2] * s[0], p);
  return 4.0 * pi * std::pow(sum / 3.0, 1.0 / p);
}

/// Mean squares of a body of parts that have these shares of the mass.
Vector3d mean(double share, const Vector3d& first, const Vector3d& second) {
  return share * first + (1.0 - share) * second;
}

}  // namespace

int num_sizes(std::string_view type) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return 2;
  return type == "box" || type == "ellipsoid" ? 3 : 0;
}

Shape solid(std::string_view type, const Vector3d& size) {
  const double r = size[0], h = size[1], rr = r * r;
  if (type == "sphere") return {4.0 / 3.0 * pi * r * rr, Vector3d::Constant(0.4 * rr)};
  if (type == "box") return {8.0 * size.prod(), moments_of(size.cwiseAbs2() / 3.0)};
  if (type == "ellipsoid") return {4.0 / 3.0 * pi * size.prod(), moments_of(size.cwiseAbs2() / 5.0)};
  const Vector3d cylinder(rr / 4.0, rr / 4.0, h * h / 3.0);
  if (type == "cylinder") return {2.0 * pi * rr * h, moments_of(cylinder)};
  const Vector3d caps(rr / 5.0, rr / 5.0, rr / 5.0 + h * h + 0.75 * h * r);
  return {2.0 * pi * rr * h + 4.0 / 3.0 * pi * r * rr,
          moments_of(mean(2.0 * r / (2.0 * r + 3.0 * h), caps, cylinder))};
}

Shape shell(std::string_view type, const Vector3d& size) {
  const double r = size[0], h = size[1], rr = r * r;
  if (type == "sphere") return {4.0 * pi * rr, Vector3d::Constant(2.0 / 3.0 * rr)};
  if (type == "ellipsoid") return {surface_of_ellipsoid(size), moments_of_thin_ellipsoid(size)};
  if (type == "box") {
    const Vector3d sides(size[1] * size[2], size[2] * size[0], size[0] * size[1]), squares = size.cwiseAbs2();
    // Of a pair of sides, the square across them is that of the half length, of the others a third of it.
    const Vector3d all =
        squares.cwiseProduct(Vector3d::Constant(sides.sum()) + 2.0 * sides) / (3.0 * sides.sum());
    return {8.0 * sides.sum(), moments_of(all)};
  }
  const Vector3d tube(rr / 2.0, rr / 2.0, h * h / 3.0);
  if (type == "cylinder") {
    const Vector3d disks(rr / 4.0, rr / 4.0, h * h);
    return {2.0 * pi * r * (r + 2.0 * h), moments_of(mean(r / (r + 2.0 * h), disks, tube))};
  }
  const Vector3d caps(rr / 3.0, rr / 3.0, rr / 3.0 + h * h + h * r);
  return {4.0 * pi * r * (r + h), moments_of(mean(r / (r + h), caps, tube))};
}

}  // namespace featherline::mjcf
