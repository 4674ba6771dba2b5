#pragma once

#include "ir/kernel.hpp"
#include "model/tree.hpp"

namespace featherline::algorithms {

/// Whether no two joints share coordinates; articulated bodies want that.
bool has_own_coordinates(const model::Tree& tree);

/// All degrees of freedom of a tree, parents before children: what runtime loops walk, and how much they have to do.
/// Takes the user's tree as well as the canonical one: the size policy estimates before anything is canonical.
class TreeAxes {
 public:
  explicit TreeAxes(const model::Tree& tree);

  const std::vector<ir::AxisTable::Axis>& rows() const { return rows_; }
  int size() const { return static_cast<int>(rows_.size()); }

  /// Axes from the root to the furthest leaf.
  int max_path() const;
  /// Pairs (p, t) with t at or above p.
  double num_pairs() const;
  /// Ordered pairs of axes on one path: the sum of num_related().
  double num_related_pairs() const;
  /// Triples (p, t, r) with t at or above p and r at or above t.
  double num_triples() const;
  /// By axis: how many axes are on one path with it, itself included.
  std::vector<double> num_related() const;
  /// By axis: how many axes hang off the world by the same joint as it, itself included.
  std::vector<double> num_connected() const;

 private:
  std::vector<ir::AxisTable::Axis> rows_;
  std::vector<int> path_lengths_;  ///< by axis: axes from the root to it, those of its joint included
};

/// The tree as runtime loops read it.
std::shared_ptr<const ir::AxisTable> axis_table(const model::Tree& tree);

/// The report counts in ints.
int to_flops(double flops);

}  // namespace featherline::algorithms
