#include "support/random_robot.hpp"

#include <cstdio>
#include <sstream>

namespace featherline::test {
namespace {

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string triple(const Eigen::Vector3d& v) {
  return number(v.x()) + " " + number(v.y()) + " " + number(v.z());
}

void write_origin(const description::Origin& origin, std::ostream& out) {
  out << "    <origin xyz=\"" << triple(origin.xyz);
  if (const auto& q = origin.quat_xyzw)
    out << "\" quat_xyzw=\"" << triple({(*q)[0], (*q)[1], (*q)[2]}) << " " << number((*q)[3]);
  else
    out << "\" rpy=\"" << triple(origin.rpy);
  out << "\"/>\n";
}

void write_link(const description::Link& link, std::ostream& out) {
  out << "  <link name=\"" << link.name << "\">\n";
  if (link.inertial) {
    const Eigen::Matrix3d& J = link.inertial->inertia;
    out << "    <inertial>\n";
    write_origin(link.inertial->origin, out);
    out << "    <mass value=\"" << number(link.inertial->mass) << "\"/>\n    <inertia ixx=\""
        << number(J(0, 0)) << "\" ixy=\"" << number(J(0, 1)) << "\" ixz=\"" << number(J(0, 2)) << "\" iyy=\""
        << number(J(1, 1)) << "\" iyz=\"" << number(J(1, 2)) << "\" izz=\"" << number(J(2, 2))
        << "\"/>\n    </inertial>\n";
  }
  out << "  </link>\n";
}

void write_extension(const description::Joint& joint, std::ostream& out) {
  const model::JointRow& row = model::row_of(joint.type);
  if (row.native) return;
  out << "    <featherline_joint type=\"" << row.name() << '"';
  if (row.needs_pitch()) out << " pitch=\"" << number(joint.pitch) << '"';
  if (row.needs(model::Direction::axis2)) out << " axis2=\"" << triple(joint.axis2) << '"';
  out << "/>\n";
}

void write_joint(const description::Joint& joint, std::ostream& out) {
  const model::JointRow& row = model::row_of(joint.type);
  // Where the extension element says what is meant, any type will do that every URDF tool knows.
  const char* plain_type = row.native ? row.name() : "continuous";
  out << "  <joint name=\"" << joint.name << "\" type=\"" << plain_type << "\">\n";
  out << "    <parent link=\"" << joint.parent << "\"/>\n    <child link=\"" << joint.child << "\"/>\n";
  write_origin(joint.origin, out);
  if (row.needs(model::Direction::axis)) { out << "    <axis xyz=\"" << triple(joint.axis) << "\"/>\n"; }
  if (joint.limits) {
    const description::Limits& limits = *joint.limits;
    out << "    <limit";
    if (limits.lower) out << " lower=\"" << number(*limits.lower) << '"';
    if (limits.upper) out << " upper=\"" << number(*limits.upper) << '"';
    out << " velocity=\"" << number(limits.velocity) << "\" effort=\"" << number(limits.effort) << "\"/>\n";
  }
  if (joint.mimic) {
    out << "    <mimic joint=\"" << joint.mimic->joint << "\" multiplier=\""
        << number(joint.mimic->multiplier) << "\" offset=\"" << number(joint.mimic->offset) << "\"/>\n";
  }
  write_extension(joint, out);
  out << "  </joint>\n";
}

}  // namespace

std::string to_urdf(const description::Description& robot) {
  std::ostringstream out;
  out << "<?xml version=\"1.0\"?>\n<robot name=\"" << robot.name << "\">\n";
  for (const description::Link& link : robot.links) write_link(link, out);
  for (const description::Joint& joint : robot.joints) write_joint(joint, out);
  out << "</robot>\n";
  return out.str();
}

}  // namespace featherline::test
