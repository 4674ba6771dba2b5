#include "model/build_tree.hpp"

#include "descriptions.hpp"
#include "joints/geometry.hpp"
#include "model/clusters.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <numbers>
#include <optional>

using namespace featherline;
using model::BuildOptions;
using model::Matrix3;
using model::UserTree;
using model::Vector3;
using test::joint;
using test::link;
using test::robot;
using Type = model::JointType;

namespace {

UserTree build(const description::Description& description, const BuildOptions& options = {}) {
  Diagnostics findings;
  UserTree tree = model::build_tree(description, options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

std::vector<std::string> joint_names(const UserTree& tree) {
  std::vector<std::string> names;
  for (const model::Body& body : tree.bodies) names.push_back(body.joint.name);
  return names;
}

using Names = std::vector<std::string>;

/// base -> {z: revolute, m: fixed -> {y, a}, b}
description::Description branching() {
  return robot({link("base"), link("lz"), link("lm"), link("ly"), link("la"), link("lb")},
               {joint("z", Type::revolute, "base", "lz"), joint("m", Type::fixed, "base", "lm"),
                joint("y", Type::prismatic, "lm", "ly"), joint("a", Type::continuous, "lm", "la"),
                joint("b", Type::floating, "base", "lb")});
}

}  // namespace

TEST_CASE("depth first, siblings by name, fixed joints taking part in the order") {
  const UserTree tree = build(branching());
  CHECK(joint_names(tree) == Names{"b", "a", "y", "z"});
  CHECK(tree.nq == 10);
  CHECK(tree.nv == 9);
  CHECK(tree.bodies[1].joint.idx_q == 7);
  CHECK(tree.bodies[1].joint.idx_v == 6);
  CHECK(tree.bodies[3].joint.idx_q == 9);
  for (const model::Body& body : tree.bodies) CHECK(body.parent == -1);
}

TEST_CASE("a floating base is body 0 and has the root link's name") {
  BuildOptions options;
  options.floating_base = true;
  const UserTree tree = build(branching(), options);
  CHECK(joint_names(tree) == Names{"root_joint", "b", "a", "y", "z"});
  CHECK(tree.bodies[0].name == "base");
  CHECK(tree.bodies[0].joint.type == model::JointType::floating);
  CHECK(tree.bodies[0].parent == -1);
  CHECK(tree.bodies[1].parent == 0);
  CHECK(tree.bodies[0].inertia.mass == 2.0);  // base and lm
  CHECK(tree.links[2].body == 0);
}

TEST_CASE("the base's joint gets another name where the URDF has taken it") {
  description::Description description = branching();
  description.joints[0].name = "root_joint";
  BuildOptions options;
  options.floating_base = true;
  CHECK(build(description, options).bodies[0].joint.name == "root_joint_");
}

TEST_CASE("fixed joints merge: inertia, placements of links and of the joints behind them") {
  description::Description description =
      robot({link("base"), link("arm", 2.0), link("tool", 0.5), link("tip", 0.0), link("finger")},
            {joint("elbow", Type::revolute, "base", "arm"), joint("weld", Type::fixed, "arm", "tool"),
             joint("weld2", Type::fixed, "tool", "tip"), joint("grip", Type::prismatic, "tip", "finger")});
  description.joints[1].origin.xyz = {1.0, 0.0, 0.0};
  description.joints[1].origin.rpy = {0.0, 0.0, 0.5 * std::numbers::pi};
  description.joints[2].origin.xyz = {0.0, 2.0, 0.0};
  description.joints[3].origin.xyz = {0.0, 0.0, 3.0};
  description.links[2].inertial->origin.xyz = {0.3, 0.0, 0.0};
  const UserTree tree = build(description);
  REQUIRE(tree.bodies.size() == 2);
  const model::Inertia& arm = tree.bodies[0].inertia;
  CHECK(arm.mass == 2.5);
  CHECK((arm.h - 0.5 * Vector3(1.0, 0.3, 0.0)).norm() <= 1e-15);
  // tool: diag(0.1, 0.2, 0.25) turned by 90 degrees, 0.5 kg at (1, 0.3, 0)
  Matrix3 J = Vector3(0.1 + 0.2 + 0.5 * 0.09, 0.2 + 0.1 + 0.5, 0.5 + 0.5 * 1.09).asDiagonal();
  J(0, 1) = J(1, 0) = -0.5 * 0.3;
  CHECK((arm.J - J).norm() <= 1e-15);
  CHECK(tree.bodies[1].parent == 0);
  CHECK((tree.bodies[1].joint.placement.p - Vector3(-1.0, 0.0, 3.0)).norm() <= 1e-15);
  REQUIRE(tree.links.size() == 5);
  CHECK(tree.links[0].body == -1);
  CHECK(tree.links[3].body == 0);
  CHECK((tree.links[3].placement.p - Vector3(-1.0, 0.0, 0.0)).norm() <= 1e-15);
  CHECK(tree.links[2].mass == 0.5);
  CHECK(tree.links[2].com == Vector3(0.3, 0.0, 0.0));
  CHECK(tree.links[3].mass == 0.0);
}

TEST_CASE("an inertial frame that is turned in its link turns the tensor into the link's axes") {
  description::Description description =
      robot({link("base"), link("arm", 2.0)}, {joint("elbow", Type::revolute, "base", "arm")});
  const double angle = 0.3, c = std::cos(angle), s = std::sin(angle);
  description.links[1].inertial->origin.rpy = {0.0, 0.0, angle};
  Matrix3 J = Vector3(0.1 * c * c + 0.2 * s * s, 0.1 * s * s + 0.2 * c * c, 0.25).asDiagonal();
  J(0, 1) = J(1, 0) = (0.1 - 0.2) * s * c;
  CHECK((build(description).bodies[0].inertia.J - J).norm() <= 1e-15);
}

TEST_CASE("pitch of a helical joint and second axis of a universal one") {
  description::Description description =
      robot({link("base"), link("arm")}, {joint("elbow", Type::helical, "base", "arm")});
  description.joints[0].pitch = 0.25;
  CHECK(build(description).bodies[0].joint.pitch == 0.25);
  description.joints[0].type = Type::universal;
  description.joints[0].axis2 = Vector3::UnitX();
  CHECK(build(description).bodies[0].joint.axis2 == Vector3::UnitX());
}

TEST_CASE("limits, damping and lines come along; absent limits are infinite") {
  description::Description description = branching();
  description.joints[0].limits = description::Limits{-1.0, 2.0, 3.0, 4.0, 0, 5.0, {}, 7.0};
  description.joints[0].dynamics = description::Dynamics{0.5, 0.25, 0};
  BuildOptions options;
  options.joint_dynamics = model::JointDynamics::model;
  const UserTree tree = build(description, options);
  const model::Joint& z = tree.bodies[3].joint;
  CHECK(z.limits.lower == -1.0);
  CHECK(z.limits.upper == 2.0);
  CHECK(z.limits.velocity == 3.0);
  CHECK(z.limits.effort == 4.0);
  CHECK(z.limits.acceleration == 5.0);
  CHECK(z.limits.deceleration == std::numeric_limits<double>::infinity());
  CHECK(z.limits.jerk == 7.0);
  CHECK(z.damping == 0.5);
  CHECK(z.friction == 0.25);
  CHECK(build(description).bodies[3].joint.damping == 0.0);  // friction is left out unless asked for
  CHECK(build(description).bodies[3].joint.friction == 0.0);
  CHECK(z.line == 20);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(tree.bodies[1].joint.limits.lower == -infinity);
  CHECK(tree.bodies[1].joint.limits.effort == infinity);
}

namespace {

/// A hinge that another follows, and a ball; with all that a file can say of their drives.
description::Description with_dynamics() {
  description::Description made = robot(
      {link("base"), link("one"), link("two"), link("three")},
      {joint("hinge", Type::continuous, "base", "one"), joint("follower", Type::continuous, "one", "two"),
       joint("ball", Type::spherical, "two", "three")});
  made.joints[1].mimic = description::Mimic{"hinge", -2.0, 0.25, 0};
  for (description::Joint& each : made.joints)
    each.dynamics = description::Dynamics{.damping = 1.0, .friction = 2.0, .armature = 3.0, .line = 7};
  made.joints[1].dynamics->stiffness = 4.0;
  made.joints[1].dynamics->rest = 0.5;
  return made;
}

}  // namespace

TEST_CASE("drives and springs come along as far as they are asked for") {
  description::Description description = with_dynamics();
  const auto follower = [&](std::optional<model::JointDynamics> asked) {
    return build(description, {.joint_dynamics = asked}).bodies[1].joint;
  };
  const model::Joint all = follower(model::JointDynamics::model);
  CHECK(all.damping == 1.0);
  CHECK(all.friction == 2.0);
  CHECK(all.armature == 3.0);
  CHECK(all.stiffness == 4.0);
  CHECK(all.rest == 0.25);  // of -2 q; the joint itself then stands at 0.5
  CHECK(follower({}).armature == 0.0);
  description.armature_by_default = true;
  CHECK(follower({}).armature == 3.0);
  CHECK(follower({}).damping == 0.0);
  CHECK(follower({}).stiffness == 0.0);
  CHECK(follower(model::JointDynamics::off).armature == 0.0);
}

TEST_CASE(
    "drives and springs that a joint cannot have, or that were not read, are errors where they would count") {
  description::Description description = with_dynamics();
  const auto message = [&](model::JointDynamics asked) -> std::string {
    Diagnostics findings;
    model::build_tree(description, {.joint_dynamics = asked}, findings);
    return findings.all().empty() ? "" : format(findings.all().front());
  };
  description::Joint& ball = description.joints[2];
  ball.dynamics->stiffness = 1.0;
  CHECK(message(model::JointDynamics::model).empty());
  ball.type = Type::planar;
  ball.dynamics->armature = ball.dynamics->damping = ball.dynamics->friction = 0.0;
  CHECK(
      message(model::JointDynamics::model) ==
      "test.urdf:7: error: planar joint \"ball\" has a spring, which only joints with one coordinate, balls "
      "and free joints can have; remove it, or choose another --joint-dynamics");
  CHECK(message(model::JointDynamics::armature).empty());
  ball.type = Type::spherical;
  ball.dynamics->left_out = "springdamper";
  CHECK(message(model::JointDynamics::model) ==
        "test.urdf:7: error: spherical joint \"ball\" has springdamper, which is not read; remove it, or "
        "choose "
        "another --joint-dynamics");
  ball.type = Type::floating;
  ball.file = "arm.xml";
  CHECK(message(model::JointDynamics::armature).empty());
  ball.dynamics = description::Dynamics{.friction = 1.0, .line = 7};
  CHECK(message(model::JointDynamics::model) ==
        "arm.xml:7: error: floating joint \"ball\" has friction, which only axes and balls can have; remove "
        "it, or choose another --joint-dynamics");
  CHECK(message(model::JointDynamics::off).empty());
}

TEST_CASE("gravity is the user's, else the file's") {
  description::Description description = branching();
  CHECK(build(description).gravity == Vector3(0.0, 0.0, -9.81));
  description.gravity = Vector3(0.0, -1.62, 0.0);
  CHECK(build(description).gravity == Vector3(0.0, -1.62, 0.0));
  CHECK(build(description, {.gravity = Vector3(1.0, 2.0, 3.0)}).gravity == Vector3(1.0, 2.0, 3.0));
}

TEST_CASE("named positions are in the order of q, without joints that follow others") {
  description::Description description = branching();
  description.joints[0].mimic = description::Mimic{"a", 2.0, 0.0, 0};
  description.positions = {{"home", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0}};  // z, y, a, b
  const UserTree tree = build(description, {.floating_base = true});
  REQUIRE(tree.positions.size() == 1);
  CHECK(tree.positions[0].name == "home");
  CHECK(tree.positions[0].q ==
        std::vector<double>{0, 0, 0, 0, 0, 0, 1, 4, 5, 6, 7, 8, 9, 10, 3, 2});  // base, b, a, y
}

TEST_CASE("named frames become links without matter, with names of their own") {
  description::Description description = branching();
  description.frames = {{"tip", "la", {}, 5}, {"la", "lm", {}, 6}};
  description.frames[0].origin.xyz = {0.0, 0.0, 0.5};
  description::add_links_of_frames(description);
  const UserTree tree = build(description);
  REQUIRE(tree.links.size() == 8);
  CHECK(tree.links[6].name == "tip");
  CHECK(tree.links[6].body == 1);
  CHECK(tree.links[6].placement.p == Vector3(0.0, 0.0, 0.5));
  CHECK(tree.links[7].name == "la_frame");
  CHECK(tree.nq == 10);
}

TEST_CASE("a planar joint with another normal: z is the normal, the link stays where the URDF has it") {
  description::Description description =
      robot({link("base"), link("cart")}, {joint("slide", Type::planar, "base", "cart")});
  description.joints[0].axis = Vector3(0.6, 0.0, 0.8);
  description.joints[0].origin.rpy = {0.1, 0.2, 0.3};
  description.links[1].inertial->origin.xyz = {0.1, 0.2, 0.3};
  const UserTree tree = build(description);
  const model::Body& cart = tree.bodies[0];
  const Matrix3 R = model::rotation_from_rpy({0.1, 0.2, 0.3});
  CHECK((cart.joint.placement.R.col(2) - R * Vector3(0.6, 0.0, 0.8)).norm() <= 1e-15);
  CHECK(cart.joint.axis == Vector3::UnitZ());
  CHECK(((cart.joint.placement.R * tree.links[1].placement.R) - R).norm() <= 1e-15);
  CHECK((tree.links[1].placement.R * Vector3(0.1, 0.2, 0.3) - cart.inertia.h).norm() <= 1e-15);
}

TEST_CASE("right angles with eleven decimals snap; coarser snapping is reported") {
  description::Description description = branching();
  description.joints[0].origin.rpy = {1.57079632679, 0.0, 0.0};
  CHECK((build(description).bodies[3].joint.placement.R.array() == 0.0).count() == 6);
  description.joints[0].origin.rpy = {1.5708, 0.0, 0.0};
  CHECK((build(description).bodies[3].joint.placement.R.array() == 0.0).count() == 4);
  BuildOptions coarse;
  coarse.snap_tolerance = 1e-4;
  Diagnostics findings;
  const UserTree tree = model::build_tree(description, coarse, findings);
  CHECK((tree.bodies[3].joint.placement.R.array() == 0.0).count() == 6);
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].message ==
        "the orientation of \"z\" was snapped to its axes, by up to 3.7e-06 rad");
}

