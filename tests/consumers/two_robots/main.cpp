// Two robots, each in double, float and complex numbers, in one program.
#include "agreement.hpp"

#include <quadruped_dynamics.hpp>
#include <six_axis.hpp>

namespace quadruped = quadruped_dynamics;

/// See custom_scalars.cpp.
bool complex_agrees(const double (&arm)[six_axis::nq], const double (&quadruped)[quadruped::nq]);

template <class S>
bool agrees(const double (&arm)[six_axis::nq], const double (&legs)[quadruped::nq], S tolerance) {
  S q_arm[six_axis::nq], q_legs[quadruped::nq];
  for (int i = 0; i < six_axis::nq; ++i) q_arm[i] = static_cast<S>(arm[i]);
  for (int i = 0; i < quadruped::nq; ++i) q_legs[i] = static_cast<S>(legs[i]);
  return functions_agree<six_axis::nq, six_axis::nv>("arm", q_arm, tolerance, six_axis::rnea<S>,
                                                     six_axis::mass_matrix<S>, six_axis::bias<S>) &&
         functions_agree<quadruped::nq, quadruped::nv>("quadruped", q_legs, tolerance, quadruped::rnea<S>,
                                                       quadruped::mass_matrix<S>, quadruped::bias<S>);
}

int main() {
  const double arm[six_axis::nq] = {0.3, -0.8, 1.1, 0.4, -0.6, 0.9};
  double legs[quadruped::nq] = {0.1, -0.2, 0.5, 0.1, -0.3, 0.5, 0.8062257748298549};
  for (int i = 7; i < quadruped::nq; ++i) legs[i] = 0.9 - 0.35 * (i % 6);
  return agrees<double>(arm, legs, 1e-13) && agrees<float>(arm, legs, 1e-5F) && complex_agrees(arm, legs) ? 0
                                                                                                          : 1;
}
