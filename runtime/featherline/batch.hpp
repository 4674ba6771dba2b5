// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <cstddef>

/// The part of the runtime that callers of NAME::batch use: instruction sets, and the options of a call.

#if defined(__GNUC__) && defined(__x86_64__)
#define FEATHERLINE_BATCH_X86 1
#else
#define FEATHERLINE_BATCH_X86 0
#endif

namespace featherline {

/// The instruction sets that batches are compiled for, narrowest first. Each function exists once for every set. Each
/// call chooses the set by the processor that it runs on.
enum class InstructionSet {
  baseline,  ///< vectors of 16 bytes; the instructions that the .cpp files are compiled for (SSE2, NEON)
  avx2,      ///< x86-64: 32 bytes, fused multiply-add
  avx512,    ///< x86-64: 64 bytes (F, DQ, BW, VL)
};

/// Whether this processor and this operating system support the set.
inline bool is_supported(InstructionSet set) {
  if (set == InstructionSet::baseline) return true;
#if FEATHERLINE_BATCH_X86
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (set == InstructionSet::avx2) return avx2;
  return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

/// The widest supported set that is not wider than `limit`. A call with this limit uses it.
inline InstructionSet usable_instruction_set(InstructionSet limit = InstructionSet::avx512) {
  if (limit == InstructionSet::avx512 && is_supported(InstructionSet::avx512)) return InstructionSet::avx512;
  if (limit != InstructionSet::baseline && is_supported(InstructionSet::avx2)) return InstructionSet::avx2;
  return InstructionSet::baseline;
}

/// How a batch is run. The defaults suit most callers.
struct BatchOptions {
  /// The number of threads that share the states. It needs NAME_batch_*.cpp compiled with OpenMP (-fopenmp). Without
  /// OpenMP there is one thread.
  int threads = 1;
  /// The widest set to use. If the processor lacks it, the next narrower one is used.
  InstructionSet limit = InstructionSet::avx512;
  /// For structures of arrays only: element i of state k is at [i * stride + k]. 0 means `count`. A larger stride
  /// selects a range of states in longer arrays.
  std::ptrdiff_t stride = 0;
};

}  // namespace featherline
