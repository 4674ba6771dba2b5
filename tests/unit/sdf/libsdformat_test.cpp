/// Our own models, read by us and by libsdformat, which knows SDF 1.9: places, axes, masses, limits where all joints
/// are at 0.
#include "formats/reader.hpp"
#include "joints/geometry.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>
#include <sdf/sdf.hh>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>

namespace libsdformat_test {

using namespace featherline;
using description::Description;
using model::Placement;

constexpr double bound = 1e-12;

Placement placement(const ignition::math::Pose3d& pose) {
  const auto& q = pose.Rot();
  return {Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).toRotationMatrix(),
          {pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z()}};
}

Placement placement(const description::Origin& origin) { return {description::rotation(origin), origin.xyz}; }

void check_equal(const Placement& found, const Placement& expected) {
  CHECK((found.p - expected.p).norm() < bound);
  CHECK((found.R - expected.R).norm() < bound);
}

/// What the file has, by full names, placed in the world.
struct Judge {
  std::map<std::string, Placement> links, joints, frames;
  std::map<std::string, std::string> bodies;  ///< the links of frames
  std::map<std::string, const sdf::Link*> link_of;
  std::map<std::string, const sdf::Joint*> joint_of;

  static Placement resolve(const sdf::SemanticPose& semantic, const std::string& in) {
    ignition::math::Pose3d pose;
    const sdf::Errors errors = semantic.Resolve(pose, in);
    REQUIRE_MESSAGE(errors.empty(), errors.front().Message());
    return placement(pose);
  }

  void add(const sdf::Frame& frame, const std::string& prefix, const Placement& X_WM, const std::string& in) {
    frames[prefix + frame.Name()] = X_WM * resolve(frame.SemanticPose(), in);
    std::string body;
    REQUIRE(frame.ResolveAttachedToBody(body).empty());
    bodies[prefix + frame.Name()] = prefix + body;
  }

  void add(const sdf::Model& model, const std::string& prefix, const Placement& X_WM) {
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const sdf::Link& link = *model.LinkByIndex(i);
      links[prefix + link.Name()] = X_WM * resolve(link.SemanticPose(), "__model__");
      link_of[prefix + link.Name()] = &link;
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
      const sdf::Joint& joint = *model.JointByIndex(i);
      joints[prefix + joint.Name()] = X_WM * resolve(joint.SemanticPose(), "__model__");
      joint_of[prefix + joint.Name()] = &joint;
    }
    for (std::uint64_t i = 0; i < model.FrameCount(); ++i) {
      const sdf::Frame& frame = *model.FrameByIndex(i);
      if (!frame.Name().starts_with("_merged_")) add(frame, prefix, X_WM, "__model__");
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& inner = *model.ModelByIndex(i);
      add(inner, prefix + inner.Name() + "::", X_WM * resolve(inner.SemanticPose(), "__model__"));
    }
  }
};

Judge read_by_libsdformat(const std::string& file, const std::string& model, sdf::Root& root) {
  sdf::ParserConfig config;
  config.AddURIPath("model://", std::filesystem::path(file).parent_path().string());
  config.SetFindCallback(
      [&](const std::string& name) { return (std::filesystem::path(file).parent_path() / name).string(); });
  const sdf::Errors errors = root.Load(file, config);
  REQUIRE_MESSAGE(errors.empty(), errors.front().Message());
  Judge judge;
  const sdf::World* world = root.WorldCount() > 0 ? root.WorldByIndex(0) : nullptr;
  const sdf::Model* robot = world == nullptr ? root.Model() : world->ModelByName(model);
  REQUIRE(robot != nullptr);
  judge.add(*robot, "",
            world == nullptr ? placement(robot->RawPose()) : Judge::resolve(robot->SemanticPose(), "world"));
  for (std::uint64_t i = 0; world != nullptr && i < world->FrameCount(); ++i) {
    judge.add(*world->FrameByIndex(i), "", {}, "world");
    std::string& body = judge.bodies[world->FrameByIndex(i)->Name()];
    if (body.starts_with(model + "::")) body.erase(0, model.size() + 2);
  }
  return judge;
}

/// The links of our description in the world. The root is where the judge has it.
std::map<std::string, Placement> links_in_world(const Description& robot, const Judge& judge) {
  std::map<std::string, Placement> found;
  std::set<std::string> children;
  for (const description::Joint& joint : robot.joints) children.insert(joint.child);
  for (const description::Link& link : robot.links) {
    if (children.count(link.name) == 0)
      found[link.name] = link.name == "world" ? Placement{} : judge.links.at(link.name);
  }
  for (std::size_t known = 0; known != found.size();) {
    known = found.size();
    for (const description::Joint& joint : robot.joints) {
      if (found.count(joint.parent) > 0) found[joint.child] = found[joint.parent] * placement(joint.origin);
    }
  }
  return found;
}

