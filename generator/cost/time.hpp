#pragma once

#include "ir/kernel.hpp"

#include <string_view>
#include <utility>
#include <vector>

/// The time of a call on x86-64, predicted from the statements of a kernel, in double.
///
/// The time is a sum:
///
///   arithmetic, stores    each instruction counts, because instructions share the ports of the processor
///   the longest chain     operations that wait for each other. Other work hides most of the waiting.
///   fetch                 zero while the code fits into the first-level instruction cache. Beyond that, each call
///                         reads the code from the second-level cache again, and time follows bytes.
///   outputs               clearing, and the cache lines of outputs that the first-level cache does not hold
///   calls                 the time that each called routine states (ir::Call::ns)
///   walks to a link       their operations. They stand in short functions and have their operands in memory.
namespace featherline::cost {

/// What the time is predicted from.
struct Work {
  double arithmetic = 0;  ///< instructions, after multiplications and additions are fused
  double stores = 0;      ///< g++ stores four constants at once: they count a quarter
  double divisions = 0;   ///< and square roots
  double sincos = 0;      ///< angles
  double chain = 0;       ///< cycles of the longest chain of operations
  double code_bytes = 0;  ///< the estimate, without the code of calls
  double cleared_bytes = 0, far_cleared_bytes = 0;  ///< far: of functions whose outputs pass 1 MB
  double far_lines = 0;  ///< cache lines written, of functions whose outputs pass 40 KB
  double calls_ns = 0;
  double walk_flops = 0;  ///< of the link with the most; most functions that take a link have no other work
  // What a call reads or writes at all, for predict_cold_ns().
  double run_code = 0;                                      ///< bytes of code, sincos and routines included
  double table_bytes = 0, data_bytes = 0, stack_bytes = 0;  ///< data: inputs and outputs
};

/// The members of Work by name: columns of a table of measurements.
const std::vector<std::pair<std::string_view, double Work::*>>& work_members();

/// Counts the work of a scheduled kernel.
Work count_work(const ir::Kernel& kernel);

/// ns for one of each.
struct TimeParameters {
  double call, arithmetic, store, division, sincos, chain_cycle;
  double resident_bytes;  ///< longer code does not stay in the instruction cache (by the estimate, see below)
  double fetched_byte;
  double cleared_byte, far_cleared_byte, far_line;
  double walk_flop;
};

double predict_ns(const Work& work, const TimeParameters& parameters);

/// Fitted to the measurements in tests/bench/prediction/times.txt by tests/bench/prediction.
extern const TimeParameters fitted_time;

/// Predicted times are those of one function called again and again on a Zen 4. In a program, code that is longer than
/// the instruction cache also drives out what runs between the calls. And other processors fetch it more slowly: a byte
/// takes 0.005 ns here, which the prediction has, and 0.029 ns on a Sapphire Rapids. The price is a tenth of the
/// difference, because nobody calls everything in turn. Beyond 200 KB, which are about 140 KB in truth, the whole
/// difference is paid: simple_humanoid's aba_vector_hessian would take 304 KB for a gain of 19 % on a Zen 4, and now
/// takes 79 KB.
double price_of_long_code(double code_bytes);

/// When a batch calls the plain function for one state after the other. NAME::batch runs a kernel on as many states at
/// once as a vector has lanes. That is slower in a few cases, which `scripts/bench --batch-functions` measures.
struct PlainCalls {
  int up_to_lanes = 0;        ///< in vectors of up to so many lanes; 0: never
  bool beyond_cache = false;  ///< if the results of a call do not stay in a cache

  bool any() const { return up_to_lanes > 0 || beyond_cache; }
};

/// More lanes than any vector has.
inline constexpr int any_lanes = 64;

/// `plain`: the function, `lanes`: the kernel that runs on many states, without structural zeros where there are some.
PlainCalls plain_calls(const ir::Kernel& plain, const ir::Kernel& lanes);

// The time of a call that finds nothing in the caches, predicted as above predicts that of one call after the
// other. Such a call takes 4 to 33 times as long, because it waits for memory:
//
//   code      one line after the other. Straight lines have no reuse, so each is a miss of its own.
//   data      inputs, outputs, tables and the stack. The processor waits for several lines at once.
//   pages     the tables of pages are in memory, too; a call finds the first lines of all things it reads or writes.

/// ns that come to the time of a warm call.
struct ColdParameters {
  double call;
  double code_byte;  ///< a miss for each 64 of them
  double table_byte, data_byte, stack_byte;
};

double predict_cold_ns(const Work& work, const ColdParameters& parameters);

/// Fitted to the measurements in tests/bench/prediction/cold.txt by tests/bench/prediction.
extern const ColdParameters fitted_cold;

}  // namespace featherline::cost
