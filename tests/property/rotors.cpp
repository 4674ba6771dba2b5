// Rotors behind gears, against robots whose rotors are links of their own on mimic joints: what the generator makes of
// the former has to be what the judge says of the latter, wherever the rotors stand.
#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "model/build_tree.hpp"
#include "passes/simplify.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/random_robot.hpp"
#include "support/random_rotors.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace property::rotors {

using namespace featherline;
using Eigen::VectorXd;

namespace {

/// All joint types in turn, fixed and floating bases, mimic joints, and of some robots a joint that is locked.
struct Robots {
  model::UserTree user, with_links;
};

/// Where a joint and all that mimic it stand.
void add_locks(const description::Description& robot, const std::string& joint, double position,
               std::vector<model::Lock>& locks) {
  locks.push_back({joint, {position}});
  for (const description::Joint& other : robot.joints) {
    if (other.mimic && other.mimic->joint == joint)
      add_locks(robot, other.name, other.mimic->multiplier * position + other.mimic->offset, locks);
  }
}

model::UserTree built(description::Description robot, std::uint64_t seed) {
  Diagnostics findings;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  build.allow_unphysical_inertia = true;  // what is left of a link without a rotor of any mass
  if (seed % 4 == 3) {
    const auto has_one = [](const description::Joint& joint) { return model::row_of(joint.type).nq() == 1; };
    const auto joint = std::ranges::find_if(robot.joints, has_one);
    REQUIRE(joint != robot.joints.end());
    std::vector<model::Lock> locks;
    add_locks(robot, joint->name, 0.4, locks);
    model::lock_joints(robot, {locks, {}}, true, build.floating_base, findings);
  }
  model::UserTree tree = model::build_tree(robot, build, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

void add_contact(model::UserTree& tree, int link) {
  model::Constraint contact;
  contact.name = "contact";
  contact.anchors = {{link, {}}};
  tree.constraints.all.push_back(std::move(contact));
  tree.constraints.number_rows();
}

Robots make_robots(std::uint64_t seed) {
  test::RobotOptions options;
  options.joints = 3 + static_cast<int>(seed % 3);
  options.mimic = seed % 3 == 2 ? 0.5 : 0.0;
  if (seed % 2 == 0)
    options.types = {model::JointType::revolute, model::JointType::prismatic, model::JointType::helical};
  description::Description robot = test::random_robot(seed, options);
  test::add_random_rotors(robot, seed);
  Robots robots{built(robot, seed), built(test::with_rotors_as_links(robot, seed), seed)};
  robots.user.base_parameters = algorithms::find_base_parameters(robots.user);
  const int last = static_cast<int>(robot.links.size()) - 1;
  if (robots.user.links.back().body >= 0) {
    add_contact(robots.user, last);
    add_contact(robots.with_links, last);
  }
  return robots;
}

/// Functions of all links have an entry for each rotor that is a link.
bool is_comparable(const catalog::FunctionSpec& function) {
  return !function.takes_link && !catalog::has_size(function, catalog::num_links);
}

/// Regressors have columns of links alone, as if there were no rotors.
bool leaves_rotors_out(const catalog::FunctionSpec& function) {
  return function.name == "regressor" || function.name == "base_regressor";
}

/// As the algorithms see it; the judge knows no Joint::geared.
model::Tree as_traced(const model::Tree& tree) {
  model::Tree result = model::without_rotors(tree);
  for (model::Body& body : result.bodies) body.joint.armature += body.joint.geared;
  return result;
}

VectorXd torques(const model::Tree& tree, const reference::State& x) {
  return reference::Solver<double>(tree).rnea(x.q, x.v, x.a);
}

reference::State state_of(const model::Tree& tree, std::uint32_t seed) {
  std::mt19937 random(seed);
  return reference::random_state(tree, random);
}

}  // namespace

TEST_CASE("rotors move a robot as links of their own do, wherever they stand") {
  int bodies = 0, geared = 0;
  std::set<std::string> followed;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const Robots robots = make_robots(seed);
    model::UserTree without = robots.user;
    without.rotors.clear();
    const model::CanonicalTree traced = in_chosen_frames(robots.user, true);
    for (const model::Body& body : traced.bodies) {
      bodies += body.joint.turns_rotor ? 1 : 0;
      geared += body.joint.geared != 0.0 ? 1 : 0;
    }
    const reference::State x = state_of(robots.user, static_cast<std::uint32_t>(seed));
    for (const catalog::FunctionSpec& function : catalog::functions()) {
      if (!is_comparable(function) || (function.group.order == 2 && robots.user.nv > 6)) continue;
      CAPTURE(function.name);
      const reference::OutputFunction& judge = *reference::find_outputs(function.name);
      const reference::Outputs expected =
          judge.compared(x, judge.compute(leaves_rotors_out(function) ? without : robots.with_links, x));
      for (const catalog::Formulation& formulation : function.formulations) {
        if (formulation.in_loops() || !formulation.applies(traced)) continue;
        CAPTURE(formulation.name);
        test::follow(catalog::trace(function, formulation, traced), judge, x, expected);
        const bool has_bodies = std::ranges::any_of(
            traced.bodies, [](const model::Body& body) { return body.joint.turns_rotor; });
        followed.insert(function.name + (has_bodies ? " with bodies, " : ", ") + formulation.name);
      }
    }
  }
  CHECK(bodies > 5);
  CHECK(geared > 5);
  CHECK(followed.size() > 50);
  CHECK(followed.contains("aba with bodies, articulated bodies"));
}

TEST_CASE("every number of a rotor is felt, and armature alone is another robot") {
  for (const std::uint64_t seed : {1, 4, 5}) {
    CAPTURE(seed);
    const model::UserTree tree = make_robots(seed).user;
    REQUIRE_FALSE(tree.rotors.empty());
    const reference::State x = state_of(tree, 7);
    const VectorXd tau = torques(tree, x);
    const auto changes = [&](auto change) {
      model::UserTree changed = tree;
      change(changed);
      const bool of_judge = (torques(changed, x) - tau).norm() > 1e-8 * tau.norm();
      return of_judge && (torques(as_traced(changed), x) - tau).norm() > 1e-8 * tau.norm();
    };
    CHECK((torques(as_traced(tree), x) - tau).norm() <= 1e-12 * tau.norm());
    CHECK(changes([](model::UserTree& t) { t.rotors.front().gear_ratio *= 1.01; }));
    CHECK(changes([](model::UserTree& t) { t.rotors.front().inertia *= 1.01; }));
    CHECK(changes([](model::UserTree& t) { t.rotors.pop_back(); }));
    CHECK(changes([](model::UserTree& t) {
      for (const model::Rotor& rotor : std::exchange(t.rotors, {}))
        t.bodies[static_cast<std::size_t>(rotor.joint)].joint.armature +=
            rotor.gear_ratio * rotor.gear_ratio * rotor.inertia;
    }));
  }
}

namespace {

/// Flops, and sines and cosines, of the first formulation without lanes, or of the one in lanes.
std::pair<int, int> cost_of_rnea(const char* axis, bool in_lanes) {
  Diagnostics findings;
  description::Description robot = formats::read_file("robots/quadruped.urdf", findings);
  for (const description::Joint& joint : robot.joints) {
    if (axis == nullptr || joint.type == model::JointType::fixed) continue;
    description::Rotor rotor{.name = joint.name, .gear_ratio = 9.0, .inertia = 6e-5};
    if (*axis != '\0') rotor.axis = model::Vector3::Unit(*axis - 'x');
    robot.rotors.push_back(rotor);
  }
  model::BuildOptions options;
  options.floating_base = true;
  const model::UserTree tree = model::build_tree(robot, options, findings);
  REQUIRE(tree.rotors.size() == (axis == nullptr ? 0 : 12));
  Plan plan;
  plan.lanes = true;
  const ChosenTrees trees = trees_in_chosen_frames(tree, plan);
  const catalog::FunctionSpec& rnea = *catalog::find("rnea");
  for (const catalog::Formulation& formulation : rnea.formulations) {
    if (formulation.in_lanes() != in_lanes) continue;
    REQUIRE((!in_lanes || trees.folded->has_lanes()));
    const ir::Cost cost = ir::count_cost(passes::simplify(trace(rnea, formulation, trees)));
    return {cost.flops, cost.sincos};
  }
  return {};
}

}  // namespace

TEST_CASE("twelve rotors of a quadruped cost next to nothing") {
  for (const bool in_lanes : {false, true}) {
    const std::pair<int, int> without = cost_of_rnea(nullptr, in_lanes), with = cost_of_rnea("", in_lanes);
    CHECK(with.first <= 1.03 * without.first);
    CHECK(with.second == without.second);
  }
  // Across the axes of all joints: bodies of their own, also side by side.
  for (const bool in_lanes : {false, true}) {
    const std::pair<int, int> without = cost_of_rnea(nullptr, in_lanes), with = cost_of_rnea("z", in_lanes);
    CHECK(with.first <= 1.25 * without.first);
    CHECK(with.second == without.second);
  }
}

}  // namespace property::rotors