void compare_links(const Description& robot, const std::map<std::string, Placement>& found,
                   const Judge& judge) {
  for (const auto& [name, X_WL] : judge.links) {
    const auto& which = name;
    INFO(which);
    REQUIRE(found.count(name) == 1);
    check_equal(found.at(name), X_WL);
  }
  std::size_t with_inertia = 0;
  for (const description::Link& link : robot.links) {
    if (!link.inertial) continue;
    INFO(link.name);
    ++with_inertia;
    const ignition::math::Inertiald& expected = judge.link_of.at(link.name)->Inertial();
    CHECK(link.inertial->mass == expected.MassMatrix().Mass());
    CHECK((link.inertial->origin.xyz - placement(expected.Pose()).p).norm() < bound);
    const Eigen::Matrix3d R = description::rotation(link.inertial->origin);
    const auto moi = expected.Moi();
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k)
        CHECK(std::abs((R * link.inertial->inertia * R.transpose())(i, k) -
                       moi(static_cast<std::size_t>(i), static_cast<std::size_t>(k))) < bound);
    }
  }
  CHECK(with_inertia == judge.links.size());
}

Eigen::Vector3d axis_in_world(const sdf::Joint& joint, unsigned which, const Placement& X_WJ) {
  ignition::math::Vector3d xyz;
  REQUIRE(joint.Axis(which)->ResolveXyz(xyz).empty());
  return X_WJ.R * Eigen::Vector3d(xyz.X(), xyz.Y(), xyz.Z());
}

void compare_limits(const description::Joint& joint, const sdf::JointAxis& axis) {
  const auto limit = [](double value) {
    return std::abs(value) >= 1e16 ? std::copysign(HUGE_VAL, value) : value;
  };
  if (joint.limits->lower) CHECK(*joint.limits->lower == limit(axis.Lower()));
  if (joint.limits->upper) CHECK(*joint.limits->upper == limit(axis.Upper()));
  CHECK(joint.limits->effort == (axis.Effort() < 0.0 ? HUGE_VAL : limit(axis.Effort())));
  CHECK(joint.limits->velocity == (axis.MaxVelocity() < 0.0 ? HUGE_VAL : limit(axis.MaxVelocity())));
  const description::Dynamics dynamics = joint.dynamics.value_or(description::Dynamics{});
  CHECK(dynamics.damping == axis.Damping());
  CHECK(dynamics.friction == axis.Friction());
  CHECK(dynamics.stiffness == axis.SpringStiffness());
  CHECK(dynamics.rest == axis.SpringReference());
}

void compare_joints(const Description& robot, const std::map<std::string, Placement>& found,
                    const Judge& judge) {
  std::size_t compared = 0;
  for (const description::Joint& joint : robot.joints) {
    if (judge.joint_of.count(joint.name) == 0) continue;
    INFO(joint.name);
    ++compared;
    const sdf::Joint& expected = *judge.joint_of.at(joint.name);
    const Placement X_WJ = judge.joints.at(joint.name), X_WC = found.at(joint.child);
    const model::JointRow& row = model::row_of(joint.type);
    if (row.num_turns() > 0) CHECK((X_WC.p - X_WJ.p).norm() < bound);
    if (!row.needs(model::Direction::axis)) continue;
    std::string child;
    REQUIRE(expected.ResolveChildLink(child).empty());
    const double sign =
        robot.name == "machine" && joint.name == "mount_right" ? -1.0 : 1.0;  // it hangs the other way round
    CHECK((sign * (X_WC.R * joint.axis) - axis_in_world(expected, 0, X_WJ)).norm() < bound);
    if (row.needs(model::Direction::axis2))
      CHECK((X_WC.R * joint.axis2 - axis_in_world(expected, 1, X_WJ)).norm() < bound);
    compare_limits(joint, *expected.Axis(0));
  }
  for (const description::Constraint& constraint : robot.constraints) {
    INFO(constraint.name);
    ++compared;
    for (const description::ConstraintEnd& end : constraint.ends)
      check_equal(found.at(end.link) * placement(end.origin), judge.joints.at(constraint.name));
  }
  CHECK(compared == judge.joints.size());
}

void compare(const std::string& file) {
  INFO(file);
  Diagnostics findings;
  const Description robot = formats::read_file(file, findings);
  REQUIRE_MESSAGE(!findings.has_errors(), format_text(findings));
  sdf::Root root;
  const Judge judge = read_by_libsdformat(file, robot.name, root);
  const auto found = links_in_world(robot, judge);
  compare_links(robot, found, judge);
  compare_joints(robot, found, judge);
  CHECK(robot.frames.size() == judge.frames.size());
  for (const description::Frame& frame : robot.frames) {
    INFO(frame.name);
    check_equal(found.at(frame.name), judge.frames.at(frame.name));
    CHECK(frame.link == judge.bodies.at(frame.name));
  }
}

TEST_CASE("libsdformat sees the same places, axes, masses and limits") {
  for (const char* name : {"mechanism", "of_old", "rail", "claw/claw"})
    compare("tests/unit/sdf/models/" + std::string(name) + ".sdf");
}

}  // namespace libsdformat_test
