#pragma once

#include <complex>
#include <string>
#include <vector>

namespace featherline::bench::second_order {

using Complex = std::complex<double>;

/// Arguments of any emitted function of the second-order bench at one state.
struct Inputs {
  const double *q, *v, *a, *tau, *w;
};

/// One emitted function; its output arrays follow one another in y, matrices and tensors column-major.
struct Function {
  std::string name;
  int num_outputs;
  void (*call)(const Inputs& x, double* y);
};

/// One generated robot; made by robot.cpp.in.
struct Robot {
  std::string name, urdf, manifest;
  bool floating_base;
  std::vector<Function> functions;
  /// What complex step is applied to.
  void (*first_derivatives)(const Complex* q, const Complex* v, const Complex* a, Complex* dtau_dq,
                            Complex* dtau_dv);
  void (*mass_matrix)(const Complex* q, Complex* M);
};

}  // namespace featherline::bench::second_order

namespace featherline::bench {

/// All robots this build generated; made by robot_list.cpp.in.
std::vector<second_order::Robot> second_order_robots();

}  // namespace featherline::bench
