#include "ir/scalar.hpp"

#include "support/text.hpp"

#include <algorithm>

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

/// Whether x is a number in each of its lanes.
bool is_known(const Scalar& x) { return x.is_constant() || x.graph()->is_constant(x.id()); }

double value_in(const Scalar& x, std::size_t lane) {
  if (x.is_constant()) return x.value();
  const double value = x.graph()->lane_values(x.id())[lane];
  return x.negated() ? -value : value;
}

/// An operation on numbers. A sum that cancels leaves nothing, not rounding.
double compute(Op op, double a, double b) {
  const double result = apply(op, a, b);
  return op == Op::add ? round_number(result, std::max(std::abs(a), std::abs(b))) : result;
}

/// The same lane by lane, of two that are known.
Scalar fold(Op op, const Scalar& x, const Scalar& y = 0.0) {
  if (x.is_constant() && y.is_constant()) return compute(op, x.value(), y.value());
  std::vector<double> values(static_cast<std::size_t>(std::max(x.lanes(), y.lanes())));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = compute(op, value_in(x, k), value_in(y, k));
  return lane_numbers(x.is_constant() ? *y.graph() : *x.graph(), values);
}

NodeId magnitude(Graph& graph, const Scalar& x) {
  return x.is_constant() ? graph.constant(std::abs(x.value())) : x.id();
}

bool negative(const Scalar& x) { return x.is_constant() ? x.value() < 0.0 : x.negated(); }

/// factor * node with the constants of nested products folded into one.
Scalar scale(Graph& graph, const Scalar& factor, NodeId id) {
  const Node node = graph[id];
  const bool is_scaled = node.op == Op::mul && graph.is_constant(node.a);
  const NodeId rest = is_scaled ? node.b : id;
  const Scalar total = is_scaled ? fold(Op::mul, factor, {graph, node.a}) : factor;
  if (total.is_zero()) return 0.0;
  if (total == 1.0 || total == -1.0) return {graph, rest, negative(total)};
  return {graph, graph.node(Op::mul, magnitude(graph, total), rest), negative(total)};
}

Scalar sum(Graph& graph, NodeId a, NodeId b) {
  if (a == b) return scale(graph, 2.0, a);
  return {graph, graph.commutative(Op::add, a, b)};
}

/// a - b, or minus b - a where that exists already.
Scalar difference(Graph& graph, NodeId a, NodeId b) {
  if (a == b) return 0.0;
  const NodeId reversed = graph.merges_reversed_differences ? graph.find(Op::sub, b, a) : no_node;
  if (reversed != no_node) return {graph, reversed, true};
  return {graph, graph.node(Op::sub, a, b)};
}

/// number * x, uncounted.
Scalar scaled(const Scalar& number, const Scalar& x) {
  const Scalar product = scale(*x.graph(), number, x.id());
  return x.negated() ? -product : product;
}

Scalar product(const Scalar& x, const Scalar& y) {
  if (is_known(x) && is_known(y)) return fold(Op::mul, x, y);
  if (is_known(x)) return scaled(x, y);
  if (is_known(y)) return scaled(y, x);
  return {*x.graph(), x.graph()->commutative(Op::mul, x.id(), y.id()), x.negated() != y.negated()};
}

}  // namespace

Scalar Scalar::operator-() const {
  if (is_constant()) return -value_;
  Scalar result = *this;
  result.negated_ = !negated_;
  return result;
}

Scalar operator+(const Scalar& x, const Scalar& y) {
  ++source_operations().additions;
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  if (is_known(x) && is_known(y)) return fold(Op::add, x, y);
  Graph& graph = *(x.graph_ ? x.graph_ : y.graph_);
  const NodeId a = magnitude(graph, x), b = magnitude(graph, y);
  if (negative(x) == negative(y)) return negative(x) ? -sum(graph, a, b) : sum(graph, a, b);
  return negative(x) ? difference(graph, b, a) : difference(graph, a, b);
}

