#include "report/pictures.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using model::Vector3;

namespace {

urdf::Link link(double mass, const Vector3& moments, const Vector3& rpy = Vector3::Zero()) {
  urdf::Link made;
  made.inertial.emplace();
  made.inertial->mass = mass;
  made.inertial->origin.rpy = rpy;
  made.inertial->inertia = moments.asDiagonal();
  return made;
}

/// Of a homogeneous ellipsoid about its centre.
Vector3 moments_of(double mass, const Vector3& semi_axes) {
  const Vector3 squares = semi_axes.cwiseAbs2();
  return mass / 5.0 *
         Vector3(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
}

}  // namespace

TEST_CASE("the semi-axes of a homogeneous ellipsoid come back, largest first") {
  const auto found = report::equivalent_ellipsoid(link(3.0, moments_of(3.0, {0.2, 0.5, 0.3})));
  REQUIRE(found);
  CHECK(found->semi_axes.isApprox(Vector3(0.5, 0.3, 0.2), 1e-12));
  CHECK(found->moments[0] < found->moments[1]);
  CHECK(found->moments[1] < found->moments[2]);
  CHECK(found->flaw.empty());
}

TEST_CASE("the shape is in the axes of the link") {
  const Vector3 semi_axes(0.2, 0.5, 0.3), rpy(0.4, -0.7, 1.1);
  const auto found = report::equivalent_ellipsoid(link(3.0, moments_of(3.0, semi_axes), rpy));
  REQUIRE(found);
  const model::Matrix3 R = model::rotation_from_rpy(rpy);
  const model::Matrix3 expected = R * semi_axes.cwiseAbs2().asDiagonal() * R.transpose();
  CHECK(found->shape.isApprox(expected, 1e-12));
}

TEST_CASE("a quaternion turns the shape, too") {
  urdf::Link turned = link(3.0, moments_of(3.0, {0.2, 0.5, 0.3}));
  turned.inertial->origin.quat_xyzw = {0.5, 0.5, 0.5, 0.5};  // x to y to z to x
  const auto found = report::equivalent_ellipsoid(turned);
  REQUIRE(found);
  CHECK(found->shape.diagonal().isApprox(Vector3(0.09, 0.04, 0.25), 1e-12));
}

TEST_CASE("a rod and a point are possible") {
  const auto rod = report::equivalent_ellipsoid(link(2.0, {0.0, 0.1, 0.1}));
  REQUIRE(rod);
  CHECK(rod->flaw.empty());
  CHECK(rod->semi_axes.isApprox(Vector3(0.5, 0.0, 0.0), 1e-12));
  const auto point = report::equivalent_ellipsoid(link(2.0, Vector3::Zero()));
  REQUIRE(point);
  CHECK(point->flaw.empty());
  CHECK(point->semi_axes.isZero());
}

TEST_CASE("what no body has is marked, and its numbers stay finite") {
  const struct {
    double mass;
    Vector3 moments;
    const char* flaw;
  } cases[] = {
      {1.0, {0.1, 0.1, 0.5}, "one principal moment is larger than the sum of the other two"},
      {1.0, {-0.1, 0.2, 0.3}, "a principal moment is negative"},
      {-1.0, {0.1, 0.1, 0.1}, "its mass is negative"},
      {0.0, {0.1, 0.1, 0.1}, "it has no mass"},
  };
  for (const auto& one : cases) {
    const auto found = report::equivalent_ellipsoid(link(one.mass, one.moments));
    REQUIRE(found);
    CHECK(found->flaw == one.flaw);
    CHECK(found->semi_axes.allFinite());
    CHECK(found->shape.allFinite());
  }
}

TEST_CASE("there is none without inertia") {
  CHECK_FALSE(report::equivalent_ellipsoid(urdf::Link{}));
  CHECK_FALSE(report::equivalent_ellipsoid(link(0.0, Vector3::Zero())));
}
