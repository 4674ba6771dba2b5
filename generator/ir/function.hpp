#pragma once

#include "ir/completion.hpp"
#include "ir/graph.hpp"
#include "ir/scalar.hpp"

#include <optional>
#include <string>
#include <vector>

namespace featherline::ir {

/// A dense array the emitted function reads or writes, e.g. {"q", 7}.
struct Parameter {
  std::string name;
  int size = 0;
};

/// outputs[parameter][entry] = value; `value` may be a constant node.
struct Store {
  int parameter = 0;
  int entry = 0;
  NodeId value = no_node;
};

/// One function: inputs -> graph -> outputs. What the algorithms make, the passes rewrite, the emitter prints.
struct Function {
  std::string name;
  std::string formulation;  ///< which of several equivalent algorithms this is, for the report
  std::vector<Parameter> inputs;
  std::vector<Parameter> outputs;
  Graph graph;
  std::vector<Store> stores;             ///< every entry of every output exactly once
  std::optional<Completion> completion;  ///< if set, `outputs` are what runtime loops make the results from

  Scalar input(int parameter, int entry) { return {graph, graph.input(parameter, entry)}; }
  /// One entry of the parameter in each lane.
  Scalar gather(int parameter, const std::vector<int>& entries) {
    return {graph, graph.gather(parameter, entries)};
  }
  /// Records a store of x (which may be negative or a number).
  void store(int parameter, int entry, const Scalar& x) {
    const NodeId value = materialise(graph, x);
    graph.keep(value);
    stores.push_back({parameter, entry, value});
  }
  /// Stores each lane of x in an entry of its own.
  void scatter(int parameter, const std::vector<int>& entries, const Scalar& x) {
    for (std::size_t k = 0; k < entries.size(); ++k)
      store(parameter, entries[k], lane(x, static_cast<int>(k)));
  }
  /// x is computed here, before what comes later (Graph::keep).
  void keep(const Scalar& x) {
    if (!x.is_constant()) graph.keep(x.id());
  }
  /// Names x's node, `neg_...` where x is minus its node: an emitted name always tells the truth.
  void name_value(const Scalar& x, const std::string& label) {
    if (x.is_constant()) return;
    const bool says_negative = label.starts_with("neg_");
    if (x.negated())
      graph.set_name(x.id(), says_negative ? label.substr(4) : "neg_" + label);
    else
      graph.set_name(x.id(), label);
  }
};

/// Deterministic costs of a function: what is reported, and what formulations are chosen by.
struct Cost {
  int flops = 0;   ///< + - * / and negations, one each whatever the lanes
  int sincos = 0;  ///< angles whose sine and cosine are needed, lane by lane
  int sqrt = 0;
};
/// Counts the nodes the stores need; dead nodes do not count.
Cost count_cost(const Function& function);

/// For each node, whether a store needs it.
std::vector<bool> live_nodes(const Function& function);

}  // namespace featherline::ir
