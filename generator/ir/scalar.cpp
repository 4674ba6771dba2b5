#include "ir/scalar.hpp"

#include "ir/source_operations.hpp"
#include "support/text.hpp"

#include <featherline/pivot.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Whether x is a number in each of its lanes.
bool is_known(const Scalar& x) { return x.is_constant() || x.graph()->is_constant(x.id()); }

double value_in(const Scalar& x, std::size_t lane) {
  if (x.is_constant()) return x.value();
  const double value = x.graph()->lane_values(x.id())[lane];
  return x.negated() ? -value : value;
}

/// f(x, y) lane by lane, of two that are known.
template <class F>
Scalar fold(const Scalar& x, const Scalar& y, const F& f) {
  if (x.is_constant() && y.is_constant()) return f(x.value(), y.value());
  std::vector<double> values(static_cast<std::size_t>(std::max(x.lanes(), y.lanes())));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = f(value_in(x, k), value_in(y, k));
  return lane_numbers(x.is_constant() ? *y.graph() : *x.graph(), values);
}

/// x = factor * rest with what is known taken out of a product `constant * node`, 1 otherwise.
struct Scaled {
  Scalar factor = 1.0;
  NodeId rest = no_node;
};

Scaled split_scale(Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.op == Op::mul && graph.is_constant(node.a)) return {{graph, node.a}, node.b};
  return {1.0, id};
}

/// factor * node with the constants of nested products folded into one.
Scalar scale(Graph& graph, const Scalar& factor, NodeId id) {
  const Scaled inner = split_scale(graph, id);
  const Scalar total = fold(factor, inner.factor, std::multiplies<>());
  if (!total.is_constant()) return {graph, graph.node(Op::mul, total.id(), inner.rest), total.negated()};
  const bool negated = total.value() < 0.0;
  const double size = std::abs(total.value());
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
  return {graph, graph.commutative(Op::add, a, b)};
}

/// a - b, or minus b - a where that exists already.
Scalar difference(Graph& graph, NodeId a, NodeId b) {
  if (a == b) return 0.0;
  const NodeId reversed = graph.merges_reversed_differences ? graph.find(Op::sub, b, a) : no_node;
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
  ++source_operations().additions;
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  if (is_known(x) && is_known(y)) {  // what cancels leaves nothing, not rounding
    return fold(x, y,
                [](double a, double b) { return round_number(a + b, std::max(std::abs(a), std::abs(b))); });
  }
  Graph& graph = *(x.graph_ ? x.graph_ : y.graph_);
  const NodeId a = magnitude(graph, x), b = magnitude(graph, y);
  if (negative(x) == negative(y)) return negative(x) ? -sum(graph, a, b) : sum(graph, a, b);
  return negative(x) ? difference(graph, b, a) : difference(graph, a, b);
}

Scalar operator-(const Scalar& x, const Scalar& y) { return x + (-y); }

namespace {

/// number * x, uncounted.
Scalar scaled(const Scalar& number, const Scalar& x) {
  const Scalar product = scale(*x.graph(), number, x.id());
  return x.negated() ? -product : product;
}

Scalar product(const Scalar& x, const Scalar& y) {
  if (is_known(x) && is_known(y)) return fold(x, y, std::multiplies<>());
  if (is_known(x)) return scaled(x, y);
  if (is_known(y)) return scaled(y, x);
  return {*x.graph(), x.graph()->commutative(Op::mul, x.id(), y.id()), x.negated() != y.negated()};
}

}  // namespace

Scalar operator*(const Scalar& x, const Scalar& y) {
  ++source_operations().multiplications;
  return product(x, y);
}

Scalar operator/(const Scalar& x, const Scalar& y) {
  ++source_operations().divisions;
  if (is_known(y)) return product(x, fold(1.0, y, std::divides<>()));
  if (x.is_zero()) return 0.0;
  Graph& graph = *y.graph_;
  const NodeId a = magnitude(graph, x);
  const bool negated = negative(x) != y.negated_;
  if (a == y.id_) return negated ? -1.0 : 1.0;
  return {graph, graph.node(Op::div, a, y.id_), negated};
}

Scalar sqrt(const Scalar& x) {
  if (is_known(x)) return fold(x, 0.0, [](double a, double) { return std::sqrt(a); });
  return {*x.graph_, x.graph_->node(Op::sqrt, materialise(*x.graph_, x))};
}

Scalar sin(const Scalar& x) {
  if (is_known(x)) return fold(x, 0.0, [](double a, double) { return std::sin(a); });
  return {*x.graph_, x.graph_->node(Op::sin, x.id_), x.negated_};
}

Scalar cos(const Scalar& x) {
  if (is_known(x)) return fold(x, 0.0, [](double a, double) { return std::cos(a); });
  return {*x.graph_, x.graph_->node(Op::cos, x.id_)};
}

Scalar atan(const Scalar& x) {
  if (is_known(x)) return fold(x, 0.0, [](double a, double) { return std::atan(a); });
  return {*x.graph_, x.graph_->node(Op::atan, x.id_), x.negated_};
}

Scalar pivot_inverse(const Scalar& pivot, const Scalar& diagonal) {
  source_operations() += {.multiplications = 1, .divisions = 1};  // the limit, and the division
  if (is_known(pivot) && is_known(diagonal))
    return fold(pivot, diagonal, [](double x, double d) { return featherline::pivot_inverse(x, d); });
  Graph& graph = *(pivot.graph_ ? pivot.graph_ : diagonal.graph_);
  return {graph, graph.node(Op::pivot_inverse, materialise(graph, pivot), materialise(graph, diagonal))};
}

Scalar lane_numbers(Graph& graph, const std::vector<double>& values) {
  // The first lane that is not zero is positive, so that x and -x share their node.
  const auto first = std::find_if(values.begin(), values.end(), [](double v) { return v != 0.0; });
  const bool negated = first != values.end() && *first < 0.0;
  std::vector<double> positive = values;
  if (negated) {
    for (double& v : positive) v = -v;
  }
  return {graph, graph.constant(positive), negated};
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
  if (x.negated() && graph.is_constant(x.id())) {
    std::vector<double> values = graph.lane_values(x.id());
    for (double& v : values) v = -v;
    return graph.constant(values);
  }
  return x.negated() ? graph.node(Op::neg, x.id()) : x.id();
}

}  // namespace featherline::ir
