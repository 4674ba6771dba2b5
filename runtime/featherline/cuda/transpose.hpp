// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda/job.hpp>
#include <featherline/cuda/threads.hpp>

/// Brings an array from one layout into the other. A warp moves up to `warp` numbers of as many neighbouring states
/// through shared memory, so that neighbouring threads read and write neighbouring numbers on both sides.
namespace featherline::cuda {

/// Takes the place of an emitted function. `steps` of its Job are the numbers of a state. Blocks beside each other in
/// the second dimension of the grid share them.
struct Transposition {
  static constexpr bool repeats = false;
  static constexpr int threads = 1, alive = 0, num_inputs = 1, num_outputs = 1;
  static constexpr int inputs[] = {warp},
                       outputs[] = {0};  // what a thread has in shared memory: an odd number
};

/// Of the second dimension. CUDA allows no more.
inline constexpr std::int64_t most_parts = 0xffff;
FEATHERLINE_INLINE constexpr std::int64_t parts_of(std::int64_t numbers) {
  const std::int64_t parts = numbers / warp + (numbers % warp != 0 ? 1 : 0);
  return parts < most_parts ? parts : most_parts;
}

#if FEATHERLINE_CUDA

template <bool to_elements, class S>
FEATHERLINE_DEVICE void transpose(const Job<S, 1, 1>& job) {
  using Plan = Staging<Transposition, S>;
  FEATHERLINE_SHARED S staged[Plan::block * Plan::length];
  const int thread = thread_in_block(), lane = thread % warp;
  const std::int64_t state = block_in_grid() * Plan::block + thread - lane, left = job.count - state;
  if (left <= 0) return;  // a whole warp
  const int states = left < warp ? static_cast<int>(left) : warp;
  S* const shared = staged + (thread - lane) * Plan::length;
  for (std::int64_t first = part_in_grid() * warp; first < job.steps; first += parts_in_grid() * warp) {
    const int numbers = job.steps - first < warp ? static_cast<int>(job.steps - first) : warp,
              pitch = numbers | 1;  // odd, so that the threads of a warp meet in no bank
    const auto each_of_rows = [&](const auto& move) {
      const int rows = warp / numbers, entries = warp % numbers;
      for (int row = lane / numbers, entry = lane % numbers; row < states; row += rows, entry += entries) {
        if (entry >= numbers) ++row, entry -= numbers;
        if (row < states) move(shared[row * pitch + entry], (state + row) * job.steps + first + entry);
      }
    };
    const auto each_of_elements = [&](const auto& move) {
      for (int entry = 0; entry < numbers && lane < states; ++entry)
        move(shared[lane * pitch + entry], (first + entry) * job.stride + state + lane);
    };
    const auto fetch = [&](S& kept, std::int64_t place) { kept = job.in[0][place]; };
    const auto store = [&](const S& kept, std::int64_t place) { job.out[0][place] = kept; };
    if constexpr (to_elements)
      each_of_rows(fetch);
    else
      each_of_elements(fetch);
    wait_for_warp();
    if constexpr (to_elements)
      each_of_elements(store);
    else
      each_of_rows(store);
    wait_for_warp();  // before the next numbers come
  }
}

#endif

}  // namespace featherline::cuda
