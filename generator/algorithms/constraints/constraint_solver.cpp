#include "algorithms/constraints/constraint_solver.hpp"

#include "support/diagnostic.hpp"

namespace featherline::algorithms {
namespace {

std::string numbered(const std::string& letters, std::size_t i) { return letters + std::to_string(i); }
std::string numbered(const std::string& letters, std::size_t i, std::size_t j) {
  return numbered(letters, i) + "_" + std::to_string(j);
}

/// By row: the sum of the diagonal entries of its group, the linear or the turning rows of its constraint. A row of
/// rounding errors alone is small beside them, though not beside itself. A part of a free body's entries is added,
/// because the whole group may be made of rounding errors.
Values sizes_of_rows(const Context& c, const Matrix& D) {
  const model::FreeBodyRows of_free_body = model::free_body_rows(c.full_tree());
  Values sizes;
  for (const model::Constraint& constraint : c.full_tree().constraints.all) {
    const int first = constraint.first_row, end = first + constraint.num_rows(),
              turning = first + constraint.num_linear_rows();
    for (const auto& [from, to] : {std::pair(first, turning), std::pair(turning, end)}) {
      Scalar sum = model::least_row * (from == first ? of_free_body.linear : of_free_body.turning);
      for (int r = from; r < to; ++r) sum += D(r, r);
      for (int r = from; r < to; ++r) sizes.push_back(sum);
    }
  }
  return sizes;
}

Matrix products(Context& c, const SparseFactor& factor, const std::vector<Values>& Y) {
  c.begin_section("Delassus matrix");
  Matrix D(static_cast<int>(Y.size()));
  for (int r = 0; r < D.size(); ++r) {
    for (int k = 0; k <= r; ++k) {
      D(r, k) = D(k, r) = factor.product(Y[index(r)], Y[index(k)]);
      c.label(D(r, k), numbered("Dc_", index(r), index(k)));
    }
  }
  return D;
}

/// What get(motion) gives for each row, all rows in order.
template <class Row, class Get>
std::vector<Row> by_row(const std::vector<ConstraintMotion>& motions, const Get& get) {
  std::vector<Row> rows;
  for (const ConstraintMotion& motion : motions) {
    const std::vector<Row> own = get(motion);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

}  // namespace

std::vector<Values> halves(Context& c, const SparseFactor& factor, const std::vector<Values>& J) {
  c.begin_section("half of M^-1 J^T");
  std::vector<Values> Y;
  for (const Values& row : J) {
    Y.push_back(factor.half(row));
    for (std::size_t k = 0; k < row.size(); ++k) c.label(Y.back()[k], numbered("Yc_", Y.size() - 1, k));
  }
  return Y;
}

ConstraintFactor::ConstraintFactor(Context& c, const Matrix& D, const Values& active)
    : ConstraintFactor(c, "factor of the Delassus matrix, D = L E L^T", D, sizes_of_rows(c, D), active) {}

ConstraintFactor::ConstraintFactor(Context& c, const char* title, const Matrix& D, const Values& sizes,
                                   const Values& active)
    : L_(D.size()) {
  Values errors;  // of pivots, relative to these, in units of rounding
  c.begin_section(title);
  for (int k = 0; k < D.size(); ++k) {
    Scalar pivot = D(k, k), of_rows_before;
    for (int j = 0; j < k; ++j) {
      const Scalar part = L_(k, j) * L_(j, k);
      pivot -= part;
      of_rows_before += part * errors[index(j)];
    }
    const Scalar& size = sizes[index(k)];
    inverse_E_.push_back(active[index(k)] *
                         pivot_inverse(pivot, size + model::error_of_rows_before * of_rows_before));
    errors.push_back((size + of_rows_before) * inverse_E_.back());
    c.label(inverse_E_.back(), numbered("Einv_", index(k)));
    for (int r = k + 1; r < D.size(); ++r) {
      Scalar x = D(r, k);
      for (int j = 0; j < k; ++j) x -= L_(r, j) * L_(j, k);
      L_(k, r) = x;  // of L E, whose transpose is kept above the diagonal
      L_(r, k) = x * inverse_E_.back();
      c.label(L_(r, k), numbered("Lc_", index(r), index(k)));
    }
  }
}

Values ConstraintFactor::half(Values b) const {
  for (int r = 0; r < L_.size(); ++r) {
    for (int j = 0; j < r; ++j) b[index(r)] -= L_(r, j) * b[index(j)];
  }
  return b;
}

Values ConstraintFactor::solve(Values b) const {
  const int n = L_.size();
  b = half(std::move(b));
  for (int r = n; r-- > 0;) {
    b[index(r)] *= inverse_E_[index(r)];
    for (int j = r + 1; j < n; ++j) b[index(r)] -= L_(j, r) * b[index(j)];
  }
  return b;
}

ConstrainedSolver::ConstrainedSolver(Context& c, SparseFactor factor, const std::vector<Values>& J,
                                     const Values& active)
    : factor_(std::move(factor)), Y_(halves(c, factor_, J)), rows_(c, products(c, factor_, Y_), active) {}

ConstrainedSolution ConstrainedSolver::solve(const Values& b, const Values& gamma) const {
  Values y = factor_.half(b), right;
  for (std::size_t r = 0; r < Y_.size(); ++r) right.push_back(-(gamma[r] + factor_.product(Y_[r], y)));
  ConstrainedSolution solution{{}, rows_.solve(right)};
  for (std::size_t r = 0; r < Y_.size(); ++r) add_multiple(y, solution.lambda[r], Y_[r]);
  solution.x = factor_.from_half(std::move(y));
  return solution;
}

Matrix delassus_matrix(Context& c, const SparseFactor& factor, const LinkRows& links,
                       const std::vector<Values>& Y) {
  return links.of_constraints(products(c, factor, Y));
}

std::vector<ConstraintMotion> constraint_motions(Context& c, const JointRates& rates, RowAxes axes) {
  const auto folded = fold_constraints(c.full_tree(), c.folding(), axes);
  if (!folded) throw InternalError("constraints do not fit the limbs");
  std::vector<ConstraintMotion> list;
  list.reserve(folded->size());
  for (const FoldedConstraint& constraint : *folded) list.emplace_back(c, constraint, rates);
  return list;
}

std::vector<Values> constraint_jacobian(Context& c, const std::vector<ConstraintMotion>& motions) {
  const auto J = by_row<Values>(motions, [](const ConstraintMotion& motion) { return motion.J(); });
  for (const Values& row : J) c.keep(row);
  return J;
}

Values speeds_of_rows(const std::vector<Values>& J, const Values& v) {
  return each(J, [&](const Values& row) { return dot(row, v); });
}

Values active_rows(const Context& c) {
  Values rows;
  const model::Constraints& constraints = c.full_tree().constraints;
  for (int k = 0; k < constraints.count(); ++k)
    rows.insert(rows.end(), index(constraints.all[index(k)].num_rows()), c.input("active")[index(k)]);
  return rows;
}

WorldRows::WorldRows(Context& c) {
  const auto folded = fold_constraints(c.full_tree(), model::unfolded(c.full_tree()));
  if (!folded) throw InternalError("constraints do not fit the tree");
  for (const FoldedConstraint& constraint : *folded)
    add(c, constraint.root, c.full_tree().constraints.all[index(constraint.constraints.front())]);
}

Values constraint_accelerations(const std::vector<ConstraintMotion>& motions) {
  return by_row<Scalar>(motions, [](const ConstraintMotion& motion) { return motion.acceleration(); });
}

}  // namespace featherline::algorithms
