// Complex numbers, which no .cpp file is compiled for, beside the double and float that are: both robots' definitions
// meet in this file, and the compiled functions in the same program.
#include <quadruped_dynamics.ipp>
#include <six_axis.ipp>

#include <cmath>
#include <complex>
#include <cstdio>

namespace {

/// Torques with accelerations a + i h e_j have column j of M as imaginary part over h, and the torques at a as real
/// part. True when both agree with the compiled functions in double.
template <int nq, int nv, class Rnea, class RneaInComplex, class MassMatrix>
bool complex_step_gives_inertia(const char* robot, const double (&q)[nq], Rnea rnea,
                                RneaInComplex rnea_in_complex, MassMatrix mass_matrix) {
  using Complex = std::complex<double>;
  constexpr double h = 1e-100;
  double v[nv], a[nv], tau[nv], M[nv * nv], worst = 0.0;
  Complex q_complex[nq], v_complex[nv], a_complex[nv], tau_complex[nv];
  for (int i = 0; i < nq; ++i) q_complex[i] = q[i];
  for (int i = 0; i < nv; ++i) v_complex[i] = v[i] = 0.7 - 0.3 * (i % 5);
  for (int i = 0; i < nv; ++i) a_complex[i] = a[i] = 0.8 * (i % 4) - 1.1;
  rnea(q, v, a, tau);
  mass_matrix(q, M);
  for (int j = 0; j < nv; ++j) {
    a_complex[j] += Complex(0.0, h);
    rnea_in_complex(q_complex, v_complex, a_complex, tau_complex);
    a_complex[j] = a[j];
    for (int i = 0; i < nv; ++i) {
      worst = std::fmax(worst, std::fabs(tau_complex[i].imag() / h - M[i + nv * j]));
      worst = std::fmax(worst, std::fabs(tau_complex[i].real() - tau[i]));
    }
  }
  std::printf("%s: complex step gives the inertia to %.2g\n", robot, worst);
  return worst < 1e-12 && M[0] > 0.1;
}

}  // namespace

bool complex_agrees(const double (&arm)[six_axis::nq], const double (&quadruped)[quadruped_dynamics::nq]) {
  using Complex = std::complex<double>;
  namespace q = quadruped_dynamics;
  return complex_step_gives_inertia<six_axis::nq, six_axis::nv>(
             "arm", arm, six_axis::rnea<double>, six_axis::rnea<Complex>, six_axis::mass_matrix<double>) &&
         complex_step_gives_inertia<q::nq, q::nv>("quadruped", quadruped, q::rnea<double>, q::rnea<Complex>,
                                                  q::mass_matrix<double>);
}
