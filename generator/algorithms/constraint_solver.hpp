#pragma once

#include "algorithms/constraint_motion.hpp"
#include "algorithms/joints.hpp"

/// Solutions of M x = b + J^T lambda, J x = -gamma, with D = J M^-1 J^T:
///
///     D lambda = -gamma - J M^-1 b,  x = M^-1 (b + J^T lambda).
///
/// Source: Featherstone, RBDA section 3.2, eq. (3.16), and section 8.2.
namespace featherline::algorithms {

/// The columns of D in the order of rows are eliminated one by one: D = L E L^T, L unit lower triangular, E diagonal.
/// A row that depends on rows before it leaves a pivot of zero, up to rounding. It is dropped: 1/E is zero there.
/// model/constraints.hpp says what the pivot is compared with. A row of a constraint that is not active is dropped,
/// too.
class ConstraintFactor {
 public:
  /// `active`: by row, 1 or 0.
  ConstraintFactor(Context<Scalar>& context, const SquareMatrix<Scalar>& D,
                   const Coordinates<Scalar>& active);

  /// lambda with D lambda = b in the rows that are kept, zero in the others.
  Coordinates<Scalar> solve(Coordinates<Scalar> b) const;

  /// f(x) of each number, to read or replace it.
  template <class F>
  void each_number(const F& f) {
    for (int k = 0; k < L_.size(); ++k) {
      f(inverse_E_[static_cast<std::size_t>(k)]);
      for (int r = k + 1; r < L_.size(); ++r) f(L_(r, k));
    }
  }

 private:
  SquareMatrix<Scalar> L_;  ///< and L E, transposed, above the diagonal
  Coordinates<Scalar> inverse_E_;
};

struct ConstrainedSolution {
  Coordinates<Scalar> x, lambda;
};

/// Through the factor of M. Rows of J go through half of the solution only: limbs touch no other limb's rows.
class ConstrainedSolver {
 public:
  ConstrainedSolver(Context<Scalar>& context, SparseFactor<Scalar> factor,
                    const std::vector<Coordinates<Scalar>>& J, const Coordinates<Scalar>& active);

  ConstrainedSolution solve(const Coordinates<Scalar>& b, const Coordinates<Scalar>& gamma) const;

  /// f(x) of each number, to read or replace it.
  template <class F>
  void each_number(const F& f) {
    factor_.each_number(f);
    for (Coordinates<Scalar>& row : Y_) {
      for (Scalar& x : row) f(x);
    }
    rows_.each_number(f);
  }

 private:
  SparseFactor<Scalar> factor_;
  std::vector<Coordinates<Scalar>> Y_;  ///< by row: L^-T J^T
  ConstraintFactor rows_;
};

/// J M^-1 J^T from J and the factor of M.
SquareMatrix<Scalar> delassus_matrix(Context<Scalar>& context, const SparseFactor<Scalar>& factor,
                                     const std::vector<Coordinates<Scalar>>& J);

// All rows, in order.

std::vector<ConstraintMotion> constraint_motions(Context<Scalar>& context, const JointRates<Scalar>& rates,
                                                 decltype(fold_constraints)* fold = fold_constraints);
std::vector<Coordinates<Scalar>> constraint_jacobian(Context<Scalar>& context,
                                                     const std::vector<ConstraintMotion>& motions);
/// J a + gamma at the accelerations of the motions.
Coordinates<Scalar> constraint_accelerations(const std::vector<ConstraintMotion>& motions);
/// By row: whether its constraint is active, from the input "active".
Coordinates<Scalar> active_rows(const Context<Scalar>& context);

/// Rows of contacts, from the axes that they are written in to those of the world.
class WorldRows {
 public:
  WorldRows(Context<Scalar>& c, const std::vector<ConstraintMotion>& motions) {
    for (const ConstraintMotion& motion : motions) add(c, motion.folded().root, motion.constraint());
  }
  /// Of all constraints one by one.
  explicit WorldRows(Context<Scalar>& c);

  Coordinates<Scalar> operator()(Coordinates<Scalar> rows) const {
    for_blocks([&](std::size_t r) { put(R_ * get(rows, r), r, rows); });
    return rows;
  }
  /// Of R_WA.
  template <class F>
  void each_number(const F& f) {
    for (Vector3<Scalar>& row : R_.rows) {
      for (int k = 0; k < 3; ++k) f(row[k]);
    }
  }
  /// What a step of turning of the base about its axis adds, lambda held in the axes of the base.
  Coordinates<Scalar> by_turn(int axis, const Coordinates<Scalar>& lambda) const {
    Coordinates<Scalar> rows(lambda.size());
    Vector3<Scalar> e;
    e[axis] = 1.0;
    for_blocks([&](std::size_t r) { put(R_ * cross(e, get(lambda, r)), r, rows); });
    return rows;
  }

 private:
  void add(Context<Scalar>& c, const FrameRoot& root, const model::Constraint& constraint) {
    const bool turns = root.moves && model::kind_of(constraint.type).has_vectors;
    for (int r = 0; r < constraint.num_rows(); ++r) turns_.push_back(turns && r % 3 == 0);
    if (turns) R_ = joint_motion(c, root.body).R.matrix();
  }
  template <class F>
  void for_blocks(const F& f) const {
    for (std::size_t r = 0; r < turns_.size(); ++r) {
      if (turns_[r]) f(r);
    }
  }
  static Vector3<Scalar> get(const Coordinates<Scalar>& rows, std::size_t r) {
    return {rows[r], rows[r + 1], rows[r + 2]};
  }
  static void put(const Vector3<Scalar>& x, std::size_t r, Coordinates<Scalar>& rows) {
    for (int k = 0; k < 3; ++k) rows[r + static_cast<std::size_t>(k)] = x[k];
  }

  std::vector<bool> turns_;  ///< by row: whether three rows that turn begin here
  Matrix3<Scalar> R_;
};

}  // namespace featherline::algorithms
