#pragma once

#include "numpy.hpp"

#include <featherline/python_table.hpp>

/// An emitted function as an object of Python that can be called.
namespace featherline::python {

/// Makes the types that functions and their results have. False with Python's error set.
bool prepare_functions();

/// `robot` and `function` must live as long as the process: libraries are never unloaded.
/// With `prepares` it is the one of NAME::prepare.
Ref make_function(const Robot& robot, const Function& function, bool prepares = false);

/// "local_world_aligned": as users write it.
const char* name_of(ReferenceFrame frame);

}  // namespace featherline::python
