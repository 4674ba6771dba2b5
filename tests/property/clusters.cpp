// Eliminated loops on random mechanisms: every function against the judge, and the judge against the same mechanism
// with its loops as constraints.
#include "model/clusters.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"
#include "robot.hpp"
#include "support/dense.hpp"
#include "support/random.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>

namespace property::clusters {

using namespace featherline;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using reference::lifted;
using reference::part;

namespace {

/// Writes a URDF with one mechanism behind the other.
class Mechanisms {
 public:
  explicit Mechanisms(std::uint64_t seed) : random_(seed) {}

  static constexpr int kinds = 6;

  void add(int kind) {
    const std::string n = std::to_string(count_++), carrier = tip_,
                      z = random_.chance(0.5) ? "0 0 1" : "0 0 -1";
    const std::string mount = "mount" + n;
    joint("turn" + n, carrier, mount, fmt::format("{} {} {}", length(), length(), length()), "0 0 1",
          fmt::format("{} {} {}", angle(), angle(), angle()));
    const double height = length();
    const auto bar = [&](const std::string& name, const std::string& on, double x, double y, double up) {
      joint(name + n, on, name + n + "_link", fmt::format("{} {} {}", x, y, up), z);
      return name + n + "_link";
    };
    const auto close = [&](const std::string& first, double x1, double y1, const std::string& second,
                           double x2, double y2, const std::string& more, double up = 0.0) {
      text_ += fmt::format(
          "<featherline_constraint name=\"pin{}\" type=\"{}\" eliminate=\"true\" {}>"
          "<first link=\"{}\" xyz=\"{} {} 0\"/><second link=\"{}\" xyz=\"{} {} "
          "{}\"/></featherline_constraint>\n",
          n, random_.chance(0.5) ? "point" : "axis", more, first, x1, y1, second, x2, y2, up);
    };
    const std::string branch = random_.chance(0.5) ? "branch=\"1\"" : "branch=\"-1\"";
    const double a = random_.uniform(0.1, 0.2), b = random_.uniform(0.3, 0.4), c = random_.uniform(0.3, 0.4),
                 d = random_.uniform(0.3, 0.4);
    if (kind == 0) {  // two wheels behind a belt each
      const std::string first = bar("link", mount, 0, 0, 0), second = bar("outer", first, a, 0, 0);
      bar("wheel", mount, 0, 0, 0);
      bar("disc", mount, 0, 0, height);
      couple("gear" + n, {{"wheel" + n, 1.0}, {"link" + n, -length() * 20}}, "offset=\"0.3\"");
      couple("belt" + n, {{"disc" + n, 2.0}, {"link" + n, 3.0}, {"outer" + n, 5.0}});
      tip_ = second;
    } else if (kind == 1) {  // a differential, whose wheels stay independent
      const std::string pitch = bar("pitch", mount, 0, 0, 0);
      joint("roll" + n, pitch, "roll" + n + "_link", "0 0 0.1", "1 0 0");
      bar("left", mount, 0, 0.1, 0);
      bar("right", mount, 0, -0.1, 0);
      const std::string kept = "independent=\"left" + n + " right" + n + "\"";
      couple("sum" + n, {{"left" + n, 1.0}, {"pitch" + n, -1.0}, {"roll" + n, -1.0}}, kept);
      couple("difference" + n, {{"right" + n, 1.0}, {"pitch" + n, -1.0}, {"roll" + n, 1.0}}, kept);
      tip_ = "roll" + n + "_link";
    } else if (kind == 2) {  // a four-bar, with a wheel that its rocker drives
      const std::string crank = bar("crank", mount, 0, 0, 0), rod = bar("rod", crank, a, 0, height),
                        rocker = bar("rocker", mount, d, 0, 0);
      close(rod, b, 0, rocker, c, 0, branch + (random_.chance(0.5) ? " independent=\"rocker" + n + "\"" : ""),
            height);
      bar("wheel", mount, 0, 0, 0);
      couple("gear" + n, {{"wheel" + n, 1.0}, {"rocker" + n, -3.0}});
      tip_ = rod;
    } else if (kind == 3) {  // a crank and a slide
      const std::string crank = bar("crank", mount, 0, 0, 0), rod = bar("rod", crank, a, 0, height);
      joint("slide" + n, mount, "slide" + n + "_link", "0.05 0.02 0", "0.6 0.8 0", "0 0 0", "prismatic");
      close(rod, b, 0, "slide" + n + "_link", 0.1, random_.uniform(-0.3, 0.0),
            branch + (random_.chance(0.3) ? " independent=\"rod" + n + "\"" : ""), height);
      tip_ = "slide" + n + "_link";
    } else if (kind == 4) {  // five bars
      const std::string left = bar("left", mount, 0, 0, 0), outer = bar("outer_left", left, b, 0, height),
                        right = bar("right", mount, a, 0, 0), other = bar("outer_right", right, c, 0, height);
      close(outer, d, 0, other, b, 0,
            branch + (random_.chance(0.5) ? "" : " independent=\"left" + n + " outer_left" + n + "\""));
      tip_ = outer;
    } else {  // a parallelogram
      const std::string crank = bar("crank", mount, 0, 0, 0), rod = bar("rod", crank, 0, a, height),
                        rocker = bar("rocker", mount, d, 0, 0);
      close(rod, d, 0, rocker, 0, a, "", height);
      tip_ = rod;
    }
  }

