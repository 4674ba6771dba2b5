#include "support/random_rotors.hpp"

#include "joints/geometry.hpp"
#include "support/random.hpp"

#include <algorithm>

namespace featherline::test {
namespace {

using description::Description;
using Eigen::Matrix3d;
using Eigen::Vector3d;

template <class Part>
auto find(std::vector<Part>& parts, const std::string& name) {
  return std::ranges::find(parts, name, &Part::name);
}

auto joint_above(Description& robot, const std::string& link) {
  return std::ranges::find(robot.joints, link, &description::Joint::child);
}

bool moves(Description& robot, std::string link) {
  for (auto joint = joint_above(robot, link); joint != robot.joints.end(); joint = joint_above(robot, link)) {
    if (joint->type != model::JointType::fixed) return true;
    link = joint->parent;
  }
  return false;
}

Matrix3d turn_at_zero(Description& robot, const std::string& link) {
  const auto joint = joint_above(robot, link);
  return joint == robot.joints.end() ? Matrix3d(Matrix3d::Identity())
                                     : Matrix3d(turn_at_zero(robot, joint->parent) * rotation(joint->origin));
}

Matrix3d symmetric_about(const Vector3d& axis, double along, double across) {
  return across * Matrix3d::Identity() + (along - across) * axis * axis.transpose();
}

/// Takes a body at `place`, in the axes of the link, out of its inertia.
void take_out(description::Inertial& link, const Vector3d& place, const model::Inertia& part) {
  const model::Placement at_link{rotation(link.origin), link.origin.xyz},
      at_part{Matrix3d::Identity(), place};
  model::Inertia rest = model::Inertia{link.mass, Vector3d::Zero(), link.inertia}.expressed_in(at_link);
  const model::Inertia taken = part.expressed_in(at_part);
  rest += model::Inertia{-taken.mass, -taken.h, -taken.J};
  const Vector3d c = rest.h / rest.mass;
  link.mass = rest.mass;
  link.inertia = rest.J - rest.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  link.origin = {};
  link.origin.xyz = c;
}

}  // namespace

void add_random_rotors(Description& robot, std::uint64_t seed) {
  Random random(seed + 31);
  std::vector<std::string> moving;
  for (const description::Link& link : robot.links) {
    if (moves(robot, link.name)) moving.push_back(link.name);
  }
  for (const description::Joint& joint : robot.joints) {
    if (model::row_of(joint.type).nv() != 1) continue;
    for (int count = random.below(5) % 3; count > 0; --count) {
      description::Rotor rotor{.name = joint.name};
      rotor.gear_ratio = random.uniform(1.0, 9.0) * (random.chance(0.3) ? -1.0 : 1.0);
      if (random.chance(0.3)) rotor.carrier = joint.child;
      if (random.chance(0.4))
        rotor.carrier = moving[static_cast<std::size_t>(random.below(static_cast<int>(moving.size())))];
      if (random.chance(0.3)) rotor.axis = random.unit3();
      const auto& carrier = *find(robot.links, rotor.carrier.empty() ? joint.parent : rotor.carrier);
      rotor.inertia = 0.02 * description::principal_moments(carrier.inertial->inertia)[0];
      if (moves(robot, carrier.name) && random.chance(0.4)) {
        rotor.mass = random.uniform(0.1, 0.5);
        rotor.com = random.vector(3, 0.2);
        rotor.inertia = random.uniform(1e-4, 1e-3);
        rotor.transverse_inertia = rotor.inertia * random.uniform(0.5, 2.0);
      }
      robot.rotors.push_back(rotor);
    }
  }
}

Description with_rotors_as_links(Description robot, std::uint64_t seed) {
  Random random(seed);
  int number = 0;
  for (const description::Rotor& rotor : std::exchange(robot.rotors, {})) {
    const description::Joint driver = *find(robot.joints, rotor.name);
    description::Link& carrier = *find(robot.links, rotor.carrier.empty() ? driver.parent : rotor.carrier);
    const Vector3d in_root = turn_at_zero(robot, driver.parent) * (rotation(driver.origin) * driver.axis),
                   axis = rotor.axis.value_or(turn_at_zero(robot, carrier.name).transpose() * in_root);
    const bool is_in_carrier = rotor.mass == 0.0;
    description::Link link{.name = "rotor_" + std::to_string(number++)};
    description::Joint joint;
    joint.name = link.name;
    joint.type = model::JointType::continuous;
    joint.parent = carrier.name;
    joint.child = link.name;
    joint.axis = axis;
    joint.origin.xyz = is_in_carrier ? Vector3d(random.vector(3, 0.1)) : rotor.com;
    joint.mimic = {driver.name, rotor.gear_ratio, random.uniform(-3.0, 3.0), 0};
    const double mass = !is_in_carrier ? rotor.mass : moves(robot, carrier.name) ? 0.1 : 0.0;
    const double across = is_in_carrier ? 0.7 * rotor.inertia : rotor.transverse_inertia;
    link.inertial = {.mass = mass, .origin = {}, .inertia = symmetric_about(axis, rotor.inertia, across)};
    if (is_in_carrier)
      take_out(*carrier.inertial, joint.origin.xyz, {mass, Vector3d::Zero(), link.inertial->inertia});
    robot.links.push_back(std::move(link));
    robot.joints.push_back(std::move(joint));
  }
  return robot;
}

}  // namespace featherline::test
