// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/copy.hpp>
#include <featherline/batch/sincos.hpp>

/// The loop over blocks of states. The generator emits a `Kernel` for each function:
///
///   num_inputs, inputs[]    number of input arrays, and how many numbers each has per state
///   num_outputs, outputs[]  the same for the output arrays
///   num_rows                number of rows that compute() writes; a row has one lane per state
///   row(i)                  the row that holds number i, where i counts over all outputs
///   compute(in, rows)       the function, for one block
///   repeats                 whether it is a step, of which a job has several (run_steps)
///   keeps_last              whether such a job has the outputs of the last step alone
namespace featherline::batch {

/// A block lives on the stack. If its lanes take more bytes than this, the vectors are halved until the lanes fit.
inline constexpr std::size_t max_block_bytes = std::size_t{512} * 1024;

template <class Isa, class T, class Kernel, int bytes = Isa::bytes>
constexpr int vector_bytes() {
  constexpr auto lanes = static_cast<std::size_t>(sum(Kernel::inputs, Kernel::num_inputs) + Kernel::num_rows);
  if constexpr (bytes > 16 && lanes * bytes > max_block_bytes)
    return vector_bytes<Isa, T, Kernel, bytes / 2>();
  return bytes;
}

template <class L, class Kernel>
struct Block {
  static constexpr int num_in = sum(Kernel::inputs, Kernel::num_inputs);
  L in[num_in > 0 ? num_in : 1];
  L rows[Kernel::num_rows > 0 ? Kernel::num_rows : 1];
};

/// The states k to k + count - 1 of a job, in one of the `steps` for which an array has numbers.
template <class T>
struct Span {
  const Job<T>& job;
  std::ptrdiff_t k;
  int count;
  std::ptrdiff_t step = 0, steps = 1;

  /// From state to state of an array with n numbers a step, and where the first one is.
  [[gnu::always_inline]] std::ptrdiff_t apart(int n) const { return job.stride == 0 ? steps * n : 1; }
  [[gnu::always_inline]] std::ptrdiff_t first(int n) const {
    return job.stride == 0 ? (k * steps + step) * n : step * n * job.stride + k;
  }
};

template <class Kernel, int i, class L, class T>
[[gnu::always_inline]] inline void load_input(const Span<T>& span, L* in) {
  constexpr int n = Kernel::inputs[i];
  L* lanes = in + sum(Kernel::inputs, i);
  const std::ptrdiff_t stride = span.job.stride;
  const T* from = span.job.inputs[i] + span.first(n);
  if (span.count < L::size || (stride == 0 && !loads_tiles<L, n>)) {
    load_some(from, n, stride == 0 ? 1 : stride, span.apart(n), span.count, lanes);
  } else if (stride == 0) {
    if constexpr (loads_tiles<L, n>) load_states<n>(from, span.apart(n), lanes);
  } else {
    for (int e = 0; e < n; ++e) lanes[e] = L(load_vector<typename L::Vector>(from + e * stride));
  }
}

/// The lanes of number `e` of output i.
template <class Kernel, int i, class L>
struct OutputRows {
  const L* rows;
  [[gnu::always_inline]] const L& operator()(int e) const {
    constexpr int first = sum(Kernel::outputs, i);
    return rows[Kernel::row(first + e)];
  }
};

template <class Kernel, int i, class L, class T>
[[gnu::always_inline]] inline void store_output(const Span<T>& span, const L* rows) {
  constexpr int n = Kernel::outputs[i];
  const OutputRows<Kernel, i, L> row{rows};
  const std::ptrdiff_t stride = span.job.stride;
  T* to = span.job.outputs[i] + span.first(n);
  if (span.count < L::size || (stride == 0 && !stores_tiles<n>)) {
    store_some<L>(row, n, stride == 0 ? 1 : stride, span.apart(n), span.count, to);
  } else if (stride == 0) {
    if constexpr (stores_tiles<n>) store_states<n, L>(row, span.apart(n), to);
  } else {
    for (int e = 0; e < n; ++e) store_vector(row(e).x, to + e * stride);
  }
}

template <class L, class Kernel, class T, std::size_t... i, std::size_t... o>
inline void run_block(const Kernel& kernel, const Span<T>& span, Block<L, Kernel>& b,
                      std::index_sequence<i...>, std::index_sequence<o...>) {
  (load_input<Kernel, static_cast<int>(i)>(span, b.in), ...);
  kernel.compute(static_cast<const L*>(b.in), b.rows);
  (store_output<Kernel, static_cast<int>(o)>(span, static_cast<const L*>(b.rows)), ...);
}

/// The same of a kernel that repeats. Its first two inputs are a state, and its outputs the next one, which stays in
/// lanes from step to step. The third input and the outputs have numbers for each step, one step behind the other; with
/// keeps_last, the outputs are the state behind the last step.
template <class L, class Kernel, class T, std::size_t... i>
inline void run_steps(const Kernel& kernel, const Span<T>& span, Block<L, Kernel>& b,
                      std::index_sequence<i...>) {
  (load_input<Kernel, static_cast<int>(i < 2 ? i : i + 1)>(span, b.in), ...);
  for (std::ptrdiff_t step = 0; step < span.job.steps; ++step) {
    const Span<T> now{span.job, span.k, span.count, step, span.job.steps};
    load_input<Kernel, 2>(now, b.in);
    kernel.compute(static_cast<const L*>(b.in), b.rows);
    if constexpr (!Kernel::keeps_last) {
      store_output<Kernel, 0>(now, static_cast<const L*>(b.rows));
      store_output<Kernel, 1>(now, static_cast<const L*>(b.rows));
    }
    for (int e = 0; e < Kernel::outputs[0] + Kernel::outputs[1]; ++e) b.in[e] = b.rows[e];
  }
  if constexpr (Kernel::keeps_last) {
    store_output<Kernel, 0>(span, static_cast<const L*>(b.in));
    store_output<Kernel, 1>(span, static_cast<const L*>(b.in));
  }
}

/// Computes the states `first` to `last` - 1 of the job.
template <class Isa, class T, class Kernel>
inline void run_blocks(const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first, std::ptrdiff_t last) {
  using L = StateLanes<Isa, T, vector_bytes<Isa, T, Kernel>()>;
  Block<L, Kernel> block;
  // The last block ends with the last state and may compute some earlier states again. A whole block costs less than
  // copying single numbers.
  const int count = last - first < L::size ? static_cast<int>(last - first) : L::size;
  for (std::ptrdiff_t next = first; next < last; next += L::size) {
    const std::ptrdiff_t k = last - next < count ? last - count : next;
    const Span<T> span{job, k, count};
    if constexpr (Kernel::repeats)
      run_steps(kernel, span, block, std::make_index_sequence<Kernel::num_inputs - 1>());
    else
      run_block(kernel, span, block, std::make_index_sequence<Kernel::num_inputs>(),
                std::make_index_sequence<Kernel::num_outputs>());
  }
}

}  // namespace featherline::batch
