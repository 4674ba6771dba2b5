#pragma once

#include "ir/kernel.hpp"
#include "ir/scalar.hpp"

#include <vector>

namespace featherline::test {

/// What a traced function gives in arithmetic of type T, laid out as ir::evaluate does. The emitted code of that
/// scalar type does the same operations. Inputs may be complex, too.
template <class T, class Input = double>
std::vector<std::vector<T>> graph_values(const ir::Kernel& function,
                                         const std::vector<std::vector<Input>>& inputs) {
  const ir::Graph& graph = function.graph;
  std::vector<T> values(static_cast<std::size_t>(graph.size()));
  for (ir::NodeId id = 0; id < graph.size(); ++id) {
    const ir::Node& node = graph[id];
    const auto operand = [&](ir::NodeId of) {
      return of != ir::no_node ? values[static_cast<std::size_t>(of)] : T(0);
    };
    T& x = values[static_cast<std::size_t>(id)];
    switch (node.op) {
      case ir::Op::constant:
        x = static_cast<T>(graph.value(id));
        break;
      case ir::Op::input:
        x = static_cast<T>(inputs.at(static_cast<std::size_t>(node.a)).at(static_cast<std::size_t>(node.b)));
        break;
      default:
        x = ir::apply(node.op, operand(node.a), operand(node.b));
    }
  }
  std::vector<std::vector<T>> outputs;
  for (int k = 0; k < function.num_outputs_and_locals(); ++k)
    outputs.emplace_back(static_cast<std::size_t>(function.output_or_local(k).size), T(0));
  for (const ir::Store& store : function.stores) {
    outputs.at(static_cast<std::size_t>(store.buffer)).at(static_cast<std::size_t>(store.entry)) =
        values.at(static_cast<std::size_t>(store.value));
  }
  return outputs;
}

}  // namespace featherline::test
