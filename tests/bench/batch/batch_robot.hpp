#pragma once

#include <featherline/batch.hpp>

#include <string>
#include <vector>

namespace featherline::bench {

/// q, v, a of many states and room for the results, one state after the other or element by element.
struct BatchArrays {
  const double *q, *v, *a;
  double* output;
  std::ptrdiff_t count;
};

using ScalarLoop = void (*)(const BatchArrays& x);
using BatchCall = void (*)(const BatchArrays& x, const BatchOptions& options);

/// One function: in a loop over states, compiled as the batches are and for this very processor, and as batch.
struct BatchFunction {
  std::string name;
  int num_outputs;
  ScalarLoop plain, native;
  BatchCall batch, soa;
};

struct BatchRobot {
  std::string name;
  int nq, nv;
  std::vector<BatchFunction> functions;
};

std::vector<BatchRobot> batch_robots();

}  // namespace featherline::bench
