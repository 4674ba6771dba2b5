// The linear model of an arm about its state, for MPC or LQR on a microcontroller: no heap, no library, float.
// tests/consumers/firmware_m7 runs it on emulated Cortex-M cores, and compares it with double.
#pragma once

#include <arm6.hpp>

/// The step of the arm is v' = v + dt a(q, v, tau), q' = q + dt v'. A small change dx of x = [q; v], and dtau of the
/// torques, change the next x by A dx + B dtau. A (2 nv x 2 nv) and B (2 nv x nv) are column-major. No joint of the arm
/// is a ball or a floating base, so a step of q is q + dt v.
template <class S>
void relinearise(const S* q, const S* v, const S* tau, S dt, S* A, S* B) {
  constexpr int nv = arm6::nv, nx = 2 * nv;
  S da_dq[nv * nv], da_dv[nv * nv], da_dtau[nv * nv];
  arm6::aba_derivatives(q, v, tau, da_dq, da_dv, da_dtau);
  for (int j = 0; j < nv; ++j) {
    S* const of_q = A + nx * j;
    S* const of_v = A + nx * (nv + j);
    S* const of_tau = B + nx * j;
    for (int i = 0; i < nv; ++i) {
      const int k = nv * j + i;
      of_q[nv + i] = dt * da_dq[k];
      of_v[nv + i] = dt * da_dv[k];
      of_tau[nv + i] = dt * da_dtau[k];
    }
    of_v[nv + j] += S(1);
    for (int i = 0; i < nv; ++i) {
      of_q[i] = dt * of_q[nv + i];
      of_v[i] = dt * of_v[nv + i];
      of_tau[i] = dt * of_tau[nv + i];
    }
    of_q[j] += S(1);
  }
}
