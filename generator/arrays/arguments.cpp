#include "arrays/arguments.hpp"

#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <functional>
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
          tree.constraints.num_residual_rows()};
}

namespace {

struct RobotSize {
  const char* name;
  int Sizes::*value;
};

/// In the order of Dimension::Of, which begins with a number.
constexpr RobotSize robot_sizes[] = {{"nq", &Sizes::nq},
                                     {"nv", &Sizes::nv},
                                     {"num_bodies", &Sizes::num_bodies},
                                     {"num_base_parameters", &Sizes::num_base_parameters},
                                     {"num_external_forces", &Sizes::num_external_forces},
                                     {"num_parameters", &Sizes::num_parameters},
                                     {"num_links", &Sizes::num_links},
                                     {"num_frames", &Sizes::num_frames},
                                     {"num_frame_rows", &Sizes::num_frame_rows},
                                     {"num_constraints", &Sizes::num_constraints},
                                     {"num_constraint_rows", &Sizes::num_constraint_rows},
                                     {"num_residual_rows", &Sizes::num_residual_rows}};

const RobotSize& robot_size(Dimension::Of of) { return robot_sizes[static_cast<std::size_t>(of) - 1]; }

}  // namespace

std::int64_t Dimension::size(const Sizes& sizes) const {
  return of == Of::number ? factor : std::int64_t{factor} * (sizes.*robot_size(of).value);
}

std::string Dimension::text() const {
  if (of == Of::number) return std::to_string(factor);
  return (factor == 1 ? "" : std::to_string(factor) + "*") + robot_size(of).name;
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

}  // namespace

std::string Shape::text() const {
  const char* layout[] = {"", "", ", column-major", ", T(i, j, k) at i + nv j + nv^2 k"};
  return joined(sides_, " x ") + layout[sides_.size()];
}

std::string Shape::expression() const { return joined(sides_, " * "); }

double largest_random(Quantity quantity) {
  switch (quantity) {
    case Quantity::position:
      return std::numbers::pi;
    case Quantity::acceleration:
      return 50.0;
    case Quantity::step:
      return 1.7;  // a turn of up to 2.95 rad about three axes
    case Quantity::force:
      return 100.0;
    case Quantity::velocity:
    case Quantity::any_vector:
      return 10.0;
    case Quantity::parameter:
    case Quantity::active:
      break;
  }
  throw std::logic_error("a quantity has no range");
}

namespace {

bool has_joint(const model::Tree& robot, const std::function<bool(const model::Joint&)>& wanted) {
  return std::any_of(robot.bodies.begin(), robot.bodies.end(),
                     [&](const model::Body& body) { return wanted(body.joint); });
}

bool concerns(const Notes::Clause& clause, const model::Tree& robot) {
  switch (clause.of) {
    case Notes::Of::every_robot:
      return true;
    case Notes::Of::quaternions:
      return has_joint(robot, [](const model::Joint& joint) { return joint.row().quaternion() >= 0; });
    case Notes::Of::free_joints:
      return has_joint(robot, [](const model::Joint& joint) { return joint.nv == 6; });
  }
  throw InternalError("a clause concerns nobody");
}

/// Whether there is an entry for each joint. Then the unit is that of turns, and behind a comma that of slides.
bool is_by_joint(const Argument& argument) {
  const Quantity quantity = argument.quantity;
  return argument.shape.rank() == 1 &&
         (quantity == Quantity::position || quantity == Quantity::velocity ||
          quantity == Quantity::acceleration || quantity == Quantity::force || quantity == Quantity::step);
}

/// "rad" of "rad, m" where all joints turn.
std::string unit_of(const Argument& argument, const model::Tree& robot) {
  const std::size_t comma = argument.unit.find(", ");
  if (!is_by_joint(argument) || comma == std::string::npos) return argument.unit;
  const auto has_motion = [&](bool slide) {
    return has_joint(robot, [&](const model::Joint& joint) {
      const auto& motions = joint.row().motions;
      return std::any_of(motions.begin(), motions.end(), [&](const model::Motion& motion) {
        return (motion.kind == model::Motion::Kind::slide) == slide;
      });
    });
  };
  const bool turns = has_motion(false), slides = has_motion(true);
  if (turns == slides) return argument.unit;
  return turns ? argument.unit.substr(0, comma) : argument.unit.substr(comma + 2);
}

}  // namespace

std::string Notes::text(const model::Tree* robot) const {
  std::string all;
  for (const Clause& clause : clauses_) {
    if (robot == nullptr || concerns(clause, *robot)) all += clause.text;
  }
  return all;
}

std::string Argument::text(const model::Tree* robot) const {
  const std::string shown = robot == nullptr ? unit : unit_of(*this, *robot);
  return meaning + (shown.empty() ? "" : " [" + shown + "]") + notes.text(robot);
}

bool is_chosen(const std::string& input) {
  return input == arguments::fext.name || input == arguments::p.name;
}

const std::vector<Argument>& inputs() {
  using namespace arguments;
  static const std::vector<Argument> all{q, v, a, tau, b, w, dv, q1, active, fext, p};
  return all;
}

const Argument& input_in_states(const std::string& name) {
  const std::string& held = name == arguments::q0.name ? arguments::q.name : name;
  for (const Argument& input : inputs()) {
    if (input.name == held) return input;
  }
  throw std::logic_error("no state has values for " + name);
}

}  // namespace featherline::catalog
