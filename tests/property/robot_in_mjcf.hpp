#pragma once

#include "emitted_functions.hpp"
#include "formats/reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>

/// A robot written as MJCF, with the numbers of its URDF.
namespace featherline::test {

inline std::string triple(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

/// What hangs on the link, in the order of the links.
inline std::string bodies_on(const description::Description& robot, const std::string& parent) {
  std::string text;
  for (const description::Link& link : robot.links) {
    const auto joint =
        std::ranges::find_if(robot.joints, [&](const auto& j) { return j.child == link.name; });
    if (joint == robot.joints.end() || joint->parent != parent) continue;
    const Eigen::Quaterniond q(description::rotation(joint->origin));
    text += fmt::format("<body name='{}' pos='{}' quat='{} {}'>\n", link.name, triple(joint->origin.xyz),
                        q.w(), triple(q.vec()));
    if (joint->type != model::JointType::fixed) {
      const bool slides = joint->type == model::JointType::prismatic;
      text += fmt::format("<joint name='{}' type='{}' axis='{}' range='{} {}'/>\n", joint->name,
                          slides ? "slide" : "hinge", triple(joint->axis), joint->limits->lower.value_or(0.0),
                          joint->limits->upper.value_or(0.0));
    }
    if (link.inertial) {
      const Eigen::Matrix3d R = description::rotation(link.inertial->origin),
                            I = R * link.inertial->inertia * R.transpose();
      text += fmt::format("<inertial mass='{}' pos='{}' fullinertia='{} {}'/>\n", link.inertial->mass,
                          triple(link.inertial->origin.xyz), triple(I.diagonal()),
                          triple({I(0, 1), I(0, 2), I(1, 2)}));
    }
    text += bodies_on(robot, link.name) + "</body>\n";
  }
  return text;
}

/// Its root link is the world.
inline std::string to_mjcf(const description::Description& robot) {
  std::string equalities;
  for (const description::Joint& joint : robot.joints) {
    if (joint.mimic)
      equalities += fmt::format("<joint joint1='{}' joint2='{}' polycoef='{} {}'/>\n", joint.name,
                                joint.mimic->joint, joint.mimic->offset, joint.mimic->multiplier);
  }
  return "<mujoco><compiler angle='radian'/><worldbody>\n" + bodies_on(robot, robot.links.front().name) +
         "</worldbody><equality>\n" + equalities + "</equality></mujoco>\n";
}

/// Every emitted function has the same values to 1e-12.
inline void compare_with_mjcf(const std::filesystem::path& urdf) {
  CAPTURE(urdf.string());
  Diagnostics findings;
  const std::vector<std::string> names = all_functions();
  const Robot expected = read_robot(urdf.string(), only(names), findings);
  const Robot found = read_text(to_mjcf(expected.description), false);
  REQUIRE(found.tree.nv == expected.tree.nv);
  REQUIRE(found.tree.links.size() == expected.tree.links.size());
  for (std::size_t k = 1; k < found.tree.links.size(); ++k)
    CHECK(found.tree.links[k].name == expected.tree.links[k].name);
  for (std::size_t k = 0; k < found.tree.bodies.size(); ++k)
    CHECK(found.tree.bodies[k].joint.name == expected.tree.bodies[k].joint.name);
  const Functions functions = emitted_functions(found, names),
                  expected_functions = emitted_functions(expected, names);
  CHECK(functions.size() == expected_functions.size());
  CHECK(functions.size() > 30);
  std::mt19937 random(1);
  for (int k = 0; k < 2; ++k) {
    const reference::State x = reference::random_state(expected.tree, random);
    for (const auto& [name, function] : functions) {
      const auto& which = name;
      CAPTURE(which);
      CHECK(reference::compare(outputs_in<double>(function, x),
                               outputs_in<double>(expected_functions.at(name), x))
                .relative <= 1e-12);
    }
  }
}

}  // namespace featherline::test
