#include "formats/sdf/sdf.hpp"

#include "support/text.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace featherline::sdf {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Values of this size and above mean "no limit".
constexpr double unlimited = 1e16;

Limits read_limits(const Element& axis) {
  const Element* limit = child(&axis, "limit");
  const auto bound = [&](const char* tag, double otherwise) {
    const double value = number(limit, tag).value_or(otherwise);
    return std::abs(value) >= unlimited ? std::copysign(infinity, value) : value;
  };
  const auto most = [&](const char* tag) {  // below zero: no limit
    const double value = bound(tag, infinity);
    return value < 0.0 ? infinity : value;
  };
  return {.lower = bound("lower", -infinity),
          .upper = bound("upper", infinity),
          .velocity = most("velocity"),
          .effort = most("effort"),
          .line = limit == nullptr ? axis.line() : limit->line()};
}

std::optional<Dynamics> read_dynamics(const Element& axis) {
  const Element* element = child(&axis, "dynamics");
  if (element == nullptr) return std::nullopt;
  Dynamics dynamics;
  dynamics.damping = number(element, "damping").value_or(0.0);
  dynamics.friction = number(element, "friction").value_or(0.0);
  dynamics.stiffness = number(element, "spring_stiffness").value_or(0.0);
  dynamics.rest = number(element, "spring_reference").value_or(0.0);
  dynamics.line = element->line();
  return dynamics;
}

/// In the frame of the joint.
Vector3d read_axis(const Element& axis, const Graph& graph, int joint) {
  const Node& node = graph.node(joint);
  const Element* xyz = child(&axis, "xyz");
  const Vector3d read = vector(xyz).value_or(Vector3d::UnitZ());
  const double length = read.stableNorm();
  if (!(length > 0.0)) {
    axis.fault(" is zero", "write a unit vector such as 0 0 1");
    return Vector3d::UnitZ();
  }
  const bool has_flag = child(&axis, "use_parent_model_frame") != nullptr;
  if (has_flag && node.scope->version >= 7)
    axis.fault(" has <use_parent_model_frame>, which SDF 1.7 replaced",
               "write expressed_in=\"__model__\" in <xyz>");
  const bool is_in_model = has_flag ? flag(&axis, "use_parent_model_frame") : node.scope->version < 5;
  const std::string in = attribute(xyz, "expressed_in");
  int frame = is_in_model ? node.scope->self : joint;
  if (!in.empty()) frame = graph.find(in, *xyz, *node.scope, "expressed_in");
  return frame == none ? read : Vector3d(graph.pose(frame, joint).q * (read / length));
}

/// The joint that it follows may be in a model inside.
Mimic read_mimic(const Element& element, const Graph& graph, int joint) {
  Mimic mimic;
  mimic.line = element.line();
  const auto leader = element.reader->name(*element.xml, "joint");
  const std::string axis = attribute(&element, "axis");
  if (!axis.empty() && axis != "axis")
    element.fault(" follows " + in_quotes(axis), "only \"axis\" of a joint can be followed");
  const int found = leader ? graph.find(*leader, element, *graph.node(joint).scope, "joint") : none;
  if (found != none) mimic.joint = graph.node(found).name;
  const auto multiplier = number(&element, "multiplier");
  if (!multiplier) element.fault(" has no <multiplier>", "add it");
  mimic.multiplier = multiplier.value_or(1.0);
  mimic.offset = number(&element, "offset").value_or(0.0) -
                 mimic.multiplier * number(&element, "reference").value_or(0.0);
  return mimic;
}

struct TypeRow {
  std::string_view word;
  JointType type;
};
constexpr TypeRow types[] = {{"fixed", JointType::fixed},           {"revolute", JointType::revolute},
                             {"continuous", JointType::continuous}, {"prismatic", JointType::prismatic},
                             {"ball", JointType::spherical},        {"universal", JointType::universal},
                             {"revolute2", JointType::universal},   {"screw", JointType::helical}};

JointType read_type(const Element& element) {
  const auto read = element.reader->name(*element.xml, "type");
  if (!read) return JointType::fixed;
  const std::string word = in_lower_case(*read);
  for (const TypeRow& row : types) {
    if (row.word == word) return row.type;
  }
  if (word == "gearbox")
    element.fault(" is a gearbox, which is not read", "couple the two joints by <mimic> in an <axis>");
  else
    element.error("unknown joint type " + in_quotes(*read),
                  "use fixed, revolute, continuous, prismatic, ball, universal, revolute2 or screw");
  return JointType::fixed;
}

/// [m/rad]
double read_pitch(const Element& element) {
  if (const auto pitch = number(&element, "screw_thread_pitch")) return *pitch / (2.0 * std::numbers::pi);
  const auto turns = number(&element, "thread_pitch");  // [rad/m] of a left-handed thread
  if (turns && *turns != 0.0) return -1.0 / *turns;
  element.fault(" is a screw without a pitch", "add <screw_thread_pitch> in metres per revolution");
  return 0.0;
}