TEST_CASE("a chain of 100,000 links takes linear time and no deep stack") {
#ifdef FEATHERLINE_TEST_SANITIZED
  constexpr int count = 20'000;
#else
  constexpr int count = 100'000;
#endif
  description::Description description;
  description.name = "chain";
  for (int i = 0; i <= count; ++i) description.links.push_back(link("l" + std::to_string(i)));
  for (int i = 0; i < count; ++i) {
    description.joints.push_back(joint("j" + std::to_string(i), i % 3 == 0 ? Type::fixed : Type::revolute,
                                       "l" + std::to_string(i), "l" + std::to_string(i + 1)));
    if (i > 1 && i % 3 == 1)
      description.joints.back().mimic = description::Mimic{"j" + std::to_string(i - 2), 1.0, 0.0, 0};
    if (i > 2 && i % 3 == 2)
      description.joints.back().mimic = description::Mimic{"j" + std::to_string(i - 1), 1.0, 0.0, 0};
  }
  const std::clock_t start = std::clock();
  const UserTree tree = build(description);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK(tree.bodies.size() == count - count / 3 - 1);
  CHECK(tree.nv == 2);    // j1 drives all but j2
  CHECK(seconds < 20.0);  // 0.2 s of processor time; quadratic time would be minutes
}

TEST_CASE("a coupling with a locked joint couples the others") {
  const auto gear_with = [](std::vector<model::Lock> locks) {
    description::Description gear = branching();
    description::Constraint coupling;
    coupling.name = "gear";
    coupling.terms = {{"z", 2.0}, {"a", 1.0}, {"y", -3.0}};
    coupling.offset = 0.5;
    gear.constraints = {coupling};
    Diagnostics findings;
    model::lock_joints(gear, {.locks = std::move(locks), .all_but = {}}, true, false, findings);
    return gear.constraints;
  };
  const auto left = gear_with({{"a", {0.3}}});
  REQUIRE(left.size() == 1);
  REQUIRE(left[0].terms.size() == 2);
  CHECK(left[0].terms[1].joint == "y");
  CHECK(left[0].offset == doctest::Approx(0.2));
  CHECK(gear_with({{"a", {0.3}}, {"z", {0.1}}, {"y", {0.0}}}).empty());
  CHECK_THROWS_WITH_AS(gear_with({{"a", {0.3}}, {"z", {0.1}}, {"y", {1.0}}}), doctest::Contains("is 3 off"),
                       UsageError);
}

TEST_CASE("what locked joints make of a loop is not blamed on the file") {
  description::Description gear = branching();
  description::Constraint coupling;
  coupling.name = "gear";
  coupling.terms = {{"z", 2.0}, {"a", 1.0}};
  coupling.eliminate = true;
  coupling.independent = {"z"};
  coupling.type = model::ConstraintType::coupling;
  gear.constraints = {coupling};
  Diagnostics findings;
  model::lock_joints(gear, {.locks = {{"a", {0.3}}}, .all_but = {}}, true, false, findings);
  UserTree tree = model::build_tree(gear, BuildOptions{}, findings);
  tree.constraints.all = model::build_constraints(gear, tree, 0.0, findings);
  model::eliminate_loops(gear, {}, tree, findings);
  REQUIRE(!findings.all().empty());
  CHECK(findings.all().back().message ==
        "with the joints of --lock held, loop \"gear\" holds joint \"z\" still");
  CHECK(findings.all().back().remedy == "lock it with --lock z=-0.15");
}
