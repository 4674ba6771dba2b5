#pragma once

#include "algorithms/constraints/constraint_motion.hpp"
#include "algorithms/matrices.hpp"

/// Rows of points by those of their links. Points of one link move with the first of them and turn with the link: with
/// r from the first point,
///
///     J_p = J_1 - [r]x J_w,
///
/// so that six rows go through M^-1 in the place of three or more points. All other rows are their own.
namespace featherline::algorithms {

/// Rows of folded constraints: their rows among those of all constraints, by lane, and the group of their limbs.
struct LimbRows {
  std::vector<std::vector<int>> places;
  std::vector<int> group;

  int lanes(std::size_t row) const { return static_cast<int>(places[row].size()); }
};
LimbRows limb_rows(const Context& context, const std::vector<ConstraintMotion>& motions);

class LinkRows {
 public:
  LinkRows(Context& context, const std::vector<ConstraintMotion>& motions);

  int num_rows() const { return num_rows_; }  ///< of constraints
  /// By row of constraints, from numbers by row of links; what follows these stays as it is.
  Coordinates of_constraints(const Coordinates& x) const;
  /// A symmetric matrix, the same way.
  SquareMatrix of_constraints(const SquareMatrix& L) const;
  /// J v by row of constraints.
  Coordinates speeds(const Coordinates& v) const;
  /// Forces by row of links, from those by row of constraints.
  Coordinates of_links(const Coordinates& forces) const;

  /// f(x, lanes) of each number, to read or replace it.
  template <class F>
  void each_number(const F& f) {
    for (Rows& own : all_) {
      for (int k = 0; k < 3 && own.is_carried; ++k) f(own.way[k], own.lanes);
    }
  }

  LimbRows rows;               ///< of links; a link's turning has the places of its first point
  std::vector<Coordinates> J;  ///< by row of links

 private:
  struct Rows {
    int first, count;  ///< of links
    bool is_carried;   ///< by a point before it
    Vector3 way;       ///< r
    int lanes;
  };

  std::vector<Rows> all_;  ///< by constraint
  int num_rows_ = 0;
};

}  // namespace featherline::algorithms
