#pragma once

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace featherline::ir {

/// The value of a node in one lane, from `value(operand, lane)`.
template <class Real, class ValueOf>
Real operate(const Graph& graph, const std::vector<std::vector<Real>>& inputs, NodeId id, int lane,
             const ValueOf& value) {
  const Node& node = graph[id];
  const std::size_t in_lane = index(node.lanes == 1 ? 0 : lane);
  switch (node.op) {
    case Op::constant:
      return static_cast<Real>(graph.lane_values(id)[in_lane]);
    case Op::input:
      return inputs.at(node.a).at(node.b);
    case Op::gather:
      return inputs.at(node.a).at(index(graph.entries(id)[in_lane]));
    case Op::lane:
      return value(node.a, static_cast<int>(node.b));
    case Op::lane_sum: {
      std::vector<Real> values;
      for (int k = 0; k < graph[node.a].lanes; ++k) values.push_back(value(node.a, k));
      return sum_in_halves(std::move(values));
    }
    default:
      return apply<Real>(node.op, value(node.a, lane), arity(node.op) == 2 ? value(node.b, lane) : Real(0));
  }
}

/// Runs a function on numbers, operation by operation: the oracle of every pass.
/// `inputs[p][i]` is entry i of input parameter p; the result is indexed the same way by output parameter.
/// Throws InternalError when the inputs do not fit the function's parameters.
inline std::vector<std::vector<double>> evaluate(const Kernel& kernel,
                                                 const std::vector<std::vector<double>>& inputs) {
  const auto fits = [](const std::vector<double>& input, const Buffer& buffer) {
    return input.size() == index(buffer.size);
  };
  if (!std::ranges::equal(inputs, kernel.inputs, fits))
    throw InternalError("inputs do not fit the parameters of " + kernel.name);
  const Graph& graph = kernel.graph;
  std::vector<std::vector<double>> values(graph.size());  // by node and lane
  const auto value = [&](NodeId id, int lane) { return values[id][index(graph[id].lanes == 1 ? 0 : lane)]; };
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (int lane = 0; lane < graph[id].lanes; ++lane)
      values[id].push_back(operate<double>(graph, inputs, id, lane, value));
  }
  std::vector<std::vector<double>> outputs;
  for (int k = 0; k < kernel.num_outputs_and_locals(); ++k)
    outputs.emplace_back(index(kernel.output_or_local(k).size), 0.0);
  for (const Store& s : kernel.stores) {
    for (int lane = 0; lane < graph[s.value].lanes; ++lane)
      outputs[index(s.buffer)][index(s.entry + lane * s.stride)] = value(s.value, lane);
  }
  return outputs;
}

/// Runs a scheduled kernel step by step, like the emitted code. A straight line knows only the values that it loads
/// or defines. Throws InternalError if the kernel is not sound:
///  - a value is used before it exists, or defined twice;
///  - a slot is read before it is written, or written in a straight line that loads it;
///  - an entry of an output or local is stored twice or, where no call writes it, never.
template <class Real = double>
class KernelInterpreter {
 public:
  using Array = std::vector<Real>;
  using Arrays = std::vector<Array>;