Scalar operator-(const Scalar& x, const Scalar& y) { return x + (-y); }

Scalar operator*(const Scalar& x, const Scalar& y) {
  ++source_operations().multiplications;
  return product(x, y);
}

Scalar operator/(const Scalar& x, const Scalar& y) {
  ++source_operations().divisions;
  if (is_known(y)) return product(x, fold(Op::div, 1.0, y));
  if (x.is_zero()) return 0.0;
  Graph& graph = *y.graph_;
  const NodeId a = magnitude(graph, x);
  const bool negated = negative(x) != y.negated_;
  if (a == y.id_) return negated ? -1.0 : 1.0;
  return {graph, graph.node(Op::div, a, y.id_), negated};
}

Scalar sqrt(const Scalar& x) {
  if (is_known(x)) return fold(Op::sqrt, x);
  return {*x.graph_, x.graph_->node(Op::sqrt, materialise(*x.graph_, x))};
}

Scalar sin(const Scalar& x) {
  if (is_known(x)) return fold(Op::sin, x);
  return {*x.graph_, x.graph_->node(x.graph_->has_late_sine(x.id_) ? Op::sine : Op::sin, x.id_), x.negated_};
}

Scalar cos(const Scalar& x) {
  if (is_known(x)) return fold(Op::cos, x);
  return {*x.graph_, x.graph_->node(x.graph_->has_late_sine(x.id_) ? Op::cosine : Op::cos, x.id_)};
}

Scalar atan(const Scalar& x) {
  if (is_known(x)) return fold(Op::atan, x);
  return {*x.graph_, x.graph_->node(Op::atan, x.id_), x.negated_};
}

Scalar Scalar::stumpff(Op op, const Scalar& x) {
  if (is_known(x)) return fold(op, x);
  return {*x.graph_, x.graph_->node(op, materialise(*x.graph_, x))};
}

Scalar pivot_inverse(const Scalar& pivot, const Scalar& diagonal) {
  ++source_operations().multiplications;  // the limit
  ++source_operations().divisions;
  if (is_known(pivot) && is_known(diagonal)) return fold(Op::pivot_inverse, pivot, diagonal);
  Graph& graph = *(pivot.graph_ ? pivot.graph_ : diagonal.graph_);
  return {graph, graph.node(Op::pivot_inverse, materialise(graph, pivot), materialise(graph, diagonal))};
}

std::vector<double> negatives(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

Scalar lane_numbers(Graph& graph, const std::vector<double>& values) {
  // The first lane that is not zero is positive, so that x and -x share their node.
  const auto first = std::ranges::find_if(values, [](double v) { return v != 0.0; });
  const bool negated = first != values.end() && *first < 0.0;
  return {graph, graph.constant(negated ? negatives(values) : values), negated};
}

Scalar lane(const Scalar& x, int index) {
  if (is_known(x)) return value_in(x, static_cast<std::size_t>(index));
  return {*x.graph(), x.graph()->lane(x.id(), index), x.negated()};
}

Scalar lane_sum(const Scalar& x, int lanes) {
  source_operations().additions += lanes - 1;
  if (x.lanes() == 1) return product(x, lanes);
  if (is_known(x)) {
    const double total = sum_in_halves(x.graph()->lane_values(x.id()));
    return x.negated() ? -total : total;
  }
  return {*x.graph(), x.graph()->lane_sum(x.id()), x.negated()};
}

NodeId materialise(Graph& graph, const Scalar& x) {
  if (x.is_constant()) return graph.constant(x.value());
  if (!x.negated()) return x.id();
  return graph.is_constant(x.id()) ? graph.constant(negatives(graph.lane_values(x.id())))
                                   : graph.node(Op::neg, x.id());
}

Operations& source_operations() {
  thread_local Operations operations;
  return operations;
}

}  // namespace featherline::ir
