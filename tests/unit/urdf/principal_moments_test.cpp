#include "urdf/description.hpp"

#include <doctest/doctest.h>

using namespace featherline::urdf;
using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST_CASE("principal moments come in order, with rounding set to zero") {
  Matrix3d rod = Matrix3d::Zero();
  rod.diagonal() << 2, 0, 1;
  CHECK(principal_moments(rod).isApprox(Vector3d(0, 1, 2), 1e-15));
  const Vector3d direction = Vector3d(1, 2, 3).normalized();
  const Matrix3d tilted = 1e-7 * (Matrix3d::Identity() - direction * direction.transpose());
  const Vector3d moments = principal_moments(tilted);
  CHECK(moments[0] == 0.0);
  CHECK(moments[1] == doctest::Approx(1e-7).epsilon(1e-12));
  CHECK(principal_moments(Matrix3d::Zero()) == Vector3d::Zero());
  CHECK(principal_moments(Matrix3d(1e-300 * Matrix3d::Identity()))[0] == doctest::Approx(1e-300));
}
