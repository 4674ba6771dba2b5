#pragma once

#include "shapes.hpp"

/// NumPy arrays as the arguments of emitted functions. Functions return false, or an empty Ref, with Python's error
/// set.
namespace featherline::python {

/// An argument of a call, as messages name it.
struct Place {
  const char* function;
  const Array& array;
};

/// Memory of the argument as an array: a NumPy array is itself, and what has `__dlpack__` or the buffer protocol is not
/// copied. An empty Ref if it has none of these, such as a list or a number, or, with Python's error set, if it cannot
/// be read.
Ref own_memory(const Place& place, PyObject* argument);

/// Replaces the error of an argument's own code, which becomes the cause. Interrupts and the like stay as they are.
void refuse_object(const Place& place, PyObject* argument);

/// The argument as an array of numbers that can be read as `scalar` (NPY_DOUBLE, NPY_FLOAT). The array is the argument
/// itself if its type fits; its layout may be any.
Ref read_numbers(const Place& place, PyObject* argument, int scalar);

/// Checks the shape, and learns from it how many states there are. `counted_by` is the array that has decided this.
bool read_count(const Place& place, PyArrayObject* array, Count& count, const char*& counted_by);

/// The numbers in the layout of emitted functions. Copies what lies otherwise, and repeats one state for all of a
/// batch.
Ref lay_out(const Place& place, Ref array, int scalar, const Count& count);

/// The array that `given` is or shows (own_memory()), if it can take results as it is.
Ref read_output(const Place& place, PyObject* given, int scalar, const Count& count);

/// Whether the numbers of two arrays share memory.
bool overlap(PyArrayObject* a, PyArrayObject* b);

}  // namespace featherline::python
