#include "ir/kernel.hpp"

#include <set>

namespace featherline::ir {

const Buffer& Kernel::written(int buffer) const {
  const auto k = static_cast<std::size_t>(buffer);
  return k < outputs.size() ? outputs[k] : locals.at(k - outputs.size());
}

Buffer& Kernel::written(int buffer) {
  const auto k = static_cast<std::size_t>(buffer);
  return k < outputs.size() ? outputs[k] : locals.at(k - outputs.size());
}

std::vector<NodeId> Kernel::angles() const {
  const std::vector<const SinCos*> found = steps_of<SinCos>();
  return found.empty() ? std::vector<NodeId>() : found.front()->angles;
}

int Kernel::num_angles() const {
  int count = 0;
  for (const NodeId angle : angles()) count += graph[angle].lanes;
  return count;
}

std::optional<Place> Kernel::angles_in_place() const {
  std::vector<Place> places;
  for (const NodeId angle : angles()) {
    const Node& node = graph[angle];
    const int buffer = static_cast<int>(node.a);
    if (node.op == Op::input) {
      places.push_back({buffer, static_cast<int>(node.b)});
    } else if (node.op == Op::gather) {
      for (const int entry : graph.entries(angle)) places.push_back({buffer, entry});
    } else {
      return std::nullopt;
    }
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] != Place{places.front().buffer, places.front().entry + static_cast<int>(k)})
      return std::nullopt;
  }
  if (places.empty()) return std::nullopt;
  return places.front();
}

const LinkWalk* Kernel::walk() const {
  for (const Call* call : calls()) {
    if (call->walk) return call->walk.get();
  }
  return nullptr;
}

int Kernel::num_statements() const {
  std::size_t count = 0;
  for (const StraightLine* line : straight_lines()) count += line->statements.size();
  return static_cast<int>(count);
}

void Kernel::store(int buffer, int entry, const Scalar& x) {
  const NodeId value = materialise(graph, x);
  graph.keep(value);
  stores.push_back({buffer, entry, value});
}

void Kernel::scatter(int buffer, const std::vector<int>& entries, const Scalar& x) {
  for (std::size_t k = 0; k < entries.size(); ++k) store(buffer, entries[k], lane(x, static_cast<int>(k)));
}

void Kernel::keep(const Scalar& x) {
  if (!x.is_constant()) graph.keep(x.id());
}

void Kernel::name_value(const Scalar& x, const std::string& label) {
  if (x.is_constant()) return;
  const bool says_negative = label.starts_with("neg_");
  if (x.negated())
    graph.set_name(x.id(), says_negative ? label.substr(4) : "neg_" + label);
  else
    graph.set_name(x.id(), label);
}

std::vector<bool> live_nodes(const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  std::vector<bool> live(graph.size(), false);
  for (const Store& store : kernel.stores) live[store.value] = true;
  for (NodeId id = graph.size(); id-- > 0;) {  // operands have smaller ids: one backward sweep is enough
    if (!live[id]) continue;
    for (const NodeId operand : Operands(graph[id])) live[operand] = true;
  }
  return live;
}

Cost count_cost(const Kernel& kernel) {
  const std::vector<bool> live = live_nodes(kernel);
  Cost cost;
  for (const Call* call : kernel.calls()) cost.flops += call->flops;
  std::set<NodeId> angles;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    const Node& node = kernel.graph[id];
    switch (node.op) {
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::neg:
        ++cost.flops;
        break;
      case Op::lane_sum:
        cost.flops += kernel.graph[node.a].lanes - 1;
        break;
      case Op::sqrt:
        ++cost.sqrt;
        break;
      case Op::sin:
      case Op::cos:
        if (angles.insert(node.a).second) cost.sincos += kernel.graph[node.a].lanes;
        break;
      case Op::constant:
      case Op::input:
      case Op::gather:
      case Op::lane:
        break;
    }
  }
  return cost;
}

}  // namespace featherline::ir
