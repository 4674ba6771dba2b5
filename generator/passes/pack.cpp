#include "passes/pack.hpp"

#include "passes/simplify.hpp"

#include <algorithm>
#include <map>

namespace featherline::passes {
namespace {

using ir::NodeId;
using ir::Store;

struct SignedValue {
  NodeId value;
  bool negated;
};

SignedValue without_negation(const ir::Graph& graph, NodeId id) {
  const ir::Node& node = graph[id];
  return node.op == ir::Op::neg ? SignedValue{node.a, true} : SignedValue{id, false};
}

}  // namespace

PackedKernel pack(const ir::Kernel& kernel) {
  const ir::Graph& graph = kernel.graph;
  PackedKernel result{kernel, {}};
  result.kernel.stores.clear();
  for (int p = 0; p < static_cast<int>(kernel.outputs.size()); ++p) {
    std::vector<Store> stores;
    std::ranges::copy_if(kernel.stores, std::back_inserter(stores),
                         [&](const Store& s) { return s.buffer == p && !graph.is_zero(s.value); });
    std::map<NodeId, int> indices;  // of every distinct value, in creation order; lanes take consecutive ones
    for (const Store& s : stores) indices.emplace(without_negation(graph, s.value).value, 0);
    int size = 0;
    for (auto& [value, index] : indices) {
      const int lanes = graph[value].lanes;
      index = size;
      size += lanes;
      result.kernel.stores.push_back({p, index, value, lanes > 1 ? 1 : 0});
    }
    result.kernel.outputs[static_cast<std::size_t>(p)].size = size;
    std::vector<PackedEntry>& map = result.maps.emplace_back();
    for (const Store& s : stores) {
      const SignedValue x = without_negation(graph, s.value);
      int packed = indices.at(x.value);
      for (const int entry : kernel.entries(s)) map.push_back({entry, packed++, x.negated});
    }
    std::ranges::sort(map, {}, &PackedEntry::dense_index);
  }
  // Negations that only made dense entries are gone; signs may now be better the other way round.
  result.kernel = sink_negations(remove_dead_code(result.kernel));
  return result;
}

}  // namespace featherline::passes
