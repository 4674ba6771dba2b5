#include "ir/panel_table.hpp"

#include <algorithm>

namespace featherline::ir {

int PanelTable::num_varying() const {
  return static_cast<int>(
      std::count_if(bodies.begin(), bodies.end(), [](const PanelBody& body) { return body.placement >= 0; }));
}

bool PanelTable::single_axes() const {
  return std::all_of(bodies.begin(), bodies.end(),
                     [](const PanelBody& body) { return body.first == body.last; });
}

bool PanelTable::turns_only() const {
  return std::all_of(turns.begin(), turns.end(), [](double turn) { return turn == 1.0; }) &&
         std::all_of(slides.begin(), slides.end(), [](double slide) { return slide == 0.0; });
}

}  // namespace featherline::ir
