#pragma once

#include <complex>
#include <string>
#include <vector>

namespace featherline::bench {

using Complex = std::complex<double>;

/// One robot generated for the second-order bench; made by second_order_robot.cpp.in. All matrices column-major.
struct SecondOrderRobot {
  std::string name, urdf, manifest;
  bool floating_base;
  /// The four tensors, one after the other: d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq.
  void (*second_derivatives)(const double* q, const double* v, const double* a, double* tensors);
  /// What complex step is applied to.
  void (*first_derivatives)(const Complex* q, const Complex* v, const Complex* a, Complex* dtau_dq,
                            Complex* dtau_dv);
  void (*mass_matrix)(const Complex* q, Complex* M);
};

/// All robots this build generated; made by second_order_robots.cpp.in.
std::vector<SecondOrderRobot> second_order_robots();

}  // namespace featherline::bench
