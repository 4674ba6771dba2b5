#include "ir/interpreter.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace featherline::ir {
namespace {

using Lane = std::vector<double>;

Lane map(const Lane& x, const std::function<double(double)>& f) {
  Lane y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]);
  return y;
}

Lane zip(const Lane& x, const Lane& y, const std::function<double(double, double)>& f) {
  Lane z(std::max(x.size(), y.size()));
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = f(x[x.size() == 1 ? 0 : i], y[y.size() == 1 ? 0 : i]);
  return z;
}

class Machine {
 public:
  Machine(const Kernel& kernel, const std::vector<std::vector<double>>& inputs)
      : graph_(kernel.graph), inputs_(inputs), values_(graph_.size()) {}

  void run(NodeId id) { values_[id] = compute(id); }
  double scalar(NodeId id) const { return values_[id].front(); }

 private:
  Lane compute(NodeId id) const {
    const Node& node = graph_[id];
    const auto a = [&]() -> const Lane& { return values_[node.a]; };
    const auto b = [&]() -> const Lane& { return values_[node.b]; };
    switch (node.op) {
      case Op::constant:
        return graph_.lane_values(id);
      case Op::input:
        return {inputs_[node.a][node.b]};
      case Op::gather:
        return gather(id);
      case Op::add:
        return zip(a(), b(), std::plus<>());
      case Op::sub:
        return zip(a(), b(), std::minus<>());
      case Op::mul:
        return zip(a(), b(), std::multiplies<>());
      case Op::div:
        return zip(a(), b(), std::divides<>());
      case Op::neg:
        return map(a(), std::negate<>());
      case Op::sqrt:
        return map(a(), [](double x) { return std::sqrt(x); });
      case Op::sin:
        return map(a(), [](double x) { return std::sin(x); });
      case Op::cos:
        return map(a(), [](double x) { return std::cos(x); });
      case Op::lane:
        return {a()[node.b]};
      case Op::lane_sum:
        return {std::accumulate(a().begin(), a().end(), 0.0)};
    }
    throw InternalError("unknown operation in the expression graph");
  }

  Lane gather(NodeId id) const {
    Lane lanes;
    for (const int entry : graph_.entries(id))
      lanes.push_back(inputs_[graph_[id].a][static_cast<std::size_t>(entry)]);
    return lanes;
  }

  const Graph& graph_;
  const std::vector<std::vector<double>>& inputs_;
  std::vector<Lane> values_;
};

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
  Machine machine(kernel, inputs);
  for (NodeId id = 0; id < kernel.graph.size(); ++id) machine.run(id);
  std::vector<std::vector<double>> outputs;
  for (int k = 0; k < kernel.num_written(); ++k)
    outputs.emplace_back(static_cast<std::size_t>(kernel.written(k).size), 0.0);
  for (const Store& s : kernel.stores) {
    outputs[static_cast<std::size_t>(s.buffer)][static_cast<std::size_t>(s.entry)] = machine.scalar(s.value);
  }
  return outputs;
}

}  // namespace featherline::ir
