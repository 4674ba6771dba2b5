#pragma once

#include "cost/vfp_code.hpp"

namespace featherline::cost {

/// The register assignment of a part, in numbers.
struct VfpRegisters {
  int most_alive = 0;       ///< values at once
  int slots = 0;            ///< of the stack, for values without a register
  int spills = 0;           ///< stores there
  int reloads = 0;          ///< reads of values without a register
  int literal_reloads = 0;  ///< the same of constants
};

/// Assigns registers to whole lifetimes, as g++ does. Lifetimes with the most reads for their length come first. With
/// `from_memory`, inputs, sines and cosines without a register are read again from their arrays. g++ does so in
/// functions with one part, but not in parts that get the arrays through pointers.
VfpRegisters give_registers(const VfpCode& code, bool from_memory);

}  // namespace featherline::cost
