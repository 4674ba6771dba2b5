#include "support/random_robot.hpp"

#include <cstdio>
#include <sstream>

namespace featherline::test {
namespace {

using urdf::JointType;

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string triple(const Eigen::Vector3d& v) {
  return number(v.x()) + " " + number(v.y()) + " " + number(v.z());
}

void write_origin(const urdf::Origin& origin, std::ostream& out) {
  out << "    <origin xyz=\"" << triple(origin.xyz) << "\" rpy=\"" << triple(origin.rpy) << "\"/>\n";
}

void write_link(const urdf::Link& link, std::ostream& out) {
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

/// The type every URDF tool knows; the extension element says what is meant.
const char* plain_type(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::prismatic:
      return "prismatic";
    case JointType::floating:
      return "floating";
    case JointType::planar:
      return "planar";
    default:
      return "continuous";
  }
}

void write_extension(const urdf::Joint& joint, std::ostream& out) {
  switch (joint.type) {
    case JointType::spherical:
      out << "    <featherline_joint type=\"spherical\"/>\n";
      break;
    case JointType::cylindrical:
      out << "    <featherline_joint type=\"cylindrical\"/>\n";
      break;
    case JointType::helical:
      out << "    <featherline_joint type=\"helical\" pitch=\"" << number(joint.pitch) << "\"/>\n";
      break;
    case JointType::universal:
      out << "    <featherline_joint type=\"universal\" axis2=\"" << triple(joint.axis2) << "\"/>\n";
      break;
    default:
      break;
  }
}

void write_joint(const urdf::Joint& joint, std::ostream& out) {
  out << "  <joint name=\"" << joint.name << "\" type=\"" << plain_type(joint.type) << "\">\n";
  out << "    <parent link=\"" << joint.parent << "\"/>\n    <child link=\"" << joint.child << "\"/>\n";
  write_origin(joint.origin, out);
  if (joint.type != JointType::fixed && joint.type != JointType::floating) {
    out << "    <axis xyz=\"" << triple(joint.axis) << "\"/>\n";
  }
  if (joint.limits) {
    out << "    <limit lower=\"" << number(*joint.limits->lower) << "\" upper=\""
        << number(*joint.limits->upper) << "\" velocity=\"" << number(joint.limits->velocity)
        << "\" effort=\"" << number(joint.limits->effort) << "\"/>\n";
  }
  if (joint.mimic) {
    out << "    <mimic joint=\"" << joint.mimic->joint << "\" multiplier=\""
        << number(joint.mimic->multiplier) << "\" offset=\"" << number(joint.mimic->offset) << "\"/>\n";
  }
  write_extension(joint, out);
  out << "  </joint>\n";
}

}  // namespace

std::string to_urdf(const urdf::Description& robot) {
  std::ostringstream out;
  out << "<?xml version=\"1.0\"?>\n<robot name=\"" << robot.name << "\">\n";
  for (const urdf::Link& link : robot.links) write_link(link, out);
  for (const urdf::Joint& joint : robot.joints) write_joint(joint, out);
  out << "</robot>\n";
  return out.str();
}

}  // namespace featherline::test
