// Digits that default options must not cost: one set of angles for all functions, long levers, bases far away.
#include "emitted_functions.hpp"
#include "selection/choose.hpp"
#include "support/parallel_arm.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

namespace property::kept_digits {

using namespace featherline;
using namespace featherline::test;

namespace {

constexpr double agreement = 1e-10;
constexpr double round_trip = 1e-12;

/// |aba(rnea(a)) - a| / max(1, |a|), the worst of ten states.
double round_trip_error(const Functions& functions, const model::Tree& tree) {
  std::mt19937 random(1);
  double worst = 0.0;
  for (int k = 0; k < 10; ++k) {
    reference::State x = reference::random_state(tree, random);
    const std::vector<double> tau = outputs_in<double>(functions.at("rnea"), x).front().values;
    x.tau = Eigen::Map<const Eigen::VectorXd>(tau.data(), x.tau.size());
    const reference::Outputs a{{"a", {x.a.begin(), x.a.end()}}};
    worst = std::max(worst, reference::compare(outputs_in<double>(functions.at("aba"), x), a).relative);
  }
  return worst;
}

constexpr const char* tower = R"(<robot name="tower">
  <link name="ground"/>
  <link name="mast"><inertial><origin xyz="0 0 40"/><mass value="2000"/>
    <inertia ixx="2000" iyy="2600" izz="1800" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="jib"><inertial><origin xyz="0.1 0 0.1"/><mass value="20"/>
    <inertia ixx="1" iyy="1.3" izz="0.9" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><inertial><origin xyz="0.01 0.01 0.02"/><mass value="0.5"/>
    <inertia ixx="1e-4" iyy="1.3e-4" izz="0.9e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="ground"/><child link="mast"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>
  <joint name="slew" type="continuous"><parent link="mast"/><child link="jib"/>
    <origin xyz="0 0 100"/><axis xyz="0 0 1"/></joint>
  <joint name="spin" type="continuous"><parent link="jib"/><child link="tool"/>
    <origin xyz="0 0.3 100" rpy="0.001 0 0"/><axis xyz="0 0 1"/></joint>
</robot>)";

}  // namespace

TEST_CASE("forward dynamics gives back the accelerations handed to inverse dynamics") {
  for (const char* file : {"arm7", "double_pendulum", "planar3", "quadruped", "stanford_arm"}) {
    CAPTURE(file);
    std::ifstream in("robots/" + std::string(file) + ".urdf");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const Robot robot = read_text(text, false);
    CHECK(round_trip_error(emitted_functions(robot, {"rnea", "aba"}), robot.tree) <= round_trip);
  }
}

TEST_CASE("all functions of a robot have the same angles") {
  ParallelArm arm;
  std::string text = to_urdf(parallel_arm(arm));
  for (std::size_t at = text.find("rpy=\"0 0"); at != std::string::npos; at = text.find("rpy=\"0 0", at + 1))
    text.replace(at, 6, "rpy=\"1.57079632679");
  const Robot robot = read_text(text, false);
  CHECK(round_trip_error(emitted_functions(robot, {"rnea", "aba"}), robot.tree) <= round_trip);

  // What it was when each function chose its own.
  REQUIRE(robot.snapped.has_value());
  Robot as_written = robot, exact = robot;
  exact.tree = *robot.snapped;
  as_written.snapped.reset();
  exact.snapped.reset();
  Functions mixed = emitted_functions(as_written, {"rnea"});
  mixed.merge(emitted_functions(exact, {"aba"}));
  CHECK(round_trip_error(mixed, robot.tree) > round_trip);
}

TEST_CASE("levers that are truly there") {
  // A slewing joint 100 m up, and a tool of 0.5 kg 100 m above that.
  const Robot robot = read_text(tower, false);
  const Functions functions = emitted_functions(robot, all_functions());
  for (const auto& [name, error] : errors_in<double>(functions, robot.tree, 4)) {
    const auto& which = name;
    CAPTURE(which);
    CHECK(error <= agreement);
  }
}

TEST_CASE("derivatives do not depend on where the base is") {
  test::RobotOptions options;
  options.joints = 4;
  options.fixed = 0.0;
  options.types = {model::JointType::revolute};
  description::Description robot = test::random_robot(3, options);
  robot.joints.front().type = model::JointType::planar;
  robot.joints.front().limits.reset();
  const model::CanonicalTree tree = in_chosen_frames(test::tree_of(robot), true);
  const auto& all = catalog::functions();
  const auto derivatives =
      std::find_if(all.begin(), all.end(), [](const auto& a) { return a.name == "rnea_derivatives"; });
  std::mt19937 random(1);
  const reference::State here = reference::random_state(tree, random);
  reference::State there = here;
  for (const model::Body& body : tree.bodies) {
    if (body.joint.type == model::JointType::planar) there.q[body.joint.idx_q] += 1e5;
  }
  REQUIRE(there.q != here.q);
  for (const catalog::Formulation& formulation : derivatives->formulations) {
    CAPTURE(formulation.name);
    if (formulation.in_loops() || formulation.in_lanes())
      continue;  // outputs_in() runs neither calls nor lanes
    const ir::Kernel function = catalog::trace(*derivatives, formulation, tree);
    CHECK(reference::compare(outputs_in<double>(function, there), outputs_in<double>(function, here))
              .relative <= 1e-13);
  }
}

}  // namespace property::kept_digits
