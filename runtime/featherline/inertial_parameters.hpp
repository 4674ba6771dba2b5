// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// A term of a base parameter: `factor` times one of the bodies' inertial parameters.
struct ParameterShare {
  int base, parameter;
  double factor;
};

/// Base parameters from inertial parameters, which are ten for each body. `beta` has `num_base` entries.
template <class S, int count>
inline void base_parameters(const ParameterShare (&shares)[count], int num_base, const S* parameters, S* beta) {
  for (int k = 0; k < num_base; ++k) beta[k] = S(0);
  for (const ParameterShare& share : shares) {
    if (share.base < num_base) beta[share.base] = beta[share.base] + S(share.factor) * parameters[share.parameter];
  }
}

}  // namespace featherline
