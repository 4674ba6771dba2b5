#pragma once

#include "cost/time.hpp"
#include "ir/kernel.hpp"

#include <optional>
#include <string>
#include <vector>

/// Estimates of code size and stack, from the statements of a kernel.
///
/// The coefficients for x86-64 are fitted to 62 functions of nine robots with 7 to 7,700 operations each, compiled
/// with g++ 12.2 -O2 -ffp-contract=fast. Cortex-M has a model of its own (cortex_m.hpp). `featherline check --size`
/// measures. Errors of the fit:
///
///           rms    range
///   code    9 %    -25 % to +15 %
///   stack   18 %   -38 % to +38 %
namespace featherline::cost {

/// A processor. Each has a usual scalar.
enum class Target {
  x86_64,      ///< double, SSE2
  cortex_m7,   ///< float, FPv5
  cortex_m4f,  ///< float, FPv4
};

struct TargetName {
  std::string name;  ///< the name that --target takes
  Target target;
};
/// All targets. The default comes first.
const std::vector<TargetName>& target_names();
std::string name(Target target);

/// Both Cortex-M targets use float and have a floating-point unit with 32 registers. They get the same figures: the
/// code that g++ makes for them differs by less than 0.5 %.
bool is_cortex_m(Target target);

/// The usual target for these scalars: a desktop if "double" is among them, else a microcontroller.
Target usual_target(const std::vector<std::string>& scalars);

/// The figures that are reported about a kernel.
struct Figures {
  int flops = 0, sincos = 0, statements = 0;  ///< for functions that take a link: of the most expensive link
  /// Machine code of the entry function, its parts, its constants and the loops that it calls. On x86-64 it includes
  /// sincos, which is compiled into every function. On Cortex-M it does not: an image has one copy
  /// (cortex_m_sincos_code).
  int code_bytes = 0;
  /// The frame of the entry function and of everything that it calls.
  int stack_bytes = 0;
  std::optional<double> ns = {};  ///< predicted time of a call (time.hpp); none on Cortex-M
  Work work = {};                 ///< what `ns` is predicted from
};

/// The report warns of functions that need more stack than this. Threads of real-time systems often have 64 KB or less.
inline constexpr int much_stack = 32 * 1024;

/// The figures of a scheduled kernel.
Figures estimate(const ir::Kernel& kernel, Target target = Target::x86_64);

/// The counts that code size and stack are estimated from.
struct InstructionCounts {
  int operations = 0;   ///< arithmetic operations
  int fused = 0;        ///< multiplications that a fused multiply-add can include
  int stores = 0;       ///< stores to outputs and to the workspace
  int reloads = 0;      ///< reads of values that are in no register at that time
  int spill_slots = 0;  ///< largest number of values in no register at once, in any part
};

/// Counts a kernel for a machine with 14 registers. If no register is free, the value with the furthest next read is
/// spilled. This rule is optimal, and compilers do worse. With 14 registers, two fewer than x86-64 has, the estimates
/// fit best.
InstructionCounts count_instructions(const ir::Kernel& kernel);

/// Machine code on x86-64 of straight lines with these counts, and of sincos where there are angles.
int x86_code_bytes(const InstructionCounts& counts, bool has_angles);

/// Figures of a function that takes a link, for the link with the most flops. Those of the Jacobian include its
/// columns. `call` has a walk.
Figures link_walk_figures(const ir::Call& call, Target target);

}  // namespace featherline::cost
