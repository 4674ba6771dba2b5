// Steps with contacts: the conditions of the reference solver at states where many points touch, the classic cases of a
// block, energy, wrong inputs, and that wrong results are noticed.
#include "cli/output_files.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "stepped_robot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

namespace property::contact_steps {

namespace {

const Stepped& quadruped() {
  static const Stepped robot("robots/quadruped.urdf",
                             options_of("front_left_foot,front_right_foot,rear_left_foot,rear_right_foot"));
  return robot;
}

/// With limits and friction of all joints among the contacts.
const Stepped& quadruped_with_joints() {
  static const Stepped robot("robots/quadruped.urdf",
                             options_of("front_left_foot,rear_right_foot", {"limits", "friction"}));
  return robot;
}

/// Two kilograms on four corners.
const Stepped& block() {
  static const Stepped robot = [] {
    std::string urdf = R"(<robot name="block"><link name="block"><inertial><mass value="2"/>
      <inertia ixx="0.03" iyy="0.04" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>)";
    for (int k = 0; k < 4; ++k) {
      const std::string name = "c" + std::to_string(k);
      urdf += "<link name='" + name + "'/><joint name='j" + name +
              "' type='fixed'><parent link='block'/><child link='" + name + "'/><origin xyz='" +
              (k % 2 == 0 ? "0.2 " : "-0.2 ") + (k < 2 ? "0.1" : "-0.1") + " -0.1'/></joint>";
    }
    const cli::TemporaryFolder folder(cli::TemporaryFolder::Keep::no);
    const auto file = folder.path() / "block.urdf";
    cli::write_files({{file, urdf + "</robot>"}});
    return Stepped(file.string(), options_of("c0,c1,c2,c3"));
  }();
  return robot;
}

/// A ball of three kilograms, and a point far out on the same body.
const Stepped& ball() {
  static const Stepped robot = [] {
    const cli::TemporaryFolder folder(cli::TemporaryFolder::Keep::no);
    const auto file = folder.path() / "ball.urdf";
    cli::write_files({{file, R"(<robot name="ball"><link name="ball"><inertial><mass value="3"/>
      <inertia ixx="0.012" iyy="0.012" izz="0.012" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)"}});
    return Stepped(file.string(), options_of("ball:sphere=0.1,tip=ball@0.3,0.2,0"));
  }();
  return robot;
}

/// On a slope that falls along x.
State block_on_slope(double angle, double friction) {
  std::mt19937 random(1);
  State s = block().state(random);
  s.q << 0.0, 0.0, 0.0, 0.0, std::sin(angle / 2), 0.0, std::cos(angle / 2);
  s.v.setZero();
  s.tau.setZero();
  s.dt[0] = 1e-3;
  block().put_ground(s, {std::sin(angle), 0.0, std::cos(angle)}, 0.0, friction, 0.0);
  return s;
}

}  // namespace

TEST_CASE("conditions hold where all feet may touch, and all modes occur") {
  std::mt19937 random(3);
  std::set<double> modes;
  for (int k = 0; k < 60; ++k) {
    State s = quadruped().state(random);
    s.v *= 0.1;
    quadruped().put_ground(s, {0.1, -0.2, 1.0}, k % 3 == 0 ? 0.0 : 1e-3 * (k % 5), 0.2 * (k % 6),
                           k % 2 == 0 ? 0.0 : 0.4);
    const Outputs end = quadruped().step(s);
    CAPTURE(k);
    CHECK(quadruped().worst(s, end) < 1e-9);
    for (int point = 0; point < 4; ++point) modes.insert(end[3].values[static_cast<std::size_t>(4 + point)]);
  }
  CHECK(modes == std::set<double>{0.0, 1.0, 2.0});
}

TEST_CASE("limits and friction of joints hold beside those of points, and wrong pushes are noticed") {
  const Stepped& robot = quadruped_with_joints();
  const std::vector<model::ContactJoint>& joints = robot.tree().constraints.joints;
  CHECK(joints.size() == 12);
  std::mt19937 random(5);
  int at_limits = 0, stuck = 0, sliding = 0;
  for (int k = 0; k < 40; ++k) {
    CAPTURE(k);
    State s = robot.state(random);
    if (k % 2 == 0) s.v *= 0.05;
    if (k % 2 == 0) s.tau *= 0.02;
    if (k % 4 == 0) s.q[joints[3].idx_q] = joints[3].upper + 0.05;
    robot.put_ground(s, {0.1, -0.2, 1.0}, 0.003, 0.6, 0.0);
    Outputs outputs = robot.step(s);
    CHECK(values(outputs, 4)[2] == 0.0);
    CHECK(robot.worst(s, outputs) <= reference::promised_error);
    const VectorXd q = values(outputs, 0), v = values(outputs, 1), pushes = values(outputs, 3);
    CHECK(pushes.head(6).norm() == 0.0);
    for (const model::ContactJoint& joint : joints) {
      const double most = joint.friction * s.dt[0], push = pushes[joint.idx_v];
      CHECK(q[joint.idx_q] >= joint.lower - 1e-6);
      CHECK(q[joint.idx_q] <= joint.upper + 1e-6);
      at_limits += std::abs(push) > 1.001 * most ? 1 : 0;
      stuck += std::abs(v[joint.idx_v]) < 1e-9 ? 1 : 0;
      sliding += std::abs(std::abs(push) - most) < 1e-9 * most ? 1 : 0;
    }
    outputs[3].values[static_cast<std::size_t>(joints[5].idx_v)] += 1e-3;
    CHECK(robot.worst(s, outputs) > reference::promised_error);
  }
  CHECK(at_limits >= 20);
  CHECK(stuck >= 20);
  CHECK(sliding >= 100);
}

TEST_CASE("a block on a slope slides where tan(angle) is above the friction, by the formula") {
  constexpr double friction = 0.5, g = 9.81;
  State s = block_on_slope(std::atan(friction) - 1e-4, friction);
  for (int k = 0; k < 10; ++k) {
    const Outputs end = block().step(s);
    CHECK(end[3].values[2] == 0.0);
    s.q = values(end, 0);
    s.v = values(end, 1);
  }
  CHECK(s.v.norm() < 1e-9);
  const double angle = std::atan(friction) + 1e-3;
  s = block_on_slope(angle, friction);
  const Outputs end = block().step(s);
  const double expected = s.dt[0] * g * (std::sin(angle) - friction * std::cos(angle));
  CHECK(std::abs(end[1].values[0] - expected) < 1e-9 * g * s.dt[0]);
  CHECK(end[3].values[3] == 0.0);  // four points in a plane are redundant
}

TEST_CASE("a sphere touches where it is nearest to the ground, however its body is turned") {
  std::mt19937 random(11);
  for (int k = 0; k < 60; ++k) {
    State s = ball().state(random);
    ball().put_ground(s, {0.3, -0.2, 1.0 + 0.1 * k}, 0.0, 0.1 * (k % 8), k % 2 == 0 ? 0.0 : 0.4);
    const Outputs end = ball().step(s);
    CAPTURE(k);
    CHECK(ball().worst(s, end) < 1e-9);
  }
}

TEST_CASE("a ball on a slope rolls by the formula, and slides where friction is too little") {
  constexpr double angle = 0.3, g = 9.81, radius = 0.1;  // a solid ball: J = 2/5 m r^2
  const auto after = [&](double friction) {
    std::mt19937 random(1);
    State s = ball().state(random);
    s.v.setZero();
    s.tau.setZero();
    s.dt[0] = 1e-3;
    ball().put_ground(s, {std::sin(angle), 0.0, std::cos(angle)}, 0.0, friction, 0.0);
    s.contact[6] = 1.0;  // the tip is far
    const Eigen::Quaterniond turn(s.q[6], s.q[3], s.q[4], s.q[5]);
    const VectorXd v = values(ball().step(s), 1);
    return std::pair<Vector3d, Vector3d>(turn * v.head<3>(), turn * v.tail<3>());
  };
  const Vector3d down(std::cos(angle), 0.0, -std::sin(angle));
  const auto [rolling, turning] = after(1.0);
  CHECK(std::abs(rolling.dot(down) - 5.0 / 7.0 * g * std::sin(angle) * 1e-3) < 1e-11);
  CHECK(std::abs(turning.y() - rolling.dot(down) / radius) < 1e-10);
  const auto [sliding, slow] = after(0.05);
  CHECK(std::abs(sliding.dot(down) - g * (std::sin(angle) - 0.05 * std::cos(angle)) * 1e-3) < 1e-11);
  CHECK(std::abs(slow.y() - 2.5 * 0.05 * g * std::cos(angle) / radius * 1e-3) < 1e-10);
}

TEST_CASE("a block bounces with its restitution, or lands where the ground is") {
  State s = block_on_slope(0.0, 0.5);
  s.v[2] = -2.0;
  block().put_ground(s, Vector3d::UnitZ(), 1e-3, 0.5, 0.25);
  CHECK(std::abs(block().step(s)[1].values[2] - 0.5) < 1e-9);
  block().put_ground(s, Vector3d::UnitZ(), 1e-3, 0.5, 0.0);
  CHECK(std::abs(block().step(s)[1].values[2] + 1.0) < 1e-9);  // a millimetre in a millisecond
  block().put_ground(s, Vector3d::UnitZ(), 1.0, 0.5, 0.25);
  CHECK(std::abs(block().step(s)[1].values[2] + 2.0 + 9.81e-3) < 1e-9);
}

TEST_CASE("impulses take energy where nothing bounces") {
  std::mt19937 random(5);
  for (const Stepped* robot : {&quadruped(), &block()}) {
    for (int k = 0; k < 30; ++k) {
      State s = robot->state(random);
      robot->put_ground(s, {0.3, 0.1, 1.0}, 0.0, 0.1 * (k % 10), 0.0);
      const VectorXd after = values(robot->step(s), 1);
      const Outputs without = reference::find_outputs("step")->compute(robot->tree(), s);
      const VectorXd free = values(without, 1);
      const Eigen::MatrixXd M = reference::Solver<double>(robot->tree()).crba(s.q);
      CHECK(after.dot(M * after) <= free.dot(M * free) * (1.0 + 1e-12));
    }
  }
}

TEST_CASE("wrong inputs give NaN and the verdict 1") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto change = [](int entry, double value) {
    State s = block_on_slope(0.1, 0.5);
    if (entry < 0) s.dt[0] = value;
    if (entry >= 0) s.contact[entry] = value;
    return s;
  };
  State no_normal = change(0, 0.0);
  no_normal.contact.segment<3>(1).setZero();
  State no_pose = change(0, 0.0), no_speed = no_pose, no_torque = no_pose;
  no_pose.q[4] = nan;
  no_speed.v[2] = nan;
  no_torque.tau[1] = inf;
  for (const State& s : {change(0, nan), change(0, inf), change(2, nan), change(4, -0.1), change(4, nan),
                         change(4, inf), change(5, 1.5), change(5, -0.1), change(5, nan), change(-1, 0.0),
                         change(-1, -1e-3), change(-1, nan), no_normal, no_pose, no_speed, no_torque}) {
    const Outputs end = block().step(s);
    CHECK(end[3].values[2] == 1.0);
    CHECK(std::isnan(end[1].values[0]));
    CHECK(std::isnan(end[2].values[0]));
  }
}

TEST_CASE("results that are a little wrong are noticed") {
  std::mt19937 random(7);
  State s = quadruped().state(random);
  s.v *= 0.1;
  quadruped().put_ground(s, Vector3d::UnitZ(), 0.0, 0.3, 0.0);
  const Outputs right = quadruped().step(s);
  CHECK(quadruped().worst(s, right) < 1e-10);
  const auto worst_with = [&](std::size_t array, std::size_t entry, double by) {
    Outputs wrong = right;
    wrong[array].values[entry] += by;
    return quadruped().worst(s, wrong);
  };
  for (std::size_t k = 0; k < 18; ++k) CHECK(worst_with(1, k, 1e-5) > 1e-10);
  for (std::size_t k = 0; k < 19; ++k) CHECK(worst_with(0, k, 1e-7) > 1e-10);
  for (std::size_t k = 0; k < 12; ++k) CHECK(worst_with(2, k, 1e-5) > 1e-10);
  CHECK(worst_with(3, 2, 1.0) > 1e-10);
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(worst_with(3, 4 + k, right[3].values[4 + k] == 0.0 ? 1.0 : -1.0) > 1e-10);
  State other = s;  // as if the function had another friction, gap or normal
  for (const auto& [entry, by] : {std::pair{0, 1e-4}, {1, 1e-3}, {4, 1e-2}}) {
    other = s;
    for (int point = 0; point < 4; ++point) other.contact[6 * point + entry] += by;
    CHECK(quadruped().worst(other, right) > 1e-10);
  }
}

}  // namespace property::contact_steps
