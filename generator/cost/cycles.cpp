#include "cost/estimate.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>

namespace featherline::cost {
namespace {

using ir::NodeId;
using ir::Op;

/// An instruction by the cycles until its result is written, until it can be read,
/// and until another one of its kind can begin.
struct Timing {
  int written, readable, busy;
};

/// A core as llvm-mca 14 has it: issues so many instructions a cycle, in order, and writes results in order.
struct Core {
  int width;
  Timing sum, fused, division, load, store;
  double sincos_call, sincos_angle;  ///< of the runtime: a call, and each angle within 200 rad
  const std::vector<Term>& terms;    ///< fitted
};

// Fitted to 105 functions each of seven robots. Errors, without sines and memset:
//
//              rms     range                 of 300 cycles and more
//   cortex-m4f 5.1 %   -12 % to +17 %        5.5 %, -12 % to +17 %
//   cortex-m7  6.6 %   -17 % to +28 %        5.4 %, -14 % to +14 %
const std::vector<Term> m4_terms{{"pipeline", 0.635}, {"part", 5.54},  {"division", 3.39},
                                 {"load", 1.07},      {"store", 0.54}, {"spill", 1.22},
                                 {"constant", 0.443}, {"far", 1.03},   {"copied_angle", 3.43}};
const std::vector<Term> m7_terms{{"pipeline", 0.498}, {"part", 1.36},   {"division", 9.76},
                                 {"load", 1.64},      {"store", 0.743}, {"spill", 2.87},
                                 {"constant", 0.367}, {"far", 0.95},    {"copied_angle", 0.01}};

const Core m4{1, {1, 1, 1}, {3, 3, 1}, {14, 14, 1}, {2, 2, 1}, {1, 1, 1}, 22.0, 73.0, m4_terms};
const Core m7{2, {3, 3, 1}, {6, 5, 1}, {16, 16, 13}, {2, 2, 1}, {2, 2, 1}, 18.0, 102.0, m7_terms};

/// memset of newlib, which llvm-mca has not been asked about: a call, and a word.
constexpr double clear_call = 30.0, cleared_word = 2.0;

const Core& core(Target target) { return target == Target::cortex_m7 ? m7 : m4; }

bool is_division(Op op) { return op == Op::div || op == Op::sqrt || op == Op::pivot_inverse; }

/// Runs statements in their order.
class Pipeline {
 public:
  Pipeline(const ir::Kernel& kernel, const Core& core)
      : kernel_(kernel),
        core_(core),
        uses_(ir::count_uses(kernel)),
        is_fused_(kernel.graph.size(), false),
        readable_(kernel.graph.size(), 0) {
    for (NodeId id = 0; id < kernel.graph.size(); ++id) {
      const NodeId product = uses_[id] > 0 ? fused_product(node(id)) : ir::no_node;
      if (product != ir::no_node) is_fused_[product] = true;
    }
  }

  int cycles() const { return cycles_; }
  int divisions() const { return divisions_; }

  void run(const ir::StraightLine& part, const std::vector<MemoryTraffic>& traffic) {
    std::set<NodeId> saved;
    for (const ir::Transfer& save : part.saves) saved.insert(save.value);
    const auto run_piece = [&](std::size_t first, std::size_t end, int times) {
      const int start = last_written_;
      clock_ = start, issued_ = 0, times_ = times;
      for (std::size_t k = first; k < end; ++k) run(part.statements[k], traffic[k], saved);
      cycles_ += times * (last_written_ - start);
    };
    std::size_t next = 0;
    for (const ir::LimbLoop& loop : part.loops) {
      run_piece(next, loop.first, 1);
      next = loop.first + loop.count;
      run_piece(loop.first, next, loop.lanes);
    }
    run_piece(next, part.statements.size(), 1);
  }

 private:
  void run(const ir::Statement& statement, const MemoryTraffic& traffic, const std::set<NodeId>& saved) {
    for (const NodeId id : traffic.loaded) readable_[id] = issue(core_.load, 0, false);
    const NodeId value = statement.value;
    if ((statement.store < 0 || kernel_.inlined[value]) && !is_fused_[value]) compute(value);
    const int stores = traffic.spills + (statement.store >= 0 || saved.count(value) > 0 ? 1 : 0);
    for (int k = 0; k < stores; ++k) issue(core_.store, k == 0 ? readable_[value] : 0, false);
  }

  const ir::Node& node(NodeId id) const { return kernel_.graph[id]; }
  bool is_single_product(NodeId id) const { return node(id).op == Op::mul && uses_[id] == 1; }

  NodeId fused_product(const ir::Node& sum) const {
    if (!is_sum(sum.op)) return ir::no_node;
    return is_single_product(sum.a) ? sum.a : is_single_product(sum.b) ? sum.b : ir::no_node;
  }

