#pragma once

#include "algorithms/joint_motion.hpp"
#include "algorithms/square_matrix.hpp"

namespace featherline::algorithms {

/// M = L^T D L with unit lower triangular L: no fill-in where M has the zeros of a branching tree (Featherstone,
/// RBDA table 6.3). Zeros of M are symbolic, so the sparsity needs no bookkeeping; coupled joints just have fewer.
class SparseFactor {
 public:
  explicit SparseFactor(const SquareMatrix& M);

  /// M^-1 b (RBDA table 6.5).
  Coordinates solve(Coordinates b) const;
  /// M^-1, full and symmetric, from L M^-1 = D^-1 L^-T row by row.
  SquareMatrix inverse() const;

 private:
  int size() const { return L_.size(); }

  SquareMatrix L_;
  Coordinates inverse_D_;
};

}  // namespace featherline::algorithms
