#pragma once

#include "ir/kernel.hpp"
#include "model/tree.hpp"

namespace featherline::algorithms {

/// Whether no two joints share coordinates. Articulated bodies need this.
bool has_no_mimic(const model::Tree& tree);

/// All degrees of freedom of a tree, parents before children, and counts of their pairs and triples. The loops of the
/// runtime walk them. The user's tree is accepted, too, because the size policy estimates before the canonical tree
/// exists.
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
  /// By axis: how many axes are in the same subtree of the world, itself included.
  std::vector<double> num_connected() const;

 private:
  std::vector<ir::AxisTable::Axis> rows_;
  std::vector<int> path_lengths_;  ///< by axis: axes from the root to it, those of its joint included
};

/// The tree as runtime loops read it.
std::shared_ptr<const ir::AxisTable> axis_table(const model::Tree& tree);

/// Flops as an int, for the report.
int to_flops(double flops);

}  // namespace featherline::algorithms
