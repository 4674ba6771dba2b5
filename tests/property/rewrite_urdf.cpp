#include "property/rewrite_urdf.hpp"

#include "joints/geometry.hpp"

#include <Eigen/Geometry>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace featherline::test {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::JointType;

/// Roll, pitch, yaw of a rotation, accurate next to pitch = +-90 degrees too.
Vector3d rpy_of(const Matrix3d& R) {
  const double cos_pitch = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cos_pitch);
  if (cos_pitch > 1e-6) return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  // Undo yaw and pitch; what is left turns about x.
  const Matrix3d rest = model::rotation_from_rpy({0.0, pitch, yaw}).transpose() * R;
  return {std::atan2(rest(2, 1), rest(1, 1)), pitch, yaw};
}

Isometry3d pose_of(const description::Origin& origin) {
  Isometry3d X = Isometry3d::Identity();
  X.linear() = model::rotation_from_rpy(origin.rpy);
  X.translation() = origin.xyz;
  return X;
}

void set_pose(description::Origin& origin, const Isometry3d& X) {
  origin.xyz = X.translation();
  origin.rpy = rpy_of(X.linear());
}

Matrix3d random_rotation(Random& random) {
  const Eigen::Vector4d q = random.quaternion();
  return Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
}

Isometry3d random_pose(Random& random) {
  Isometry3d X = Isometry3d::Identity();
  X.linear() = random_rotation(random);
  X.translation() = random.vector(3, 0.3);
  return X;
}

