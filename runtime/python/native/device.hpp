#pragma once

#include <Python.h>

/// The driver of the GPU (featherline/cuda_driver.hpp) for featherline/device.py, which knows arrays and shapes.
namespace featherline::python {

/// Functions of the module:
///
///   cuda_module(ptx, robot) -> module    of the text of NAME.ptx, and the robot's symbol
///   cuda_launch(module, kernel, count, names, addresses, stream)
///   cuda_order(earlier, later, address)  streams, on the device of the array
///   cuda_wait(stream, address)
///
/// The last three return None, or text that says what went wrong.
extern PyMethodDef device_methods[5];

}  // namespace featherline::python
