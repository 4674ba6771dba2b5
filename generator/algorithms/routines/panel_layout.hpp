#pragma once

#include "ir/panel_table.hpp"
#include "model/tree.hpp"

#include <vector>

namespace featherline::algorithms {

/// The slots of a robot, and which bodies of the tree are behind them.
struct PanelLayout {
  ir::PanelTable table;
  std::vector<int> bodies;   ///< by body of the table: its index in the tree
  std::vector<int> roots;    ///< the children of the world
  std::vector<int> varying;  ///< bodies of the tree whose placement varies

  explicit PanelLayout(const model::CanonicalTree& tree);
};

}  // namespace featherline::algorithms