  const std::string& tip() const { return tip_; }
  std::string text() const {
    return "<robot name=\"mechanism\"><link name=\"base\"><inertial><mass value=\"3\"/>"  // it may float
           "<inertia ixx=\"0.03\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" iyz=\"0\" "
           "izz=\"0.05\"/></inertial></link>\n" +
           text_ + "</robot>\n";
  }

 private:
  double length() { return random_.uniform(0.05, 0.25); }
  double angle() { return random_.uniform(-3.0, 3.0); }

  void joint(const std::string& name, const std::string& parent, const std::string& child,
             const std::string& xyz, const std::string& axis, const std::string& rpy = "0 0 0",
             const char* type = "continuous") {
    const double m = random_.uniform(0.3, 2.0), I = random_.uniform(0.01, 0.03);
    text_ += fmt::format(
        "<joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{}\" "
        "rpy=\"{}\"/>"
        "<axis xyz=\"{}\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n"
        "<link name=\"{}\"><inertial><origin xyz=\"{} {} {}\"/><mass value=\"{}\"/>"
        "<inertia ixx=\"{}\" ixy=\"0.001\" ixz=\"0\" iyy=\"{}\" iyz=\"0.002\" "
        "izz=\"{}\"/></inertial></link>\n",
        name, type, parent, child, xyz, rpy, axis, child, length(), length(), length(), m, I, 1.2 * I,
        1.5 * I);
  }

  void couple(const std::string& name, const std::vector<std::pair<std::string, double>>& terms,
              const std::string& more = "") {
    text_ += fmt::format("<featherline_constraint name=\"{}\" type=\"coupling\" {}>", name, more);
    for (const auto& [joint, coefficient] : terms)
      text_ += fmt::format("<term joint=\"{}\" coefficient=\"{}\"/>", joint, coefficient);
    text_ += "</featherline_constraint>\n";
  }

