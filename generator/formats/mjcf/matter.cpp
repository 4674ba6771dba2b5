#include "formats/mjcf/item.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace featherline::mjcf {
namespace {

constexpr double tiny_mass = 1e-14;  ///< [kg]; MuJoCo leaves geoms with less out

/// Where a geom with `fromto` is. The length goes into the size.
Pose between(const std::vector<double>& ends, const Item& geom, std::string_view type, Vector3d& size) {
  const Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const double length = (from - to).norm();
  const Element& element = geom.element();
  if (num_sizes(type) < 2)
    element.fault(" of type " + in_quotes(type) + " has fromto", "give it pos and size");
  if (!geom.vector("pos").isZero(0.0)) element.fault(" has pos and fromto", "keep one of them");
  if (length < tiny_mass) {
    element.error("the ends of " + describe(*element.xml) + " are one point", "correct fromto");
    return {};
  }
  const bool is_long = num_sizes(type) == 2;
  size = is_long ? Vector3d(size[0], length / 2.0, 0.0) : Vector3d(size[0], size[0], length / 2.0);
  return {z_to((from - to) / length), (from + to) / 2.0};
}

/// The shape of a primitive, in the body's frame, with 1 kg per m^3 or m^2.
std::optional<Matter> primitive(const Item& geom, const std::string& type, const Settings& settings,
                                Pose& pose) {
  const std::vector<double> sizes = geom.overwritten("size", {0.0, 0.0, 0.0});
  Vector3d size(sizes[0], sizes[1], sizes[2]);
  const auto ends = geom.numbers("fromto", 6, 6);
  pose = ends ? between(*ends, geom, type, size) : read_pose(geom, settings);
  if (!(size.head(std::max(num_sizes(type), 1)).minCoeff() > 0.0)) {
    geom.element().error("a size of " + describe(*geom.element().xml) + " is not positive",
                         "write the size of a " + type + " in metres");
    return std::nullopt;
  }
  const Shape shape = geom.flag("shellinertia", false) ? shell(type, size) : solid(type, size);
  return Matter{shape.volume, Vector3d::Zero(), (shape.volume * shape.moments).asDiagonal()};
}

}  // namespace

Matter Matter::seen_from(const Pose& pose) const {
  const Eigen::Matrix3d R = pose.q.toRotationMatrix();
  return {mass, pose.p + R * com, R * inertia * R.transpose()};
}

Matter sum(const std::vector<Matter>& parts) {
  Matter all;
  if (parts.size() == 1) return parts.front();
  for (const Matter& part : parts) {
    all.mass += part.mass;
    all.com += part.mass * part.com;
  }
  all.com /= all.mass;
  for (const Matter& part : parts) {
    const Vector3d d = part.com - all.com;
    all.inertia +=
        part.inertia + part.mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  }
  return all;
}

std::optional<Matter> matter_of_geom(const Item& geom, const Pose& frame, const Settings& settings,
                                     Meshes& meshes, bool moves) {
  const std::string type = geom.word(
      "type", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"},
      "sphere");
  const double density = geom.number("density", 1000.0);
  const double mass = geom.has("mass") ? geom.number("mass", 0.0) : density;
  const Element& element = geom.element();
  if (type == "plane") return {};
  if (mass < 0.0) element.error("the mass of " + describe(*element.xml) + " is negative", "write at least 0");
  if (!(mass > 0.0)) return {};
  const bool is_fitted = geom.has("mesh") && type != "mesh" && type != "sdf";
  if (type == "sdf" || type == "hfield" || is_fitted) {
    report_matter(element, moves,
                  is_fitted       ? "a primitive fitted to a mesh"
                  : type == "sdf" ? "a distance field"
                                  : "a height field");
    return {};
  }
  Pose pose;
  std::optional<Matter> matter;
  if (type == "mesh") {
    pose = read_pose(geom, settings);
    matter = meshes.of_density_1(geom.text("mesh"), element, moves);
  } else {
    matter = primitive(geom, type, settings, pose);
  }
  if (!matter || matter->mass <= tiny_mass) return {};
  const double factor = geom.has("mass") ? mass / matter->mass : density;
  matter->mass *= factor;
  matter->inertia *= factor;
  if (matter->mass <= tiny_mass) return {};
  return matter->seen_from(frame * pose);
}

Matter read_inertial(const Item& inertial, const Settings& settings) {
  const Element& element = inertial.element();
  for (const char* needed : {"mass", "pos"}) element.reader->has(*element.xml, needed);
  Matter matter;
  const Pose pose = read_pose(inertial, settings);
  matter.mass = inertial.number("mass", 0.0);
  matter.inertia = inertial.vector("diaginertia").asDiagonal();
  if (const auto full = inertial.numbers("fullinertia", 6, 6)) {
    const std::vector<double>& I = *full;
    matter.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    if (!pose.q.vec().isZero(0.0) || inertial.has("diaginertia"))
      element.fault(" has fullinertia and diaginertia or an orientation", "keep one of them");
  }
  if (matter.mass < 0.0)
    element.error("the mass of " + describe(*element.xml) + " is negative", "write at least 0");
  return matter.seen_from(pose);
}

Matter corrected(const Matter& matter, const Settings& settings) {
  Matter result = matter;
  result.mass = std::max(matter.mass, settings.boundmass);
  if (!(settings.boundinertia > 0.0) && !settings.balanceinertia) return result;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(matter.inertia);
  Vector3d moments = axes.eigenvalues().cwiseMax(settings.boundinertia);
  const bool is_possible = moments[0] + moments[1] >= moments[2];
  if (settings.balanceinertia && !is_possible) moments.setConstant(moments.mean());
  if (moments != axes.eigenvalues())
    result.inertia = axes.eigenvectors() * moments.asDiagonal() * axes.eigenvectors().transpose();
  return result;
}

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