template <class Part>
void shuffle(std::vector<Part>& parts, Random& random) {
  for (std::size_t i = parts.size(); i > 1; --i) {
    std::swap(parts[i - 1], parts[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  }
}

bool is_single_axis(JointType type) {
  return type == JointType::revolute || type == JointType::continuous || type == JointType::prismatic ||
         type == JointType::helical || type == JointType::cylindrical;
}

/// Halves an inertial: the result, at `X_PL` in the first link, takes over one half.
description::Inertial split(description::Inertial& inertial, const Isometry3d& X_PL) {
  inertial.mass *= 0.5;
  inertial.inertia *= 0.5;
  description::Inertial half = inertial;
  set_pose(half.origin, X_PL.inverse() * pose_of(inertial.origin));
  return half;
}

std::string restyled_number(double x, Random& random) {
  std::array<char, 64> text{};
  static constexpr const char* formats[] = {"%.17g", "%+.17g", "%.16e", "%.17E", "%+.20e"};
  std::snprintf(text.data(), text.size(), formats[random.below(5)], x);
  return text.data();
}

std::string restyled_space(Random& random) {
  static constexpr const char* spaces[] = {" ", "  ", "\n    ", "\t", "\r\n"};
  return spaces[random.below(5)];
}

bool is_number(const std::string& word, double& value) {
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc{} && end == word.data() + word.size();
}

/// An attribute's value with its numbers rewritten and multiplied by `factor`; words stay as they are.
std::string restyled_value(const std::string& value, double factor, Random& random) {
  std::istringstream stream(value);
  std::string result, word;
  while (stream >> word) {
    double number = 0.0;
    const bool numeric = is_number(word, number);
    if (!result.empty()) result += numeric ? restyled_space(random) : " ";
    result += numeric ? restyled_number(factor * number, random) : word;
  }
  return result;
}

}  // namespace

void shuffle_parts(description::Description& robot, Random& random) {
  shuffle(robot.links, random);
  shuffle(robot.joints, random);
}

void insert_fixed_joints(description::Description& robot, Random& random) {
  std::map<std::string, std::size_t> link_of_name;
  for (std::size_t i = 0; i < robot.links.size(); ++i) link_of_name[robot.links[i].name] = i;
  const std::size_t count = robot.joints.size();
  for (std::size_t j = 0; j < count; ++j) {
    const Isometry3d X_PM = random_pose(random);
    description::Link mount;
    mount.name = "mount_" + std::to_string(j);
    description::Link& parent = robot.links[link_of_name.at(robot.joints[j].parent)];
    if (parent.inertial) mount.inertial = split(*parent.inertial, X_PM);
    description::Joint fastening;
    // The name comes first among the siblings exactly where the joint's own name does.
    fastening.name = robot.joints[j].name + "_mount";
    fastening.parent = robot.joints[j].parent;
    fastening.child = mount.name;
    set_pose(fastening.origin, X_PM);
    robot.joints[j].parent = mount.name;
    set_pose(robot.joints[j].origin, X_PM.inverse() * pose_of(robot.joints[j].origin));
    robot.links.push_back(std::move(mount));
    robot.joints.push_back(std::move(fastening));
  }
}

void turn_inertia_axes(description::Description& robot, Random& random) {
  for (description::Link& link : robot.links) {
    if (!link.inertial) continue;
    const Matrix3d R = random_rotation(random);
    link.inertial->origin.rpy = rpy_of(model::rotation_from_rpy(link.inertial->origin.rpy) * R);
    link.inertial->inertia = (R.transpose() * link.inertial->inertia * R).eval();
  }
}

void turn_joint_frames(description::Description& robot, Random& random) {
  std::map<std::string, Matrix3d> turn_of_link;
  for (description::Joint& joint : robot.joints) {
    if (!is_single_axis(joint.type)) continue;
    const Matrix3d R = random_rotation(random);
    turn_of_link[joint.child] = R;
    joint.origin.rpy = rpy_of(model::rotation_from_rpy(joint.origin.rpy) * R);
    joint.axis = R.transpose() * joint.axis;
  }
  const auto turn_back = [&](const std::string& link, description::Origin& origin) {
    const auto turn = turn_of_link.find(link);
    if (turn == turn_of_link.end()) return;
    Isometry3d X = Isometry3d::Identity();
    X.linear() = turn->second.transpose();
    set_pose(origin, X * pose_of(origin));
  };
  for (description::Link& link : robot.links) {
    if (link.inertial) turn_back(link.name, link.inertial->origin);
  }
  for (description::Joint& joint : robot.joints) turn_back(joint.parent, joint.origin);
}

void use_quaternions(description::Description& robot, Random& random) {
  const auto rewrite = [&](description::Origin& origin) {
    // Not by way of a matrix, which the reader's own conversion is tested against.
    const Eigen::Quaterniond q = Eigen::AngleAxisd(origin.rpy.z(), Vector3d::UnitZ()) *
                                 Eigen::AngleAxisd(origin.rpy.y(), Vector3d::UnitY()) *
                                 Eigen::AngleAxisd(origin.rpy.x(), Vector3d::UnitX());
    const double sign = random.chance(0.5) ? 1.0 : -1.0;
    origin.quat_xyzw = {sign * q.x(), sign * q.y(), sign * q.z(), sign * q.w()};
    origin.rpy.setConstant(99.0);  // must not count
  };
  for (description::Link& link : robot.links) {
    if (link.inertial) rewrite(link.inertial->origin);
  }
  for (description::Joint& joint : robot.joints) rewrite(joint.origin);
}

std::string restyle(const std::string& urdf_text, Random& random) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t quote = urdf_text.find('"'); quote != urdf_text.npos; quote = urdf_text.find('"', at)) {
    std::string before = urdf_text.substr(at, quote - at);
    const std::size_t end = urdf_text.find('"', quote + 1);
    const std::string value = urdf_text.substr(quote + 1, end - quote - 1);
    const std::size_t tag = urdf_text.rfind('<', quote);
    const bool is_axis = urdf_text.compare(tag, 5, "<axis") == 0;
    if (const std::size_t gap = before.find(">\n"); gap != before.npos) {
      before.insert(gap + 1, random.chance(0.5) ? "<!-- <link name=\"x\"/> -->" : "\r\n\t");
    }
    const std::string mark = random.chance(0.5) ? "\"" : "'";
    result += before + mark + restyled_value(value, is_axis ? random.uniform(0.1, 10.0) : 1.0, random) + mark;
    at = end + 1;
  }
  return result + urdf_text.substr(at);
}

}  // namespace featherline::test
