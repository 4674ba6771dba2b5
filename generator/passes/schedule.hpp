#pragma once

#include "ir/kernel.hpp"

namespace featherline::passes {

struct ScheduleOptions {
  /// Per part, stores included; compile time is superlinear in function length. Parts of quadruped then take as long as or
  /// less time than those of 1000 statements had (aba_derivatives 3.5 us instead of 3.9, second order 4.37 in both).
  int max_operations = 3500;
  int max_inline_operations = 6;
  int max_stored_zeros = 100;  ///< per output; one with more is cleared by a loop first
};
/// Decides what is printed where: inlining, store positions (as soon as the value exists: storing at the end
/// loses 2x on derivatives), parts and workspace slots. Order is creation order, link by link: 1.4x faster than
/// depth first from the outputs on inverse dynamics.
ir::Kernel schedule(ir::Kernel kernel, const ScheduleOptions& options = {});

}  // namespace featherline::passes
