#include "formats/mjcf/bodies.hpp"

#include "support/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace featherline::mjcf {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether a range counts: by the attribute that says so, or by itself.
bool counts(const Item& joint, const char* attribute, const char* range, const std::vector<double>& values,
            const Settings& settings) {
  const std::string word = joint.word(attribute, {"true", "false", "auto"}, "auto");
  const bool is_range = values[0] < values[1];
  const Element& element = joint.element();
  if (word == "true" && !is_range)
    element.error(std::string(range) + " of " + describe(*element.xml) + " has no room between its ends",
                  "correct it, or remove " + std::string(attribute));
  if (word == "auto" && is_range && !settings.autolimits)
    element.fault(" has " + std::string(range) + ", but does not say whether it is limited",
                  "write " + std::string(attribute) + ", or autolimits=\"true\" in <compiler>");
  return word != "false" && is_range;
}

Limits read_limits(const Item& joint, bool turns, const Settings& settings) {
  Limits limits{.lower = -infinity,
                .upper = infinity,
                .velocity = infinity,
                .effort = infinity,
                .line = joint.element().line()};
  const auto range = joint.numbers("range", 2, 2).value_or(std::vector<double>{0.0, 0.0});
  if (counts(joint, "limited", "range", range, settings)) {
    limits.lower = turns ? settings.angle(range[0]) : range[0];
    limits.upper = turns ? settings.angle(range[1]) : range[1];
  }
  const auto forces = joint.numbers("actuatorfrcrange", 2, 2).value_or(std::vector<double>{0.0, 0.0});
  if (counts(joint, "actuatorfrclimited", "actuatorfrcrange", forces, settings))
    limits.effort = std::max(std::abs(forces[0]), std::abs(forces[1]));
  return limits;
}

/// The linear coefficient of a polynomial whose others are zero.
double linear(const Item& joint, const char* attribute) {
  const auto read = joint.numbers(attribute, 1, 3);
  if (!read) return 0.0;
  if (std::any_of(read->begin() + 1, read->end(), [](double x) { return x != 0.0; }))
    joint.element().error(std::string(attribute) + " of " + describe(*joint.element().xml) +
                              " is a polynomial, which is not read",
                          "keep its first number");
  return read->front();
}

Dynamics read_dynamics(const Item& joint, bool turns, const Settings& settings) {
  Dynamics dynamics;
  dynamics.damping = linear(joint, "damping");
  dynamics.friction = joint.number("frictionloss", 0.0);
  dynamics.armature = joint.number("armature", 0.0);
  dynamics.stiffness = linear(joint, "stiffness");
  const double rest = joint.number("springref", 0.0);
  dynamics.rest = turns ? settings.angle(rest) : rest;
  dynamics.line = joint.element().line();
  if (joint.has("springdamper")) dynamics.left_out = "springdamper";
  if (joint.flag("actuatorgravcomp", false)) dynamics.left_out = "actuatorgravcomp";
  if (dynamics.armature < 0.0)
    joint.element().error("the armature of " + describe(*joint.element().xml) + " is negative",
                          "write at least 0");
  return dynamics;
}

}  // namespace

Joint read_moving_joint(const Item& item, const Pose& frame, const Settings& settings) {
  const Element& element = item.element();
  const bool is_freejoint = element.tag() == "freejoint";
  const std::string type =
      is_freejoint ? "free" : item.word("type", {"free", "ball", "slide", "hinge"}, "hinge");
  Joint joint;
  joint.line = joint.axis_line = joint.parent_line = joint.child_line = element.line();
  joint.type = type == "free"    ? JointType::floating
               : type == "ball"  ? JointType::spherical
               : type == "slide" ? JointType::prismatic
                                 : JointType::revolute;
  if (is_freejoint) return joint;
  joint.dynamics = read_dynamics(item, type == "hinge", settings);
  if (type == "free" || type == "ball") return joint;
  const Vector3d axis = frame.q * item.vector("axis", Vector3d::UnitZ());
  const double length = axis.stableNorm();
  if (length < 1e-14)
    element.error("the axis of " + describe(*element.xml) + " is zero", "write a direction");
  joint.axis = length < 1e-14 ? Vector3d(Vector3d::UnitZ()) : Vector3d(axis / length);
  joint.limits = read_limits(item, type == "hinge", settings);
  if (type == "hinge" && *joint.limits->lower == -infinity) {
    joint.type = JointType::continuous;
    joint.limits->lower = joint.limits->upper = std::nullopt;
  }
  return joint;
}

}  // namespace featherline::mjcf
