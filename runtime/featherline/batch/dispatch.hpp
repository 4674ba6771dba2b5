// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/blocks.hpp>
#include <featherline/batch/checks.hpp>

namespace featherline::batch {

/// Defined in wide.hpp. Never include both: what is defined here would be compiled for the baseline.
template <class Isa, class T, class Kernel>
void run_wide(const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first, std::ptrdiff_t last);

/// Threads share whole chunks of this many states: no vector and no cache line of a result is torn.
inline constexpr std::ptrdiff_t chunk = 64;

template <class T, class Kernel>
inline void run_range(InstructionSet set, const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first,
                      std::ptrdiff_t last) {
#if FEATHERLINE_BATCH_X86
  if (set == InstructionSet::avx512) return run_wide<Avx512>(kernel, job, first, last);
  if (set == InstructionSet::avx2) return run_wide<Avx2>(kernel, job, first, last);
#endif
  static_cast<void>(set);
  run_blocks<Baseline>(kernel, job, first, last);
}

/// Job::stride of structures of arrays.
inline std::ptrdiff_t stride(std::ptrdiff_t count, const BatchOptions& options) {
  return options.stride > 0 ? options.stride : count;
}

/// All states of the job. Works through a count below 1 by doing nothing.
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
