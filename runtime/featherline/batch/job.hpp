// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <cstddef>

namespace featherline::batch {

/// Tags of the instruction sets. A tag is part of the name of every function and type that depends on an instruction
/// set. So code for different processors never shares a symbol.
struct Baseline {
  static constexpr int bytes = 16;
};
struct Avx2 {
  static constexpr int bytes = 32;
};
struct Avx512 {
  static constexpr int bytes = 64;
};

inline constexpr int max_arrays = 8;

/// The arrays of one call, in the order of the function's parameters.
template <class T>
struct Job {
  const T* inputs[max_arrays];
  T* outputs[max_arrays];
  std::ptrdiff_t count;
  /// For structures of arrays: the distance from one element to the next. 0 for arrays of states.
  std::ptrdiff_t stride;
  /// Of kernels that repeat a step: how many.
  std::ptrdiff_t steps = 1;
};

/// The sum of the first `count` numbers.
constexpr int sum(const int* numbers, int count) {
  return count == 0 ? 0 : numbers[0] + sum(numbers + 1, count - 1);
}

constexpr int least(int a, int b) { return a < b ? a : b; }

}  // namespace featherline::batch
