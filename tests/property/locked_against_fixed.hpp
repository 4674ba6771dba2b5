#pragma once

#include "emitted_functions.hpp"
#include "formats/reader.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <filesystem>

/// A robot with locked joints, and the URDF that has fixed joints in their place.
namespace featherline::test {

/// The joint that does not move from where `position` puts it, written by hand.
inline void weld(description::Joint& joint, double position) {
  const model::Matrix3 R = description::rotation(joint.origin);
  if (joint.type == model::JointType::prismatic) {
    joint.origin.xyz += R * joint.axis * position;
  } else {
    const model::Matrix3 turned = R * Eigen::AngleAxisd(position, joint.axis).toRotationMatrix();
    joint.origin.rpy = {std::atan2(turned(2, 1), turned(2, 2)),
                        -std::atan2(turned(2, 0), std::hypot(turned(2, 1), turned(2, 2))),
                        std::atan2(turned(1, 0), turned(0, 0))};
  }
  joint.type = model::JointType::fixed;
  joint.mimic.reset();
}

/// Both robots have the same flops in every function, and the same values to 1e-12.
inline void compare_with_fixed(const std::filesystem::path& file, bool floating, const std::string& locks,
                               const std::vector<std::string>& names) {
  CAPTURE(file.string());
  CAPTURE(locks);
  Options options = only(names);
  options.build.floating_base = floating;
  Diagnostics findings;
  description::Description written = formats::read_file(file.string(), findings);
  options.build.locked.locks = model::parse_locks(locks);
  for (const model::Lock& lock : options.build.locked.locks) {
    for (description::Joint& joint : written.joints) {
      if (joint.name == lock.joint) weld(joint, lock.position.front());
    }
  }
  const Robot locked = read_robot(file.string(), options, findings);
  const Robot fixed = read_text(to_urdf(written), floating);
  REQUIRE(locked.tree.nv == fixed.tree.nv);
  REQUIRE(locked.tree.locked.size() == options.build.locked.locks.size());

  const std::vector<emit::FunctionFacts> facts = emit_robot(locked, options).facts;
  const std::vector<emit::FunctionFacts> expected_facts = emit_robot(fixed, options).facts;
  REQUIRE(facts.size() == expected_facts.size());
  for (std::size_t k = 0; k < facts.size(); ++k) {
    CAPTURE(facts[k].name);
    CHECK(facts[k].flops == expected_facts[k].flops);
    CHECK(facts[k].sincos == expected_facts[k].sincos);
    CHECK(facts[k].formulation == expected_facts[k].formulation);
  }

  const Functions functions = emitted_functions(locked, names), expected = emitted_functions(fixed, names);
  std::mt19937 random(1);
  for (int k = 0; k < 3; ++k) {
    const reference::State x = reference::random_state(locked.tree, random);
    for (const auto& [name, function] : functions) {
      const auto& which = name;
      CAPTURE(which);
      CHECK(reference::compare(outputs_in<double>(function, x), outputs_in<double>(expected.at(name), x))
                .relative <= 1e-12);
    }
  }
}

}  // namespace featherline::test
