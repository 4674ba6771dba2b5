#include "ir/scalar.hpp"

#include "support/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace featherline::ir {

Scalar::Scalar(Graph& graph, NodeId id, bool negated) {
  if (graph.is_constant(id) && graph[id].lanes == 1) {
    value_ = negated ? -graph.value(id) : graph.value(id);
    return;
  }
  graph_ = &graph;
  id_ = id;
  negated_ = negated;
}

namespace {

/// x = factor * rest with a number taken out of a product `constant * node`, 1 otherwise.
struct Scaled {
  double factor = 1.0;
  NodeId rest = no_node;
};

Scaled split_scale(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.op == Op::mul && graph.is_constant(node.a)) return {graph.value(node.a), node.b};
  return {1.0, id};
}

/// number * node with the numbers of nested products folded into one.
Scalar scale(Graph& graph, double factor, NodeId id) {
  const Scaled inner = split_scale(graph, id);
  const double total = factor * inner.factor;
  const bool negated = total < 0.0;
  const double size = std::abs(total);
  if (size == 0.0) return 0.0;
  if (size == 1.0) return {graph, inner.rest, negated};
  return {graph, graph.node(Op::mul, graph.constant(size), inner.rest), negated};
}

NodeId magnitude(Graph& graph, const Scalar& x) {
  return x.is_constant() ? graph.constant(std::abs(x.value())) : x.id();
}

bool negative(const Scalar& x) { return x.is_constant() ? x.value() < 0.0 : x.negated(); }

Scalar sum(Graph& graph, NodeId a, NodeId b) {
  if (a == b) return scale(graph, 2.0, a);
  if (a > b) std::swap(a, b);
  return {graph, graph.node(Op::add, a, b)};
}

/// a - b, reusing b - a when that exists already.
Scalar difference(Graph& graph, NodeId a, NodeId b) {
  if (a == b) return 0.0;
  const NodeId reversed = graph.find(Op::sub, b, a);
  if (reversed != no_node) return {graph, reversed, true};
  return {graph, graph.node(Op::sub, a, b)};
}

}  // namespace

Scalar Scalar::operator-() const {
  if (is_constant()) return -value_;
  Scalar result = *this;
  result.negated_ = !negated_;
  return result;
}

Scalar operator+(const Scalar& x, const Scalar& y) {
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  if (x.is_constant() && y.is_constant()) {  // what cancels leaves nothing, not rounding
    return without_rounding(x.value_ + y.value_, std::max(std::abs(x.value_), std::abs(y.value_)));
  }
  Graph& graph = *(x.graph_ ? x.graph_ : y.graph_);
  const NodeId a = magnitude(graph, x), b = magnitude(graph, y);
  if (negative(x) == negative(y)) return negative(x) ? -sum(graph, a, b) : sum(graph, a, b);
  return negative(x) ? difference(graph, b, a) : difference(graph, a, b);
}

Scalar operator-(const Scalar& x, const Scalar& y) { return x + (-y); }

Scalar operator*(const Scalar& x, const Scalar& y) {
  if (x.is_constant() && y.is_constant()) return x.value_ * y.value_;
  if (x.is_constant()) {
    const Scalar product = scale(*y.graph_, x.value_, y.id_);
    return y.negated_ ? -product : product;
  }
  if (y.is_constant()) return y * x;
  Graph& graph = *x.graph_;
  const NodeId a = std::min(x.id_, y.id_), b = std::max(x.id_, y.id_);
  return {graph, graph.node(Op::mul, a, b), x.negated_ != y.negated_};
}

Scalar operator/(const Scalar& x, const Scalar& y) {
  if (y.is_constant()) return x * Scalar(1.0 / y.value_);
  if (x.is_zero()) return 0.0;
  Graph& graph = *y.graph_;
  const NodeId a = magnitude(graph, x);
  const bool negated = negative(x) != y.negated_;
  if (a == y.id_) return negated ? -1.0 : 1.0;
  return {graph, graph.node(Op::div, a, y.id_), negated};
}

Scalar sqrt(const Scalar& x) {
  if (x.is_constant()) return std::sqrt(x.value());
  return {*x.graph_, x.graph_->node(Op::sqrt, materialise(*x.graph_, x))};
}

Scalar sin(const Scalar& x) {
  if (x.is_constant()) return std::sin(x.value());
  return {*x.graph_, x.graph_->node(Op::sin, x.id_), x.negated_};
}

Scalar cos(const Scalar& x) {
  if (x.is_constant()) return std::cos(x.value());
  return {*x.graph_, x.graph_->node(Op::cos, x.id_)};
}

NodeId materialise(Graph& graph, const Scalar& x) {
  if (x.is_constant()) return graph.constant(x.value());
  return x.negated() ? graph.node(Op::neg, x.id()) : x.id();
}

}  // namespace featherline::ir
