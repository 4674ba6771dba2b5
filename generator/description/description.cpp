#include "description/description.hpp"

#include "joints/geometry.hpp"
#include "support/diagnostic.hpp"
#include "support/observer.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>
#include <set>

namespace featherline::description {
namespace {

using dumps::numbers;
using dumps::Out;

std::string pose(const Origin& origin) {
  const std::string xyz = fmt::format("xyz {}", numbers(origin.xyz));
  if (!origin.quat_xyzw) return fmt::format("{} rpy {}", xyz, numbers(origin.rpy));
  return fmt::format("{} quat_xyzw {}", xyz, fmt::join(*origin.quat_xyzw, " "));
}

void write_link(Out out, const Link& link) {
  fmt::format_to(out, "{}: link {}\n", link.line, in_quotes(link.name));
  if (!link.inertial) return;
  const Inertial& inertial = *link.inertial;
  fmt::format_to(out, "  mass {} at {}\n  inertia {}\n", inertial.mass, pose(inertial.origin),
                 numbers(inertial.inertia));
}

void write_joint(Out out, const Joint& joint) {
  fmt::format_to(out, "{}: joint {} {}: {} -> {}\n", joint.line, in_quotes(joint.name),
                 model::name(joint.type), in_quotes(joint.parent), in_quotes(joint.child));
  fmt::format_to(out, "  {} axis {}\n", pose(joint.origin), numbers(joint.axis));
  if (joint.mimic) {
    fmt::format_to(out, "  mimics {} x {} + {}\n", in_quotes(joint.mimic->joint), joint.mimic->multiplier,
                   joint.mimic->offset);
  }
}

void write_constraint(Out out, const Constraint& constraint) {
  fmt::format_to(out, "{}: constraint {} {} axis {} radius {}\n", constraint.line, in_quotes(constraint.name),
                 constraint.type ? model::kind_of(*constraint.type).name : "unknown",
                 numbers(constraint.axis), constraint.radius);
  for (const ConstraintEnd& end : constraint.ends)
    fmt::format_to(out, "  on {} {}\n", in_quotes(end.link), pose(end.origin));
}

void write_rotor(Out out, const Rotor& rotor) {
  fmt::format_to(out, "{}: rotor of joint {} in {} gear {} inertia {} axis {}\n", rotor.line,
                 in_quotes(rotor.name), in_quotes(rotor.carrier), rotor.gear_ratio, rotor.inertia,
                 rotor.axis ? numbers(*rotor.axis) : "of the joint");
  if (rotor.mass > 0.0)
    fmt::format_to(out, "  mass {} at {} transverse {}\n", rotor.mass, numbers(rotor.com),
                   rotor.transverse_inertia);
}

}  // namespace

Eigen::Matrix3d rotation(const Origin& origin) {
  if (!origin.quat_xyzw) return model::rotation_from_rpy(origin.rpy);
  const auto& [x, y, z, w] = *origin.quat_xyzw;
  return model::rotation_from_quaternion(x, y, z, w);
}

void add_links_of_frames(Description& robot) {
  std::set<std::string> taken;
  for (const Link& link : robot.links) taken.insert(link.name);
  for (const Joint& joint : robot.joints) taken.insert(joint.name);
  for (const Frame& frame : robot.frames) {
    std::string name = frame.name;
    while (!taken.insert(name).second) name += "_frame";
    robot.links.push_back({.name = name, .line = frame.line});
    Joint joint;
    joint.name = name;
    joint.line = frame.line;
    joint.parent = frame.link;
    joint.child = name;
    joint.origin = frame.origin;
    robot.joints.push_back(std::move(joint));
  }
}

std::string dump(const Description& robot) {
  std::string text = fmt::format("robot {} sha256 {}\n", in_quotes(robot.name), robot.sha256);
  const Out out(text);
  for (const Link& link : robot.links) write_link(out, link);
  for (const Joint& joint : robot.joints) write_joint(out, joint);
  for (const Constraint& constraint : robot.constraints) write_constraint(out, constraint);
  for (const Rotor& rotor : robot.rotors) write_rotor(out, rotor);
  return text;
}

Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia) {
  const double size = inertia.cwiseAbs().maxCoeff();
  if (size == 0.0) return Eigen::Vector3d::Zero();
  // The matrix is scaled to 1, so that tiny or huge entries stay in the range of a double.
  const Eigen::Matrix3d scaled = inertia / size;
  Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  for (double& moment : moments) {
    if (std::abs(moment) < 1e-12) moment = 0.0;
  }
  return moments * size;
}

double moment_of_densest_ball(double mass) {
  constexpr double osmium = 22590.0;  // [kg/m^3]
  const double radius = std::cbrt(3.0 * mass / (4.0 * std::numbers::pi * osmium));
  return 0.4 * mass * radius * radius;
}

}  // namespace featherline::description
