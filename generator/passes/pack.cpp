#include "passes/pack.hpp"

#include "passes/simplify.hpp"

#include <algorithm>
#include <map>

namespace featherline::passes {
namespace {

using ir::NodeId;
using ir::Op;
using ir::Store;

struct SignedValue {
  NodeId value;
  bool negated;
};

SignedValue without_negation(const ir::Graph& graph, NodeId id) {
  const ir::Node& node = graph[id];
  return node.op == Op::neg ? SignedValue{node.a, true} : SignedValue{id, false};
}

bool is_zero(const ir::Graph& graph, NodeId id) {
  return graph.is_constant(id) && graph[id].lanes == 1 && graph.value(id) == 0.0;
}

/// Packed index of every distinct value of one output, in creation order. Lanes take consecutive ones.
std::map<NodeId, int> number_values(const ir::Kernel& kernel, int output) {
  std::map<NodeId, int> index;
  for (const Store& s : kernel.stores) {
    if (s.buffer == output && !is_zero(kernel.graph, s.value)) {
      index.emplace(without_negation(kernel.graph, s.value).value, 0);
    }
  }
  int next = 0;
  for (auto& [value, number] : index) {
    number = next;
    next += kernel.graph[value].lanes;
  }
  return index;
}

}  // namespace

PackedKernel pack(const ir::Kernel& kernel) {
  PackedKernel result;
  result.kernel = kernel;
  result.kernel.stores.clear();
  result.maps.resize(kernel.outputs.size());
  for (std::size_t p = 0; p < kernel.outputs.size(); ++p) {
    const std::map<NodeId, int> index = number_values(kernel, static_cast<int>(p));
    result.kernel.outputs[p].size = 0;
    for (const auto& [value, number] : index) {
      const int lanes = kernel.graph[value].lanes;
      result.kernel.outputs[p].size += lanes;
      result.kernel.stores.push_back({static_cast<int>(p), number, value, lanes > 1 ? 1 : 0});
    }
    for (const Store& s : kernel.stores) {
      if (s.buffer != static_cast<int>(p) || is_zero(kernel.graph, s.value)) continue;
      const SignedValue x = without_negation(kernel.graph, s.value);
      int packed = index.at(x.value);
      for (const int entry : kernel.entries(s)) result.maps[p].push_back({entry, packed++, x.negated});
    }
    std::sort(result.maps[p].begin(), result.maps[p].end(),
              [](const PackedEntry& a, const PackedEntry& b) { return a.dense_index < b.dense_index; });
  }
  // Negations that only made dense entries are gone; signs may now be better the other way round.
  result.kernel = sink_negations(remove_dead_code(result.kernel));
  return result;
}

}  // namespace featherline::passes
