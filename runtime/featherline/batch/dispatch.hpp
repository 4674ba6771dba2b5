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

/// Width of the vectors that this file is compiled for, and so the plain functions beside it.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
constexpr int compiled_bytes = 64;
#elif defined(__AVX2__) && defined(__FMA__)
constexpr int compiled_bytes = 32;
#else
constexpr int compiled_bytes = 16;
#endif

/// Computes the states `first` to `last` - 1, which lie one after the other, by calls of the plain function.
template <class T, class Kernel>
inline void run_plain(const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first, std::ptrdiff_t last) {
  const T* in[max_arrays];
  T* out[max_arrays];
  for (std::ptrdiff_t k = first; k < last; ++k) {
    for (int i = 0; i < Kernel::num_inputs; ++i) in[i] = job.inputs[i] + k * Kernel::inputs[i];
    for (int o = 0; o < Kernel::num_outputs; ++o) out[o] = job.outputs[o] + k * Kernel::outputs[o];
    kernel.call(static_cast<const T* const*>(in), static_cast<T* const*>(out));
  }
}

/// Results of a call that pass this many bytes go to memory. On a processor with 32 MB of third-level cache, times rise
/// between 16 and 32 MB.
inline constexpr std::ptrdiff_t cached_results = 24 << 20;

/// Whether a batch in vectors of so many bytes calls the plain function: the generator found that faster, and this file
/// is compiled for vectors as wide. Structures of arrays lie ready for lanes.
template <class T, class Kernel>
constexpr bool calls_plain(int bytes, const Job<T>& job) {
  if (job.stride != 0) return false;
#ifdef FEATHERLINE_BATCH_PLAIN
  if (bytes == Baseline::bytes) return true;
#endif
  constexpr int size = sizeof(T);
  if (bytes <= Baseline::bytes || bytes > compiled_bytes) return false;
  return bytes <= Kernel::plain_up_to * size ||
         (Kernel::plain_beyond_cache &&
          job.count > cached_results / (sum(Kernel::outputs, Kernel::num_outputs) * size));
}

template <class T, class Kernel>
inline void run_range(InstructionSet set, const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first,
                      std::ptrdiff_t last) {
#ifdef FEATHERLINE_BATCH_NATIVE
  static_cast<void>(set);
  constexpr int bytes = Native::bytes;
#else
  const int bytes = set == InstructionSet::avx512 ? Avx512::bytes
                    : set == InstructionSet::avx2 ? Avx2::bytes
                                                  : Baseline::bytes;
#endif
  if constexpr (Kernel::plain_up_to > 0 || Kernel::plain_beyond_cache) {
    if (calls_plain<T, Kernel>(bytes, job)) return run_plain(kernel, job, first, last);
  }
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
