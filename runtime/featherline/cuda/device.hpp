// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/cuda/column.hpp>
#include <featherline/cuda/job.hpp>
#include <featherline/cuda/limbs.hpp>
#include <featherline/cuda/products.hpp>
#include <featherline/cuda/roots.hpp>
#include <featherline/cuda/threads.hpp>
#include <featherline/cuda/transpose.hpp>
#include <featherline/pivot.hpp>
#include <featherline/sincos.hpp>
#include <featherline/stumpff.hpp>

#include <utility>

/// What a thread of a device does: it finds its state, brings its inputs, calls the emitted function, and stores. There
/// is one thread a state, or one for each limb of a state. Emitted functions read and write arrays by `[k]`: pointers,
/// or columns of the layout by element.
namespace featherline::cuda {

/// Of one angle, in registers.
template <class S>
FEATHERLINE_INLINE void sincos(const S& angle, S& s, S& c) {
  featherline::sincos<1>(&angle, &s, &c);
}

template <class S, class Place, int... k>
FEATHERLINE_INLINE void fetch_each(S* to, const S* from, const Place& at, std::int64_t size,
                                   std::int64_t first, std::integer_sequence<int, k...>) {
  (static_cast<void>(to[k] = from[at(size, first + k)]), ...);
}
/// Reads N numbers of an array with `size` numbers a state, from `first` on.
template <int N, class S, class Place>
FEATHERLINE_INLINE void fetch(S* to, const S* from, const Place& at, std::int64_t size, std::int64_t first) {
  fetch_each(to, from, at, size, first, std::make_integer_sequence<int, N>{});
}
/// Copies N numbers of registers.
template <int N, class S>
FEATHERLINE_INLINE void copy(const S* from, S* to) {
  fetch<N>(
      to, from, [](std::int64_t, std::int64_t k) { return k; }, N, 0);
}
template <class S, class Place, int... k>
FEATHERLINE_INLINE void keep_each(const S* values, S* state, S* to, const Place& at, std::int64_t size,
                                  std::int64_t first, std::integer_sequence<int, k...>) {
  (static_cast<void>(to[at(size, first + k)] = state[k] = values[k]), ...);
}
/// Writes N numbers, and keeps them as the state from which the next step goes on.
template <int N, class S, class Place>
FEATHERLINE_INLINE void keep(const S* values, S* state, S* to, const Place& at, std::int64_t size,
                             std::int64_t first) {
  keep_each(values, state, to, at, size, first, std::make_integer_sequence<int, N>{});
}

#if FEATHERLINE_CUDA

/// Copies the rows of `states` neighbouring states between the arrays of the caller and shared memory: neighbouring
/// threads move neighbouring numbers.
template <int size, bool to_shared, class S>
FEATHERLINE_DEVICE void move_rows(S* shared, std::conditional_t<to_shared, const S, S>* rows, int states,
                                  int lane) {
  const int numbers = states * size;
  for (int k = lane; k < numbers; k += warp) {
    const int place = padded(size) == size ? k : k + k / size;
    if constexpr (to_shared)
      shared[place] = rows[k];
    else
      rows[k] = shared[place];
  }
}

template <class Function, int k>
inline constexpr int input_size = Function::inputs[k];
template <class Function, int k>
inline constexpr int output_size = Function::outputs[k];

/// Where an array begins in the shared memory of a warp.
template <class Function, int k>
FEATHERLINE_INLINE constexpr int begin_of_input() {
  int begin = 0;
  for (int j = 0; j < k; ++j) begin += padded(Function::inputs[j]) * (warp / Function::threads);
  return begin;
}
template <class Function, int k>
FEATHERLINE_INLINE constexpr int begin_of_output() {
  int begin = begin_of_input<Function, Function::num_inputs>();
  for (int j = 0; j < k; ++j) begin += padded(Function::outputs[j]) * (warp / Function::threads);
  return begin;
}

/// Where a thread finds the array of its state.
template <bool is_staged, int size, int begin, class Entry, class S>
FEATHERLINE_DEVICE Entry* row(S* shared, int lane, Entry* rows, std::int64_t state) {
  if constexpr (is_staged) return shared + begin + lane * padded(size);
  return rows + state * size;
}

/// States one behind the other. Each has one thread, or neighbouring ones.
template <class Function, class S, int... i, int... o>
FEATHERLINE_DEVICE void run_rows(const Job<S, Function::num_inputs, Function::num_outputs>& job,
                                 std::integer_sequence<int, i...>, std::integer_sequence<int, o...>) {
  using Plan = Staging<Function, S>;
  FEATHERLINE_SHARED S staged[Plan::length == 0 ? 1 : Plan::states * Plan::length];
  constexpr int of_warp = warp / Plan::threads;
  const int thread = thread_in_block(), lane = thread % warp, own = lane / Plan::threads;
  const std::int64_t first = block_in_grid() * Plan::states + (thread - lane) / Plan::threads,
                     state = first + own;
  if (first >= job.count) return;  // a whole warp
  const int states = job.count - first < of_warp ? static_cast<int>(job.count - first) : of_warp;
  S* const shared = staged + (thread - lane) / Plan::threads * Plan::length;
  if constexpr (Plan::inputs) {
    (move_rows<Function::inputs[i], true>(shared + begin_of_input<Function, i>(),
                                          job.in[i] + first * input_size<Function, i>, states, lane),
     ...);
    wait_for_warp();
  }
  // Shuffles need all threads of a warp that have not ended. Those without a state have rows of shared memory.
  if constexpr (!Plan::outputs) {
    if (own >= states) return;
  }
  if (Plan::threads > 1 || own < states)
    Function::template compute<S>(
        row<Plan::inputs, Function::inputs[i], begin_of_input<Function, i>(), const S>(shared, own, job.in[i],
                                                                                       state)...,
        row<Plan::outputs, Function::outputs[o], begin_of_output<Function, o>(), S>(shared, own, job.out[o],
                                                                                    state)...);
  if constexpr (Plan::outputs) {
    wait_for_warp();
    (move_rows<Function::outputs[o], false>(shared + begin_of_output<Function, o>(),
                                            job.out[o] + first * output_size<Function, o>, states, lane),
     ...);
  }
}

template <class Function, class S>
FEATHERLINE_DEVICE std::int64_t state_of_thread() {
  return block_in_grid() * Staging<Function, S>::states + thread_in_block() / Function::threads;
}

/// States as the innermost dimension.
template <class Function, class S, int... i, int... o>
FEATHERLINE_DEVICE void run_columns(const Job<S, Function::num_inputs, Function::num_outputs>& job,
                                    std::integer_sequence<int, i...>, std::integer_sequence<int, o...>) {
  const std::int64_t state = state_of_thread<Function, S>();
  if (state >= job.count) return;
  Function::template compute<S>(Column<const S>{job.in[i] + state, static_cast<std::uint32_t>(job.stride)}...,
                                Column<S>{job.out[o] + state, static_cast<std::uint32_t>(job.stride)}...);
}

/// Where the threads of a warp find the arrays of a step in rows: they bring them together through `shared`.
template <class S>
struct StepRows {
  S* shared;
  std::int64_t first;  ///< state of the warp
  int states, lane;
};

template <int N, class S, class Action>
FEATHERLINE_DEVICE void each_number(const StepRows<S>& rows, std::int64_t size, std::int64_t first,
                                    const Action& action) {
  wait_for_warp();
  for (int k = rows.lane; k < rows.states * N; k += warp) {
    const int row = k / N, entry = k - row * N;
    action(rows.shared[row * padded(N) + entry], (rows.first + row) * size + first + entry);
  }
  wait_for_warp();
}
template <int N, class S>
FEATHERLINE_DEVICE void fetch(S* to, const S* from, const StepRows<S>& rows, std::int64_t size,
                              std::int64_t first) {
  each_number<N>(rows, size, first, [&](S& shared, std::int64_t place) { shared = from[place]; });
  const auto own = [&](std::int64_t, std::int64_t k) { return rows.lane * padded(N) + k; };
  fetch<N>(to, rows.shared, own, N, 0);
}
template <int N, class S>
FEATHERLINE_DEVICE void keep(const S* values, S* state, S* to, const StepRows<S>& rows, std::int64_t size,
                             std::int64_t first) {
  const auto own = [&](std::int64_t, std::int64_t k) { return rows.lane * padded(N) + k; };
  wait_for_warp();  // rows of another length are read
  keep<N>(values, state, rows.shared, own, N, 0);
  each_number<N>(rows, size, first, [&](const S& shared, std::int64_t place) { to[place] = shared; });
}

/// N steps in one launch. What a step changes stays in registers.
template <class Function, bool by_element, class S>
FEATHERLINE_DEVICE void run_steps(const Job<S, Function::num_inputs, Function::num_outputs>& job) {
  using Plan = Staging<Function, S>;
  const std::int64_t state = state_of_thread<Function, S>();
  if constexpr (Plan::steps && !by_element) {
    FEATHERLINE_SHARED S staged[Plan::block * Plan::length];
    const int thread = thread_in_block(), lane = thread % warp;
    const std::int64_t first = state - lane, left = job.count - first;
    if (left <= 0) return;  // a whole warp
    Function::template steps<S>(job, StepRows<S>{staged + (thread - lane) * Plan::length, first,
                                                 left < warp ? static_cast<int>(left) : warp, lane});
  } else {
    if (state >= job.count) return;
    const auto at = [&](std::int64_t size, std::int64_t k) {
      return by_element ? k * job.stride + state : state * size + k;
    };
    Function::template steps<S>(job, at);
  }
}

template <class Function, bool by_element, class S>
FEATHERLINE_DEVICE void run(const Job<S, Function::num_inputs, Function::num_outputs>& job) {
  constexpr auto inputs = std::make_integer_sequence<int, Function::num_inputs>{};
  constexpr auto outputs = std::make_integer_sequence<int, Function::num_outputs>{};
  if constexpr (std::is_same_v<Function, Transposition>)
    transpose<by_element>(job);
  else if constexpr (is_product<Function>)
    multiply<Function::num_rows>(job);
  else if constexpr (Function::repeats)
    run_steps<Function, by_element, S>(job);
  else if constexpr (by_element)
    run_columns<Function, S>(job, inputs, outputs);
  else
    run_rows<Function, S>(job, inputs, outputs);
}

template <class Function>
struct Parentheses;
template <class Function>
struct Parentheses<void(Function)> {
  using type = Function;
};
/// The type in parentheses, which may have commas in a macro.
template <class Function>
using Only = typename Parentheses<Function>::type;
template <class Function, class S>
using JobOf = Job<S, Function::num_inputs, Function::num_outputs>;

/// What rows run for a function that leaves zeros out: shared memory holds all entries.
template <class Dense, class NonZeros, class S>
using Rows = std::conditional_t<Staging<Dense, S>::outputs, Dense, NonZeros>;

/// Tells a loader of PTX how many threads compute a state.
#if defined(__clang__) && !defined(__CUDACC__)
#define FEATHERLINE_CUDA_THREADS(name, Function, S)                                   \
  extern "C" {                                                                        \
  __attribute__((device)) int name##_threads =                                        \
      featherline::cuda::Staging<featherline::cuda::Only<void Function>, S>::threads; \
  }
#else
#define FEATHERLINE_CUDA_THREADS(name, Function, S)
#endif

/// Defines a kernel with this name, which modules are asked for, too.
#define FEATHERLINE_CUDA_KERNEL(name, Function, by_element, S)                               \
  FEATHERLINE_CUDA_THREADS(name, Function, S)                                                \
  extern "C" FEATHERLINE_KERNEL void FEATHERLINE_LAUNCH_BOUNDS(                              \
      (featherline::cuda::Staging<featherline::cuda::Only<void Function>, S>::block),        \
      (featherline::cuda::Staging<featherline::cuda::Only<void Function>, S>::least_blocks)) \
      name(const featherline::cuda::JobOf<featherline::cuda::Only<void Function>, S> job) {  \
    featherline::cuda::spill_to_shared_memory();                                             \
    featherline::cuda::run<featherline::cuda::Only<void Function>, by_element, S>(job);      \
  }

#endif

}  // namespace featherline::cuda
