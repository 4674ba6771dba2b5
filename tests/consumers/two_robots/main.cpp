#include "agreement.hpp"

#include <quadruped_dynamics.hpp>
#include <six_axis.hpp>

namespace quadruped = quadruped_dynamics;

template <class S>
bool quadruped_agrees(S tolerance) {
  S q[quadruped::nq] = {S(0.1), S(-0.2), S(0.5), S(0.1), S(-0.3), S(0.5), S(0.8062257748298549)};
  for (int i = 7; i < quadruped::nq; ++i) q[i] = S(0.9) - S(0.35) * S(i % 6);
  return functions_agree<quadruped::nq, quadruped::nv>("quadruped", q, tolerance, quadruped::rnea<S>,
                                                       quadruped::mass_matrix<S>, quadruped::bias<S>);
}

int main() {
  const double q[six_axis::nq] = {0.3, -0.8, 1.1, 0.4, -0.6, 0.9};
  const bool arm = functions_agree<six_axis::nq, six_axis::nv>(
      "arm", q, 1e-13, six_axis::rnea<double>, six_axis::mass_matrix<double>, six_axis::bias<double>);
  return arm && quadruped_agrees<double>(1e-13) && quadruped_agrees<float>(1e-5F) ? 0 : 1;
}
