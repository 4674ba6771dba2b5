#pragma once

#include "arrays.hpp"

namespace featherline::python {

/// Whether the numbers of an input are what its function demands. They lie as emitted functions want them.
bool check_numbers(const Place& place, const Robot& robot, PyArrayObject* array, int scalar,
                   const Count& count);

}  // namespace featherline::python
