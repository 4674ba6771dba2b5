#include "ir/interpreter.hpp"

#include "support/diagnostic.hpp"

namespace featherline::ir {
namespace {

void check_inputs(const Kernel& kernel, const std::vector<std::vector<double>>& inputs) {
  bool fits = inputs.size() == kernel.inputs.size();
  for (std::size_t p = 0; fits && p < inputs.size(); ++p) {
    fits = inputs[p].size() == static_cast<std::size_t>(kernel.inputs[p].size);
  }
  if (!fits) throw InternalError("inputs do not fit the parameters of " + kernel.name);
}

}  // namespace

std::vector<std::vector<double>> evaluate(const Kernel& kernel,
                                          const std::vector<std::vector<double>>& inputs) {
  check_inputs(kernel, inputs);
  const Graph& graph = kernel.graph;
  std::vector<std::vector<double>> values(graph.size());  // by node and lane
  const auto value = [&](NodeId id, int lane) {
    return values[id][static_cast<std::size_t>(graph[id].lanes == 1 ? 0 : lane)];
  };
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (int lane = 0; lane < graph[id].lanes; ++lane)
      values[id].push_back(operate<double>(graph, inputs, id, lane, value));
  }
  std::vector<std::vector<double>> outputs;
  for (int k = 0; k < kernel.num_outputs_and_locals(); ++k)
    outputs.emplace_back(static_cast<std::size_t>(kernel.output_or_local(k).size), 0.0);
  for (const Store& s : kernel.stores) {
    for (int lane = 0; lane < graph[s.value].lanes; ++lane) {
      outputs[static_cast<std::size_t>(s.buffer)][static_cast<std::size_t>(s.entry + lane * s.stride)] =
          value(s.value, lane);
    }
  }
  return outputs;
}

}  // namespace featherline::ir
