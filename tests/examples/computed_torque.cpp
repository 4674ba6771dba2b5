// Computed-torque control: an arm of seven joints follows a sine in every joint, simulated with a payload it ignores.
// The same as computed_torque.py, without its plot.
#include <arm7_eigen.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

using Vector = Eigen::Matrix<double, arm7::nv, 1>;
using Payload = Eigen::Matrix<double, arm7::num_parameters, 1>;  // m, m c, inertia about the link's origin

constexpr double pi = 3.14159265358979323846;
constexpr double kp = 400.0, kd = 40.0;  // critically damped; errors shrink with a time constant of 0.05 s
constexpr double amplitude = 0.4, rate = 2.0 * pi * 0.5;
constexpr double step = 1e-3, duration = 4.0, settled = 1.0;

struct Motion {
  Vector q, v, a;
};

/// Position, velocity and acceleration that the arm shall have.
Motion wanted(double t) {
  const Eigen::Array<double, arm7::nv, 1> phase =
      Vector::LinSpaced(0.0, 0.5 * (arm7::nv - 1)).array() + rate * t;
  return {amplitude * phase.sin(), amplitude * rate * phase.cos(), -amplitude * rate * rate * phase.sin()};
}

Vector torque(const Vector& q, const Vector& v, double t) {
  const Motion goal = wanted(t);
  Vector tau;
  arm7::eigen::rnea(q, v, goal.a + kd * (goal.v - v) + kp * (goal.q - q), Payload::Zero(), tau);
  return tau;
}

/// The largest error of a joint after the arm has settled.
double simulate(const Payload& load) {
  Vector q = wanted(0.0).q.array() + 0.1, v = wanted(0.0).v, a;
  double largest = 0.0;
  for (int k = 0; k < std::lround(duration / step); ++k) {
    arm7::eigen::aba(q, v, torque(q, v, k * step), load, a);
    v += step * a;
    q += step * v;
    const double error = (q - wanted((k + 1) * step).q).cwiseAbs().maxCoeff();
    if (k >= std::lround(settled / step)) largest = std::max(largest, error);
  }
  return largest;
}

}  // namespace

int main() {
  const Payload payload{{0.5, 0, 0, 0.02, 2e-3, 0, 2e-3, 0, 0, 1e-3}};
  const double without = simulate(Payload::Zero()), with_payload = simulate(payload);
  std::printf("largest error after a second: %.3e rad, %.3e rad with a payload that the controller ignores\n",
              without, with_payload);
  return without < 5e-4 ? 0 : 1;
}
