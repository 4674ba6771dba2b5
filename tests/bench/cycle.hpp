#pragma once

#include <benchmark/benchmark.h>

namespace featherline::bench {

/// Calls body(k) for all states in turn, so that nothing about the arguments is known to the compiler or cached.
template <class Body>
void cycle(benchmark::State& state, std::size_t num_states, const Body& body) {
  std::size_t k = 0;
  for (auto _ : state) {
    body(k);
    benchmark::ClobberMemory();
    if (++k == num_states) k = 0;
  }
}

}  // namespace featherline::bench
