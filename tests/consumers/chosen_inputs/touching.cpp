// Steps with contacts and their derivatives: one state a call, C, Eigen and batches give the same.
#include <touching_eigen.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#include "sines.hpp"

extern "C" void contact_columns_from_c(const double* q, const double* v, const double* tau, const double* p,
                                       const double* contact, double* A, double* B, double* by_points,
                                       double* by_p);

namespace {

constexpr int n = touching::nv, points = touching::num_constraints, count = 5,
              num_p = touching::num_parameters;
constexpr int of_A = 4 * n * n, of_B = 2 * n * n, of_points = 2 * n * points, of_p = 2 * n * num_p;
constexpr double dt = 1e-3;

struct States {
  double q[count * n], v[count * n], tau[count * n], p[count * num_p], dt[count], contact[count * 6 * points];
};

/// The first point touches, and the second one, of another link, is open.
States states() {
  States x;
  Sines sines;
  sines.fill(x.q, count * n);
  sines.fill(x.v, count * n);
  sines.fill(x.tau, count * n);
  for (int k = 0; k < count; ++k) {
    x.dt[k] = dt;
    for (int i = 0; i < num_p; ++i) x.p[k * num_p + i] = touching::parameter_defaults[i];
    x.p[k * num_p] = 0.1 * k;
    const double of_state[12] = {-1e-3, 0.2, 0.1 * k, 1.0, 0.5, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.0};
    for (int i = 0; i < 12; ++i) x.contact[12 * k + i] = of_state[i];
  }
  return x;
}

/// All derivatives of all states: A, B, by gap, by friction, by restitution, by p.
struct Columns {
  std::vector<double> of[6];
  Columns() {
    const int sizes[6] = {of_A, of_B, of_points, of_points, of_points, of_p};
    for (int i = 0; i < 6; ++i) of[i].resize(static_cast<std::size_t>(count * sizes[i]));
  }
};

bool agree(const Columns& found, const Columns& wanted, const char* what) {
  for (int i = 0; i < 6; ++i) {
    double largest = 0.0, difference = 0.0;
    for (std::size_t k = 0; k < wanted.of[i].size(); ++k) {
      largest = std::fmax(largest, std::abs(wanted.of[i][k]));
      const double d = std::abs(found.of[i][k] - wanted.of[i][k]);
      difference = d <= difference ? difference : d;  // NaN stays
    }
    if (difference <= 1e-9 * std::fmax(1.0, largest) && (largest > 0.0 || i == 4)) continue;
    std::printf("%s: array %d of the derivatives differs by %g; largest %g\n", what, i, difference, largest);
    return false;
  }
  return true;
}

}  // namespace

bool steps_with_contacts_agree() {
  const States x = states();
  Columns one_by_one, from_c, batch, eigen;
  for (int k = 0; k < count; ++k) {
    const double *q = x.q + k * n, *v = x.v + k * n, *tau = x.tau + k * n, *p = x.p + k * num_p,
                 *contact = x.contact + 12 * k;
    const auto at = [k](Columns& c, int i) {
      return c.of[i].data() + static_cast<std::ptrdiff_t>(c.of[i].size()) / count * k;
    };
    touching::contact_step_derivatives(q, v, tau, p, dt, contact, at(one_by_one, 0), at(one_by_one, 1));
    touching::contact_step_parameter_derivatives(q, v, tau, p, dt, contact, at(one_by_one, 2),
                                                 at(one_by_one, 3), at(one_by_one, 4));
    touching::contact_step_sensitivities(q, v, tau, p, dt, contact, at(one_by_one, 5));

    std::vector<double> by_points(3 * of_points);
    contact_columns_from_c(q, v, tau, p, contact, at(from_c, 0), at(from_c, 1), by_points.data(),
                           at(from_c, 5));
    for (int i = 0; i < 3 * of_points; ++i)
      at(from_c, 2 + i / of_points)[i % of_points] = by_points[std::size_t(i)];

    using Eigen::Map;
    using Eigen::VectorXd;
    const Map<const VectorXd> Q(q, n), V(v, n), T(tau, n), P(p, num_p);
    const Map<const Eigen::Matrix<double, 6, points>> ground(contact);
    Eigen::Matrix<double, 2 * n, 2 * n> A;
    Eigen::Matrix<double, 2 * n, n> B;
    Eigen::Matrix<double, 2 * n, points> by_gap, by_friction, by_restitution;
    Eigen::Matrix<double, 2 * n, num_p> by_p;
    touching::eigen::contact_step_derivatives(Q, V, T, P, dt, ground, A, B);
    touching::eigen::contact_step_parameter_derivatives(Q, V, T, P, dt, ground, by_gap, by_friction,
                                                        by_restitution);
    touching::eigen::contact_step_sensitivities(Q, V, T, P, dt, ground, by_p);
    Map<decltype(A)>(at(eigen, 0)) = A;
    Map<decltype(B)>(at(eigen, 1)) = B;
    Map<decltype(by_gap)>(at(eigen, 2)) = by_gap;
    Map<decltype(by_gap)>(at(eigen, 3)) = by_friction;
    Map<decltype(by_gap)>(at(eigen, 4)) = by_restitution;
    Map<decltype(by_p)>(at(eigen, 5)) = by_p;
  }
  const auto data = [&batch](int i) { return batch.of[i].data(); };
  touching::batch::contact_step_derivatives(count, x.q, x.v, x.tau, x.p, x.dt, x.contact, data(0), data(1));
  touching::batch::contact_step_parameter_derivatives(count, x.q, x.v, x.tau, x.p, x.dt, x.contact, data(2),
                                                      data(3), data(4));
  touching::batch::contact_step_sensitivities(count, x.q, x.v, x.tau, x.p, x.dt, x.contact, data(5));
  return agree(from_c, one_by_one, "C") && agree(eigen, one_by_one, "Eigen") &&
         agree(batch, one_by_one, "batch");
}
