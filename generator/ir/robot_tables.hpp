#pragma once

#include <featherline/detail/axis_tree.hpp>
#include <featherline/detail/limb_blocks.hpp>
#include <featherline/detail/panel_tree.hpp>

#include <array>
#include <vector>

/// The tables of a robot that routines of the runtime read. Emitted code declares them as constants. The generator
/// hands these to the same routines.
namespace featherline::ir {

/// A vector that can be indexed by int, as routines do it.
template <class T>
struct List : std::vector<T> {
  using std::vector<T>::vector, std::vector<T>::operator[];
  T& operator[](int i) { return (*this)[static_cast<std::size_t>(i)]; }
  const T& operator[](int i) const { return (*this)[static_cast<std::size_t>(i)]; }
};

/// All degrees of freedom of a tree, parents before children (featherline/detail/axis_tree.hpp).
struct AxisTable {
  int nv = 0, num_axes = 0, max_path = 0;
  bool coupled = false;
  List<AxisInfo> axes;
  List<double> multipliers;
  List<int> path_lengths;  ///< by axis: axes from the root to it, those of its joint included
  // For featherline/regressor.hpp.
  bool free_base = false;
  int num_bodies = 0;
  List<RowRun> runs;

  void add(const AxisInfo& axis, double multiplier);

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
  /// By axis: how many are in joints above its own.
  std::vector<double> num_above() const;
  /// By two coordinates, i nv + k: whether they are on one path, so that M is not zero there.
  std::vector<bool> related() const;
  /// Its trunk and its limbs, if it has them.
  detail::LimbBlocks limb_blocks() const;
};

/// The robot in slots (featherline/detail/panel_tree.hpp).
struct PanelTable {
  int nv = 0, num_slots = 0, num_bodies = 0, num_roots = 0, max_places = 0;
  int all_begin = 0, all_end = 0;
  bool floating = false, single_axes = false, turns_only = false, placements_vary = false;
  List<PanelBody> bodies;
  List<std::array<double, 12>> placements;
  // By slot. What is read four slots at a time has zeros up to a whole row.
  List<int> parents, coordinates, joints, directions;
  List<double> turns, slides;
  List<std::vector<double>> inertias =
      List<std::vector<double>>(10);  ///< behind the slots, of a floating base
  List<PanelSegment> segments;
  List<PanelRange> ranges;

  /// Sets the sizes and flags, and adds the zeros, once the lists are complete.
  void finish();
  /// Numbers of featherline::detail::PanelInputs::joints.
  int size_of_joints() const;
  /// Slots in ranges of the table.
  int count(int begin, int end) const;
};

}  // namespace featherline::ir
