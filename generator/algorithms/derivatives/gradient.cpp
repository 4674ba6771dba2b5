#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/whole_body/whole_body.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <unordered_set>

namespace featherline::algorithms {

using ir::NodeId;
using ir::Op;

Gradient::Gradient(Context& context, const Coordinates& values, const Coordinates& weights,
                   const Coordinates& held)
    : c_(context), joints_(context.has_clusters() ? std::make_shared<AllJoints>(context) : nullptr) {
  c_.begin_section("products of weights with derivatives, from the results back to the inputs");
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].is_constant()) continue;
    graph_ = values[k].graph();
    add(values[k].id(), values[k].negated() ? -weights[k] : weights[k], weights[k].lanes());
  }
  if (graph_ == nullptr) return;
  Coordinates all_held = held;
  for (const AllJoints::Follower& joint : followers())
    all_held.insert(all_held.end(), joint.places.begin(), joint.places.end());
  for (const NodeId id : results_first(values, all_held)) pass_on(id);
}

/// Depth first, operands in the order in which they were written: the order of ids depends on the compiler.
std::vector<NodeId> Gradient::results_first(const Coordinates& values, const Coordinates& held) const {
  std::unordered_set<NodeId> placed;
  for (const Scalar& x : held) {
    if (x.is_constant()) continue;
    const ir::Node& node = (*graph_)[x.id()];
    if (node.op == Op::input || node.op == Op::gather) continue;
    placed.insert(x.id());
    // A number times a product with a number is one product: it has the other factor alone.
    if (node.op == Op::mul && graph_->is_constant(node.a)) placed.insert(node.b);
  }
  std::vector<NodeId> order, stack;
  for (const Scalar& value : values) {
    if (!value.is_constant()) stack.push_back(value.id());
    while (!stack.empty()) {
      const NodeId id = stack.back();
      const std::size_t height = stack.size();
      if (!placed.contains(id)) {
        for (const NodeId operand : ir::Operands((*graph_)[id])) {
          if (!placed.contains(operand)) stack.push_back(operand);
        }
        if (!(*graph_)[id].swapped) std::reverse(stack.begin() + std::ptrdiff_t(height), stack.end());
      }
      if (stack.size() > height) continue;
      if (placed.insert(id).second) order.push_back(id);
      stack.pop_back();
    }
  }
  return {order.rbegin(), order.rend()};
}

void Gradient::add(NodeId id, Scalar more, int lanes) {
  const ir::Node& node = (*graph_)[id];
  if (node.op == Op::constant) return;
  if (node.lanes == 1 && lanes > 1) more = ir::lane_sum(more, lanes);
  adjoints_[id] += more;
}

void Gradient::pass_on(NodeId id) {
  const ir::Node node = (*graph_)[id];
  const auto found = adjoints_.find(id);
  if (found == adjoints_.end() || found->second.is_zero()) return;
  const Scalar g = found->second;
  const std::string name = graph_->node_name(id).empty() ? graph_->hint(id) : graph_->node_name(id);
  if (name.starts_with("neg_"))
    c_.hint(-g, "adj_" + name.substr(4));
  else if (!name.empty())
    c_.hint(g, "adj_" + name);
  c_.keep(g);
  const auto value = [&](NodeId operand) { return Scalar(*graph_, operand); };
  const auto give = [&](NodeId operand, const Scalar& more) { add(operand, more, node.lanes); };
  switch (node.op) {
    case Op::constant:
    case Op::input:
    case Op::gather:
      break;
    case Op::add:
      give(node.a, g);
      give(node.b, g);
      break;
    case Op::sub:
      give(node.a, g);
      give(node.b, -g);
      break;
    case Op::mul:
      give(node.a, g * value(node.b) * Scalar(node.a == node.b ? 2.0 : 1.0));
      if (node.a != node.b) give(node.b, g * value(node.a));
      break;
    case Op::div: {
      const Scalar quotient = g / value(node.b);
      give(node.a, quotient);
      give(node.b, -(quotient * value(id)));
      break;
    }
    case Op::neg:
      give(node.a, -g);
      break;
    case Op::sqrt:
      give(node.a, g / (Scalar(2.0) * value(id)));
      break;
    case Op::sin:
    case Op::sine:
      give(node.a, g * cos(value(node.a)));
      break;
    case Op::cos:
    case Op::cosine:
      give(node.a, -(g * sin(value(node.a))));
      break;
    case Op::atan:
      give(node.a, g / (Scalar(1.0) + value(node.a) * value(node.a)));
      break;
    case Op::stumpff_0:
    case Op::stumpff_1:
      give(node.a, g * stumpff_slope(node.op, value(node.a)));
      break;
    case Op::lane_sum:
      give(node.a, g);
      break;
    case Op::pivot_inverse:
      give(node.a, -(g * value(id) * value(id)));
      break;
    case Op::stumpff_3:
    case Op::lane:
      throw InternalError(std::string("products with derivatives know none of ") + ir::name(node.op));
  }
}

