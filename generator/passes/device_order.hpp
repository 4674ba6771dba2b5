#pragma once

#include "ir/kernel.hpp"

namespace featherline::passes {

struct DeviceProgram {
  ir::Kernel kernel;
  int most_alive = 0;  ///< values at a time, which are in registers
};

/// Schedules a simplified kernel without calls for devices: one straight line, in an order in which few values are
/// alive at a time. With `zeros_apart` zeros of outputs are stored by steps of their own (ir::Clear::once).
DeviceProgram make_device_program(const ir::Kernel& kernel, bool zeros_apart);

}  // namespace featherline::passes
