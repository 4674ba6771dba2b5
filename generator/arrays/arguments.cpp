#include "arrays/arguments.hpp"

#include "model/chosen_inputs.hpp"
#include "model/clusters.hpp"
#include "model/tree.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <stdexcept>

namespace featherline::catalog {

Sizes sizes_of(const model::Tree& tree) {
  return {tree.nq,
          tree.nv,
          model::num_user_bodies(tree),
          tree.base_parameters == nullptr ? 0 : tree.base_parameters->count(),
          static_cast<int>(tree.chosen.forces.size()),
          tree.chosen.num_parameters(),
          static_cast<int>(tree.links.size()),
          static_cast<int>(tree.frames.chosen.size()),
          tree.frames.num_rows(),
          tree.constraints.count(),
          tree.constraints.num_rows(),
          tree.constraints.num_residual_rows(),
          4 + tree.constraints.count(),
          model::num_regressor_columns(tree),
          tree.clusters ? tree.clusters->nq : 0,
          tree.clusters ? tree.clusters->nv : 0};
}

std::int64_t Dimension::size(const Sizes& sizes) const {
  return value == nullptr ? factor : std::int64_t{factor} * (sizes.*value);
}

std::string Dimension::text() const {
  if (value == nullptr) return std::to_string(factor);
  return (factor == 1 ? "" : std::to_string(factor) + "*") + std::string(of);
}

std::int64_t Shape::size(const Sizes& sizes) const {
  std::int64_t entries = 1;
  for (const Dimension& side : sides_) entries *= side.size(sizes);
  return entries;
}

namespace {

std::string joined(const std::vector<Dimension>& sides, const std::string& separator) {
  std::string text;
  for (const Dimension& side : sides) text += (text.empty() ? "" : separator) + side.text();
  return text;
}

template <class Wanted>
bool has_joint(const model::Tree& robot, const Wanted& wanted) {
  return std::ranges::any_of(robot.bodies, [&](const model::Body& body) { return wanted(body.joint); });
}

/// What templates/words/arrays.in says of an argument.
struct Words {
  std::string meaning, unit, rest;
};
Words words_of(const Argument& argument) {
  static const NamedTexts texts = read_texts("words/arrays");
  const std::string& text = text_of(texts, argument.words.empty() ? argument.name : argument.words);
  const std::size_t open = text.find(" {"), close = text.find('}');
  if (open == text.npos) return {text, "", ""};
  return {text.substr(0, open), text.substr(open + 2, close - open - 2), text.substr(close + 1)};
}

/// "rad" of "rad, m" where all joints turn. If there is an entry for each coordinate, the unit is that of turns, and
/// behind a comma that of slides.
std::string unit_for(const model::Tree& robot, const Argument& argument, const std::string& unit) {
  const std::size_t comma = unit.find(", ");
  const bool is_by_joint = argument.shape.rank() == 1 && argument.quantity <= Quantity::force;
  if (!is_by_joint || comma == std::string::npos) return unit;
  const bool turns = has_joint(robot, [](const model::Joint& joint) { return joint.row().num_turns() > 0; });
  const bool slides =
      has_joint(robot, [](const model::Joint& joint) { return joint.row().num_slides() > 0; });
  if (turns == slides) return unit;
  return turns ? unit.substr(0, comma) : unit.substr(comma + 2);
}

}  // namespace

std::string Shape::text() const {
  const char* layout[] = {"", "", ", column-major", ", T(i, j, k) at i + nv j + nv^2 k"};
  return joined(sides_, " x ") + layout[sides_.size()];
}

std::string Shape::expression() const { return sides_.empty() ? "1" : joined(sides_, " * "); }

double largest_random(Quantity quantity) {
  // By Quantity. A step of 1.7 is a turn of up to 2.95 rad about three axes.
  constexpr std::array largest{std::numbers::pi, 10.0, 50.0, 1.7, 100.0, 10.0};
  return largest.at(static_cast<std::size_t>(quantity));
}

bool arguments::has_quaternions(const model::Tree& robot) {
  return has_joint(robot, [](const model::Joint& joint) { return joint.row().quaternion() >= 0; });
}

bool arguments::has_free_joints(const model::Tree& robot) {
  return has_joint(robot, [](const model::Joint& joint) { return joint.nv == 6; });
}

std::string Argument::meaning() const { return words_of(*this).meaning; }

std::string Argument::text(const model::Tree* robot) const {
  const auto [said, unit, rest] = words_of(*this);
  const std::string shown = robot == nullptr ? unit : unit_for(*robot, *this, unit);
  std::string all = said + (shown.empty() ? "" : " [" + shown + "]") + rest;
  for (const Clause& clause : clauses) {
    if (robot == nullptr || clause.concerns == nullptr || clause.concerns(*robot)) all += clause.text;
  }
  return all;
}

bool is_chosen(const std::string& input) {
  return input == arguments::fext.name || input == arguments::p.name || input == arguments::params.name;
}

const std::vector<Argument>& inputs() {
  using namespace arguments;
  static const std::vector<Argument> all{q,       v,      a,     tau,    b,        w,       wp,
                                         wR,      dv,     q1,    active, fext,     p,       dt,
                                         contact, w_next, start, jerk,   p_wanted, R_wanted};
  return all;
}

const Argument& input_in_states(const std::string& name) {
  const std::string& held = name == arguments::q0.name       ? arguments::q.name
                            : name == arguments::params.name ? arguments::p.name
                                                             : name;
  for (const Argument& input : inputs()) {
    if (input.name == held) return input;
  }
  throw std::logic_error("no state has values for " + name);
}

}  // namespace featherline::catalog
