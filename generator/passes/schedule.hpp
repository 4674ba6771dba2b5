#pragma once

#include "ir/kernel.hpp"

namespace featherline::passes {

using ir::Kernel;
using ir::Node;
using ir::NodeId;
using ir::Op;
using ir::Scalar;

struct ScheduleOptions {
  /// Largest number of operations in one part, stores included. Compile time grows faster than the length of a
  /// function, and long parts spill more: hyq's second derivatives take 59,912 bytes with this limit, 60,974 with one
  /// of 3,500, and the same time.
  int max_operations = 2500;
  int max_inline_operations = 6;
  int max_stored_zeros =
      100;  ///< per output; one with more is cleared as a whole, or rows of zeros are stored
  /// Most stores of four zeros of an output that is not cleared as a whole. Until they are done nothing else is stored,
  /// so more pay less: hyq's rnea_derivatives (91) takes 16 % less time, simple_humanoid's mass_matrix (174) 1 %.
  int max_zero_rows = 140;
  int max_spread_rows = 700;  ///< the same where they are between statements
  /// Most stores of four zeros at a time: a Zen 3 has room for 64 stores that are not done yet. Where there are twice
  /// as many and more, and at most five statements for each, they are spread between the statements. Then
  /// simple_humanoid's mass_matrix takes 0.87 times as long with g++ and 0.86 with clang, its frame_jacobians 0.87 and
  /// 0.91, panda's regressor 0.95 and 0.94; hyq's frame_jacobians (71) would take 1.07 with g++, baxter's
  /// rnea_derivatives (124 for more than 2,000 statements) 1.05.
  int zeros_at_once = 64;
  /// Zeros of outputs are stored by steps of their own (ir::Clear::once), so that callers can leave these out.
  bool zeros_apart = false;
  /// Rows of lanes that wait for each other to be stored in one scatter(), which transposes four. Six wait too long:
  /// 61,183 bytes instead of 59,912 in hyq's second derivatives.
  std::size_t max_rows_stored_together = 4;
  /// Whether limb lanes are computed one after the other, in loops over the limbs: for processors without vectors.
  bool limb_loops = false;
};
/// Decides what is printed where: inlining, store positions (as soon as the value exists: storing at the end
/// loses 2x on derivatives), parts and workspace slots. Order is creation order, link by link: 1.4x faster than
/// depth first from the outputs on inverse dynamics.
ir::Kernel schedule(ir::Kernel kernel, const ScheduleOptions& options = {});

/// Puts the statements into an order in which those of limb lanes follow each other, as far as they depend on each
/// other, and marks them as loops. Statements of lanes, and sums over lanes, belong to loops; others do not. Without
/// lanes the order stays.
ir::StraightLine in_limb_loops(const ir::Kernel& kernel, std::vector<ir::Statement> statements);

struct DeviceProgram {
  ir::Kernel kernel;
  int most_alive = 0;  ///< values at a time, which are in registers
};

/// Schedules a simplified kernel without calls for devices: one straight line, in an order in which few values are
/// alive at a time. With `zeros_apart` zeros of outputs are stored by steps of their own (ir::Clear::once).
DeviceProgram make_device_program(const ir::Kernel& kernel, bool zeros_apart);

}  // namespace featherline::passes
