#pragma once

#include "model/tree.hpp"
#include "robot.hpp"

#include <string>
#include <vector>

/// Describes a robot as text. Also holds what all descriptions of a robot have in common.
namespace featherline::cli {

std::string inspect_text(const Robot& robot);

/// The links of each body. The body's own link comes first. The last entry holds the links that are welded to the
/// world.
std::vector<std::vector<const model::Link*>> links_by_body(const model::Tree& tree);

/// The bodies in depth-first order, each with its depth. Siblings are in the order of q.
struct TreeLine {
  int body, depth;
};
std::vector<TreeLine> walk(const model::Tree& tree);

struct Masses {
  double moving = 0.0, welded_to_world = 0.0;  ///< [kg]
};
Masses sum_masses(const model::Tree& tree);

/// The entries [first, first + count) as text: "3" or "0..6".
std::string index_range(int first, int count);

/// One sentence that says what the choice of the base means for this robot.
std::string describe_base(const model::Tree& tree);

}  // namespace featherline::cli
