#include "urdf/description.hpp"

#include "model/joint_table.hpp"
#include "support/diagnostic.hpp"
#include "support/dump.hpp"

namespace featherline::urdf {
namespace {

using dumps::numbers;
using dumps::Out;

void write_link(Out out, const Link& link) {
  fmt::format_to(out, "{}: link {}\n", link.line, quoted(link.name));
  if (!link.inertial) return;
  const Inertial& inertial = *link.inertial;
  fmt::format_to(out, "  mass {} at xyz {} rpy {}\n  inertia {}\n", inertial.mass,
                 numbers(inertial.origin.xyz), numbers(inertial.origin.rpy), numbers(inertial.inertia));
}

void write_joint(Out out, const Joint& joint) {
  fmt::format_to(out, "{}: joint {} {}: {} -> {}\n", joint.line, quoted(joint.name), model::name(joint.type),
                 quoted(joint.parent), quoted(joint.child));
  fmt::format_to(out, "  xyz {} rpy {} axis {}\n", numbers(joint.origin.xyz), numbers(joint.origin.rpy),
                 numbers(joint.axis));
  if (joint.mimic) {
    fmt::format_to(out, "  mimics {} x {} + {}\n", quoted(joint.mimic->joint), joint.mimic->multiplier,
                   joint.mimic->offset);
  }
}

}  // namespace

std::string dump(const Description& robot) {
  std::string text = fmt::format("robot {} sha256 {}\n", quoted(robot.name), robot.sha256);
  const Out out(text);
  for (const Link& link : robot.links) write_link(out, link);
  for (const Joint& joint : robot.joints) write_joint(out, joint);
  return text;
}

}  // namespace featherline::urdf
