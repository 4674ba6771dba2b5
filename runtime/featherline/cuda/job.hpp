// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

#include <cstdint>

/// What kernels of devices take, and how large their blocks are. Needs nothing of CUDA.
namespace featherline::cuda {

/// The only argument of a kernel: words of 8 bytes, pointers to memory that the device reaches. A launcher without C++
/// can write them one behind the other.
template <class S, int num_inputs, int num_outputs>
struct Job {
  std::int64_t count;   ///< of states
  std::int64_t stride;  ///< in the layout by element: from one element of a state to the next
  std::int64_t steps;   ///< of a rollout
  const S* in[num_inputs];
  S* out[num_outputs];
};

/// Threads of a warp. They run one instruction at once.
inline constexpr int warp = 32;

/// States that lie one behind the other are brought through the shared memory of a block, so that neighbouring threads
/// read and write neighbouring numbers. This is what a thread takes at most there: what a warp takes then fits in
/// `shared_bytes`.
inline constexpr int max_staged_bytes = 1536;
/// What a block has without being asked for more.
inline constexpr int shared_bytes = 48 * 1024;

/// Whether all arrays of a state, so many bytes, go there.
FEATHERLINE_INLINE constexpr bool is_staged(int bytes, int threads) {
  return bytes <= max_staged_bytes * threads;
}

/// Neighbouring threads that compute one state, of which each has one of k limbs: a power of two, so that warps have
/// whole states.
FEATHERLINE_INLINE constexpr int threads_for(int k) {
  int n = 1;
  while (n < k) n *= 2;
  return n;
}

/// A row of shared memory: one more where its length would let more than four threads of a warp meet in one bank.
FEATHERLINE_INLINE constexpr int padded(int length) { return length % 8 == 0 ? length + 1 : length; }

/// What stands in shared memory for one state of `Function`, an emitted struct with the sizes of its arrays and the
/// number of threads of a state.
template <class Function, class S>
struct Staging {
  static constexpr int num_inputs = Function::num_inputs, num_outputs = Function::num_outputs;

  FEATHERLINE_INLINE static constexpr int length_of(const int* sizes, int count) {
    int sum = 0;
    for (int k = 0; k < count; ++k) sum += padded(sizes[k]);
    return sum;
  }
  FEATHERLINE_INLINE static constexpr int largest_of(const int* sizes, int count) {
    int most = 0;
    for (int k = 0; k < count; ++k) most = padded(sizes[k]) > most ? padded(sizes[k]) : most;
    return most;
  }
  FEATHERLINE_INLINE static constexpr int bytes(int numbers) { return numbers * static_cast<int>(sizeof(S)); }

  static constexpr int input_length = length_of(Function::inputs, num_inputs);
  static constexpr int all_length = input_length + length_of(Function::outputs, num_outputs);
  static constexpr int threads = Function::threads;  ///< of a state
  static constexpr bool inputs = !Function::repeats && is_staged(bytes(input_length), threads);
  static constexpr bool outputs = inputs && is_staged(bytes(all_length), threads);
  /// Steps bring one array after the other there.
  static constexpr int array_length = largest_of(Function::inputs, num_inputs) >
                                              largest_of(Function::outputs, num_outputs)
                                          ? largest_of(Function::inputs, num_inputs)
                                          : largest_of(Function::outputs, num_outputs);
  static constexpr bool steps = Function::repeats && is_staged(bytes(array_length), 1);
  static constexpr int length = outputs ? all_length : inputs ? input_length : steps ? array_length : 0;

  /// Threads of a block: as many as have room, at most 128, which may have 255 registers each and more.
  static constexpr int block = 128 / threads * bytes(length) <= shared_bytes  ? 128
                               : 64 / threads * bytes(length) <= shared_bytes ? 64
                                                                              : 32;
  static constexpr int states = block / threads;  ///< of a block

  /// Blocks that ptxas is asked to make room for on a multiprocessor; 0: as it likes. Where values do not fit in
  /// registers, it was seen to spill 28 KB without this bound, and 6 with it. Where they fit, it would use more
  /// registers.
  static constexpr int least_blocks = bytes(Function::alive) > 4 * 255 ? 1 : 0;
};

}  // namespace featherline::cuda
