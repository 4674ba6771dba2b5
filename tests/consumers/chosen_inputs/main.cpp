// External forces, gravity and a payload as inputs: one state a call, batches, and C.
#include <arm_eigen.hpp>
#include <plain.hpp>

#include <cmath>
#include <cstdio>
#include <initializer_list>

#include "sines.hpp"

bool links_of_linkage_agree();
bool steps_with_contacts_agree();
extern "C" int c_interface_tells_places();
extern "C" void rnea_from_c(const double* q, const double* v, const double* a, const double* fext,
                            const double* p, double* tau);

namespace {

constexpr int n = arm::nv, count = 5, forces = 6 * arm::num_external_forces;

struct States {
  double q[count * n], v[count * n], a[count * n], fext[count * forces], p[count * arm::num_parameters];
};

/// Every state has its own numbers of every input.
States states() {
  States x;
  Sines sines;
  sines.fill(x.q, count * n);
  sines.fill(x.v, count * n);
  sines.fill(x.a, count * n);
  sines.fill(x.fext, count * forces);
  sines.fill(x.p, count * arm::num_parameters);
  return x;
}

bool agree(const double* found, const double* wanted, int size, const char* what) {
  for (int i = 0; i < size; ++i) {
    if (std::abs(found[i] - wanted[i]) <= 1e-12 * std::fmax(1.0, std::abs(wanted[i]))) continue;
    std::printf("%s: entry %d is %.17g, not %.17g\n", what, i, found[i], wanted[i]);
    return false;
  }
  return true;
}

/// No force and the defaults: the robot of the URDF.
bool defaults_are_the_plain_robot(const States& x) {
  const double none[forces] = {};
  double found[n], wanted[n];
  arm::rnea(x.q, x.v, x.a, none, arm::parameter_defaults, found);
  plain::rnea(x.q, x.v, x.a, wanted);
  return agree(found, wanted, n, "defaults");
}

bool all_forms_agree(const States& x) {
  double one_by_one[count * n], from_c[count * n], batch[count * n];
  for (int k = 0; k < count; ++k) {
    const double *q = x.q + k * n, *v = x.v + k * n, *a = x.a + k * n, *fext = x.fext + k * forces;
    const double* p = x.p + k * arm::num_parameters;
    arm::rnea(q, v, a, fext, p, one_by_one + k * n);
    rnea_from_c(q, v, a, fext, p, from_c + k * n);
  }
  arm::batch::rnea(count, x.q, x.v, x.a, x.fext, x.p, batch);
  return agree(from_c, one_by_one, count * n, "C") && agree(batch, one_by_one, count * n, "batch");
}

/// The Eigen view takes the forces as a matrix with a column for each link, also as an expression.
bool eigen_view_agrees(const States& x) {
  using Vector = Eigen::Matrix<double, n, 1>;
  const Eigen::Map<const Vector> q(x.q), v(x.v), a(x.a);
  const Eigen::Map<const Eigen::Matrix<double, 6, arm::num_external_forces>> fext(x.fext);
  const Eigen::Map<const Eigen::VectorXd> p(x.p, arm::num_parameters);
  double wanted[n];
  arm::rnea(x.q, x.v, x.a, x.fext, x.p, wanted);
  Vector found, from_expression;
  arm::eigen::rnea(q, v, a, fext, p, found);
  const Eigen::Matrix<double, arm::num_external_forces, 6> transposed = fext.transpose();
  arm::eigen::rnea(q, v, a, transposed.transpose(), p, from_expression);
  return agree(found.data(), wanted, n, "Eigen") &&
         agree(from_expression.data(), wanted, n, "Eigen expression");
}

/// A force f at the origin of the last link takes J^T f from the torques: the force does work as that point moves.
bool force_does_work(const States& x) {
  constexpr double step = 1e-5;
  const double p[arm::num_parameters] = {};
  double fext[forces] = {}, still[n] = {}, tau[n], R[9], before[3], after[3];
  for (int i = 0; i < 3; ++i) fext[6 + i] = 1.0 + i;  // of the second link
  arm::rnea(x.q, still, still, fext, p, tau);
  for (int j = 0; j < n; ++j) {
    double q[n], work = 0.0;
    for (const double sign : {-1.0, 1.0}) {
      for (int i = 0; i < n; ++i) q[i] = x.q[i] + (i == j ? sign * step : 0.0);
      arm::forward_kinematics(q, arm::external_forces[1], R, sign < 0.0 ? before : after);
    }
    for (int i = 0; i < 3; ++i) work += fext[6 + i] * (after[i] - before[i]) / (2.0 * step);
    if (std::abs(tau[j] + work) > 1e-8) {
      std::printf("joint %d: torque %g, work %g\n", j, tau[j], work);
      return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  static_assert(arm::num_parameters == 13 && arm::external_forces[1] == arm::Link::tool_left);
  static_assert(arm::parameters[1].index == 3 && arm::parameters[1].size == 10);
  const States x = states();
  const bool right = c_interface_tells_places() != 0 && defaults_are_the_plain_robot(x) &&
                     all_forms_agree(x) && eigen_view_agrees(x) && force_does_work(x) &&
                     links_of_linkage_agree() && steps_with_contacts_agree();
  std::printf("%s\n", right ? "chosen inputs agree" : "wrong");
  return right ? 0 : 1;
}
