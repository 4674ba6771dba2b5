#include "cost/time.hpp"

#include "cost/estimate.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace featherline::cost {
namespace {

using ir::NodeId;
using ir::Op;

constexpr int scalar_bytes = 8, line_bytes = 64;
/// Outputs beyond these sizes do not stay in the first-level, in the second-level data cache.
constexpr double near_outputs = 40e3, middle_outputs = 1e6;

/// Cycles until the result of an operation can be used (Zen 4). A pivot's inverse is a multiplication, a comparison, a
/// choice and a division.
double latency(Op op) {
  static const std::map<Op, double> cycles{
      {Op::add, 3},       {Op::sub, 3},      {Op::mul, 3},     {Op::lane, 3},           {Op::gather, 3},
      {Op::neg, 1},       {Op::lane_sum, 7}, {Op::div, 13},    {Op::pivot_inverse, 20}, {Op::sqrt, 20},
      {Op::atan, 60},     {Op::sine, 25},    {Op::cosine, 25}, {Op::stumpff_0, 20},     {Op::stumpff_1, 20},
      {Op::stumpff_3, 20}};
  const auto found = cycles.find(op);
  return found == cycles.end() ? 0.0 : found->second;
}

/// Divisions, square roots and the longest chain.
void count_operations(const ir::Kernel& kernel, Work& work) {
  const std::vector<bool> live = ir::live_nodes(kernel);
  std::vector<double> ready(kernel.graph.size(), 0.0);
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    const ir::Node& node = kernel.graph[id];
    if (node.op == Op::div || node.op == Op::sqrt || node.op == Op::pivot_inverse) ++work.divisions;
    for (const NodeId operand : ir::Operands(node)) ready[id] = std::max(ready[id], ready[operand]);
    ready[id] += latency(node.op);
    work.chain = std::max(work.chain, ready[id]);
  }
}

double size_of(const std::vector<ir::Buffer>& buffers) {
  double numbers = 0.0;
  for (const ir::Buffer& buffer : buffers) numbers += buffer.size;
  return numbers;
}

/// g++ stores four constants at once.
constexpr double store_of_constant = 0.25;

void count_clears(const ir::Kernel& kernel, Work& work) {
  for (const auto* clear : kernel.clears()) {
    if (clear->entries.empty())
      work.cleared_bytes += scalar_bytes * static_cast<double>(kernel.output_or_local(clear->buffer).size);
  }
  for (const ir::StraightLine* line : kernel.straight_lines()) {
    for (const ir::Statement& statement : line->statements) {
      if (statement.store >= 0 && kernel.graph.is_constant(statement.value))
        work.stores -= 1.0 - store_of_constant;
    }
  }
}

/// Of arrays that are cleared, or of which a third and more is zero.
double bytes_with_zeros(const ir::Kernel& kernel) {
  double bytes = 0.0;
  for (const auto* clear : kernel.clears()) {
    const int size = kernel.output_or_local(clear->buffer).size;
    if (clear->entries.empty() || 3 * static_cast<int>(clear->entries.size()) >= size)
      bytes += scalar_bytes * size;
  }
  return bytes;
}

void count_outputs(const ir::Kernel& kernel, Work& work) {
  const double outputs = scalar_bytes * size_of(kernel.outputs);
  if (outputs > middle_outputs) work.far_cleared_bytes = work.cleared_bytes;
  if (outputs <= near_outputs) return;
  std::set<std::pair<int, int>> lines;
  for (const ir::Store& store : kernel.stores) {
    if (kernel.graph.is_constant(store.value)) continue;
    for (const int entry : kernel.entries(store))
      lines.insert({store.buffer, entry * scalar_bytes / line_bytes});
  }
  work.far_lines = static_cast<double>(lines.size());
}

