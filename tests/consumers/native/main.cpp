// One robot twice in a program that is compiled with plain flags: as NATIVE made it, and without. The results agree.
// Eigen's matrices have another alignment here than they would have in files that are compiled with -march=native.
#include <many.hpp>
#include <native.ipp>
#include <native_eigen.hpp>
#include <plain.hpp>
#include <plain_eigen.hpp>

#include <complex>
#include <cstdio>

namespace {

constexpr int nq = plain::nq, nv = plain::nv, count = 21;
using Vector = Eigen::Matrix<double, nv, 1>;
using Matrix = Eigen::Matrix<double, nv, nv>;

bool all_agree = true;

template <class X, class Y>
void compare(const char* what, const X& native, const Y& plain) {
  const double error = (native - plain).cwiseAbs().maxCoeff() / plain.cwiseAbs().maxCoeff();
  const bool agree = error < 1e-11;  // M^-1 loses some digits
  std::printf("%s: %.1e %s\n", what, error, agree ? "agree" : "DISAGREE");
  all_agree = all_agree && agree;
}

}  // namespace

int main() {
  Eigen::Matrix<double, nq, 1> q;
  for (int i = 0; i < nq; ++i) q[i] = 0.9 - 0.35 * (i % 6);
  q.segment<4>(3) = Eigen::Vector4d(0.1, -0.3, 0.5, 0.8).normalized();
  Vector v, a, tau, tau_plain;
  for (int i = 0; i < nv; ++i) v[i] = 0.7 - 0.3 * (i % 5), a[i] = 0.8 * (i % 4) - 1.1;

  native::eigen::rnea(q, v, a, tau);
  plain::eigen::rnea(q, v, a, tau_plain);
  compare("rnea", tau, tau_plain);
  Matrix M, M_plain;
  native::eigen::mass_matrix(q, M);
  plain::eigen::mass_matrix(q, M_plain);
  compare("mass_matrix", M, M_plain);
  native::eigen::minv(q, M);
  plain::eigen::minv(q, M_plain);
  compare("minv", M, M_plain);

  // Instantiated here, beside the same templates in the native library.
  const Eigen::Matrix<std::complex<double>, nq, 1> q_complex = q.cast<std::complex<double>>();
  Eigen::Matrix<std::complex<double>, nv, nv> M_complex;
  native::mass_matrix(q_complex.data(), M_complex.data());
  native::eigen::mass_matrix(q, M);
  compare("mass_matrix in complex", M_complex.real(), M);

  const Eigen::Matrix<double, nq, count> states = q.replicate<1, count>();
  const Eigen::Matrix<double, nv, count> velocities = v.replicate<1, count>(),
                                         accelerations = a.replicate<1, count>();
  Eigen::Matrix<double, nv, count> torques;
  for (const auto limit : {featherline::InstructionSet::baseline, featherline::InstructionSet::avx512}) {
    featherline::BatchOptions options;
    options.limit = limit;
    many::batch::rnea(count, states.data(), velocities.data(), accelerations.data(), torques.data(), options);
    compare("batch", torques, tau_plain.replicate<1, count>());
  }
  return all_agree ? 0 : 1;
}
