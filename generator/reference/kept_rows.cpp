#include "reference/constraint_rows.hpp"

#include <featherline/pivot.hpp>

#include <Eigen/LU>

#include <cmath>

namespace featherline::reference {
namespace {

using model::Constraint;
using model::Tree;
using Real = long double;
using LongVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// Finds rows that do not depend on rows before them, by Gram and Schmidt, twice, in the metric M^-1.
class RowsInOrder {
 public:
  explicit RowsInOrder(const LongMatrix& M) : factor_(M) {}

  Real squared_length(const LongVector& row) const { return row.dot(factor_.solve(row)); }
  /// Whether the row counts. `size`: what is left of it is compared with this (model/constraints.hpp).
  bool add(LongVector row, Real size) {
    constexpr Real smallest = pivot_tolerance<double>;
    Real of_rows_before = 0.0L;
    for (int pass = 0; pass < 2; ++pass) {
      for (const Direction& before : before_) {
        const Real part = before.image.dot(row);
        row -= before.unit * part;
        if (pass == 0) of_rows_before += part * part * before.error;
      }
    }
    const LongVector image = factor_.solve(row);
    const Real left = row.dot(image);
    if (!(left > smallest * (size + model::error_of_rows_before * of_rows_before))) return false;
    before_.push_back({row / std::sqrt(left), image / std::sqrt(left), (size + of_rows_before) / left});
    return true;
  }

 private:
  struct Direction {
    LongVector unit, image;  ///< M^-1 times it
    Real error;              ///< relative, in units of rounding
  };

  Eigen::PartialPivLU<LongMatrix> factor_;
  std::vector<Direction> before_;
};

}  // namespace

LongMatrix solve(const LongMatrix& A, const LongMatrix& b) {
  return Eigen::PartialPivLU<LongMatrix>(A).solve(b);
}

std::vector<int> kept_rows(const Tree& tree, const LongMatrix& M, const LongMatrix& J,
                           const Eigen::VectorXd& active) {
  const model::FreeBodyRows of_free_body = model::free_body_rows(tree);
  RowsInOrder rows(M);
  std::vector<int> kept;
  for (int k = 0; k < tree.constraints.count(); ++k) {
    if (active[k] < 0.5) continue;
    const Constraint& constraint = tree.constraints.all[static_cast<std::size_t>(k)];
    const int turning = constraint.first_row + constraint.num_linear_rows();
    for (const bool linear : {true, false}) {  // rows of one unit
      const int first = linear ? constraint.first_row : turning,
                end = linear ? turning : constraint.first_row + constraint.num_rows();
      Real size = model::least_row * (linear ? of_free_body.linear : of_free_body.turning);
      for (int r = first; r < end; ++r) size += rows.squared_length(J.row(r).transpose());
      for (int r = first; r < end; ++r) {
        if (rows.add(J.row(r).transpose(), size)) kept.push_back(r);
      }
    }
  }
  return kept;
}

}  // namespace featherline::reference
