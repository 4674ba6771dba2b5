// Steps with contacts: the conditions of the reference solver at states where many points touch, the classic cases of a
// block, energy, wrong inputs, and that wrong results are noticed.
#include "cli/output_files.hpp"
#include "ir/interpreter.hpp"
#include "model/chosen_frames.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "support/as_emitted.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace property::contact_steps {

using namespace featherline;
using Eigen::Vector3d;
using Eigen::VectorXd;
using reference::Outputs;
using reference::State;

namespace {

/// `joints`: what --contact-joints names; they get damping, friction and armature.
Options options_of(const std::string& contacts, const std::vector<std::string>& joints = {}) {
  Options options;
  options.build.floating_base = true;
  options.contacts = model::parse_contacts(contacts);
  options.functions = {"contact_step"};
  options.contact_joints = joints;
  if (!joints.empty()) options.joint_dynamics_file = {"drives", "* 0.2 1.5 0.01"};
  if (contacts.find("sphere") == std::string::npos && joints.empty())  // which have no derivatives
    options.functions.insert(options.functions.end(),
                             {"contact_step_derivatives", "contact_step_parameter_derivatives"});
  return options;
}

class Stepped {
 public:
  Stepped(const std::string& file, const std::string& contacts, const std::vector<std::string>& joints = {})
      : robot_(read(file, options_of(contacts, joints))),
        functions_(test::lower_as_emitted(robot_, options_of(contacts, joints))) {}

  const model::UserTree& tree() const { return robot_.tree; }
  int num_points() const { return tree().constraints.count(); }
  Outputs step(const State& s) const { return run(0, s); }
  /// A and B, and the derivatives by gaps, frictions and restitutions.
  Outputs derivatives(const State& s) const { return run(1, s); }
  Outputs by_points(const State& s) const { return run(2, s); }
  /// The largest part of what is allowed to be wrong in the equation of motion or in a condition.
  double worst(const State& s, const Outputs& outputs) const {
    const reference::Residual left = reference::find_outputs("contact_step")->residual(tree(), s, outputs);
    double worst = 0.0;
    for (std::size_t i = 0; i < left.values.size(); ++i) {
      const double part = std::abs(left.values[i]) / std::max(left.sizes[i], left.factored[i]);
      worst = part <= worst ? worst : part;  // NaN is worst
    }
    return worst;
  }
  State state(std::mt19937& random) const { return reference::random_state(tree(), random); }
  /// All points touch or nearly touch a plane with this normal.
  void put_ground(State& s, const Vector3d& normal, double gap, double friction, double restitution) const {
    for (int k = 0; k < num_points(); ++k) s.contact.segment<6>(6 * k) << gap, normal, friction, restitution;
  }

 private:
  static Robot read(const std::string& file, const Options& options) {
    Diagnostics findings;
    return read_robot(file, options, findings);
  }

