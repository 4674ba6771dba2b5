#include "algorithms/derivatives/rates.hpp"

#include "algorithms/whole_body/whole_body.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using ir::NodeId;
using ir::Op;

/// The rate of a node from those of its operands, da and db.
Scalar rate_of(ir::Graph& graph, NodeId id, const Scalar& da, const Scalar& db) {
  const ir::Node node = graph[id];
  const auto value = [&](NodeId operand) { return Scalar(graph, operand); };
  switch (node.op) {
    case Op::add:
      return da + db;
    case Op::sub:
      return da - db;
    case Op::mul:
      return node.a == node.b ? da * value(node.a) * Scalar(2.0) : da * value(node.b) + value(node.a) * db;
    case Op::div:
      return (da - value(id) * db) / value(node.b);
    case Op::neg:
      return -da;
    case Op::sqrt:
      return da / (Scalar(2.0) * value(id));
    case Op::sin:
    case Op::sine:
      return cos(value(node.a)) * da;
    case Op::cos:
    case Op::cosine:
      return -(sin(value(node.a)) * da);
    case Op::atan:
      return da / (Scalar(1.0) + value(node.a) * value(node.a));
    case Op::stumpff_0:
    case Op::stumpff_1:
      return stumpff_slope(node.op, value(node.a)) * da;
    case Op::lane_sum:
      return ir::lane_sum(da, graph[node.a].lanes);
    case Op::pivot_inverse:
      return -(da * value(id) * value(id));
    default:
      throw InternalError(std::string("rates know none of ") + ir::name(node.op));
  }
}

using KnownRates = std::unordered_map<NodeId, Scalar>;

/// A number times a value is one product with it, wherever it meets another number: both have a rate.
void set_rate(KnownRates& known, const Scalar& x, const Scalar& rate) {
  if (x.is_constant()) return;
  const Scalar of_node = x.negated() ? -rate : rate;
  known[x.id()] = of_node;
  const ir::Graph& graph = *x.graph();
  const ir::Node& node = graph[x.id()];
  if (node.op == Op::mul && graph.is_constant(node.a))
    known[node.b] = of_node * Scalar(1.0 / graph.value(node.a));
}

/// The nodes that the values are made of, operands first, but for those that make what is known.
std::vector<NodeId> nodes_of(const Coordinates& values, const KnownRates& known) {
  std::vector<bool> is_one;
  ir::Graph* graph = nullptr;
  for (const Scalar& x : values) {
    if (x.is_constant()) continue;
    graph = x.graph();
    is_one.resize(graph->size(), false);
    is_one[x.id()] = true;
  }
  std::vector<NodeId> nodes;
  for (auto id = static_cast<NodeId>(is_one.size()); id-- > 0;) {
    if (!is_one[id] || known.contains(id)) continue;
    nodes.push_back(id);
    for (const NodeId operand : ir::Operands((*graph)[id])) is_one[operand] = true;
  }
  std::ranges::reverse(nodes);
  return nodes;
}

Coordinates unit(int n, int k) {
  Coordinates x(index(n));
  x[index(k)] = 1.0;
  return x;
}

}  // namespace

Coordinates rates(const Coordinates& values, const std::vector<Changing>& inputs) {
  KnownRates known;  // zero where there is none
  const auto of_node = [&](NodeId id) {
    const auto found = known.find(id);
    return found == known.end() ? Scalar(0.0) : found->second;
  };
  for (const auto& [input, rate] : inputs) {
    for (std::size_t k = 0; k < input.size(); ++k) set_rate(known, input[k], rate[k]);
  }
  const auto first = std::ranges::find_if(values, [](const Scalar& x) { return !x.is_constant(); });
  for (const NodeId id : nodes_of(values, known)) {
    const ir::Node node = (*first->graph())[id];
    if (ir::arity(node.op) == 0) continue;
    const Scalar da = of_node(node.a), db = ir::arity(node.op) == 1 ? Scalar(0.0) : of_node(node.b);
    if (!da.is_zero() || !db.is_zero()) known[id] = rate_of(*first->graph(), id, da, db);
  }
  return each(values, [&](const Scalar& x) {
    if (x.is_constant()) return Scalar(0.0);
    return x.negated() ? -of_node(x.id()) : of_node(x.id());
  });
}

std::vector<Changing> moving_positions(Context& context, const Coordinates& v) {
  std::vector<Changing> changing{{context.input("q"), rates_by_steps(context, v)}};
  if (!context.has_clusters()) return changing;
  const AllJoints joints(context);
  const Coordinates all = joints.velocities(v);
  for (const AllJoints::Follower& joint : joints.followers())
    changing.emplace_back(joint.places, scaled(all[index(joint.v)], joint.slopes));
  return changing;
}

Coordinates rates_by_step(Context& context, const Coordinates& values, int k, const Coordinates& held) {
  std::vector<Changing> changing = moving_positions(context, unit(context.nv(), k));
  changing.emplace_back(held, Coordinates(held.size()));
  return context.keep(rates(values, changing));
}

Coordinates rates_by(Context& context, const Coordinates& values, const Coordinates& input, int k,
                     const Coordinates& held) {
  return context.keep(
      rates(values, {{input, unit(static_cast<int>(input.size()), k)}, {held, Coordinates(held.size())}}));
}

void output_derivatives(Context& context, const std::map<std::string, Coordinates>& values,
                        const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    context.begin_section("derivatives by " + input);
    for (const auto& [name, x] : values) {
      Coordinates columns;
      for (int k = 0; k < context.nv(); ++k) {
        const Coordinates column =
            input == "q" ? rates_by_step(context, x, k) : rates_by(context, x, context.input(input), k);
        columns.insert(columns.end(), column.begin(), column.end());
      }
      context.output_vector("d" + name + "_d" + input, columns);
    }
  }
}

}  // namespace featherline::algorithms
