#pragma once

#include "ir/graph.hpp"
#include "support/diagnostic.hpp"

#include <featherline/pivot.hpp>
#include <featherline/stumpff.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

/// A symbolic scalar: writing ordinary C++ with it records an expression graph.
namespace featherline::ir {

/// Either a number, or plus or minus a node of a graph. Numbers fold at once; zeros and ones vanish; the sign
/// is carried outside the graph, so that x and -x share their node and negations cancel before they cost.
///
/// A node may hold several lanes. A constant then holds one number for each lane. Constants fold lane by lane. They
/// vanish if they are zero in all lanes, or one in all lanes.
class Scalar {
 public:
  Scalar(double value = 0.0) : value_(value) {}  // NOLINT: numbers convert, as for any scalar
  Scalar(Graph& graph, NodeId id, bool negated = false);

  /// Whether this is one number, the same in all lanes.
  bool is_constant() const { return graph_ == nullptr; }
  /// The number; meaningful only if is_constant().
  double value() const { return value_; }
  bool is_zero() const { return is_constant() && value_ == 0.0; }
  /// 1 for a number, which goes with any lanes.
  int lanes() const { return graph_ == nullptr ? 1 : (*graph_)[id_].lanes; }
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
  friend Scalar atan(const Scalar& x);
  friend Scalar stumpff_0(const Scalar& x) { return stumpff(Op::stumpff_0, x); }
  friend Scalar stumpff_1(const Scalar& x) { return stumpff(Op::stumpff_1, x); }
  friend Scalar stumpff_3(const Scalar& x) { return stumpff(Op::stumpff_3, x); }
  friend Scalar pivot_inverse(const Scalar& pivot, const Scalar& diagonal);

 private:
  static Scalar stumpff(Op op, const Scalar& x);
  Graph* graph_ = nullptr;
  NodeId id_ = no_node;
  bool negated_ = false;
  double value_ = 0.0;
};

/// For the algebra's templates (featherline/algebra): what is known while code is generated.
inline bool is_number(const Scalar& x) { return x.is_constant(); }
inline bool is_zero(const Scalar& x) { return x.is_zero(); }

/// The opposite numbers.
std::vector<double> negatives(std::vector<double> values);
/// One number per lane.
Scalar lane_numbers(Graph& graph, const std::vector<double>& values);
/// Lane `index` of x.
Scalar lane(const Scalar& x, int index);
/// The sum of one number per lane, in the order in which emitted code adds them (featherline/lanes.hpp).
template <class Real>
Real sum_in_halves(std::vector<Real> values) {
  while (values.size() > 1) {
    const std::size_t half = std::bit_ceil(values.size()) / 2;
    for (std::size_t i = half; i < values.size(); ++i) values[i - half] += values[i];
    values.resize(half);
  }
  return values.front();
}

/// Sum over `lanes` lanes of x, which may be the same in all of them.
Scalar lane_sum(const Scalar& x, int lanes);

/// The node of |x|'s graph that holds x, negation included. `graph` takes the node if x is a number.
NodeId materialise(Graph& graph, const Scalar& x);

/// An operation that each lane does for itself, on numbers or on Scalars. One with a single operand ignores b.
template <class Real>
Real apply(Op op, const Real& a, const Real& b) {
  using featherline::pivot_inverse, featherline::stumpff_0, featherline::stumpff_1, featherline::stumpff_3;
  using std::atan, std::cos, std::sin, std::sqrt;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::sqrt:
      return sqrt(a);
    case Op::sin:
    case Op::sine:
      return sin(a);
    case Op::cos:
    case Op::cosine:
      return cos(a);
    case Op::atan:
      return atan(a);
    case Op::stumpff_0:
      return stumpff_0(a);
    case Op::stumpff_1:
      return stumpff_1(a);
    case Op::stumpff_3:
      return stumpff_3(a);
    case Op::pivot_inverse:
      return pivot_inverse(a, b);
    default:
      throw InternalError(std::string(name(op)) + " is not an operation on each lane");
  }
}

/// Operations as authors of papers count them: products and sums of the formulas, before zeros, ones and common
/// subexpressions are folded. Negations count as nothing. An operation on lanes counts as one.
struct Operations {
  long multiplications = 0, divisions = 0;
  long additions = 0;  ///< and subtractions

  long total() const { return multiplications + divisions + additions; }
  bool operator==(const Operations&) const = default;
  friend Operations operator-(const Operations& x, const Operations& y) {
    return {x.multiplications - y.multiplications, x.divisions - y.divisions, x.additions - y.additions};
  }
};

/// All operations on Scalars in this thread up to now, numbers among the operands or not. The difference of two reads
/// is what an algorithm performed between them.
Operations& source_operations();

}  // namespace featherline::ir
