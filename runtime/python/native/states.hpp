#pragma once

#include "numpy.hpp"

#include <featherline/python_table.hpp>

/// A function for many states, which threads share.
namespace featherline::python {

struct States {
  const Function& function;
  const Calls& calls;
  int item;  ///< bytes of a number
  int num_inputs;
  int link;
  ReferenceFrame frame;
};

/// Runs all states, without the interpreter's lock. The threads are our own: those of OpenMP would have to be compiled
/// in, and hang in processes that Python forks.
void run_states(const States& states, npy_intp count, int threads, const void* const* inputs,
                void* const* outputs);

}  // namespace featherline::python
