// An arm picks up an unknown payload. Its ten inertial parameters are found from noisy torques by least squares: the
// torque that the payload adds is linear in them.
#include "support/dense.hpp"

#include <arm7_eigen.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

#include <cmath>
#include <random>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using featherline::test::inverse;
using featherline::test::least_squares;
using Parameters = Eigen::Matrix<double, 10, 1>;

constexpr int all = 10 * arm7::num_bodies, last = all - 10;  // the payload is welded to the last body

struct Measurement {
  VectorXd q, v, a, tau;
};

class Arm {
 public:
  explicit Arm(const Parameters& payload) : parameters_(own_parameters()) {
    parameters_.segment<10>(last) += payload;
  }

  static VectorXd own_parameters() { return Eigen::Map<const VectorXd>(arm7::inertial_parameters, all); }

  /// At a random state. The torques have normal noise.
  Measurement measure(double noise, std::mt19937& random) const {
    Measurement m{uniform(3.0, random), uniform(2.0, random), uniform(10.0, random), {}};
    MatrixXd Y;
    arm7::eigen::regressor(m.q, m.v, m.a, Y);
    std::normal_distribution<> normal(0.0, noise);
    m.tau = Y * parameters_ + VectorXd::NullaryExpr(arm7::nv, [&] { return normal(random); });
    return m;
  }

 private:
  static VectorXd uniform(double largest, std::mt19937& random) {
    std::uniform_real_distribution<> distribution(-largest, largest);
    return VectorXd::NullaryExpr(arm7::nv, [&] { return distribution(random); });
  }

  VectorXd parameters_;
};

/// 2 kg with the centre of mass at (0.02, -0.03, 0.1): m, m c, rotational inertia about the frame's origin.
Parameters heavy_tool() {
  const double m = 2.0;
  const Eigen::Vector3d c(0.02, -0.03, 0.1);
  const Eigen::Matrix3d J = Eigen::Vector3d(0.02, 0.015, 0.01).asDiagonal().toDenseMatrix() +
                            m * (c.dot(c) * Eigen::Matrix3d::Identity() - c * c.transpose());
  Parameters p;
  p << m, m * c, J(0, 0), J(0, 1), J(1, 1), J(0, 2), J(1, 2), J(2, 2);
  return p;
}

}  // namespace

TEST_CASE("the payload is recovered within what the noise allows") {
  constexpr int count = 500;
  constexpr double noise = 0.2;  // N m
  std::mt19937 random(1);
  const Parameters payload = heavy_tool();
  const Arm arm(payload);

  // tau - rnea of the empty arm = (last ten columns of Y) * payload
  MatrixXd columns(count * arm7::nv, 10);
  VectorXd torques(count * arm7::nv);
  MatrixXd Y(arm7::nv, all);
  VectorXd empty(arm7::nv);
  for (int k = 0; k < count; ++k) {
    const Measurement m = arm.measure(noise, random);
    arm7::eigen::regressor(m.q, m.v, m.a, Y);
    arm7::eigen::rnea(m.q, m.v, m.a, empty);
    columns.middleRows<arm7::nv>(k * arm7::nv) = Y.rightCols<10>();
    torques.segment<arm7::nv>(k * arm7::nv) = m.tau - empty;
  }
  const Parameters found = least_squares(columns, torques);

  // The covariance of least squares is noise^2 (Y^T Y)^-1.
  const MatrixXd covariance = noise * noise * inverse(columns.transpose() * columns);
  for (int k = 0; k < 10; ++k) {
    CAPTURE(k);
    const double deviation = std::sqrt(covariance(k, k));
    CHECK(std::abs(found[k] - payload[k]) < 4.0 * deviation);
    CHECK(deviation < 0.02);  // the motion excites all of them
  }
}

TEST_CASE("base parameters of the whole arm are recovered, and predict torques") {
  constexpr int count = 500;
  constexpr double noise = 0.2;
  std::mt19937 random(2);
  const Arm arm(Parameters::Zero());
  MatrixXd rows(count * arm7::nv, arm7::num_base_parameters), Y(arm7::nv, arm7::num_base_parameters);
  VectorXd torques(count * arm7::nv);
  for (int k = 0; k < count; ++k) {
    const Measurement m = arm.measure(noise, random);
    arm7::eigen::base_regressor(m.q, m.v, m.a, Y);
    rows.middleRows<arm7::nv>(k * arm7::nv) = Y;
    torques.segment<arm7::nv>(k * arm7::nv) = m.tau;
  }
  const VectorXd found = least_squares(rows, torques);
  VectorXd expected = VectorXd::Constant(arm7::num_base_parameters, std::nan(""));  // every entry is written
  featherline::base_parameters(arm7::base_parameters, arm7::num_base_parameters, arm7::inertial_parameters,
                               expected.data());
  const MatrixXd covariance = noise * noise * inverse(rows.transpose() * rows);
  for (int k = 0; k < arm7::num_base_parameters; ++k) {
    CAPTURE(k);
    CHECK(std::abs(found[k] - expected[k]) < 4.0 * std::sqrt(covariance(k, k)));
  }

  const Measurement exact = arm.measure(0.0, random);
  arm7::eigen::base_regressor(exact.q, exact.v, exact.a, Y);
  CHECK((Y * expected - exact.tau).cwiseAbs().maxCoeff() < 1e-10);
}
