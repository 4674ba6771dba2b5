#pragma once

#include "numpy.hpp"

#include <featherline/python_table.hpp>

namespace featherline::python {

/// Makes the types of the entries below, once for a process. False with Python's error set.
bool prepare_attributes();

/// Gives `object` what the tables hold: sizes, names, constants as read-only arrays, and every function by its name.
bool set_attributes(PyObject* object, const Robot& robot);

}  // namespace featherline::python