/// An operation on equal limbs counts once for each: in a batch they come one after the other.
double operations(const ir::Kernel& kernel) {
  const std::vector<bool> live = ir::live_nodes(kernel);
  double sum = 0.0;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    const ir::Node& node = kernel.graph[id];
    if (live[id] && (is_sum(node.op) || node.op == Op::mul)) sum += node.lanes;
  }
  for (const ir::Call* call : kernel.calls()) {
    if (!call->condition) sum += call->body ? operations(*call->body) : call->cost.flops;
  }
  return sum;
}

}  // namespace

const std::vector<std::pair<std::string_view, double Work::*>>& work_members() {
  static const std::vector<std::pair<std::string_view, double Work::*>> members{
      {"arithmetic", &Work::arithmetic},
      {"stores", &Work::stores},
      {"divisions", &Work::divisions},
      {"sincos", &Work::sincos},
      {"chain", &Work::chain},
      {"code_bytes", &Work::code_bytes},
      {"cleared_bytes", &Work::cleared_bytes},
      {"far_cleared_bytes", &Work::far_cleared_bytes},
      {"far_lines", &Work::far_lines},
      {"calls_ns", &Work::calls_ns},
      {"walk_flops", &Work::walk_flops},
      {"run_code", &Work::run_code},
      {"table_bytes", &Work::table_bytes},
      {"data_bytes", &Work::data_bytes},
      {"stack_bytes", &Work::stack_bytes},
  };
  return members;
}

Work count_work(const ir::Kernel& kernel) {
  Work work;
  for (const ir::Call* call : kernel.calls()) {
    work.calls_ns += call->cost.ns;
    if (call->walk) work.walk_flops = link_walk_figures(*call, Target::x86_64).flops;
  }
  if (work.walk_flops > 0 && kernel.locals.empty()) return work;
  const InstructionCounts counts = count_instructions(kernel);
  work.arithmetic = counts.operations - counts.fused;
  work.stores = counts.stores + counts.cleared_entries;
  work.sincos = kernel.num_angles();
  work.code_bytes = code_bytes(counts, Target::x86_64);
  std::set<const ir::Kernel*> bodies;
  for (const ir::Call* call : kernel.calls()) {
    work.code_bytes += call->cost.code_bytes;
    if (!call->body || call->condition) continue;  // what is called under a condition stays out of the cache
    const Work of_body = count_work(*call->body);
    work.arithmetic += of_body.arithmetic;
    work.stores += of_body.stores;
    work.sincos += of_body.sincos;
    work.divisions += of_body.divisions;
    work.calls_ns += of_body.calls_ns;
    work.cleared_bytes += of_body.cleared_bytes;
    if (bodies.insert(call->body.get()).second) work.code_bytes += of_body.code_bytes;
  }
  count_operations(kernel, work);
  count_clears(kernel, work);
  count_outputs(kernel, work);
  return work;
}

double predict_ns(const Work& work, const TimeParameters& p) {
  const double fetched = std::max(0.0, work.code_bytes - p.resident_bytes);
  return p.call + p.arithmetic * work.arithmetic + p.store * work.stores + p.division * work.divisions +
         p.sincos * work.sincos + p.chain_cycle * work.chain + p.fetched_byte * fetched +
         p.cleared_byte * work.cleared_bytes + p.far_cleared_byte * work.far_cleared_bytes +
         p.far_line * work.far_lines + work.calls_ns + p.walk_flop * work.walk_flops;
}

