#pragma once

#include "ir/kernel.hpp"

namespace featherline::passes {

struct ScheduleOptions {
  /// Largest number of operations in one part, stores included. Compile time grows faster than the length of a
  /// function. The functions of quadruped were measured with this limit and with an earlier one of 1000 statements.
  /// This limit is as fast or faster: aba_derivatives take 3.5 us instead of 3.9 us, the second order 4.37 us with
  /// both.
  int max_operations = 3500;
  int max_inline_operations = 6;
  int max_stored_zeros = 100;  ///< per output; one with more is cleared as a whole
  /// Zeros of outputs are stored by steps of their own (ir::Clear::once), so that callers can leave these out.
  bool zeros_apart = false;
  /// Rows of lanes that wait for each other to be stored in one scatter().
  std::size_t max_rows_stored_together = 6;
  /// Whether limb lanes are computed one after the other, in loops over the limbs: for processors without vectors.
  bool limb_loops = false;
};
/// Decides what is printed where: inlining, store positions (as soon as the value exists: storing at the end
/// loses 2x on derivatives), parts and workspace slots. Order is creation order, link by link: 1.4x faster than
/// depth first from the outputs on inverse dynamics.
ir::Kernel schedule(ir::Kernel kernel, const ScheduleOptions& options = {});

}  // namespace featherline::passes
