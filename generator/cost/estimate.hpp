#pragma once

#include "ir/kernel.hpp"

#include <string>
#include <vector>

/// What a compiler makes of a kernel, foreseen from its statements.
///
/// x86-64 is calibrated on 62 functions of nine robots, 7 to 7,700 operations each, compiled with g++ 12.2 -O2
/// -ffp-contract=fast: code 9 % rms, -25 % to +15 %; stack 18 % rms, -38 % to +38 %. Cortex-M has a model of its own,
/// cortex_m.hpp. `featherline check --size` measures.
namespace featherline::cost {

/// A processor with the scalar that is usual there.
enum class Target {
  x86_64,      ///< double, SSE2
  cortex_m7,   ///< float, FPv5
  cortex_m4f,  ///< float, FPv4
};

struct TargetName {
  std::string name;  ///< as --target takes it
  Target target;
};
/// All targets, the default first.
const std::vector<TargetName>& target_names();
std::string name(Target target);

/// Float, with a floating-point unit of 32 registers. M7 and M4F get the same figures: what g++ makes for them differs
/// by less than 0.5 %.
bool is_cortex_m(Target target);

/// Where code for these scalars ("double", "float") usually runs: double on desktops, float alone on microcontrollers.
Target usual_target(const std::vector<std::string>& scalars);

/// What is reported about a kernel.
struct Figures {
  int flops = 0, sincos = 0, statements = 0;  ///< of walks: of the link with the most expensive path
  /// Machine code of the entry function and its parts, with the constants in it and the loops it calls. On x86-64 with
  /// sincos, which is part of every function there; a Cortex-M image has it once, see cortex_m_sincos_code.
  int code_bytes = 0;
  /// From the entry function's frame down, with what it calls.
  int stack_bytes = 0;
};

/// Of a scheduled kernel.
Figures estimate(const ir::Kernel& kernel, Target target = Target::x86_64);

/// What decides code size and stack.
struct InstructionCounts {
  int operations = 0;  ///< of arithmetic
  int fused = 0;  ///< multiplications that become one instruction with an addition, where there is such a one
  int stores = 0;       ///< of outputs, and of values to the workspace
  int reloads = 0;      ///< reads of values that have no register at that time
  int spill_slots = 0;  ///< most values at once that have none, in the part that needs most
};

/// Counts a kernel for a machine with 14 registers, given away by the rule of the furthest next use. Compilers do
/// not reach that, and they move operations; two fewer than x86-64 has, and half of Cortex-M's, fit best.
InstructionCounts count_instructions(const ir::Kernel& kernel);

}  // namespace featherline::cost