bool same(const Limits& a, const Limits& b) {
  return a.lower == b.lower && a.upper == b.upper && a.velocity == b.velocity && a.effort == b.effort;
}

/// A joint with two axes has one set of limits and dynamics.
void read_second_axis(const Element& element, const Graph& graph, int node, Joint& joint) {
  const Element* axis = child(&element, "axis2");
  if (axis == nullptr) return element.fault(" has no <axis2>", "add it");
  if (const Element* mimic = child(axis, "mimic"))
    mimic->fault(" is of a second axis, which cannot follow", "write two revolute joints");
  joint.axis2 = read_axis(*axis, graph, node);
  joint.extension_line = axis->line();
  if (!same(read_limits(*axis), *joint.limits)) {
    axis->note("the two axes of " + describe(*element.xml) + " have different limits, which are left out");
    joint.limits = Limits{-infinity, infinity, infinity, infinity, axis->line()};
  }
  const Dynamics first = joint.dynamics.value_or(Dynamics{}),
                 second = read_dynamics(*axis).value_or(Dynamics{});
  if (first.damping == second.damping && first.friction == second.friction &&
      first.stiffness == second.stiffness && first.rest == second.rest)
    return;
  joint.dynamics = Dynamics{.left_out = "damping, friction or a spring of one axis", .line = axis->line()};
}

}  // namespace

Inertial read_inertial(const Element& link) {
  const Element *element = child(&link, "inertial"), *mass = child(element, "mass"),
                *inertia = child(element, "inertia"), *pose = child(element, "pose");
  const Element& at = element == nullptr ? link : *element;
  const auto refuse = [&](const char* what) {
    link.error(describe(*link.xml) + what + ", which is not read", "remove that");
  };
  if (!flag(&link, "gravity", true)) refuse(" has no gravity");
  if (flag(&link, "kinematic")) refuse(" is kinematic");
  if (flag(attribute(element, "auto"), at))
    at.error(
        "the inertia of " + describe(*link.xml) + " is to be computed from its collisions, which is not read",
        "write mass and inertia, as `gz sdf -p --expand-auto-inertials` does");
  if (mass == nullptr) at.note(describe(*link.xml) + " has no <mass>: SDF takes 1 kg");
  if (inertia == nullptr) at.note(describe(*link.xml) + " has no <inertia>: SDF takes 1 kg m^2");
  if (!attribute(pose, "relative_to").empty())
    pose->error("the pose of " + describe(*at.xml) + " has relative_to", "write it in the frame of the link");
  Inertial result;
  result.mass = mass == nullptr ? 1.0 : number(element, "mass").value_or(0.0);
  result.origin = read_pose(pose).origin(pose == nullptr ? at.line() : pose->line());
  const auto entry = [&](const char* tag, double otherwise) {
    return number(inertia, tag).value_or(otherwise);
  };
  const double xy = entry("ixy", 0.0), xz = entry("ixz", 0.0), yz = entry("iyz", 0.0);
  result.inertia << entry("ixx", 1.0), xy, xz, xy, entry("iyy", 1.0), yz, xz, yz, entry("izz", 1.0);
  result.line = at.line();
  result.mass_line = (mass == nullptr ? &at : mass)->line();
  result.inertia_line = (inertia == nullptr ? &at : inertia)->line();
  return result;
}

Joint read_joint(const Graph& graph, int node) {
  const Element& element = *graph.node(node).element;
  Joint joint;
  joint.name = graph.node(node).name;
  joint.line = joint.axis_line = joint.parent_line = joint.child_line = element.line();
  joint.file = element.file();
  joint.type = read_type(element);
  const model::JointRow& row = model::row_of(joint.type);
  if (!row.needs(model::Direction::axis)) return joint;
  const Element* axis = child(&element, "axis");
  if (axis == nullptr) {
    element.fault(" has no <axis>", "add it");
    return joint;
  }
  joint.axis_line = axis->line();
  joint.axis = read_axis(*axis, graph, node);
  joint.limits = read_limits(*axis);
  joint.dynamics = read_dynamics(*axis);
  if (row.needs_pitch()) joint.pitch = read_pitch(element);
  if (row.needs(model::Direction::axis2)) read_second_axis(element, graph, node, joint);
  if (const Element* mimic = child(axis, "mimic")) joint.mimic = read_mimic(*mimic, graph, node);
  const bool is_unlimited = *joint.limits->lower == -infinity && *joint.limits->upper == infinity;
  if (joint.type == JointType::revolute && is_unlimited) joint.type = JointType::continuous;
  if (joint.type == JointType::continuous) joint.limits->lower = joint.limits->upper = std::nullopt;
  return joint;
}

}  // namespace featherline::sdf