// Fitted to 786 rows: 744 formulations on a Zen 4 (AMD EPYC) and 42 functions on an Intel Sapphire Rapids. The 13
// robots have 3 to 38 degrees of freedom, and a call takes 9 ns to 550 us (g++ 12 -O2 -march=native). Times are those
// of the Zen 4. The other machine takes 1.31 times as long. Errors of the prediction:
//
//                      rank correlation   rms     range              choice within 10 % of the best
//   Zen 4              0.997              16 %    -60 % to +85 %     178 of 183
//   Sapphire Rapids    0.991              16 %    -28 % to +48 %     one formulation each
//   352 rows unseen    0.995              14 %    -36 % to +53 %     73 of 78
//
// The last line is of an earlier fit, to rows without limb lanes, panels and kernels. Code bytes are the estimate,
// which is for SSE2 and larger than what -march=native makes; so more than 32 KB of them stay resident.
const TimeParameters fitted_time = {
    .call = 3.45,
    .arithmetic = 0.106,
    .store = 0.0885,
    .division = 0.832,
    .sincos = 1.03,
    .chain_cycle = 0.107,
    .resident_bytes = 4.77e+04,
    .fetched_byte = 0.00535,
    .cleared_byte = 0.00561,
    .far_cleared_byte = 0.0362,
    .far_line = 1.35,
    .walk_flop = 0.126,
};

double price_of_long_code(double code_bytes) {
  constexpr double cache = 48e3, far = 200e3, ns_of_byte = 0.002, ns_of_far_byte = 0.02;
  return ns_of_byte * std::max(0.0, code_bytes - cache) + ns_of_far_byte * std::max(0.0, code_bytes - far);
}

PlainCalls plain_calls(const ir::Kernel& plain, const ir::Kernel& lanes) {
  PlainCalls choice;
  // All states of a vector take the slow way of a condition if one of them does; a plain call fills a vector with its
  // limbs: constrained_dynamics of hyq with AVX2 took 481 ns a state in lanes, 449 by plain calls.
  const bool has_condition =
      std::ranges::any_of(plain.calls(), [](const ir::Call* call) { return call->condition.has_value(); });
  if (const int limbs = plain.graph.max_lanes(); has_condition && limbs > 1) choice.up_to_lanes = limbs;
  const double outputs = size_of(plain.outputs), work = operations(lanes);
  if (outputs < 300 || work == 0.0) return choice;  // without work: a walk to a link, or copies
  // Little but zeros to write: integrate_derivatives of talos_reduced, 0.08 operations a number, took 275 and 262 ns.
  if (work < 0.2 * outputs) choice.up_to_lanes = any_lanes;
  // A block of states writes to as many places at once, with gaps of zeros. Memory slows that more than plain calls:
  // frame_kinematics of hyq, 2.3 operations a number, took 264 and 197 ns; rnea_derivatives, 9.3, took 337 and 435 ns.
  // link_poses of talos_reduced, 1.9 and without zeros, took 332 and 690 ns.
  choice.beyond_cache = bytes_with_zeros(plain) > 4.0 * outputs && work < 4.0 * outputs;
  return choice;
}

double predict_cold_ns(const Work& work, const ColdParameters& p) {
  return predict_ns(work, fitted_time) + p.call + p.code_byte * work.run_code +
         p.table_byte * work.table_bytes + p.data_byte * work.data_bytes + p.stack_byte * work.stack_bytes;
}

// Fitted to 155 rows: formulations of eight or nine functions of ur5, panda, hyq, simple_humanoid and talos_reduced, on
// one machine, a Zen 4 (AMD EPYC, two cores of a virtual machine, g++ 12 -O2 -march=native). Other processors were not
// measured. Errors of the prediction:
//
//   rank correlation   rms     range             choice within 10 % of the best
//   0.993              10 %    -27 % to +23 %    31 of 32
//
// Of 11 formulations of arm7 that the fit has not seen, 10 are predicted to 14 %, one to -25 %, and both choices are
// the best. Bytes of code are the estimate, 1.6 times what -march=native makes, so 64 bytes of true code take 9 ns: the
// processor reads ahead by itself. A Zen 5 takes 21 to 26. Code that reads itself ahead (emit/prepare.cpp) is predicted
// as other code: measured, it takes up to a quarter less.
const ColdParameters fitted_cold = {
    .call = 1.72e+03,
    .code_byte = 0.0873,
    .table_byte = 0.029,
    .data_byte = 0.225,
    .stack_byte = 0.101,
};

}  // namespace featherline::cost
