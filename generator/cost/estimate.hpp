#pragma once

#include "cost/time.hpp"
#include "ir/kernel.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Estimates of code and stack. Code is a sum over what a kernel has (counts.cpp), with coefficients fitted to what g++
/// 12 makes of it at -O2 -ffp-contract=fast. Stack is arrays, saved registers, and slots of values without a register.
/// `featherline check --size` measures. Errors:
///
///                                              code              stack
///   x86-64, 62 functions without limb lanes    -25 % to +15 %    -38 % to +38 %
///   Cortex-M, functions of 27 robots           -5 % to +25 %     -5 % to +25 %
///
/// tests/bench/prediction/sizes.txt has the measurements for Cortex-M; a test holds the estimates to them.
namespace featherline::cost {

struct Machine {
  int registers;  ///< for values
  bool
      has_memory_operands;  ///< an instruction can read one operand from memory: constants and inputs take no register
  bool has_vectors;  ///< a store can set several entries to zero
};
/// With 14 registers, two fewer than x86-64 has, the estimates fit best.
inline constexpr Machine x86{14, true, true};
/// The floating-point unit of a Cortex-M has 32 registers. g++ keeps some for the needs of single instructions.
inline constexpr Machine cortex_m{30, false, false};

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
  int cleared_entries = 0, cleared_buffers = 0;  ///< or stores of several entries
  int nonzeros_form = 0;  ///< 1 if the dense function calls one without structural zeros
  int angles = 0;
  int copied_angles = 0;  ///< all, if they are not consecutive inputs: they need an array then
  int arguments = 0, workspace = 0;
  // loops over limbs, entries of their tables, entries of arrays between them
  int limb_loops = 0, limb_constants = 0, loop_values = 0;
};

/// Whether statements in a loop over limbs count once, or as often as they run.
enum class Counting { code, executed };

/// What a statement moves between registers and memory.
struct MemoryTraffic {
  std::vector<ir::NodeId> loaded = {};
  int spills = 0;
};

/// Counts a scheduled kernel without its calls. If no register is free, the value with the furthest next read gives
/// way. This rule is optimal, and compilers do worse. `traffic`: of each statement, by straight line.
InstructionCounts count_instructions(const ir::Kernel& kernel, const Machine& machine = x86,
                                     Counting counting = Counting::code,
                                     std::vector<std::vector<MemoryTraffic>>* traffic = nullptr);

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
inline bool is_cortex_m(Target target) { return target != Target::x86_64; }
const Machine& machine(Target target);

/// Whether there are caches that a call can find empty.
inline bool predicts_cold(Target target) { return !is_cortex_m(target); }

/// "~ns" or "~cycles": what the time of a call is predicted in.
inline const char* time_title(Target target) { return is_cortex_m(target) ? "~cycles" : "~ns"; }
/// What that is, for a report.
std::string time_words(Target target, int flash_wait_states);

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
  std::optional<double> cold_ns =
      {};                          ///< of one that finds nothing in the caches (time.hpp); none on Cortex-M
  std::optional<int> cycles = {};  ///< of a call on a Cortex-M (predict_cycles()); none elsewhere
  std::optional<double> time() const { return cycles ? std::optional<double>(*cycles) : ns; }
  Work work = {};  ///< what these are predicted from
};

/// The report warns of functions that need more stack than this. Threads of real-time systems often have 64 KB or less.
inline constexpr int much_stack = 32 * 1024;

/// The figures of a scheduled kernel.
Figures estimate(const ir::Kernel& kernel, Target target = Target::x86_64, int flash_wait_states = 0);

/// A summand of an estimate of code or cycles.
struct Term {
  std::string_view name;
  double each;  ///< bytes or cycles of one
};
/// What the terms make of so many of each.
double weighted_sum(const std::vector<Term>& terms, const std::vector<double>& counts);

const std::vector<Term>& code_terms(Target target);

/// Machine code of straight lines with these counts. On x86-64 it includes sincos where there are angles.
int code_bytes(const InstructionCounts& counts, Target target);
int code_bytes(const InstructionCounts& counts, Target target, const std::vector<Term>& terms);
/// Stack of the entry function and of the deepest function that it calls (a part, or sincos).
int stack_bytes(const InstructionCounts& counts, Target target);

/// Code of sincos on a Cortex-M, including its reduction of large angles. An image has sincos once.
inline constexpr int cortex_m_sincos_code = 648;
/// Stack of the same.
inline constexpr int cortex_m_sincos_stack = 96;

/// Figures of a function that takes a link, for the link with the most flops. Those of the Jacobian include its
/// columns. `call` has a walk.
Figures link_walk_figures(const ir::Call& call, Target target);

// Cycles of a call on a Cortex-M, in float: the longest way through every branch. Predicted, not measured on a chip.
//
// The prediction is a sum over what straight lines execute, and over cycles in which an operation waits for its
// operands. Its coefficients are fitted to the totals of llvm-mca's models of these cores for what arm-none-eabi-g++
// 12.2 makes of emitted functions at -O2 (tests/bench/prediction/cycles.txt). Memory is taken to answer at once: code
// and data lie in memory that is as fast as the core, or in caches.

/// A summand: `Term::each` is its cycles.
const std::vector<Term>& cycle_terms(Target target);

/// How many there are of each in the straight lines and clears of a scheduled kernel, in the order of cycle_terms().
std::vector<double> cycle_counts(const ir::Kernel& kernel, Target target);

/// Nothing on x86-64, and for kernels that call loops of the runtime or take a link. Angles are within 200 rad.
///
/// Code in flash waits `flash_wait_states` cycles for each 16 bytes and for each constant it reads, which is what
/// happens without prefetch and cache. Both hide a part, so this is a bound.
std::optional<int> predict_cycles(const ir::Kernel& kernel, Target target, int flash_wait_states = 0);

}  // namespace featherline::cost
