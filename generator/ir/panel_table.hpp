#pragma once

#include <featherline/detail/panel_tree.hpp>

#include <array>
#include <vector>

namespace featherline::ir {

/// The robot as featherline/panels.hpp reads it. See detail/panel_tree.hpp for what each table holds.
struct PanelTable {
  int nv = 0, num_roots = 0;
  bool floating = false;
  std::vector<PanelBody> bodies;
  std::vector<std::array<double, 12>> placements;
  // By slot.
  std::vector<int> parents, coordinates, joints, directions;
  std::vector<double> turns, slides;
  std::vector<std::array<double, 10>> inertias;  ///< behind the slots, of a floating base
  std::vector<PanelSegment> segments;
  std::vector<PanelRange> ranges;
  int all_begin = 0, all_end = 0;  ///< the ranges of all slots

  int num_slots() const { return static_cast<int>(parents.size()); }
  int num_varying() const;  ///< bodies whose placement varies
  bool single_axes() const;
  bool turns_only() const;
};

}  // namespace featherline::ir
