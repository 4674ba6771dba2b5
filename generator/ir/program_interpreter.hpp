#pragma once

#include "ir/program.hpp"
#include "support/diagnostic.hpp"

#include <cmath>
#include <vector>

namespace featherline::ir {

/// Runs a scheduled program as the emitted code would run: part by part, with nothing known in a part but what it
/// loads and has defined. Throws InternalError where the program is not sound:
///  - a value is used before it exists, or defined twice;
///  - a slot is read before it is written, or written in a part that loads it;
///  - an output entry is stored twice or never.
template <class Real = double>
class ProgramInterpreter {
 public:
  using Arrays = std::vector<std::vector<Real>>;

  /// Keeps references to both; `inputs` by parameter.
  ProgramInterpreter(const Program& program, const Arrays& inputs)
      : program_(program),
        graph_(program.function.graph),
        inputs_(inputs),
        values_(graph_.size()),
        known_in_(graph_.size(), nowhere),
        workspace_(static_cast<std::size_t>(program.workspace_size)),
        loaded_in_(workspace_.size(), nowhere),
        is_written_(workspace_.size(), false),
        angle_values_(graph_.size()) {}

  /// The outputs, by parameter.
  Arrays run() {
    for (const ir::NodeId angle : program_.angles) angle_values_[angle] = input_only_value(angle);
    for (const ir::Parameter& output : program_.function.outputs) {
      outputs_.emplace_back(static_cast<std::size_t>(output.size));
      is_stored_.emplace_back(static_cast<std::size_t>(output.size), false);
    }
    for (part_ = 0; part_ < static_cast<int>(program_.parts.size()); ++part_)
      run_part(program_.parts[static_cast<std::size_t>(part_)]);
    for (const int output : program_.cleared)
      is_stored_[static_cast<std::size_t>(output)].assign(is_stored_[static_cast<std::size_t>(output)].size(),
                                                          true);
    for (const std::vector<bool>& output : is_stored_) {
      for (const bool stored : output) demand(stored, "an output is never stored");
    }
    return std::move(outputs_);
  }

 private:
  static constexpr int nowhere = -1;

  static void demand(bool holds, const char* complaint) {
    if (!holds) throw InternalError(std::string("a scheduled program is not sound: ") + complaint);
  }

  void run_part(const Part& part) {
    for (const Transfer& load : part.loads) {
      const auto slot = static_cast<std::size_t>(load.slot);
      demand(is_written_.at(slot), "a slot is read before it is written");
      loaded_in_[slot] = part_;
      define(load.value, workspace_[slot]);
    }
    for (const Statement& statement : part.statements) run_statement(statement);
    for (const Transfer& save : part.saves) {
      const auto slot = static_cast<std::size_t>(save.slot);
      demand(loaded_in_.at(slot) != part_, "a part saves where it loads from");
      demand(is_known(save.value), "a part saves what it does not know");
      workspace_[slot] = values_[save.value];
      is_written_[slot] = true;
    }
  }

  void run_statement(const Statement& statement) {
    if (statement.store < 0) {
      demand(!is_known(statement.value), "a value is defined twice");
      define(statement.value, compute(statement.value));
      return;
    }
    const ir::Store& store = program_.function.stores.at(static_cast<std::size_t>(statement.store));
    const auto output = static_cast<std::size_t>(store.parameter),
               entry = static_cast<std::size_t>(store.entry);
    demand(!is_stored_.at(output).at(entry), "an output is stored twice");
    is_stored_[output][entry] = true;
    outputs_[output][entry] = value_of(store.value);
  }

  bool is_known(ir::NodeId id) const { return known_in_[id] == part_; }
  void define(ir::NodeId id, Real value) {
    values_[id] = value;
    known_in_[id] = part_;
  }

  /// A use of a node in an expression.
  Real value_of(ir::NodeId id) const {
    if (is_known(id)) return values_[id];
    const ir::Op op = graph_[id].op;
    const bool needs_no_statement = op == ir::Op::constant || op == ir::Op::input || op == ir::Op::sin ||
                                    op == ir::Op::cos || program_.inlined[id];
    demand(needs_no_statement, "a value is used where it is not known");
    return compute(id);
  }

  Real compute(ir::NodeId id) const {
    const ir::Node& node = graph_[id];
    if (node.op == ir::Op::sin) return std::sin(angle_values_[node.a]);
    if (node.op == ir::Op::cos) return std::cos(angle_values_[node.a]);
    return apply(id, [this](ir::NodeId operand) { return value_of(operand); });
  }

  /// Angles are evaluated before the first part, from inputs alone.
  Real input_only_value(ir::NodeId id) const {
    const ir::Op op = graph_[id].op;
    demand(op != ir::Op::div && op != ir::Op::sqrt, "an angle is not a simple expression of the inputs");
    return apply(id, [this](ir::NodeId operand) { return input_only_value(operand); });
  }

  /// A node's value from those of its operands.
  template <class ValueOf>
  Real apply(ir::NodeId id, const ValueOf& value) const {
    const ir::Node& node = graph_[id];
    switch (node.op) {
      case ir::Op::constant:
        return static_cast<Real>(graph_.value(id));
      case ir::Op::input:
        return inputs_.at(node.a).at(node.b);
      case ir::Op::add:
        return value(node.a) + value(node.b);
      case ir::Op::sub:
        return value(node.a) - value(node.b);
      case ir::Op::mul:
        return value(node.a) * value(node.b);
      case ir::Op::div:
        return value(node.a) / value(node.b);
      case ir::Op::neg:
        return -value(node.a);
      case ir::Op::sqrt:
        return std::sqrt(value(node.a));
      default:
        throw InternalError("a sine inside an angle, or lanes, which no program has yet");
    }
  }

  const Program& program_;
  const ir::Graph& graph_;
  const Arrays& inputs_;
  std::vector<Real> values_;
  std::vector<int> known_in_;  ///< by node: the part that knows its value
  std::vector<Real> workspace_;
  std::vector<int> loaded_in_;
  std::vector<bool> is_written_;
  std::vector<Real> angle_values_;  ///< by node
  int part_ = nowhere;
  Arrays outputs_;
  std::vector<std::vector<bool>> is_stored_;
};

}  // namespace featherline::ir
