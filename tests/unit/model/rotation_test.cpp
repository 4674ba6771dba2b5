#include "joints/geometry.hpp"

#include "support/random.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <numbers>

using namespace featherline;
using model::Matrix3;
using model::Vector3;

namespace {

constexpr double quarter = 0.5 * std::numbers::pi;

int zeros(const Matrix3& R) { return static_cast<int>((R.array() == 0.0).count()); }

double distance_from_rotation(const Matrix3& R) {
  return (R * R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff() + std::abs(R.determinant() - 1.0);
}

}  // namespace

TEST_CASE("rpy is a rotation about the fixed x, then y, then z") {
  const Vector3 rpy(0.3, -0.7, 1.1);
  const Matrix3 expected =
      (Eigen::AngleAxisd(rpy.z(), Vector3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Vector3::UnitX()))
          .toRotationMatrix();
  CHECK((model::rotation_from_rpy(rpy) - expected).cwiseAbs().maxCoeff() <= 1e-15);
}

TEST_CASE("right angles written in decimals become signed permutations") {
  test::Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Vector3 rpy;
    for (double& angle : rpy) angle = (random.below(7) - 3) * quarter + random.uniform(-2e-11, 2e-11);
    const Matrix3 R = model::rotation_from_rpy(rpy);
    const Matrix3 snapped = model::snap_rotation(R, 5e-11);
    CHECK(zeros(snapped) == 6);
    CHECK(distance_from_rotation(snapped) == 0.0);
    CHECK((snapped - R).cwiseAbs().maxCoeff() <= 5e-11);
    CHECK((snapped.cwiseAbs().array() == 1.0).count() == 3);
  }
}

TEST_CASE("a rotation about one axis keeps its angle and gains exact zeros") {
  test::Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    Vector3 rpy;
    for (double& angle : rpy) angle = (random.below(7) - 3) * quarter + random.uniform(-1e-11, 1e-11);
    const double angle = random.uniform(0.1, 1.4);
    const Matrix3 R =
        model::rotation_from_rpy(rpy) * Eigen::AngleAxisd(angle, Vector3::Unit(random.below(3)));
    const Matrix3 snapped = model::snap_rotation(R, 5e-11);
    CHECK(zeros(snapped) == 4);
    CHECK(distance_from_rotation(snapped) <= 1e-15);
    CHECK((snapped - R).cwiseAbs().maxCoeff() <= 5e-11);
  }
}

TEST_CASE("a single zero survives as the only one") {
  test::Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix3 two_axes =
        (Eigen::AngleAxisd(random.uniform(0.1, 1.4), Vector3::Unit(trial % 3)) *
         Eigen::AngleAxisd(random.uniform(0.1, 1.4), Vector3::Unit((trial + 1 + trial % 2) % 3)))
            .toRotationMatrix();
    const Matrix3 R = two_axes * Eigen::AngleAxisd(1e-11, random.unit3());
    const Matrix3 snapped = model::snap_rotation(R, 5e-11);
    CHECK(zeros(R) == 0);
    CHECK(zeros(snapped) == 1);
    CHECK(distance_from_rotation(snapped) <= 2e-15);
    CHECK((snapped - R).cwiseAbs().maxCoeff() <= 5e-11);
  }
}

TEST_CASE("nothing is snapped beyond the tolerance or without one") {
  const Matrix3 five_digits = model::rotation_from_rpy({1.5708, 0.0, 0.0});
  CHECK(zeros(five_digits) == 4);
  CHECK(zeros(model::snap_rotation(five_digits, 5e-11)) == 4);
  CHECK(zeros(model::snap_rotation(five_digits, 1e-4)) == 6);
  const Matrix3 nine_digits = model::rotation_from_rpy({0.0, 0.0, 1.570796327});
  CHECK(zeros(model::snap_rotation(nine_digits, 5e-11)) == 4);
  CHECK(zeros(model::snap_rotation(nine_digits, 1e-9)) == 6);
  const Matrix3 near = model::rotation_from_rpy({1e-12, 2e-12, 3e-12});
  CHECK(model::snap_rotation(near, 0.0) == near);
  CHECK(model::snap_rotation(near, 5e-11) == Matrix3::Identity());
}

TEST_CASE(
    "a quaternion gives the rotation of its axis and angle, and exact quarter turns in any number of "
    "digits") {
  test::Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::AngleAxisd turn(random.uniform(-3.1, 3.1), random.unit3());
    const Eigen::Quaterniond q(turn);
    const Matrix3 R = model::rotation_from_quaternion(q.x(), q.y(), q.z(), q.w());
    CHECK((R - turn.toRotationMatrix()).cwiseAbs().maxCoeff() <= 1e-15);
    CHECK(model::rotation_from_quaternion(-q.x(), -q.y(), -q.z(), -q.w()) == R);
  }
  for (const double half : {0.7071, 0.70710678, 0.70710678118654746}) {
    Matrix3 about_y, all_axes;
    about_y << 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0;
    CHECK(model::rotation_from_quaternion(0.0, half, 0.0, half) == about_y);
    all_axes << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
    CHECK(model::rotation_from_quaternion(half, half, half, half) == all_axes);
    CHECK(zeros(model::rotation_from_quaternion(half, 0.0, 0.0, 1.0)) == 4);
  }
}

TEST_CASE("axes of a plane: cyclic for coordinate normals, a rotation for any") {
  Matrix3 about_x, about_y;
  about_x.col(0) = Vector3::UnitY();
  about_x.col(1) = Vector3::UnitZ();
  about_x.col(2) = Vector3::UnitX();
  about_y.col(0) = Vector3::UnitZ();
  about_y.col(1) = Vector3::UnitX();
  about_y.col(2) = Vector3::UnitY();
  CHECK(model::plane_axes(Vector3::UnitZ()) == Matrix3::Identity());
  CHECK(model::plane_axes(Vector3::UnitX()) == about_x);
  CHECK(model::plane_axes(Vector3::UnitY()) == about_y);
  test::Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3 normal = random.unit3();
    const Matrix3 R = model::plane_axes(normal);
    CHECK(R.col(2) == normal);
    CHECK(distance_from_rotation(R) <= 2e-15);
  }
}
