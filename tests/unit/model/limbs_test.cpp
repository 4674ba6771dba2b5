// Which limbs are equal, what they are called, and which of them are computed together.
#include "model/limbs.hpp"
#include "descriptions.hpp"
#include "model/build_tree.hpp"
#include "model/canonical.hpp"
#include "model/overview.hpp"

#include <doctest/doctest.h>

#include <utility>

namespace limbs_test {

using namespace featherline;
using model::fold_bodies;
using model::Folding;
using model::LimbGroup;
using model::Tree;
using Type = model::JointType;
using Names = std::vector<std::string>;

namespace {

/// A robot that grows limb by limb. Joint "arm" moves link "l_arm".
class RobotBuilder {
 public:
  RobotBuilder() { robot_ = test::robot({test::link("base")}, {}); }

  RobotBuilder& joint(const std::string& name, const std::string& parent, Type type = Type::revolute) {
    robot_.links.push_back(test::link("l_" + name));
    robot_.joints.push_back(test::joint(name, type, parent == "base" ? parent : "l_" + parent, "l_" + name));
    return *this;
  }
  /// Joints NAME_1, NAME_2, ... one behind the other.
  RobotBuilder& limb(const std::string& name, const std::string& parent, const std::vector<Type>& types) {
    std::string above = parent;
    for (std::size_t k = 0; k < types.size(); ++k) {
      const std::string next = name + "_" + std::to_string(k + 1);
      joint(next, above, types[k]);
      above = next;
    }
    return *this;
  }
  RobotBuilder& mimic(const std::string& follower, const std::string& driver) {
    for (description::Joint& candidate : robot_.joints) {
      if (candidate.name == follower) candidate.mimic = description::Mimic{driver, 2.0, 0.5, 33};
    }
    return *this;
  }
  model::UserTree tree(const model::BuildOptions& options = {}) const {
    Diagnostics findings;
    model::UserTree tree = model::build_tree(robot_, options, findings);
    REQUIRE_FALSE(findings.has_errors());
    return tree;
  }

