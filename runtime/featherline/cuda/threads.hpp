// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

#include <cstdint>

/// What nvcc and clang alone call by other names: qualifiers, numbers of threads, shuffles.
namespace featherline::cuda {

/// In front of a loop whose arrays have to be registers.
#if FEATHERLINE_CUDA
#define FEATHERLINE_UNROLL _Pragma("unroll")
#else
#define FEATHERLINE_UNROLL
#endif

#if FEATHERLINE_CUDA

#if defined(__clang__) && !defined(__CUDACC__)  // without CUDA's own headers
#define FEATHERLINE_KERNEL __attribute__((global))
#define FEATHERLINE_LAUNCH_BOUNDS(threads, blocks) __attribute__((launch_bounds(threads, blocks)))
#define FEATHERLINE_SHARED __attribute__((shared))
#define FEATHERLINE_DEVICE __attribute__((device)) __attribute__((always_inline)) inline
FEATHERLINE_DEVICE int thread_in_block() { return __nvvm_read_ptx_sreg_tid_x(); }
FEATHERLINE_DEVICE std::int64_t block_in_grid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
FEATHERLINE_DEVICE std::int64_t part_in_grid() { return __nvvm_read_ptx_sreg_ctaid_y(); }
FEATHERLINE_DEVICE std::int64_t parts_in_grid() { return __nvvm_read_ptx_sreg_nctaid_y(); }
FEATHERLINE_DEVICE void wait_for_warp() { __nvvm_bar_warp_sync(0xffffffffU); }
FEATHERLINE_DEVICE void wait_for_block() { __syncthreads(); }
FEATHERLINE_DEVICE std::int32_t shuffle_word(std::int32_t x, int thread) {
  return __nvvm_shfl_sync_idx_i32(0xffffffffU, x, thread, 31);
}
FEATHERLINE_DEVICE std::int32_t shuffle_word_flipped(std::int32_t x, int flipped) {
  return __nvvm_shfl_sync_bfly_i32(0xffffffffU, x, flipped, 31);
}
#else
#define FEATHERLINE_KERNEL __global__
#define FEATHERLINE_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define FEATHERLINE_SHARED __shared__
#define FEATHERLINE_DEVICE __device__ __forceinline__
FEATHERLINE_DEVICE int thread_in_block() { return static_cast<int>(threadIdx.x); }
FEATHERLINE_DEVICE std::int64_t block_in_grid() { return blockIdx.x; }
FEATHERLINE_DEVICE std::int64_t part_in_grid() { return blockIdx.y; }
FEATHERLINE_DEVICE std::int64_t parts_in_grid() { return gridDim.y; }
FEATHERLINE_DEVICE void wait_for_warp() { __syncwarp(); }
FEATHERLINE_DEVICE void wait_for_block() { __syncthreads(); }
FEATHERLINE_DEVICE std::int32_t shuffle_word(std::int32_t x, int thread) {
  return __shfl_sync(0xffffffffU, x, thread);
}
FEATHERLINE_DEVICE std::int32_t shuffle_word_flipped(std::int32_t x, int flipped) {
  return __shfl_xor_sync(0xffffffffU, x, flipped);
}
#endif

/// Lets ptxas of CUDA 13 keep values without a register in shared memory: panda's `aba_derivatives` in float by element
/// stored 108 bytes a thread in local memory, and now none. ptxas decides where: ur5's in double in rows stays at 32
/// bytes. It refuses this where functions are compiled apart (-rdc=true, -ewp) or for a debugger (-G).
#if defined(__CUDA_ARCH__) && defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 13 && \
    !defined(__CUDACC_RDC__) && !defined(__CUDACC_EWP__) && !defined(__CUDACC_DEBUG__)
FEATHERLINE_DEVICE void spill_to_shared_memory() { asm volatile(".pragma \"enable_smem_spilling\";"); }
#else
FEATHERLINE_DEVICE void spill_to_shared_memory() {}
#endif

/// A number of one or two words, each of which goes through `shuffle`.
template <class S, class Shuffle>
FEATHERLINE_DEVICE S shuffled(const S& x, const Shuffle& shuffle) {
  static_assert(sizeof(S) == 4 || sizeof(S) == 8, "float or double");
  S y;
  if constexpr (sizeof(S) == 4) {
    std::int32_t word;
    __builtin_memcpy(&word, &x, sizeof word);
    word = shuffle(word);
    __builtin_memcpy(&y, &word, sizeof y);
  } else {
    std::uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    const auto low = static_cast<std::uint32_t>(shuffle(static_cast<std::int32_t>(bits)));
    const auto high = static_cast<std::uint32_t>(shuffle(static_cast<std::int32_t>(bits >> 32)));
    bits = std::uint64_t{high} << 32 | low;
    __builtin_memcpy(&y, &bits, sizeof y);
  }
  return y;
}

#endif

}  // namespace featherline::cuda