  /// The operation, behind those that are written inside it.
  void compute(NodeId id) {
    const ir::Node& own = node(id);
    if (!is_operation(own.op)) return;
    const NodeId product = fused_product(own);
    int ready = 0;
    const auto read = [&](const ir::Node& reader) {
      for (const NodeId operand : ir::Operands(reader)) {
        if (&reader == &own && operand == product) continue;
        if (kernel_.inlined[operand]) compute(operand);
        ready = std::max(ready, readable_[operand]);
      }
    };
    if (product != ir::no_node) read(node(product));
    read(own);
    if (is_division(own.op)) divisions_ += times_;
    const Timing& timing = is_division(own.op)      ? core_.division
                           : product != ir::no_node ? core_.fused
                                                    : core_.sum;
    readable_[id] = issue(timing, ready, true);
  }

  /// The cycle from which the result can be read.
  int issue(const Timing& timing, int ready, bool in_unit) {
    int start = std::max({clock_, ready, last_written_ - timing.written, in_unit ? unit_free_ : 0});
    if (start == clock_ && issued_ == core_.width) ++start;
    issued_ = start == clock_ ? issued_ + 1 : 1;
    clock_ = start;
    if (in_unit) unit_free_ = start + timing.busy;
    last_written_ = std::max(last_written_, start + timing.written);
    return start + timing.readable;
  }

  const ir::Kernel& kernel_;
  const Core& core_;
  const std::vector<int> uses_;
  std::vector<bool> is_fused_;  ///< by node: whether a sum computes it
  std::vector<int> readable_;   ///< by node: the cycle from which it can be read
  int clock_ = 0, issued_ = 0;  ///< the cycle, and the instructions that were issued in it
  int last_written_ = 0, unit_free_ = 0;
  int times_ = 1, cycles_ = 0, divisions_ = 0;
};

double clear_cycles(const ir::Kernel& kernel) {
  double sum = 0.0;
  for (const auto* clear : kernel.clears()) {
    if (clear->entries.empty()) sum += clear_call + cleared_word * kernel.output_or_local(clear->buffer).size;
  }
  return sum;
}

/// How often code waits for flash. Code in loops over limbs is fetched for each limb. The loop of the runtime's sincos
/// has 13 lines and 9 constants.
double flash_fetches(const ir::Kernel& kernel, Target target) {
  constexpr double line_bytes = 16.0, fetches_of_angle = 13.0 + 9.0;
  const InstructionCounts counts = count_instructions(kernel, machine(target), Counting::executed);
  return code_bytes(counts, target) / line_bytes + counts.constants + fetches_of_angle * counts.angles;
}

/// Nothing if the kernel calls a loop of the runtime.
std::optional<double> all_cycles(const ir::Kernel& kernel, Target target, int flash_wait_states) {
  const Core& own = core(target);
  double sum = weighted_sum(own.terms, cycle_counts(kernel, target)) + clear_cycles(kernel) +
               flash_wait_states * flash_fetches(kernel, target);
  if (const int angles = kernel.num_angles(); angles > 0) sum += own.sincos_call + own.sincos_angle * angles;
  for (const ir::Call* call : kernel.calls()) {
    const auto of_body = call->body ? all_cycles(*call->body, target, flash_wait_states) : std::nullopt;
    if (!of_body) return std::nullopt;
    sum += *of_body;
  }
  return sum;
}

}  // namespace

const std::vector<Term>& cycle_terms(Target target) { return core(target).terms; }

std::vector<double> cycle_counts(const ir::Kernel& kernel, Target target) {
  std::vector<std::vector<MemoryTraffic>> traffic;
  const InstructionCounts c = count_instructions(kernel, machine(target), Counting::executed, &traffic);
  Pipeline pipeline(kernel, core(target));
  const std::vector<const ir::StraightLine*> lines = kernel.straight_lines();
  for (std::size_t k = 0; k < lines.size(); ++k) pipeline.run(*lines[k], traffic[k]);
  return {1.0 * pipeline.cycles(),
          1.0 * c.parts + c.nonzeros_form,
          1.0 * pipeline.divisions(),
          1.0 * c.reloads,
          1.0 * c.stores + c.cleared_entries,
          1.0 * c.spills,
          1.0 * c.constants,
          1.0 * c.far,
          1.0 * c.copied_angles};
}

std::optional<int> predict_cycles(const ir::Kernel& kernel, Target target, int flash_wait_states) {
  if (!is_cortex_m(target)) return std::nullopt;
  const auto sum = all_cycles(kernel, target, flash_wait_states);
  if (!sum) return std::nullopt;
  return static_cast<int>(std::min<double>(std::ceil(*sum - 1e-6), INT_MAX));
}

}  // namespace featherline::cost