 private:
  description::Description robot_;
};

constexpr Type R = Type::revolute, P = Type::prismatic, S = Type::spherical;

/// The names of the limbs by group.
std::vector<Names> names(const Tree& tree) {
  std::vector<Names> list;
  for (const LimbGroup& group : find_limb_groups(tree)) list.push_back(limb_names(tree, group));
  return list;
}

/// The joints that are computed together, where there are several.
std::vector<Names> joints_together(const Tree& tree) {
  std::vector<Names> list;
  for (const model::FoldedBody& body : fold_bodies(tree).bodies) {
    if (body.lanes() == 1) continue;
    list.emplace_back();
    for (const int i : body.members)
      list.back().push_back(tree.bodies[static_cast<std::size_t>(i)].joint.name);
  }
  return list;
}

std::vector<int> lanes(const Tree& tree) {
  std::vector<int> list;
  for (const model::FoldedBody& body : fold_bodies(tree).bodies) list.push_back(body.lanes());
  return list;
}

}  // namespace

TEST_CASE("two arms and four legs are two groups") {
  RobotBuilder robot;
  for (const char* leg : {"lf", "lh", "rf", "rh"}) robot.limb(leg, "base", {R, R, P});
  robot.joint("waist", "base");
  for (const char* arm : {"arm_left", "arm_right"}) robot.limb(arm, "waist", {S, R});
  const Tree tree = robot.tree();
  CHECK(names(tree) == std::vector<Names>{{"lf", "lh", "rf", "rh"}, {"left", "right"}});
  const LimbGroup legs = find_limb_groups(tree).front();
  CHECK(legs.parent == -1);
  CHECK(legs.bodies_of_limb() == 3);
  CHECK(describe_limbs(tree, legs, [](const std::string& name) { return name; }) ==
        "lf, lh, rf, rh: 4 x 3 joints (2 revolute, prismatic), on the world");
  CHECK(describe_limbs(tree, find_limb_groups(tree).back(), [](const std::string& name) {
          return "<" + name + ">";
        }) == "<left>, <right>: 2 x 2 joints (spherical, revolute), on <l_waist>");
  CHECK(joints_together(tree).size() == 5);
  CHECK(joints_together(tree).front() == Names{"lf_1", "lh_1", "rf_1", "rh_1"});
}

TEST_CASE("the folding has coordinates of its own, one list of the tree's for each") {
  RobotBuilder robot;
  robot.joint("a_neck", "base").limb("b_left", "base", {S, R}).limb("b_right", "base", {S, R});
  const Folding folding = fold_bodies(robot.tree());
  CHECK(folding.has_lanes());
  CHECK(lanes(robot.tree()) == std::vector<int>{1, 2, 2});
  CHECK(folding.velocities == std::vector<std::vector<int>>{{0}, {1, 5}, {2, 6}, {3, 7}, {4, 8}});
  CHECK(folding.positions == std::vector<std::vector<int>>{{0}, {1, 6}, {2, 7}, {3, 8}, {4, 9}, {5, 10}});
  CHECK(folding.group_of_velocity == std::vector<int>{-1, 0, 0, 0, 0});
  CHECK(folding.bodies[2].parent == 1);
}

TEST_CASE("five fingers of which four match") {
  RobotBuilder robot;
  robot.joint("wrist", "base");
  for (const char* finger : {"f1", "f2", "f3", "f4"}) robot.limb(finger, "wrist", {R, R});
  robot.limb("thumb", "wrist", {S, R});
  CHECK(names(robot.tree()) == std::vector<Names>{{"f1", "f2", "f3", "f4"}});
  CHECK(lanes(robot.tree()) == std::vector<int>{1, 4, 4, 1, 1});
}

TEST_CASE("limbs of limbs: all groups are found, those that save the most bodies are folded") {
  const auto hands = [](int arm_joints, int fingers, int finger_joints) {
    RobotBuilder robot;
    robot.joint("torso", "base");
    for (const std::string arm : {"left", "right"}) {
      robot.limb(arm, "torso", std::vector<Type>(static_cast<std::size_t>(arm_joints), R));
      for (int f = 0; f < fingers; ++f) {
        robot.limb(arm + "_finger_" + std::to_string(f), arm + "_" + std::to_string(arm_joints),
                   std::vector<Type>(static_cast<std::size_t>(finger_joints), P));
      }
    }
    return robot.tree();
  };
  const Tree grippers = hands(6, 2, 1), dexterous = hands(2, 5, 3);
  CHECK(names(grippers) == std::vector<Names>{{"left", "right"}, {"0", "1"}, {"0", "1"}});
  CHECK(lanes(grippers) == std::vector<int>{1, 2, 2, 2, 2, 2, 2, 2, 2});  // 8 bodies instead of 2
  CHECK(names(dexterous).size() == 3);
  CHECK(lanes(dexterous) == std::vector<int>{1, 1, 1, 5, 5, 5, 1, 1, 5, 5, 5});  // 24 instead of 17
}

TEST_CASE("groups of more than eight limbs are cut; one that is left over is alone") {
  for (const auto& [limbs, expected] : {std::pair{8, std::vector<int>{8}}, {9, {8, 1}}, {19, {8, 8, 3}}}) {
    RobotBuilder robot;
    for (int k = 0; k < limbs; ++k) robot.joint("limb_" + std::to_string(100 + k), "base");
    CHECK(find_limb_groups(robot.tree()).size() == 1);
    CHECK(lanes(robot.tree()) == expected);
  }
}

TEST_CASE("limbs with different parents, different branches or another order of types are not equal") {
  RobotBuilder parents;
  parents.limb("spine", "base", {R, P}).limb("left", "spine_1", {S, R}).limb("right", "spine_2", {S, R});
  CHECK(names(parents.tree()).empty());
  CHECK_FALSE(fold_bodies(parents.tree()).has_lanes());
  RobotBuilder order;
  order.limb("left", "base", {R, P}).limb("right", "base", {P, R});
  CHECK(names(order.tree()).empty());
  RobotBuilder branches;
  branches.limb("left", "base", {S, R})
      .limb("right", "base", {S})
      .joint("more", "left_1")
      .joint("third", "right_1", P);
  CHECK(names(branches.tree()) == std::vector<Names>{{"left_2", "more"}});
}

TEST_CASE("continuous joints match revolute ones") {
  RobotBuilder robot;
  robot.limb("left", "base", {R, P}).limb("right", "base", {Type::continuous, P});
  const Tree tree = robot.tree();
  REQUIRE(find_limb_groups(tree).size() == 1);
  CHECK(describe_limbs(tree, find_limb_groups(tree).front(), [](const std::string& name) { return name; }) ==
        "left, right: 2 x 2 joints (revolute or continuous, prismatic), on the world");
}

TEST_CASE("children in another order still match their like") {
  RobotBuilder robot;  // siblings come by name
  robot.joint("left", "base", S).joint("a", "left", P).limb("b", "left", {R, R});
  robot.joint("right", "base", S).limb("c", "right", {R, R}).joint("d", "right", P);
  const std::vector<Names> together = joints_together(robot.tree());
  REQUIRE(together.size() == 4);
  CHECK(std::find(together.begin(), together.end(), Names{"a", "d"}) != together.end());
  CHECK(std::find(together.begin(), together.end(), Names{"b_2", "c_2"}) != together.end());
}

TEST_CASE("mimic joints belong to a limb with the joint that they follow") {
  const auto arms = [] {
    RobotBuilder robot;
    robot.joint("waist", "base", P);
    for (const char* arm : {"left", "right", "third"}) robot.limb(arm, "waist", {R, R, R});
    return robot;
  };
  const Tree inside = arms().mimic("left_3", "left_2").mimic("right_3", "right_2").tree();
  CHECK(names(inside) == std::vector<Names>{{"left", "right"}});
  const Folding folding = fold_bodies(inside);
  CHECK(folding.velocities == std::vector<std::vector<int>>{{0}, {1, 3}, {2, 4}, {5}, {6}, {7}});
  CHECK(folding.bodies[3].idx_v == folding.bodies[2].idx_v);
  CHECK(names(arms().mimic("left_3", "left_2").mimic("right_3", "right_1").tree()).empty());
  CHECK(names(arms().mimic("left_3", "right_3").tree()).empty());
  CHECK(names(arms().mimic("left_1", "waist").tree()) == std::vector<Names>{{"right", "third"}});
  CHECK(names(arms().mimic("waist", "left_2").mimic("right_2", "waist").tree()).empty());
}

TEST_CASE("an order that interleaves limbs changes coordinates only") {
  RobotBuilder robot;
  robot.limb("left", "base", {R, R, R}).limb("right", "base", {R, R, R});
  model::BuildOptions options;
  options.joint_order = {"right_1", "left_1", "left_2", "right_2", "right_3", "left_3"};
  const Tree tree = robot.tree(options);
  CHECK(names(tree) == std::vector<Names>{{"right", "left"}});
  CHECK(fold_bodies(tree).velocities == std::vector<std::vector<int>>{{0, 1}, {3, 2}, {4, 5}});
  // The places of the joints they follow count, not how far those are away in q.
  const Tree same = robot.mimic("left_3", "left_2").mimic("right_3", "right_2").tree(options);
  CHECK(names(same).size() == 1);
  CHECK(fold_bodies(same).velocities == std::vector<std::vector<int>>{{0, 1}, {3, 2}});
}

TEST_CASE("names: the part that differs, cut at separators; whole names where nothing is left") {
  const auto names_of = [](const Names& joints) {
    RobotBuilder robot;
    for (const std::string& joint : joints) robot.joint(joint, "base");
    return limb_names(robot.tree(), find_limb_groups(robot.tree()).front());
  };
  CHECK(names_of({"front_left_hip", "front_right_hip"}) == Names{"left", "right"});
  CHECK(names_of({"LF-HAA", "RF-HAA"}) == Names{"LF", "RF"});
  CHECK(names_of({"LHipYaw", "RHipYaw"}) == Names{"LHipYaw", "RHipYaw"});
  CHECK(names_of({"joint_1", "joint_12"}) == Names{"1", "12"});
  CHECK(names_of({"arm", "arm_arm"}) == Names{"arm", "arm_arm"});
  CHECK(names_of({"hip_a_x", "hip_a_y_a_x"}) == Names{"x", "y_a_x"});
}

TEST_CASE("a folded tree has the members' numbers, and the same limbs after joints were split") {
  RobotBuilder robot;
  robot.joint("waist", "base", S)
      .limb("left", "waist", {Type::universal, R})
      .limb("right", "waist", {Type::universal, R});
  const model::CanonicalTree split = model::canonicalise(robot.tree(), model::Frames::of_limbs);
  const model::FoldedTree folded = model::fold_limbs(split);
  CHECK(folded.has_lanes());
  CHECK(folded.full.bodies.size() == 7);
  CHECK(folded.walked.bodies.size() == 4);
  CHECK(folded.walked.nv == 6);
  CHECK(folded.walked.nq == 7);
}

TEST_CASE("mimic joints find their drivers after joints were split") {
  RobotBuilder robot;
  robot.joint("a_neck", "base", Type::universal)
      .limb("b_left", "base", {R, R})
      .limb("b_right", "base", {R, R});
  robot.mimic("b_left_1", "b_left_2").mimic("b_right_1", "b_right_2");
  const Tree split = model::split_joints(robot.tree());
  REQUIRE(split.bodies.size() == 6);
  CHECK(split.bodies[2].joint.mimics == 3);
  CHECK(split.bodies[4].joint.mimics == 5);
  CHECK(joints_together(split) == std::vector<Names>{{"b_left_1", "b_right_1"}, {"b_left_2", "b_right_2"}});
}

namespace {

/// Bodies with one revolute joint each.
Tree tree_with_parents(const std::vector<int>& parents) {
  Tree tree;
  for (const int parent : parents) {
    model::Body body;
    body.parent = parent;
    body.joint.idx_q = body.joint.idx_v = tree.nv;
    body.joint.name = "j" + std::to_string(tree.nv);
    tree.nq = ++tree.nv;
    tree.bodies.push_back(std::move(body));
  }
  return tree;
}

}  // namespace

TEST_CASE("a folded tree has all that the tree has, but for bodies and what is numbered by them") {
  model::CanonicalTree tree{tree_with_parents({-1, -1})};
  tree.name = "twins";
  tree.floating_base = true;
  tree.gravity = {1.0, 2.0, 3.0};
  tree.grounded.mass = 4.0;
  tree.chosen.forces = {0};
  tree.chosen.stabilisation = true;
  tree.frames.axes = model::FrameAxes::world;
  tree.constraints.kp = 5.0;
  tree.applied_forces.resize(6);
  const model::CanonicalTree walked = model::fold_limbs(tree).walked;
  CHECK(walked.bodies.size() == 1);
  CHECK(walked.nv == 1);
  CHECK(walked.name == tree.name);
  CHECK(walked.floating_base);
  CHECK(walked.gravity == tree.gravity);
  CHECK(walked.grounded.mass == 4.0);
  CHECK(walked.chosen.forces == tree.chosen.forces);
  CHECK(walked.chosen.stabilisation);
  CHECK(walked.frames.axes == model::FrameAxes::world);
  CHECK(walked.constraints.kp == 5.0);
  CHECK(walked.applied_forces.size() == 6);
}

// A recursion as deep as the limbs would overflow the stack, and quadratic work would run into the time limit of the
// test.
TEST_CASE("40,000 joints: two long limbs, many short ones with mimic joints, a binary tree") {
#ifdef FEATHERLINE_TEST_SANITIZED
  constexpr int many = 8'000;
#else
  constexpr int many = 40'000;
#endif
  std::vector<int> long_limbs, short_limbs, binary;
  for (int i = 0; i < many; ++i) {
    long_limbs.push_back(i < 2 ? -1 : i - 2);
    short_limbs.push_back(i % 2 == 0 ? -1 : i - 1);
    binary.push_back(i == 0 ? -1 : (i - 1) / 2);
  }
  CHECK(fold_bodies(tree_with_parents(long_limbs)).bodies.size() == many / 2);
  Tree mimics = tree_with_parents(short_limbs);
  for (std::size_t i = 1; i < mimics.bodies.size(); i += 2) {
    mimics.bodies[i].joint.mimics = static_cast<int>(i) - 1;
    mimics.bodies[i].joint.idx_v = mimics.bodies[i - 1].joint.idx_v;
  }
  CHECK(fold_bodies(mimics).bodies.size() == many / 8);
  CHECK(find_limb_groups(tree_with_parents(binary)).size() > many / 10);
}

}  // namespace limbs_test