  Outputs run(std::size_t k, const State& s) const {
    const auto list = [](const VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    const std::vector<std::vector<double>> inputs = {list(s.q), list(s.v), list(s.tau), list(s.dt),
                                                     list(s.contact)};
    auto arrays = ir::KernelInterpreter<>(functions_[k].kernel, inputs).run();
    Outputs outputs;
    for (std::size_t i = 0; i < arrays.size(); ++i)
      outputs.push_back({functions_[k].spec->outputs[i].name, std::move(arrays[i])});
    return outputs;
  }

  Robot robot_;
  std::vector<LoweredFunction> functions_;
};

const Stepped& quadruped() {
  static const Stepped robot("robots/quadruped.urdf",
                             "front_left_foot,front_right_foot,rear_left_foot,rear_right_foot");
  return robot;
}

/// With limits and friction of all joints among the contacts.
const Stepped& quadruped_with_joints() {
  static const Stepped robot("robots/quadruped.urdf", "front_left_foot,rear_right_foot",
                             {"limits", "friction"});
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
    return Stepped(file.string(), "c0,c1,c2,c3");
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
    return Stepped(file.string(), "ball:sphere=0.1,tip=ball@0.3,0.2,0");
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

Eigen::Map<const VectorXd> values(const Outputs& outputs, int k) {
  const std::vector<double>& x = outputs[static_cast<std::size_t>(k)].values;
  return {x.data(), static_cast<Eigen::Index>(x.size())};
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
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto change = [](int entry, double value) {
    State s = block_on_slope(0.1, 0.5);
    if (entry < 0) s.dt[0] = value;
    if (entry >= 0) s.contact[entry] = value;
    return s;
  };
  State no_normal = change(0, 0.0);
  no_normal.contact.segment<3>(1).setZero();
  for (const State& s : {change(0, nan), change(4, -0.1), change(4, nan), change(5, 1.5), change(5, -0.1),
                         change(-1, 0.0), change(-1, -1e-3), no_normal}) {
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

namespace {

/// A direction in which everything that a step takes may move, and the end of a step in the tangent of another one.
struct Direction {
  VectorXd q, v, tau, contact;

  explicit Direction(std::mt19937& random)
      : q(reference::uniform_vector(18, 1.0, random)),
        v(reference::uniform_vector(18, 1.0, random)),
        tau(reference::uniform_vector(18, 1.0, random)),
        contact(VectorXd::Zero(24)) {
    for (Eigen::Index point = 0; point < 4; ++point) {
      contact[6 * point] = 1e-3 * reference::uniform_vector(1, 1.0, random)[0];
      contact.segment<2>(6 * point + 4) = reference::uniform_vector(2, 1.0, random);
    }
  }
};

/// Where points are fixed in the world, a step of q takes its way along the normals off the gaps.
State moved(const State& s, const Direction& along, double h) {
  const model::UserTree& tree = quadruped().tree();
  State to = s;
  to.q = reference::integrate<double>(tree, s.q, h * along.q);
  to.v += h * along.v;
  to.tau += h * along.tau;
  to.contact += h * along.contact;
  for (Eigen::Index point = 0; point < 4; ++point) {
    const Vector3d n = s.contact.segment<3>(6 * point + 1).normalized();
    const int link = tree.constraints.all[static_cast<std::size_t>(point)].anchors.front().link;
    const auto foot = [&](const VectorXd& q) {
      reference::Solver<double> solver(tree);
      return reference::pose_of(tree.links[static_cast<std::size_t>(link)], solver.body_poses(q)).p;
    };
    to.contact[6 * point] += n.dot(foot(to.q) - foot(s.q));
  }
  return to;
}

/// How fast the end of the reference's step moves, by central differences: [q_next; v_next]. Nothing where a mode changes.
std::optional<VectorXd> differences(const State& s, const Direction& along) {
  constexpr double h = 1e-6;
  const model::UserTree& tree = quadruped().tree();
  const auto modes = [](const State& at) {
    const std::vector<double> status = quadruped().step(at)[3].values;
    return std::vector<double>(status.begin() + 4, status.end());
  };
  std::vector<State> ends;
  for (const double step : {-h, h}) {
    const State at = moved(s, along, step);
    if (modes(at) != modes(s)) return std::nullopt;
    const Outputs end = reference::find_outputs("contact_step")->compute(tree, at);
    ends.push_back(at);
    ends.back().q = values(end, 0);
    ends.back().v = values(end, 1);
  }
  State both = ends[0];
  both.q1 = ends[1].q;
  VectorXd rate(36);
  rate << values(reference::find_outputs("difference")->compute(tree, both), 0), ends[1].v - ends[0].v;
  return rate / (2 * h);
}

VectorXd predicted(const State& s, const Direction& along) {
  const Outputs matrices = quadruped().derivatives(s), points = quadruped().by_points(s);
  const auto matrix = [](const Outputs& all, int k, Eigen::Index columns) {
    return Eigen::Map<const Eigen::MatrixXd>(all[static_cast<std::size_t>(k)].values.data(), 36, columns);
  };
  VectorXd state(36);
  state << along.q, along.v;
  VectorXd rate = matrix(matrices, 0, 36) * state + matrix(matrices, 1, 18) * along.tau;
  for (const auto& [k, entry] : {std::pair(0, 0), {1, 4}, {2, 5}}) {
    for (Eigen::Index point = 0; point < 4; ++point)
      rate += matrix(points, k, 4).col(point) * along.contact[6 * point + entry];
  }
  return rate;
}

State touching_state(std::mt19937& random, int k) {
  State s = quadruped().state(random);
  s.v *= 0.1;
  quadruped().put_ground(s, {0.1, -0.2, 1.0}, 1e-4, 0.15 * (1 + k % 5), k % 2 == 0 ? 0.0 : 0.3);
  return s;
}

}  // namespace

TEST_CASE("derivatives of a step are what central differences of the reference give, in all modes") {
  std::mt19937 random(11);
  std::set<double> modes;
  int compared = 0;
  for (int k = 0; k < 20; ++k) {
    const State s = touching_state(random, k);
    const Direction along(random);
    const auto expected = differences(s, along);
    if (!expected) continue;
    ++compared;
    CAPTURE(k);
    CHECK((predicted(s, along) - *expected).norm() < 1e-5 * (1.0 + expected->norm()));
    for (std::size_t point = 4; point < 8; ++point) modes.insert(quadruped().step(s)[3].values[point]);
  }
  CHECK(compared >= 8);
  CHECK(modes == std::set<double>{0.0, 1.0, 2.0});
}

TEST_CASE("derivatives are not numbers where a step has none") {
  State s = block_on_slope(0.1, 0.5);
  s.contact[4] = -1.0;
  CHECK(std::isnan(block().derivatives(s)[0].values[0]));
  CHECK(std::isnan(block().by_points(s)[1].values[0]));
}

}  // namespace property::contact_steps
