#pragma once

#include "arguments.hpp"

namespace featherline::python {

/// Runs an emitted function: checks and converts the arguments, makes the results that the caller did not give, and
/// returns them: an array, or a tuple of the type `results_type` if there are several. Batches run without the
/// interpreter's lock. With `prepares` it calls NAME::prepare of the function, for one state, and returns None. An
/// empty Ref, with Python's error set, if anything is wrong; then nothing has been written.
Ref call(const Robot& robot, const Function& function, const Arguments& arguments, PyTypeObject* results_type,
         bool prepares);

}  // namespace featherline::python
