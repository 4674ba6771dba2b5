#pragma once

#include "arrays.hpp"

/// Arrays of other libraries, such as PyTorch, by DLPack: https://dmlc.github.io/dlpack.
namespace featherline::python {

/// Whether the object gives its numbers by `__dlpack__`.
bool has_dlpack(PyObject* object);

/// The object's own memory as a NumPy array, in whatever layout it has. An empty Ref, with a ValueError set, if the
/// numbers are on another device, or of a type that NumPy does not have.
Ref from_dlpack(const Place& place, PyObject* object);

}  // namespace featherline::python
