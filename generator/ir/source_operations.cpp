#include "ir/source_operations.hpp"

namespace featherline::ir {

Operations& Operations::operator+=(const Operations& y) {
  multiplications += y.multiplications;
  divisions += y.divisions;
  additions += y.additions;
  return *this;
}

Operations operator-(const Operations& x, const Operations& y) {
  return {x.multiplications - y.multiplications, x.divisions - y.divisions, x.additions - y.additions};
}

Operations& source_operations() {
  thread_local Operations operations;
  return operations;
}

Operations count_operations(const Kernel& kernel) {
  const std::vector<bool> live = live_nodes(kernel);
  Operations operations;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    const Node& node = kernel.graph[id];
    if (node.op == Op::mul) ++operations.multiplications;
    if (node.op == Op::add || node.op == Op::sub) ++operations.additions;
    if (node.op == Op::div) ++operations.divisions;
    if (node.op == Op::pivot_inverse) operations += {.multiplications = 1, .divisions = 1};
    if (node.op == Op::lane_sum) operations.additions += kernel.graph[node.a].lanes - 1;
  }
  return operations;
}

}  // namespace featherline::ir
