#pragma once

#include "ir/kernel.hpp"

/// What a processor does for straight-line code: the counts that code, stack and time are estimated from.
namespace featherline::cost {

struct Machine {
  int registers;  ///< for values
  bool
      has_memory_operands;  ///< an instruction can read one operand from memory: constants and inputs take no register
};
/// With 14 registers, two fewer than x86-64 has, the estimates fit best.
inline constexpr Machine x86{14, true};
/// The floating-point unit of a Cortex-M has 32 registers. g++ keeps some for the needs of single instructions.
inline constexpr Machine cortex_m{30, false};

/// An operation on equal limbs counts once.
struct InstructionCounts {
  int parts = 0;           ///< straight lines
  int operations = 0;      ///< arithmetic operations
  int fused = 0;           ///< multiplications that a fused multiply-add can include
  int stores = 0;          ///< stores to outputs and to the workspace
  int loads = 0;           ///< values that a part gets from the workspace
  int reloads = 0;         ///< reads of values that are in no register at that time
  int constants = 0;       ///< different ones in a part, if they take registers
  int spills = 0;          ///< values that are stored because no register is free
  int registers_used = 0;  ///< at once, in any part; one more than there are if some value had to give way
  int spill_slots = 0;     ///< largest number of values in no register at once, in any part
  int far = 0;  ///< accesses beyond the 1020 bytes that an instruction of a Cortex-M adds to an address
  // clears, angles and arrays
  int cleared_entries = 0, cleared_buffers = 0;
  int nonzeros_form = 0;  ///< 1 if the dense function calls one without structural zeros
  int angles = 0;
  int copied_angles = 0;  ///< all, if they are not consecutive inputs: they need an array then
  int arguments = 0, workspace = 0;
  // loops over limbs, entries of their tables, entries of arrays between them
  int limb_loops = 0, limb_constants = 0, loop_values = 0;
};

/// Counts a scheduled kernel without its calls. If no register is free, the value with the furthest next read gives way.
/// This rule is optimal, and compilers do worse.
InstructionCounts count_instructions(const ir::Kernel& kernel, const Machine& machine = x86);

}  // namespace featherline::cost