  test::Random random_;
  std::string text_, tip_ = "base";
  int count_ = 0;
};

Robot robot_of(const std::string& text, const Options& options) {
  CAPTURE(text);
  Diagnostics findings;
  description::Description description = formats::read_string(text, "mechanism.urdf", findings);
  REQUIRE_FALSE(findings.has_errors());
  return build_robot(std::move(description), options, findings);
}

/// Functions with derivatives up to this order.
Options options_of(std::uint64_t seed, const std::string& tip, int order) {
  Options options;
  options.contacts = model::parse_contacts("one=" + tip + "@0.1,0.2,0.05");
  options.frames = model::parse_frames(fmt::format("{0},near={0}@0.1,0.2,0.3:point", tip));
  options.frame_axes = model::frame_axes_names()[seed % 3].axes;
  options.parameters = {"payload:" + tip};
  options.build.floating_base = seed % 3 == 0;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (function.group.order <= order) options.functions.push_back(function.name);
  }
  return options;
}

/// Accelerations of all joints, from the equations of motion with the loops' forces.
VectorXd accelerations_with_forces(const Robot& robot, const reference::State& x) {
  const model::Clusters& clusters = *robot.tree.clusters;
  model::UserTree tree = model::with_all_joints(robot.tree);
  tree.constraints.all = clusters.loops;
  tree.constraints.all.insert(tree.constraints.all.end(), clusters.couplings.begin(),
                              clusters.couplings.end());
  tree.constraints.number_rows();
  reference::Solver<double> own(robot.tree);
  const auto all = own.all_joints(x.q, x.v, x.v);
  using reference::LongNumber;
  const reference::LongNumbers q = lifted<long double>(all.q, 1.0), v = lifted<long double>(all.v, 1.0);
  const reference::Rows rows =
      reference::velocity_rows(tree, reference::integrate<LongNumber>(tree, q, v * LongNumber::e1()));
  const reference::LongNumbers moving = rows.J * v;
  CHECK(part(rows.e, &LongNumber::re).cast<double>().norm() < 1e-12);
  CHECK(part(moving, &LongNumber::re).cast<double>().norm() < 1e-9);
  const Index n = tree.nv, m = rows.J.rows();
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  VectorXd right = VectorXd::Zero(n + m);
  K.topLeftCorner(n, n) = reference::Solver<double>(tree).crba(all.q);
  K.block(n, 0, m, n) = part(rows.J, &LongNumber::re).cast<double>();
  K.topRightCorner(n, m) = -K.bottomLeftCorner(m, n).transpose();
  right.head(n) = -reference::Solver<double>(tree).bias(all.q, all.v);
  for (Index k = 0; k < n; ++k) {
    if (const int own_place = clusters.velocities[static_cast<std::size_t>(k)]; own_place >= 0)
      right[k] += x.tau[own_place];
  }
  right.tail(m) = -part(moving, &LongNumber::d1).cast<double>();
  return test::least_squares(K, right).col(0).head(n);
}

/// Of all outputs, one behind the other.
VectorXd results(const LoweredFunction& function, const Robot& robot, const reference::State& x) {
  std::vector<std::vector<double>> inputs;
  for (const catalog::Argument& input : catalog::inputs_of(*function.spec, robot.tree)) {
    const VectorXd& values = x.*input.in_state;
    inputs.emplace_back(values.begin(), values.end());
  }
  std::vector<double> all;
  for (const std::vector<double>& output : ir::evaluate(function.kernel, inputs))
    all.insert(all.end(), output.begin(), output.end());
  return VectorXd::Map(all.data(), std::ssize(all));
}

enum class Forward { as_chosen, by_clusters };

void check_mechanism(const Mechanisms& mechanism, std::uint64_t seed, int order, Forward forward) {
  CAPTURE(seed);
  Options options = options_of(seed, mechanism.tip(), order);
  const std::string text = mechanism.text();
  const Robot robot = robot_of(text, options);
  CAPTURE(text);
  REQUIRE(robot.tree.clusters != nullptr);
  if (forward == Forward::by_clusters) {
    for (const char* function : {"aba", "aza", "step", "rollout", "rollout_end", "aba_vjp", "step_vjp"})
      options.formulations[function] = "articulated clusters";
  }
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  for (int k = 0; k < 3; ++k) {
    const reference::State x = reference::random_state(robot.tree, random);
    reference::Solver<double> own(robot.tree);
    const VectorXd a = own.aba(x.q, x.v, x.tau);
    const VectorXd all = own.all_joints(x.q, x.v, a).a;
    CHECK(test::relative_error(all, accelerations_with_forces(robot, x)) < 1e-10);
  }
  Diagnostics findings;
  const LoweredRobot lowered = lower_robot(robot, make_plan(robot, options, findings), options);
  // Nothing asks for derivatives of frames by placements.
  CHECK(lowered.functions.size() + 1 == options.functions.size());
  for (const LoweredFunction& function : lowered.functions) {
    CAPTURE(function.spec->name);
    CHECK(function.error.value() < 1e-10);
  }
}

}  // namespace

