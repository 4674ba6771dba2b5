// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/blocks.hpp>

// The options are described in config.hpp.
#ifndef FEATHERLINE_ASSERTS
#ifdef NDEBUG
#define FEATHERLINE_ASSERTS 0
#else
#define FEATHERLINE_ASSERTS 1
#endif
#endif

#if !FEATHERLINE_ASSERTS
#undef FEATHERLINE_ASSERT
#define FEATHERLINE_ASSERT(condition, message)
#elif !defined(FEATHERLINE_ASSERT)
#include <cassert>
#define FEATHERLINE_ASSERT(condition, message) assert((condition) && (message))
#endif

namespace featherline::batch {

/// The bytes of an array with n numbers per state: from its first byte to the one after its last, [begin, end).
struct Extent {
  std::uintptr_t begin, end;
};

template <class T>
inline Extent extent(const Job<T>& job, const T* array, int n) {
  const std::ptrdiff_t numbers = job.stride == 0 ? job.count * n : (n - 1) * job.stride + job.count;
  const auto begin = reinterpret_cast<std::uintptr_t>(array);
  return {begin, begin + static_cast<std::uintptr_t>(numbers) * sizeof(T)};
}

inline bool overlap(const Extent& a, const Extent& b) { return a.begin < b.end && b.begin < a.end; }

template <class T>
inline void check_array([[maybe_unused]] const T* array) {
  FEATHERLINE_ASSERT(array != nullptr, "featherline batch: an array is null although there are states");
  FEATHERLINE_ASSERT(reinterpret_cast<std::uintptr_t>(array) % alignof(T) == 0,
                     "featherline batch: an array is not aligned to its scalar");
}

/// In debug builds, stops with a message if an array is null or misaligned, or if an output overlaps another array. If
/// the stride is above the count, the rows of two arrays may interleave. Such arrays are not compared.
template <class T, class Kernel>
inline void check_arrays([[maybe_unused]] const Job<T>& job) {
#if FEATHERLINE_ASSERTS
  FEATHERLINE_ASSERT(job.stride == 0 || job.stride >= job.count, "featherline batch: stride is below count");
  for (int i = 0; i < Kernel::num_inputs; ++i) check_array(job.inputs[i]);
  for (int o = 0; o < Kernel::num_outputs; ++o) {
    check_array<T>(job.outputs[o]);
    if (job.stride > job.count) continue;
    const Extent output = extent<T>(job, job.outputs[o], Kernel::outputs[o]);
    for (int i = 0; i < Kernel::num_inputs; ++i) {
      FEATHERLINE_ASSERT(!overlap(output, extent(job, job.inputs[i], Kernel::inputs[i])),
                         "featherline batch: an output overlaps an input");
    }
    for (int p = 0; p < o; ++p) {
      FEATHERLINE_ASSERT(!overlap(output, extent<T>(job, job.outputs[p], Kernel::outputs[p])),
                         "featherline batch: two outputs overlap");
    }
  }
#endif
}

#ifdef FEATHERLINE_BATCH_NATIVE
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
using Native = Avx512;
#elif defined(__AVX2__) && defined(__FMA__)
using Native = Avx2;
#else
using Native = Baseline;
#endif
#endif

/// Defined in wide.hpp. Never include both headers in one file: run_wide() would then be compiled for the baseline.
template <class Isa, class T, class Kernel>
void run_wide(const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first, std::ptrdiff_t last);

/// Each thread gets whole chunks of this many states. So no vector and no cache line of a result is split between
/// threads.
inline constexpr std::ptrdiff_t chunk = 64;

template <class T, class Kernel>
inline void run_range(InstructionSet set, const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first,
                      std::ptrdiff_t last) {
  static_cast<void>(set);
#ifdef FEATHERLINE_BATCH_NATIVE
  run_blocks<Native>(kernel, job, first, last);
#else
#if FEATHERLINE_BATCH_X86
  if (set == InstructionSet::avx512) return run_wide<Avx512>(kernel, job, first, last);
  if (set == InstructionSet::avx2) return run_wide<Avx2>(kernel, job, first, last);
#endif
  run_blocks<Baseline>(kernel, job, first, last);
#endif
}

/// The value of Job::stride for structures of arrays.
inline std::ptrdiff_t stride(std::ptrdiff_t count, const BatchOptions& options) {
  return options.stride > 0 ? options.stride : count;
}

/// Computes all states of the job. If the count is below 1, it does nothing.
template <class T, class Kernel>
inline void run(const Kernel& kernel, const Job<T>& job, const BatchOptions& options) {
  if (job.count <= 0) return;
  check_arrays<T, Kernel>(job);
  const InstructionSet set = usable_instruction_set(options.limit);
#ifdef _OPENMP
  const std::ptrdiff_t chunks = (job.count + chunk - 1) / chunk;
  const std::ptrdiff_t threads = options.threads < chunks ? options.threads : chunks;
  if (threads > 1) {
#pragma omp parallel for num_threads(static_cast <int>(threads)) schedule(static, 1)
    for (std::ptrdiff_t t = 0; t < threads; ++t) {
      const std::ptrdiff_t last = (t + 1) * chunks / threads * chunk;
      run_range(set, kernel, job, t * chunks / threads * chunk, last < job.count ? last : job.count);
    }
    return;
  }
#endif
  run_range(set, kernel, job, 0, job.count);
}

}  // namespace featherline::batch
