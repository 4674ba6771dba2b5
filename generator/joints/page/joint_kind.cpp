#include "joints/page/joint_kind.hpp"

#include "model/overview.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace featherline::report {
namespace {

using model::Direction;
using model::JointRow;
using model::Motion;

constexpr JointKind turning{"turn", "turns", -4.5, 0, "a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z"},
    sliding{"slide", "slides", -4, -4, "h8v8h-8z"}, mixed{"both", "turns and slides", 0, -6, "l5.5 9.5h-11z"},
    loose{"free", "moves in three or more ways", 0, -6, "l6 6l-6 6l-6 -6z"};

/// The texts of all entries, each once, with commas between them.
template <class List, class TextOf>
std::string each_once(const List& list, const TextOf& text_of) {
  std::vector<std::string> texts;
  for (const auto& entry : list) {
    if (std::ranges::find(texts, text_of(entry)) == texts.end()) texts.push_back(text_of(entry));
  }
  return join(texts);
}

/// By Direction and by Coordinate.
constexpr const char *direction_names[] = {"x", "y", "z", "axis", "axis 2"},
                     *units[] = {"rad", "m", "quaternion"};

}  // namespace

const JointKind& kind_of(const model::Joint& joint) {
  const JointRow& row = joint.row();
  if (row.nv() >= 3) return loose;
  if (row.num_turns() == 0) return sliding;
  return row.travels() ? mixed : turning;
}

std::string joint_symbol(const JointKind& kind, double x, double y) {
  return fmt::format("<path class=\"joint {}\" d=\"M{} {}{}\"/>", kind.name, x + kind.x, y + kind.y,
                     kind.outline);
}

std::string joint_legend() {
  std::string text;
  for (const JointKind* kind : {&turning, &sliding, &mixed, &loose})
    text += fmt::format(
        "<span><svg width=\"16\" height=\"16\" viewBox=\"-8 -8 16 16\" aria-hidden=\"true\">{}</svg> joint "
        "{}</span>\n",
        joint_symbol(*kind, 0, 0), kind->meaning);
  return text;
}

std::string axis_text(const model::Joint& joint) {
  if (!joint.row().needs(Direction::axis)) return {};
  const std::string axis = model::coordinate_axis(joint.axis);
  if (!axis.empty()) return axis;
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", joint.axis.x(), joint.axis.y(), joint.axis.z());
}

std::string position_units(const model::Joint& joint) {
  return each_once(joint.row().coordinates, [](model::Coordinate coordinate) -> std::string {
    return units[static_cast<std::size_t>(coordinate)];
  });
}

std::string force_units(const model::Joint& joint) {
  return each_once(joint.row().motions,
                   [](const Motion& motion) -> std::string { return motion.turns() ? "N m" : "N"; });
}

std::string motion_name(const Motion& motion) {
  return (motion.turns() ? "turn about " : "slide along ") +
         std::string(direction_names[static_cast<std::size_t>(motion.along)]);
}

std::string velocity_name(const model::Joint& joint, int entry) {
  const std::string name = shown_name(joint.name);
  if (joint.nv == 1) return name;
  return name + ", " + motion_name(joint.row().motions[static_cast<std::size_t>(entry)]);
}

}  // namespace featherline::report