TEST_CASE("each kind of mechanism agrees with the judge, and the judge with forces in the loops") {
  for (int kind = 0; kind < Mechanisms::kinds; ++kind) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      Mechanisms mechanisms(100 * static_cast<std::uint64_t>(kind) + seed);
      mechanisms.add(kind);
      const bool is_even = (static_cast<std::uint64_t>(kind) + seed) % 2 == 0;
      check_mechanism(mechanisms, seed + 1, 2, is_even ? Forward::by_clusters : Forward::as_chosen);
    }
  }
}

TEST_CASE("mechanisms on mechanisms") {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Mechanisms mechanisms(seed);
    mechanisms.add(static_cast<int>(seed) + 1);
    mechanisms.add(static_cast<int>(seed) - 1);
    check_mechanism(mechanisms, 3 * seed, 1, Forward::by_clusters);
  }
}

TEST_CASE("couplings that stay constraints move the robot as eliminated ones do") {
  for (const int kind : {0, 1}) {
    Mechanisms mechanism(50 + static_cast<std::uint64_t>(kind));
    mechanism.add(kind);
    Options options = options_of(2, mechanism.tip(), 1);
    options.contacts.clear();
    options.frames.clear();
    options.parameters.clear();
    options.frame_axes = model::FrameAxes::local_world_aligned;
    std::string text = mechanism.text();
    const Robot eliminated = robot_of(text, options);
    for (std::size_t at = 0; (at = text.find("\"coupling\"", at)) != std::string::npos; at += 10)
      text.insert(at + 10, " eliminate=\"false\"");
    options.functions = {"constrained_dynamics", "constrained_dynamics_derivatives",
                         "constrained_inverse_dynamics", "constraint_residual"};
    const Robot kept = robot_of(text, options);
    REQUIRE(kept.tree.clusters == nullptr);
    Diagnostics findings;
    const LoweredRobot lowered = lower_robot(kept, make_plan(kept, options, findings), options);
    for (const LoweredFunction& function : lowered.functions) {
      CAPTURE(function.spec->name);
      CHECK(function.error.value() < 1e-10);
    }
    std::mt19937 random(1);
    const reference::State x = reference::random_state(eliminated.tree, random);
    reference::Solver<double> own(eliminated.tree);
    const auto all = own.all_joints(x.q, x.v, own.aba(x.q, x.v, x.tau));
    reference::State y = reference::random_state(kept.tree, random);
    y.q = all.q;
    y.v = all.v;
    y.tau.setZero();
    for (Index k = 0; k < y.tau.size(); ++k) {
      const int place = eliminated.tree.clusters->velocities[static_cast<std::size_t>(k)];
      if (place >= 0) y.tau[k] = x.tau[place];
    }
    y.active.setOnes();
    const VectorXd found = results(lowered.functions.front(), kept, y).head(kept.tree.nv);
    CHECK(test::relative_error(found, all.a) < 1e-10);
  }
}

namespace {

/// On a line between positions of which the loops can be assembled at one alone: the last position at which the square
/// of the sine that a loop hangs on is this part of its largest value.
VectorXd near_singular(const Robot& robot, double square, std::mt19937& random) {
  const model::Clusters& clusters = *robot.tree.clusters;
  VectorXd in = reference::random_state(robot.tree, random).q, out = in;
  for (int tries = 0; tries < 1000 && model::positions_of_all_joints(clusters, out, 0.0); ++tries)
    out = reference::uniform_vector(robot.tree.nq, 3.0, random);
  REQUIRE_FALSE(model::positions_of_all_joints(clusters, out, 0.0));
  for (int k = 0; k < 80; ++k) {
    const VectorXd middle = 0.5 * (in + out);
    (model::positions_of_all_joints(clusters, middle, square) ? in : out) = middle;
  }
  return in;
}

}  // namespace

