#include "cost/batch_choice.hpp"

#include "cost/time.hpp"

#include <algorithm>

namespace featherline::cost {
namespace {

double numbers(const std::vector<ir::Buffer>& buffers) {
  double sum = 0.0;
  for (const ir::Buffer& buffer : buffers) sum += buffer.size;
  return sum;
}

/// An operation on equal limbs counts once for each: in a batch they come one after the other.
double operations(const ir::Kernel& kernel) {
  const std::vector<bool> live = ir::live_nodes(kernel);
  double sum = 0.0;
  for (ir::NodeId id = 0; id < kernel.graph.size(); ++id) {
    const ir::Node& node = kernel.graph[id];
    if (live[id] && (node.op == ir::Op::add || node.op == ir::Op::sub || node.op == ir::Op::mul))
      sum += node.lanes;
  }
  for (const ir::Call* call : kernel.calls()) {
    if (!call->condition) sum += call->body ? operations(*call->body) : call->cost.flops;
  }
  return sum;
}

/// The limbs that a plain call computes side by side.
int limbs(const ir::Kernel& kernel) {
  int most = 1;
  for (ir::NodeId id = 0; id < kernel.graph.size(); ++id) most = std::max(most, int{kernel.graph[id].lanes});
  return most;
}

bool has_conditional_call(const ir::Kernel& kernel) {
  const auto& calls = kernel.calls();
  return std::any_of(calls.begin(), calls.end(),
                     [](const ir::Call* call) { return call->condition.has_value(); });
}

}  // namespace

PlainCalls plain_calls(const ir::Kernel& plain, const ir::Kernel& lanes) {
  PlainCalls choice;
  // All states of a vector take the slow way of a condition if one of them does; a plain call fills a vector with its
  // limbs: constrained_dynamics of hyq with AVX2 took 481 ns a state in lanes, 449 by plain calls.
  if (has_conditional_call(plain) && limbs(plain) > 1) choice.up_to_lanes = limbs(plain);
  const double outputs = numbers(plain.outputs), work = operations(lanes);
  if (outputs < 300 || work == 0.0) return choice;  // without work: a walk to a link, or copies
  // Little but zeros to write: integrate_derivatives of talos_reduced, 0.08 operations a number, took 275 and 262 ns.
  if (work < 0.2 * outputs) choice.up_to_lanes = any_lanes;
  // A block of states writes to as many places at once, with gaps of zeros. Memory slows that more than plain calls:
  // frame_kinematics of hyq, 2.3 operations a number, took 264 and 197 ns; rnea_derivatives, 9.3, took 337 and 435 ns.
  // link_poses of talos_reduced, 1.9 and without zeros, took 332 and 690 ns.
  choice.beyond_cache = count_work(plain).cleared_bytes > 4.0 * outputs && work < 4.0 * outputs;
  return choice;
}

}  // namespace featherline::cost
