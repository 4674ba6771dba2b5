// take_back_creep() against a pseudo-inverse.
#include <featherline/contact_creep.hpp>

#include <doctest/doctest.h>

#include <Eigen/Dense>

namespace contact_creep_test {

namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
constexpr int points = 4, nv = 9;

struct Case {
  MatrixXd J = MatrixXd::Zero(3 * points, nv);
  VectorXd way = 1e-6 * VectorXd::Random(3 * points), contact = VectorXd::Zero(6 * points),
           status = VectorXd::Zero(4 + points);

  VectorXd step() const {
    VectorXd dq(nv);
    featherline::take_back_creep<points, nv>(J.data(), way.data(), contact.data(), status.data(), dq.data());
    return dq;
  }
};

/// A body on four points of a plane, and three joints that move none of them.
Case block() {
  std::srand(3);
  Case c;
  for (int k = 0; k < points; ++k) {
    const Vector3d at(k % 2 == 0 ? 0.2 : -0.2, k < 2 ? 0.1 : -0.1, 0.0);
    c.J.block<3, 3>(3 * k, 0).setIdentity();
    for (int axis = 0; axis < 3; ++axis) c.J.block<3, 1>(3 * k, 3 + axis) = Vector3d::Unit(axis).cross(at);
    c.contact.segment<3>(6 * k + 1) = Vector3d(0.0, 0.0, 2.0);
  }
  c.status.tail<points>().setOnes();
  return c;
}

}  // namespace

TEST_CASE("redundant points come back along the ground, by the smallest step") {
  Case c = block();
  const VectorXd motion = 1e-6 * VectorXd::Random(nv);
  c.way = c.J * motion;
  VectorXd back = -c.way;
  for (int k = 0; k < points; ++k) back[3 * k + 2] = 0.0;
  const VectorXd expected = c.J.completeOrthogonalDecomposition().solve(back), found = c.step();
  CHECK((found - expected).norm() < 1e-9 * expected.norm());
  CHECK((c.J * found - back).norm() < 1e-9 * back.norm());
  CHECK(found.tail<3>().norm() == 0.0);
}

TEST_CASE("points that are open or slide take no part") {
  Case c = block();
  c.status.tail<points>() << 0.0, 2.0, 1.0, 0.0;
  const VectorXd found = c.step();
  CHECK((c.J * found).segment<2>(6).isApprox(-c.way.segment<2>(6), 1e-9));
  Case other = c;
  other.way.head<6>().setConstant(7.0);
  CHECK(other.step() == found);
  c.status.setZero();
  CHECK(c.step().norm() == 0.0);
}

TEST_CASE("a step stays small where no motion leads back") {
  Case c = block();
  c.J.row(0) *= 1e-9;
  CHECK(c.step().norm() < 1e3 * c.way.norm());
}

}  // namespace contact_creep_test
