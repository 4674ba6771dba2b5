// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

/// Minimax polynomials in double or in vectors of it. We computed the coefficients with a Remez exchange in 60 digits;
/// their errors are 2e-18 and 3e-20. They are summed as trees (Estrin), because the latency limits a single call, not
/// the number of operations.
namespace featherline::detail {

/// Sine of r in [-pi/4, pi/4], z = r^2.
template <class Real>
FEATHERLINE_INLINE Real sine_polynomial(Real r, Real z) {
  const Real z2 = z * z;
  const Real p01 = -0x1.5555555555548p-3 + z * 0x1.111111110f7d0p-7;
  const Real p23 = -0x1.a01a019bfdefcp-13 + z * 0x1.71de3567d3c03p-19;
  const Real p45 = -0x1.ae5e5a91bcae8p-26 + z * 0x1.5d8fd1b31b27ap-33;
  return r + (r * z) * (p01 + z2 * p23 + (z2 * z2) * p45);
}

/// Cosine of r in [-pi/4, pi/4], z = r^2. The rounding error of 1 - z/2 is added back.
template <class Real>
FEATHERLINE_INLINE Real cosine_polynomial(Real z) {
  const Real z2 = z * z;
  const Real p01 = 0x1.555555555554bp-5 + z * -0x1.6c16c16c14f92p-10;
  const Real p23 = 0x1.a01a019c84590p-16 + z * -0x1.27e4f7eacaaefp-22;
  const Real p45 = 0x1.1ee9d7b865e17p-29 + z * -0x1.8fa49ba0e7fdap-37;
  const Real half = 0.5 * z;
  const Real head = 1.0 - half;
  return head + (((1.0 - head) - half) + z2 * (p01 + z2 * p23 + (z2 * z2) * p45));
}

}  // namespace featherline::detail
