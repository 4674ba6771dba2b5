// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda/column.hpp>
#include <featherline/cuda/job.hpp>
#include <featherline/cuda/threads.hpp>

/// The last of the kernels that compute the derivatives of forward dynamics in turn, where one thread has no room for all of
/// it: the matrices D of `rnea_derivatives`, at a of `aba`, become -M^-1 D in their place.
namespace featherline::cuda {

/// Takes the place of an emitted function. A warp has 32 neighbouring states, each thread columns of its state. The warps
/// of a block share the states, so that they find M^-1 in the cache.
template <int nv>
struct AccelerationProducts {
  static constexpr bool repeats = false;
  static constexpr int num_inputs = 1, num_outputs = 2, num_rows = nv;
};

template <class Function>
inline constexpr bool is_product = false;
template <int nv>
inline constexpr bool is_product<AccelerationProducts<nv>> = true;

template <int nv, class S>
struct Staging<AccelerationProducts<nv>, S> {
  static constexpr int warps = 12, threads = warps, block = warps * warp, least_blocks = 1;
  /// Columns for which 168 registers have room, the most that this block allows.
  static constexpr int most = 592 / (nv * static_cast<int>(sizeof(S)));
  static_assert(most > 0, "a column must fit in registers");
  static constexpr int rounds = (nv + most * warps - 1) / (most * warps);
  static constexpr int columns = (nv + rounds * warps - 1) / (rounds * warps);  ///< of a thread at a time
};

/// Columns of D from `first` on, of one state.
template <int nv, int columns, class S>
FEATHERLINE_INLINE void multiply(const Column<const S>& Minv, const Column<S>& D, int first) {
  S kept[columns][nv];
  FEATHERLINE_UNROLL
  for (int c = 0; c < columns; ++c) {
    const int column = first + c < nv ? first + c : nv - 1;
    FEATHERLINE_UNROLL
    for (int k = 0; k < nv; ++k) kept[c][k] = -D[column * nv + k];
  }
  for (int i = 0; i < nv; ++i) {
    S sum[columns] = {};
    FEATHERLINE_UNROLL
    for (int k = 0; k < nv; ++k) {
      const S x = Minv[k * nv + i];
      FEATHERLINE_UNROLL
      for (int c = 0; c < columns; ++c) sum[c] += x * kept[c][k];
    }
    FEATHERLINE_UNROLL
    for (int c = 0; c < columns; ++c) {
      if (first + c < nv) D[(first + c) * nv + i] = sum[c];
    }
  }
}

#if FEATHERLINE_CUDA

/// States as the innermost dimension.
template <int nv, class S>
FEATHERLINE_DEVICE void multiply(const Job<S, 1, 2>& job) {
  using Plan = Staging<AccelerationProducts<nv>, S>;
  const int thread = thread_in_block();
  const std::int64_t state = block_in_grid() * warp + thread % warp;
  if (state >= job.count) return;
  const auto stride = static_cast<std::uint32_t>(job.stride);
  for (int k = 0; k < 2; ++k) {
    const Column<S> D{(k == 0 ? job.out[0] : job.out[1]) + state, stride};
    for (int first = thread / warp * Plan::columns; first < nv; first += Plan::warps * Plan::columns)
      multiply<nv, Plan::columns>(Column<const S>{job.in[0] + state, stride}, D, first);
  }
}

#endif

}  // namespace featherline::cuda