TEST_CASE("near singular positions digits are lost as the condition says; there and beyond, all is finite") {
  for (const auto& [kind, seed] : {std::pair(2, 1003U), {3, 1001U}, {4, 1001U}, {4, 1027U}}) {
    CAPTURE(seed);
    Mechanisms mechanism(seed);
    mechanism.add(kind);
    Options options = options_of(1, mechanism.tip(), 0);
    options.parameters = {};
    options.functions = {"aba",
                         "rnea_derivatives",
                         "aba_vjp",
                         "spanning_position",
                         "frame_velocity_derivatives",
                         "constrained_dynamics"};
    const Robot robot = robot_of(mechanism.text(), options);
    Diagnostics findings;
    const LoweredRobot lowered = lower_robot(robot, make_plan(robot, options, findings), options);
    std::mt19937 random(seed);
    reference::State x = reference::random_state(robot.tree, random);
    x.q = near_singular(robot, 1e-6, random);
    using reference::LongNumber;
    const VectorXd a = part(reference::Solver<LongNumber>(robot.tree)
                                .aba(lifted<long double>(x.q, 1.0), lifted<long double>(x.v, 1.0),
                                     lifted<long double>(x.tau, 1.0)),
                            &LongNumber::re)
                           .cast<double>();
    CHECK(test::relative_error(results(lowered.functions[0], robot, x), a) < 1e-8);
    for (const double square : {1e-6, 1e-30, 0.0}) {
      x.q = near_singular(robot, square, random);
      for (const double beyond : {1.0, 1.5}) {
        x.q *= beyond;
        for (const LoweredFunction& function : lowered.functions) {
          CAPTURE(function.spec->name);
          CHECK(results(function, robot, x).allFinite());
        }
      }
    }
  }
}

TEST_CASE("random states keep off flat parallelograms, where the judge cannot solve for forces of the loop") {
  Options options;
  options.eliminate = {"pin"};
  Diagnostics findings;
  const Robot robot = read_robot("robots/parallelogram_leg.urdf", options, findings);
  std::mt19937 random(1);
  for (int k = 0; k < 1000; ++k) {
    const VectorXd q = reference::random_state(robot.tree, random).q;
    const double sine = std::sin(q[0] - q[1]);  // of the crank and the thigh
    CHECK(sine * sine > 0.99 * model::assembly_margin);
  }
}

TEST_CASE("base parameters are found where a loop closes near half a turn alone") {
  std::string text = "<robot name=\"bars\"><link name=\"ground\"/>";
  const auto add = [&](const char* joint, const char* parent, const char* link, double x) {
    text += fmt::format(
        "<joint name=\"{}\" type=\"continuous\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{} 0 "
        "0\"/>"
        "<axis xyz=\"0 1 0\"/></joint><link name=\"{}\"><inertial><mass value=\"1\"/>"
        "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>",
        joint, parent, link, x, link);
  };
  add("crank_joint", "ground", "crank", 0.0);
  add("coupler_joint", "crank", "coupler", -1.0);
  add("rocker_joint", "ground", "rocker", 1.1);
  text +=
      "<featherline_constraint name=\"pin\" type=\"point\" eliminate=\"true\" branch=\"1\">"
      "<first link=\"coupler\" xyz=\"0.08 0 0\"/><second link=\"rocker\" xyz=\"0.07 0 0\"/>"
      "</featherline_constraint></robot>";
  Options options;
  options.functions = {"base_regressor"};
  const Robot robot = robot_of(text, options);
  Diagnostics findings;
  const LoweredRobot lowered = lower_robot(robot, make_plan(robot, options, findings), options);
  CHECK(lowered.functions.size() == 1);
}

