#pragma once

#include "cost/vfp_code.hpp"

namespace featherline::cost {

/// What it takes to fit a part's values into registers.
struct VfpRegisters {
  int most_alive = 0;       ///< values at once
  int slots = 0;            ///< of the stack, for values without a register
  int spills = 0;           ///< stores there
  int reloads = 0;          ///< reads of values without a register
  int literal_reloads = 0;  ///< the same of constants
};

/// Gives registers to whole lifetimes, those that are read most for their length first, as g++ does.
/// `from_memory`: whether inputs, sines and cosines without a register are read where they lie. g++ does so in a function
/// that has one part, not in parts, which get them by pointers.
VfpRegisters give_registers(const VfpCode& code, bool from_memory);

}  // namespace featherline::cost
