#pragma once

#include "ir/graph.hpp"

#include <Eigen/Core>

/// A symbolic scalar: writing ordinary C++ with it records an expression graph.
namespace featherline::ir {

/// Either a number, or plus or minus a node of a graph. Numbers fold at once; zeros and ones vanish; the sign
/// is carried outside the graph, so that x and -x share their node and negations cancel before they cost.
class Scalar {
 public:
  Scalar(double value = 0.0) : value_(value) {}  // NOLINT: numbers convert, as for any scalar
  Scalar(Graph& graph, NodeId id, bool negated = false);

  bool is_constant() const { return graph_ == nullptr; }
  /// The number; meaningful only if is_constant().
  double value() const { return value_; }
  bool is_zero() const { return is_constant() && value_ == 0.0; }
  Graph* graph() const { return graph_; }
  NodeId id() const { return id_; }
  bool negated() const { return negated_; }

  Scalar operator-() const;
  Scalar& operator+=(const Scalar& y) { return *this = *this + y; }
  Scalar& operator-=(const Scalar& y) { return *this = *this - y; }
  Scalar& operator*=(const Scalar& y) { return *this = *this * y; }
  Scalar& operator/=(const Scalar& y) { return *this = *this / y; }

  friend Scalar operator+(const Scalar& x, const Scalar& y);
  friend Scalar operator-(const Scalar& x, const Scalar& y);
  friend Scalar operator*(const Scalar& x, const Scalar& y);
  friend Scalar operator/(const Scalar& x, const Scalar& y);
  /// Same number, or same node and sign.
  friend bool operator==(const Scalar& x, const Scalar& y) = default;

  friend Scalar sqrt(const Scalar& x);
  friend Scalar sin(const Scalar& x);
  friend Scalar cos(const Scalar& x);

 private:
  Graph* graph_ = nullptr;
  NodeId id_ = no_node;
  bool negated_ = false;
  double value_ = 0.0;
};

/// The node of |x|'s graph that holds x, negation included. `graph` takes the node if x is a number.
NodeId materialise(Graph& graph, const Scalar& x);

template <int Rows, int Cols>
using Matrix = Eigen::Matrix<Scalar, Rows, Cols>;
using Vector3 = Matrix<3, 1>;
using Matrix3 = Matrix<3, 3>;

}  // namespace featherline::ir

template <>
struct Eigen::NumTraits<featherline::ir::Scalar> : Eigen::NumTraits<double> {
  using Real = featherline::ir::Scalar;
  using NonInteger = featherline::ir::Scalar;
  using Nested = featherline::ir::Scalar;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
