// Identification: the ten inertial parameters of an unknown payload from torques of an arm that moves.
// The same as payload.py.
#include <arm7_eigen.hpp>

#include <Eigen/QR>

#include <cmath>
#include <cstdio>

namespace {

using Vector = Eigen::Matrix<double, arm7::nv, 1>;
using Payload = Eigen::Matrix<double, arm7::num_parameters, 1>;

constexpr const char* names[] = {"m", "m cx", "m cy", "m cz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"};
constexpr int count = 2000;
constexpr double period = 0.01, resolution = 0.02;  // of the records: s, N m

/// What a torque sensor shows: multiples of its resolution.
Vector measured(const Vector& torque) { return (torque / resolution).array().round() * resolution; }

}  // namespace

int main() {
  const Payload truth{{1.2, 0.036, -0.012, 0.06, 0.012, 1e-4, 0.011, 3e-4, -2e-4, 0.006}};
  const Eigen::Array<double, arm7::nv, 1> rate = Vector::LinSpaced(1.0, 3.0);  // rad/s; no two joints alike

  // tau = Y pi: the last ten columns belong to the last body. The payload's part of tau is what the empty arm lacks.
  Eigen::MatrixXd A(count * arm7::nv, 10), Y(arm7::nv, 10 * arm7::num_bodies);
  Eigen::VectorXd b(count * arm7::nv);
  for (int k = 0; k < count; ++k) {
    const Eigen::Array<double, arm7::nv, 1> phase = rate * (k * period);
    const Vector q = 0.6 * phase.sin(), v = 0.6 * rate * phase.cos(), a = -0.6 * rate.square() * phase.sin();
    Vector loaded, empty;
    arm7::eigen::rnea(q, v, a, truth, loaded);  // a real arm would measure this
    arm7::eigen::rnea(q, v, a, Payload::Zero(), empty);
    arm7::eigen::regressor(q, v, a, Y);
    A.middleRows<arm7::nv>(k * arm7::nv) = Y.rightCols<10>();
    b.segment<arm7::nv>(k * arm7::nv) = measured(loaded) - empty;
  }
  const auto solver = A.colPivHouseholderQr();
  if (solver.rank() < 10) return std::puts("these motions do not show all ten parameters"), 1;
  const Payload found = solver.solve(b);

  for (int i = 0; i < 10; ++i) std::printf("%5s  found %9.5f  true %9.5f\n", names[i], found[i], truth[i]);
  return (found - truth).cwiseAbs().maxCoeff() < 2e-4 ? 0 : 1;
}
