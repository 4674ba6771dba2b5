#pragma once

#include "numpy.hpp"

#include <featherline/python_table.hpp>

#include <string>

/// The shapes of arrays, as Python has them, and where their numbers lie.
namespace featherline::python {

/// One state, or `count` states in a leading dimension.
struct Count {
  bool is_batch = false;
  npy_intp value = 1;
};

/// Numbers of one state.
npy_intp size_of(const Array& array);

bool has_shape(const Array& array, PyArrayObject* numpy, const Count& count);

/// Whether the numbers lie as emitted functions want them: state after state, each from its fastest side on.
bool is_laid_out(const Array& array, PyArrayObject* numpy, const Count& count);

/// A new array in that layout.
Ref make_array(const Array& array, int scalar, const Count& count, bool zeros);

/// "(6, 6)"
std::string shape_of(PyArrayObject* array);
std::string shape_of(const Array& array, const Count& count);

/// "(6,), or (count, 6) for many states".
std::string expected_shape(const Array& array);

/// ", column by column": how the numbers of an output lie, behind its shape; nothing where NumPy has them so by itself.
const char* order_of(const Array& array, const Count& count);

}  // namespace featherline::python