  /// Keeps references to both; `inputs` by parameter. Routines of the runtime run in double only.
  KernelInterpreter(const Kernel& kernel, const Arrays& inputs)
      : kernel_(kernel),
        graph_(kernel.graph),
        inputs_(inputs),
        known_in_(graph_.size(), nowhere),
        workspace_(index(kernel.workspace_size)),
        loaded_in_(workspace_.size(), nowhere),
        is_written_(workspace_.size(), false) {
    std::size_t lanes = 0;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      first_.push_back(lanes);
      lanes += graph_[id].lanes;
    }
    values_.resize(lanes);
    for (int k = 0; k < kernel.num_outputs_and_locals(); ++k) {
      const std::size_t size = index(kernel.output_or_local(k).size);
      written_.emplace_back(size, Real(std::numeric_limits<double>::quiet_NaN()));  // nobody may read it
      is_stored_.emplace_back(size, false);
    }
  }

  /// Calls with a condition happen in any case.
  bool forces_calls = false;
  /// Runs a walk to a link, whose arguments do not say which.
  std::function<void(const Call&, const std::vector<Array*>&)> walk = {};

  /// The outputs, by parameter.
  Arrays run() {
    for (const Step& step : kernel_.steps) {
      std::visit([&](const auto& kind) { run_step(kind); }, step);
    }
    for (std::size_t k = 0; k < kernel_.outputs.size() && !kernel_.ends_in_calls(); ++k) demand_all_stored(k);
    written_.resize(kernel_.outputs.size());
    return std::move(written_);
  }

  /// The same for the form that does not clear what needs no clearing (Clear::once). `before` are the outputs of an
  /// earlier run.
  Arrays run_nonzeros(const Arrays& before) {
    std::ranges::copy(before, written_.begin());
    clears_once_ = false;
    return run();
  }

 private:
  static constexpr int nowhere = -1;

  static void demand(bool holds, const char* complaint) {
    if (!holds) throw InternalError(std::string("a scheduled kernel is not sound: ") + complaint);
  }

  /// Entries that were cleared need no stores.
  void demand_all_stored(std::size_t buffer) const {
    demand(
        cleared_.contains(buffer) || std::ranges::find(is_stored_[buffer], false) == is_stored_[buffer].end(),
        "an entry is never stored");
  }

  void store(std::size_t buffer, std::size_t entry, const Real& value) {
    demand(!is_stored_.at(buffer).at(entry), "an entry is stored twice");
    is_stored_[buffer][entry] = true;
    written_[buffer][entry] = value;
  }

  void run_step(const Clear& clear) {
    const std::size_t buffer = index(clear.buffer);
    Array& array = written_[buffer];
    const bool clears = clears_once_ || !clear.once;
    if (clear.entries.empty()) cleared_.insert(buffer);
    if (clear.entries.empty() && clears) std::ranges::fill(array, Real(0));
    for (const int k : clear.entries) store(buffer, index(k), clears ? Real(0) : array.at(index(k)));
  }

  void run_step(const SinCos& sincos) {
    for (const NodeId angle : sincos.angles) {
      for (int lane = 0; lane < graph_[angle].lanes; ++lane)
        angle_values_[angle].push_back(input_only_value(angle, lane));
    }
  }

  void run_step(const StraightLine& line) {
    ++line_;
    for (const Transfer& load : line.loads) {
      each_slot(load, [&](std::size_t slot, std::size_t place) {
        demand(is_written_.at(slot), "a slot is read before it is written");
        loaded_in_[slot] = line_;
        values_[place] = workspace_[slot];
      });
      known_in_[load.value] = line_;
    }
    for (const ZerosBetween& between : line.zeros) run_step(between.zeros);
    for (const Statement& statement : line.statements) run_statement(statement);
    for (const Transfer& save : line.saves) {
      demand(is_known(save.value), "a straight line saves what it does not know");
      each_slot(save, [&](std::size_t slot, std::size_t place) {
        demand(loaded_in_.at(slot) != line_, "a straight line saves where it loads from");
        workspace_[slot] = values_[place];
        is_written_[slot] = true;
      });
    }
  }

  /// Whether stores fill the buffer. Calls write all others.
  bool has_stores(std::size_t buffer) const {
    return std::ranges::any_of(kernel_.stores, [&](const Store& s) { return index(s.buffer) == buffer; });
  }

  void run_step(const Call& call) {
    if (call.condition && !happens(call)) return;
    if (call.body) return run_body(call);
    if constexpr (std::is_same_v<Real, double>) {
      Arrays inputs = inputs_;
      std::vector<Array*> arguments;
      for (const ArrayId id : call.arguments) {
        const std::size_t k = index(id.index);
        if (!id.is_input && has_stores(k)) demand_all_stored(k);
        if (!id.is_input && !has_stores(k)) is_stored_.at(k).assign(written_.at(k).size(), true);
        arguments.push_back(id.is_input ? &inputs.at(k) : &written_.at(k));
      }
      if (call.walk && walk)
        walk(call, arguments);
      else
        run_routine(call, arguments);
    } else {
      demand(false, "a routine runs in another scalar than double");
    }
  }

  bool happens(const Call& call) const {
    return forces_calls || !std::ranges::all_of(read(*call.condition), featherline::is_bent<Real>);
  }

  /// What a body stores counts as stored here.
  void run_body(const Call& call) {
    Arrays inputs;
    for (std::size_t k = 0; k < call.body->inputs.size(); ++k) {
      const Array& all = read(call.arguments.at(k));
      const auto begin = all.begin() + call.first.at(k);
      const int size = call.body->inputs[k].size;
      demand(call.first[k] + size <= static_cast<int>(all.size()), "a body reads behind an array");
      inputs.emplace_back(begin, begin + size);
    }
    KernelInterpreter body(*call.body, inputs);
    for (const Step& step : call.body->steps) {
      std::visit([&](const auto& kind) { body.run_step(kind); }, step);
    }
    for (std::size_t k = 0; k < call.body->outputs.size(); ++k) {
      const std::size_t argument = call.body->inputs.size() + k;
      const std::size_t buffer = index(call.arguments.at(argument).index);
      for (std::size_t e = 0; e < body.written_[k].size(); ++e) {
        if (!body.is_stored_[k][e] && !body.cleared_.contains(k)) continue;
        const std::size_t entry = index(call.first.at(argument)) + e;
        // It replaces results: those of another algorithm, or in a local array those of an earlier call.
        if (call.condition || buffer >= kernel_.outputs.size()) is_stored_.at(buffer).at(entry) = false;
        store(buffer, entry, body.written_[k][e]);
      }
    }
  }

  const Array& read(ArrayId id) const {
    const std::size_t k = index(id.index);
    if (id.is_input) return inputs_.at(k);
    demand_all_stored(k);
    return written_.at(k);
  }

  template <class Visit>
  void each_slot(const Transfer& transfer, const Visit& visit) const {
    for (std::size_t lane = 0; lane < graph_[transfer.value].lanes; ++lane)
      visit(index(transfer.slot) + lane, first_[transfer.value] + lane);
  }

  void run_statement(const Statement& statement) {
    if (statement.store < 0) {
      const NodeId id = statement.value;
      demand(!is_known(id), "a value is defined twice");
      for (int lane = 0; lane < graph_[id].lanes; ++lane) values_[place(id, lane)] = compute(id, lane);
      known_in_[id] = line_;
      return;
    }
    const Store& s = kernel_.stores.at(index(statement.store));
    for (int lane = 0; lane < graph_[s.value].lanes; ++lane)
      store(index(s.buffer), index(s.entry + lane * s.stride), value_of(s.value, lane));
  }

  bool is_known(NodeId id) const { return known_in_[id] == line_; }

  /// A value of one lane is the same in all lanes.
  std::size_t place(NodeId id, int lane) const {
    return first_[id] + index(graph_[id].lanes == 1 ? 0 : lane);
  }

  /// A use of a node in an expression.
  Real value_of(NodeId id, int lane) const {
    if (is_known(id)) return values_[place(id, lane)];
    demand(!kernel_.has_statement(id), "a value is used where it is not known");
    return compute(id, lane);
  }

  Real compute(NodeId id, int lane) const {
    const bool of_angle = is_trigonometric(graph_[id].op);
    demand(!of_angle || angle_values_.contains(graph_[id].a), "a sine is used before it exists");
    return operate<Real>(graph_, inputs_, id, lane, [&](NodeId operand, int of) {
      if (!of_angle) return value_of(operand, of);
      return angle_values_.at(operand).at(index(graph_[operand].lanes == 1 ? 0 : of));
    });
  }

  /// Angles are evaluated from inputs alone.
  Real input_only_value(NodeId id, int lane) const {
    demand(!is_trigonometric(graph_[id].op), "an angle depends on another angle");
    return operate<Real>(graph_, inputs_, id, lane,
                         [this](NodeId operand, int of) { return input_only_value(operand, of); });
  }

  const Kernel& kernel_;
  const Graph& graph_;
  const Arrays& inputs_;
  std::vector<std::size_t> first_;  ///< by node: place of its first lane in values_
  Array values_;
  std::vector<int> known_in_;  ///< by node: the straight line that knows its value
  Array workspace_;
  std::vector<int> loaded_in_;
  std::vector<bool> is_written_;
  std::map<NodeId, Array> angle_values_;
  int line_ = nowhere;
  Arrays written_;  ///< outputs, then locals
  std::vector<std::vector<bool>> is_stored_;
  std::set<std::size_t> cleared_;
  bool clears_once_ = true;
};

}  // namespace featherline::ir
