// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda/column.hpp>
#include <featherline/cuda/job.hpp>
#include <featherline/cuda/threads.hpp>

/// The last of the kernels that compute the derivatives of forward dynamics in turn, where one thread has no room for all of
/// it: the matrices D of `rnea_derivatives`, at a of `aba`, become -M^-1 D in their place.
namespace featherline::cuda {

/// Takes the place of an emitted function. A block has `states` neighbouring states, so many that a row of M^-1 is read in
/// whole sectors. It brings some rows of M^-1 at a time into shared memory, which all columns of its states take.
template <int nv>
struct AccelerationProducts {
  static constexpr bool repeats = false;
  static constexpr int num_inputs = 1, num_outputs = 2, num_rows = nv;
};
template <class Function>
inline constexpr bool is_product = false;
template <int nv>
inline constexpr bool is_product<AccelerationProducts<nv>> = true;

/// The sizes were chosen by times of an H200: simple_humanoid's products take 16 ns a state in float, and 24 with four columns
/// of eight states a thread; 37 ns in double, and 54 with one column.
template <int nv, class S>
struct Staging<AccelerationProducts<nv>, S> {
  static constexpr bool single = sizeof(S) == 4;
  /// Columns of a thread: as many as 110 or 148 registers have room for, the same number for all.
  static constexpr int most = (single ? 440 : 592) / (nv * static_cast<int>(sizeof(S)));
  static_assert(most > 0, "a column must fit in registers");
  static constexpr int groups = (nv + most - 1) / most, columns = (nv + groups - 1) / groups;
  /// At least 32 bytes of each number of the matrices, and four warps.
  FEATHERLINE_INLINE static constexpr int states_for(int least) {
    int n = least;
    while (n < warp && 2 * groups * n < 128) n *= 2;
    return n;
  }
  static constexpr int states = states_for(!single ? 4 : groups <= 12 ? 16 : 8);
  static constexpr int block = (2 * groups * states + warp - 1) / warp * warp;
  static constexpr int row_numbers = nv * states;  ///< of one row of M^-1
  static constexpr int fitting = 16384 / (row_numbers * static_cast<int>(sizeof(S)));
  static constexpr int rows = fitting < 1 ? 1 : fitting < nv ? fitting : nv;  ///< in shared memory
  static constexpr int threads = block / states;                              ///< of a state
  static constexpr int least_blocks = 65536 / (168 * block);  ///< that leave 168 registers a thread
};

/// -D, columns from `first` on, of one state.
template <int nv, int columns, class S>
FEATHERLINE_INLINE void take_columns(const Column<S>& D, int first, S (&kept)[columns][nv]) {
  FEATHERLINE_UNROLL
  for (int c = 0; c < columns; ++c) {
    const int column = first + c < nv ? first + c : nv - 1;
    FEATHERLINE_UNROLL
    for (int k = 0; k < nv; ++k) kept[c][k] = -D[column * nv + k];
  }
}
/// Row i of the columns from a row of M^-1, whose numbers are `pitch` apart.
template <int nv, int columns, class S>
FEATHERLINE_INLINE void put_row(const S* row, int pitch, const S (&kept)[columns][nv], int i, int first,
                                const Column<S>& D) {
  S sum[columns] = {};
  FEATHERLINE_UNROLL
  for (int k = 0; k < nv; ++k) {
    const S x = row[k * pitch];
    FEATHERLINE_UNROLL
    for (int c = 0; c < columns; ++c) sum[c] += x * kept[c][k];
  }
  FEATHERLINE_UNROLL
  for (int c = 0; c < columns; ++c) {
    if (first + c < nv) D[(first + c) * nv + i] = sum[c];
  }
}

#if FEATHERLINE_CUDA

/// States as the innermost dimension. Threads beyond the states do what that of the last one does, and store nothing.
template <int nv, class S>
FEATHERLINE_DEVICE void multiply(const Job<S, 1, 2>& job) {
  using Plan = Staging<AccelerationProducts<nv>, S>;
  FEATHERLINE_SHARED S staged[Plan::rows * Plan::row_numbers];
  const int thread = thread_in_block(), own = thread % Plan::states, group = thread / Plan::states;
  const std::int64_t begin = block_in_grid() * Plan::states, left = job.count - begin;
  const int last = left < Plan::states ? static_cast<int>(left) - 1 : Plan::states - 1;
  const bool works = own <= last && group < 2 * Plan::groups;
  const auto stride = static_cast<std::uint32_t>(job.stride);
  const Column<S> D{(group < Plan::groups ? job.out[0] : job.out[1]) + begin + (own < last ? own : last),
                    stride};
  const int first = group % Plan::groups * Plan::columns;
  S kept[Plan::columns][nv];
  take_columns<nv, Plan::columns>(D, first, kept);
  for (int i = 0; i < nv; i += Plan::rows) {
    const int rows = nv - i < Plan::rows ? nv - i : Plan::rows;
    wait_for_block();
    for (int k = thread; k < rows * Plan::row_numbers; k += Plan::block) {
      const int state = k % Plan::states;
      const Column<const S> Minv{job.in[0] + begin + (state < last ? state : last), stride};
      staged[k] = Minv[i * nv + k / Plan::states];
    }
    wait_for_block();
    for (int row = 0; works && row < rows; ++row)
      put_row<nv, Plan::columns>(staged + row * Plan::row_numbers + own, Plan::states, kept, i + row, first,
                                 D);
  }
}

#endif

}  // namespace featherline::cuda
