// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <cstddef>

/// What a caller of NAME::batch sees of the runtime: instruction sets, and the options of a call.

#if defined(__GNUC__) && defined(__x86_64__)
#define FEATHERLINE_BATCH_X86 1
#else
#define FEATHERLINE_BATCH_X86 0
#endif

namespace featherline {

/// What batches are compiled for, narrowest first. Each function exists once for every set; which one runs is
/// decided by the processor, when it is called.
enum class InstructionSet {
  baseline,  ///< vectors of 16 bytes, with what the .cpp files are compiled for: SSE2, NEON
  avx2,      ///< x86-64: 32 bytes, fused multiply-add
  avx512,    ///< x86-64: 64 bytes (F, DQ, BW, VL)
};

/// Whether this processor and this operating system have it.
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

/// The widest set there is here that is not wider than `limit`: what a call with that limit uses.
inline InstructionSet usable_instruction_set(InstructionSet limit = InstructionSet::avx512) {
  if (limit == InstructionSet::avx512 && is_supported(InstructionSet::avx512)) return InstructionSet::avx512;
  if (limit != InstructionSet::baseline && is_supported(InstructionSet::avx2)) return InstructionSet::avx2;
  return InstructionSet::baseline;
}

/// How a batch is run; the default is right for most.
struct BatchOptions {
  /// States are shared out among this many threads. Works where NAME_batch_*.cpp are compiled with OpenMP
  /// (-fopenmp); without it there is one thread.
  int threads = 1;
  /// Nothing wider is used. A set that the processor lacks gives way to the next narrower one.
  InstructionSet limit = InstructionSet::avx512;
  /// Structures of arrays only: element i of state k is at [i * stride + k]. 0 means `count`; more than that
  /// reaches a range of states in longer arrays.
  std::ptrdiff_t stride = 0;
};

}  // namespace featherline