namespace {

/// A chain of eight links. Two and two are driven by rotors that stand on the axis of the first, through belts: with
/// rotors and belts, or without.
std::string driven_chain(bool has_belts, const char* eliminate) {
  std::string text = "<robot name=\"chain\"><link name=\"link-1\"/>\n";
  const auto add = [&](const std::string& name, const std::string& parent, const std::string& link,
                       const char* xyz, int axis, const std::string& inertial) {
    text += fmt::format(
        "<joint name=\"{}\" type=\"continuous\"><parent link=\"{}\"/><child link=\"{}\"/>"
        "<origin xyz=\"{}\"/><axis xyz=\"0 {} {}\"/></joint><link name=\"{}\"><inertial>{}"
        "</inertial></link>\n",
        name, parent, link, xyz, axis == 0 ? 1 : 0, axis, link, inertial);
  };
  const char* const inertia = "<inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" ixz=\"{}\" iyz=\"0\"/>";
  for (int k = 0; k < 8; ++k) {
    const int axis = k / 2 % 2;
    const auto link = [](int i) { return fmt::format("link{}", i); };
    add("joint" + std::to_string(k), link(k - 1), link(k), k % 2 == 0 ? "0.05 0.02 0.2" : "0.03 0.07 0.3",
        axis,
        "<origin xyz=\"0.02 0.03 0.1\"/><mass value=\"1\"/>" +
            fmt::format(fmt::runtime(inertia), 0.02, 0.03, 0.04, 0.001, 0.002));
    if (!has_belts) continue;
    const int even = k / 2 * 2;
    add("rotor" + std::to_string(k), link(even - 1), "wheel" + std::to_string(k), "0.05 0.02 0.2", axis,
        "<mass value=\"0.2\"/>" +
            fmt::format(fmt::runtime(inertia), 6e-4, axis == 0 ? 1e-3 : 6e-4, axis == 0 ? 6e-4 : 1e-3, 0, 0));
    text += fmt::format(
        "<featherline_constraint name=\"belt{0}\" type=\"coupling\" eliminate=\"{1}\"><term "
        "joint=\"rotor{0}\" coefficient=\"1\"/><term joint=\"joint{2}\" coefficient=\"-6\"/>",
        k, eliminate, even);
    if (k % 2 == 1) text += fmt::format("<term joint=\"joint{}\" coefficient=\"-6\"/>", k);
    text += "</featherline_constraint>\n";
  }
  return text + "</robot>\n";
}

int flops_of(const Robot& robot, const std::string& function, Options options = {}) {
  options.functions = {function};
  options.lanes = false;
  options.optimise_for = Goal::flops;
  Diagnostics findings;
  return ir::count_cost(lower_robot(robot, make_plan(robot, options, findings), options).functions[0].kernel)
      .flops;
}

}  // namespace

TEST_CASE(
    "belts cost few flops more than no belts, and two thirds of those as constraints; bars few more than "
    "open ones") {
  const int belts = flops_of(robot_of(driven_chain(true, "true"), {}), "aba"),
            free = flops_of(robot_of(driven_chain(false, ""), {}), "aba"),
            constrained = flops_of(robot_of(driven_chain(true, "false"), {}), "constrained_dynamics");
  MESSAGE("belts ", belts, ", without ", free, ", as constraints ", constrained);
  CHECK(5 * belts <= 6 * free);
  CHECK(3 * belts <= 2 * constrained);
  for (const bool floats : {false, true}) {
    Options options, eliminating;
    eliminating.eliminate = {"pin"};
    options.build.floating_base = eliminating.build.floating_base = floats;
    Diagnostics findings;
    const int leg = flops_of(read_robot("robots/parallelogram_leg.urdf", eliminating, findings), "rnea"),
              open = flops_of(read_robot("robots/parallelogram_leg.urdf", options, findings), "rnea");
    MESSAGE("leg ", leg, ", open ", open);
    CHECK(leg <= 2 * open);
  }
}

}  // namespace property::clusters