Coordinates Gradient::by(const Coordinates& x) const {
  return each(x, [&](const Scalar& entry) {
    if (entry.is_constant()) return Scalar(0.0);
    const auto adjoint = [&](NodeId id) {
      const auto found = adjoints_.find(id);
      return found == adjoints_.end() ? Scalar(0.0) : found->second;
    };
    Scalar slope = adjoint(entry.id());
    const ir::Node& node = (*entry.graph())[entry.id()];
    if (node.op == Op::mul && entry.graph()->is_constant(node.a))  // results_first() says why
      slope += adjoint(node.b) * Scalar(1.0 / entry.graph()->value(node.a));
    return entry.negated() ? -slope : slope;
  });
}

std::vector<AllJoints::Follower> Gradient::followers() const {
  return joints_ == nullptr ? std::vector<AllJoints::Follower>{} : joints_->followers();
}

Coordinates Gradient::by_steps() const {
  Coordinates steps = slopes_by_steps(c_, by(c_.input("q")));
  for (const AllJoints::Follower& joint : followers()) {
    const Scalar slope = dot(by(joint.places), joint.slopes);
    for (const auto& [l, g] : joint.G) steps[index(l)] += slope * g;
  }
  return joints_ == nullptr ? steps : c_.keep(std::move(steps));
}

// Derivatives with respect to the chosen parameters. Those of one torque are one sweep back from it: through the axis
// of its joint, carried to the bodies, to the columns that the regressor has for these.

std::vector<Coordinates> torque_rates(Context& c, const Coordinates& a) {
  const Coordinates tau = inverse_dynamics(c, c.input("v"), a), &p = c.input(parameters);
  std::vector<Coordinates> rates(p.size(), c.zeros());
  for (std::size_t row = 0; row < tau.size(); ++row) {
    const Coordinates of_row = Gradient(c, {tau[row]}, {Scalar(1.0)}, a).by(p);
    for (std::size_t k = 0; k < p.size(); ++k) rates[k][row] = of_row[k];
  }
  return rates;
}

namespace {

void write(Context& c, const std::string& output, const std::vector<Coordinates>& columns) {
  std::vector<StoredEntry> entries;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t row = 0; row < columns[k].size(); ++row) {
      if (!columns[k][row].is_zero())
        entries.push_back({{static_cast<int>(row + columns[k].size() * k)}, columns[k][row]});
    }
  }
  c.output(output, entries);
}

}  // namespace

void rnea_parameter_derivatives(Context& c) { write(c, "dtau_dp", torque_rates(c, c.input("a"))); }

void aba_parameter_derivatives(Context& c) {
  const Solve solve = factor_solver(c);
  const Coordinates a = c.keep(solve(net_torque(c, c.input("v"), c.input("tau"))));
  std::vector<Coordinates> rates = torque_rates(c, a);
  for (Coordinates& column : rates) column = c.keep(-solve(column));
  write(c, "da_dp", rates);
}

}  // namespace featherline::algorithms
