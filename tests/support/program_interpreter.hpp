#pragma once

#include "passes/program.hpp"

#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace featherline::test {

/// Runs a scheduled program as the emitted code would run: part by part, with nothing known in a part but what it
/// loads and has defined. Throws std::runtime_error where the program uses a value before it exists, where a slot is
/// read before it is written or written in a part that loads it, or where an output entry is stored twice or never.
class ProgramInterpreter {
 public:
  using Arrays = std::vector<std::vector<double>>;

  ProgramInterpreter(const passes::Program& program, const Arrays& inputs)
      : program_(program), inputs_(inputs) {}

  Arrays run() {
    for (const expr::NodeId angle : program_.angles) angles_.emplace(angle, input_only_value(angle));
    workspace_.assign(static_cast<std::size_t>(program_.workspace_size), std::nullopt);
    for (const expr::Parameter& output : program_.function.outputs) {
      stored_.emplace_back(static_cast<std::size_t>(output.size));
    }
    for (const int output : program_.cleared) cleared_.insert(output);
    for (const passes::Part& part : program_.parts) run_part(part);
    Arrays outputs;
    for (int k = 0; k < static_cast<int>(stored_.size()); ++k) {
      outputs.emplace_back();
      for (const std::optional<double>& entry : stored_[static_cast<std::size_t>(k)]) {
        const bool zero = !entry && cleared_.count(k) > 0;
        outputs.back().push_back(zero ? 0.0 : need(entry, "an output is never stored"));
      }
    }
    return outputs;
  }

 private:
  static double need(const std::optional<double>& value, const char* complaint) {
    if (!value) throw std::runtime_error(complaint);
    return *value;
  }

  void run_part(const passes::Part& part) {
    known_.clear();
    for (const passes::Transfer& load : part.loads) {
      known_[load.value] =
          need(workspace_.at(static_cast<std::size_t>(load.slot)), "a slot is read before it is written");
    }
    for (const passes::Statement& statement : part.statements) run_statement(statement);
    for (const passes::Transfer& save : part.saves) {
      for (const passes::Transfer& load : part.loads) {
        if (load.slot == save.slot) throw std::runtime_error("a part saves where it loads from");
      }
      workspace_.at(static_cast<std::size_t>(save.slot)) = known_.at(save.value);
    }
  }

  void run_statement(const passes::Statement& statement) {
    if (statement.store < 0) {
      const double value = compute(statement.value);
      if (!known_.emplace(statement.value, value).second)
        throw std::runtime_error("a value is defined twice");
      return;
    }
    const expr::Store& store = program_.function.stores.at(static_cast<std::size_t>(statement.store));
    std::optional<double>& entry =
        stored_.at(static_cast<std::size_t>(store.parameter)).at(static_cast<std::size_t>(store.entry));
    if (entry) throw std::runtime_error("an output is stored twice");
    entry = value_of(store.value);
  }

  /// A use of a node in an expression.
  double value_of(expr::NodeId id) {
    const expr::Node& node = program_.function.graph[id];
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    if (node.op == expr::Op::constant || node.op == expr::Op::input) return compute(id);
    if (node.op == expr::Op::sin || node.op == expr::Op::cos) return compute(id);
    if (program_.inlined.at(id)) return compute(id);
    throw std::runtime_error("n" + std::to_string(id) + " is used where it is not known");
  }

  double compute(expr::NodeId id) {
    const expr::Node& node = program_.function.graph[id];
    if (node.op == expr::Op::sin) return std::sin(angles_.at(node.a));
    if (node.op == expr::Op::cos) return std::cos(angles_.at(node.a));
    return apply(id, [this](expr::NodeId operand) { return value_of(operand); });
  }

  /// Angles are evaluated before the first part, from inputs alone.
  double input_only_value(expr::NodeId id) const {
    const expr::Op op = program_.function.graph[id].op;
    if (op == expr::Op::div || op == expr::Op::sqrt)
      throw std::runtime_error("an angle is not a simple expression of the inputs");
    return apply(id, [this](expr::NodeId operand) { return input_only_value(operand); });
  }

  /// A node's value from those of its operands.
  template <class ValueOf>
  double apply(expr::NodeId id, const ValueOf& value) const {
    const expr::Graph& graph = program_.function.graph;
    const expr::Node& node = graph[id];
    switch (node.op) {
      case expr::Op::constant:
        return graph.value(id);
      case expr::Op::input:
        return inputs_.at(node.a).at(node.b);
      case expr::Op::add:
        return value(node.a) + value(node.b);
      case expr::Op::sub:
        return value(node.a) - value(node.b);
      case expr::Op::mul:
        return value(node.a) * value(node.b);
      case expr::Op::div:
        return value(node.a) / value(node.b);
      case expr::Op::neg:
        return -value(node.a);
      case expr::Op::sqrt:
        return std::sqrt(value(node.a));
      default:
        throw std::runtime_error("a sine inside an angle, or lanes, which are not covered");
    }
  }

  const passes::Program& program_;
  const Arrays& inputs_;
  std::unordered_map<expr::NodeId, double> known_, angles_;
  std::set<int> cleared_;
  std::vector<std::optional<double>> workspace_;
  std::vector<std::vector<std::optional<double>>> stored_;
};

}  // namespace featherline::test
