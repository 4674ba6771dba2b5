#pragma once

#include "numpy.hpp"

#include <featherline/python_table.hpp>

/// What a caller wrote, sorted by the parameters of the function.
namespace featherline::python {

struct Arguments {
  PyObject* inputs[max_arrays] = {};  ///< borrowed, in the order of the function's inputs
  int num_inputs = 0;
  PyObject* out = nullptr;  ///< borrowed; null if the caller gave none
  int threads = 1;          ///< that share the states of a batch
  int link = 0;
  ReferenceFrame frame = ReferenceFrame::local_world_aligned;
};

/// Sorts positional and named arguments, as vectorcall passes them. False with a TypeError or ValueError set.
bool sort_arguments(const Robot& robot, const Function& function, PyObject* const* values,
                    Py_ssize_t num_values, PyObject* names, Arguments& sorted);

/// "rnea(q, v, a, *, out=None, threads=1)".
Ref signature_text(const Function& function);

}  // namespace featherline::python
