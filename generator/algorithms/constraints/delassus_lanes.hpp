#pragma once

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/lanes/limb_inverse.hpp"

/// The Delassus matrix in limb lanes.
namespace featherline::algorithms {

/// Rows of folded constraints: their rows among those of all constraints, by lane, and the group of their limbs.
struct LimbRows {
  std::vector<std::vector<int>> places;
  std::vector<int> group;
};
LimbRows limb_rows(const Context& context, const std::vector<ConstraintMotion>& motions);

/// Adds J^T forces, by row of the folded constraints, to b.
void add_forces(const Context& context, const LimbRows& rows, const std::vector<Coordinates>& J,
                const Coordinates& forces, Coordinates& b);

/// An output by row of all constraints, in axes of the world.
std::vector<StoredEntry> row_entries(Context& context, const std::vector<ConstraintMotion>& motions,
                                     const Coordinates& x);

/// D = J M^-1 J^T, one half of M^-1 J^T a row.
class DelassusInLimbs {
 public:
  DelassusInLimbs(Context& context, const LimbInverse& inverse, LimbRows rows,
                  const std::vector<Coordinates>& J);

  /// By row of the folded constraints: what it has in the column of row k of limb `lane`.
  Coordinates column(int k, int lane) const;
  /// Its entries in the full matrix.
  std::vector<StoredEntry> entries() const;
  /// The full matrix.
  SquareMatrix matrix() const;

 private:
  Context& c_;
  const LimbInverse& inverse_;
  LimbRows rows_;
  std::vector<LimbInverse::Half> halves_;
};

}  // namespace featherline::algorithms
