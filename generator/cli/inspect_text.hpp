#pragma once

#include "model/tree.hpp"
#include "robot.hpp"

#include <string>
#include <vector>

/// A robot as text, and what all its pictures are made of.
namespace featherline::cli {

std::string inspect_text(const Robot& robot);

/// Links of each body, the body's own link first; what is welded to the world comes last.
std::vector<std::vector<const model::Link*>> links_by_body(const model::Tree& tree);

/// Bodies in depth-first order with their depth, siblings in the order of q.
struct TreeLine {
  int body, depth;
};
std::vector<TreeLine> walk(const model::Tree& tree);

struct Masses {
  double moving = 0.0, welded_to_world = 0.0;  ///< [kg]
};
Masses sum_masses(const model::Tree& tree);

/// "3" or "0..6": the entries [first, first + count).
std::string index_range(int first, int count);

/// What the base choice means for this robot, one sentence.
std::string describe_base(const model::Tree& tree);

}  // namespace featherline::cli
