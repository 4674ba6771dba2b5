#pragma once

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/constraints/link_rows.hpp"
#include "algorithms/lanes/limb_inverse.hpp"

/// The Delassus matrix in limb lanes.
namespace featherline::algorithms {

/// Adds J^T forces, by row of the folded constraints, to b.
void add_forces(const Context& context, const LimbRows& rows, const std::vector<Coordinates>& J,
                const Coordinates& forces, Coordinates& b);

/// An output by row of all constraints, in axes of the world.
std::vector<StoredEntry> row_entries(Context& context, const std::vector<ConstraintMotion>& motions,
                                     const Coordinates& x);

/// D = J M^-1 J^T, one half of M^-1 J^T a row of links.
class DelassusInLimbs {
 public:
  /// `rows`: of the folded constraints.
  DelassusInLimbs(Context& context, const LimbInverse& inverse, const LinkRows& links, LimbRows rows);

  /// Its entries in the full matrix.
  std::vector<StoredEntry> entries() const;
  /// The full matrix.
  SquareMatrix matrix() const;

 private:
  /// By row of links: what it has in the column of row k of limb `lane`.
  Coordinates column(int k, int lane) const;

  Context& c_;
  const LimbInverse& inverse_;
  const LinkRows& links_;
  LimbRows rows_;
  std::vector<LimbInverse::Half> halves_;
};

}  // namespace featherline::algorithms
