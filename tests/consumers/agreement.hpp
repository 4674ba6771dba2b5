#pragma once

#include <cmath>
#include <cstdio>

/// |rnea(q, v, a) - M(q) a - bias(q, v)| relative to the largest torque: three emitted functions that must agree,
/// at a state where nothing is zero. Prints it; true when it is rounding only.
template <int nq, int nv, class S, class Rnea, class MassMatrix, class Bias>
bool functions_agree(const char* robot, const S (&q)[nq], S tolerance, Rnea rnea, MassMatrix mass_matrix,
                     Bias bias) {
  S v[nv], a[nv], tau[nv], M[nv * nv], b[nv];
  for (int i = 0; i < nv; ++i) {
    v[i] = S(0.7) - S(0.3) * static_cast<S>(i % 5);
    a[i] = S(-1.1) + S(0.8) * static_cast<S>(i % 4);
  }
  rnea(q, v, a, tau);
  mass_matrix(q, M);
  bias(q, v, b);
  S worst = 0, largest = 0;
  for (int i = 0; i < nv; ++i) {
    S sum = b[i];
    for (int j = 0; j < nv; ++j) sum += M[i + nv * j] * a[j];
    worst = std::fmax(worst, std::fabs(sum - tau[i]));
    largest = std::fmax(largest, std::fabs(tau[i]));
  }
  std::printf("%s: torque up to %.6g, functions agree to %.2g\n", robot, static_cast<double>(largest),
              static_cast<double>(worst / largest));
  return largest > S(0.1) && worst <= tolerance * largest;
}
