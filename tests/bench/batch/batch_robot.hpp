#pragma once

#include <featherline/batch.hpp>

#include <string>
#include <vector>

namespace featherline::bench {

/// q, v, a of many states and room for the results, one state after the other or element by element.
template <class S>
struct BatchArrays {
  const S *q, *v, *a;
  S* output;
  std::ptrdiff_t count;
};

template <class S>
using ScalarLoop = void (*)(const BatchArrays<S>& x);
template <class S>
using BatchCall = void (*)(const BatchArrays<S>& x, const BatchOptions& options);

/// A function in a loop over states, compiled as the batches are and for this very processor, and as batch.
template <class S>
struct BatchCalls {
  ScalarLoop<S> plain, native;
  BatchCall<S> batch, soa;
};

struct BatchFunction {
  std::string name;
  int num_outputs;
  BatchCalls<double> in_double;
  BatchCalls<float> in_float;
  template <class S>
  const BatchCalls<S>& calls() const {
    if constexpr (sizeof(S) == sizeof(double)) {
      return in_double;
    } else {
      return in_float;
    }
  }
};

struct BatchRobot {
  std::string name;
  int nq, nv;
  std::vector<BatchFunction> functions;
};

std::vector<BatchRobot> batch_robots();

}  // namespace featherline::bench
