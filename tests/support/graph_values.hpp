#pragma once

#include "ir/kernel.hpp"

#include <featherline/pivot.hpp>
#include <featherline/stumpff.hpp>

#include <cmath>
#include <stdexcept>
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
    const auto a = [&] { return values[static_cast<std::size_t>(node.a)]; };
    const auto b = [&] { return values[static_cast<std::size_t>(node.b)]; };
    T& x = values[static_cast<std::size_t>(id)];
    switch (node.op) {
      case ir::Op::constant:
        x = static_cast<T>(graph.value(id));
        break;
      case ir::Op::input:
        x = static_cast<T>(inputs.at(static_cast<std::size_t>(node.a)).at(static_cast<std::size_t>(node.b)));
        break;
      case ir::Op::add:
        x = a() + b();
        break;
      case ir::Op::sub:
        x = a() - b();
        break;
      case ir::Op::mul:
        x = a() * b();
        break;
      case ir::Op::div:
        x = a() / b();
        break;
      case ir::Op::neg:
        x = -a();
        break;
      case ir::Op::sqrt:
        x = std::sqrt(a());
        break;
      case ir::Op::sin:
      case ir::Op::sine:
        x = std::sin(a());
        break;
      case ir::Op::cos:
      case ir::Op::cosine:
        x = std::cos(a());
        break;
      case ir::Op::atan:
        x = std::atan(a());
        break;
      case ir::Op::stumpff_0:
        x = featherline::stumpff_0(a());
        break;
      case ir::Op::stumpff_1:
        x = featherline::stumpff_1(a());
        break;
      case ir::Op::stumpff_3:
        x = featherline::stumpff_3(a());
        break;
      case ir::Op::pivot_inverse:
        x = featherline::pivot_inverse(a(), b());
        break;
      default:
        throw std::runtime_error("lanes are not covered");
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
