// Functions about constraints on robots with equal limbs, in every formulation, as they are printed: side by side in
// lanes, column by column, and what is computed instead where a limb is stretched.
#include "constrained_robots.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "ir/kernel.hpp"
#include "reference/expected.hpp"
#include "support/as_emitted.hpp"
#include "support/random_constraints.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace property::constraint_lanes {

using namespace featherline;

namespace {

/// Two to four limbs with three joints or more, on the world, on a fixed and on a floating base. Limbs alone have
/// motors.
Robot limbed_robot(std::uint64_t seed) {
  test::LimbOptions options;
  options.limbs = 2 + static_cast<int>(seed % 3);
  options.limb.joints = options.limbs == 4 ? 2 : 3;
  options.trunk.joints = static_cast<int>(seed / 2 % 2);
  options.mirrored = seed % 4 == 1;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  Robot robot;
  robot.description = test::random_limbs(seed + 500, options);
  robot.tree = test::tree_of(robot.description, build);
  robot.tree.constraints = test::random_constraints(robot.tree, seed, 1 + static_cast<int>(seed % 2));
  test::leave_motors_to_limbs(robot.tree);
  robot.tree.constraints.kp = seed % 3 == 0 ? 0.0 : 30.0;
  robot.tree.constraints.kd = seed % 3 == 0 ? 0.0 : 10.0;
  return robot;
}

/// Legs as those of hyq: at zero, hip, knee and foot are above each other, so that no joint moves the foot up or down.
std::string legged_urdf(int legs) {
  std::string text = "<robot name=\"straight\">";
  const auto link = [&](const std::string& name, double mass) {
    text += fmt::format(
        "<link name=\"{}\"><inertial><origin xyz=\"0.01 0.02 -0.1\"/><mass value=\"{}\"/><inertia ixx=\"{}\" "
        "ixy=\"0\" ixz=\"0\" iyy=\"{}\" iyz=\"0\" izz=\"{}\"/></inertial></link>",
        name, mass, 0.02 * mass, 0.03 * mass, 0.04 * mass);
  };
  const auto joint = [&](const std::string& parent, const std::string& child, const char* type,
                         const std::string& xyz, const char* axis) {
    text += fmt::format(
        "<joint name=\"to_{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/><origin "
        "xyz=\"{}\"/><axis "
        "xyz=\"{}\"/></joint>",
        child, type, parent, child, xyz, axis);
  };
  link("trunk", 30.0);
  for (int k = 0; k < legs; ++k) {
    const std::string n = std::to_string(k);
    for (const char* part : {"hip", "thigh", "shank"}) link(part + n, 2.0);
    text += "<link name=\"foot" + n + "\"/>";
    joint("trunk", "hip" + n, "continuous", fmt::format("{} {} 0", 0.3 - 0.2 * k, k % 2 == 0 ? 0.2 : -0.2),
          "1 0 0");
    joint("hip" + n, "thigh" + n, "continuous", "0.08 0 0", "0 1 0");
    joint("thigh" + n, "shank" + n, "continuous", "0 0 -0.35", "0 1 0");
    joint("shank" + n, "foot" + n, "fixed", "0 0 -0.33", "1 0 0");
  }
  return text + "</robot>";
}

/// Each foot has a contact of each kind.
Robot straight_robot(int legs, bool floating,
                     const std::vector<model::ConstraintType>& kinds = {
                         model::ConstraintType::contact_point}) {
  Diagnostics findings;
  model::BuildOptions build;
  build.floating_base = floating;
  Robot robot;
  robot.description = formats::read_string(legged_urdf(legs), "straight.urdf", findings);
  robot.tree = test::tree_of(robot.description, build);
  std::vector<model::Constraint> feet;
  for (const model::ConstraintType kind : kinds) {
    for (int k = 0; k < legs; ++k) {
      feet.push_back(test::contact_at(robot.tree, "foot" + std::to_string(k), kind));
      if (model::kind_of(kind).has_axis) feet.back().world_axes = model::Matrix3::Identity();
    }
  }
  robot.tree.constraints = test::numbered(std::move(feet));
  return robot;
}

/// At zero, but for the joints of legs that are bent.
reference::State standing_state(const Robot& robot, unsigned bent) {
  reference::State x = test::state_of(robot.tree, bent);
  x.q.setZero();
  const bool floating = robot.tree.nq > robot.tree.nv;
  if (floating) x.q[6] = 1.0;
  for (int k = 0; 3 * k < robot.tree.nv - (floating ? 6 : 0); ++k) {
    if ((bent >> k & 1U) != 0) x.q.segment(3 * k + (floating ? 7 : 0), 3) << 0.2, 0.5, -1.0;
  }
  x.active.setOnes();
  return x;
}

}  // namespace

TEST_CASE("every formulation agrees with the judge on robots with equal limbs") {
  std::map<std::string, int> judged;
  Diagnostics findings;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Robot robot = limbed_robot(seed);
    if (robot.tree.constraints.all.empty()) continue;
    const double kp = robot.tree.constraints.kp, kd = robot.tree.constraints.kd;
    std::map<std::pair<bool, bool>, ChosenTrees> trees;  // with gains, and with common frames
    for (const catalog::FunctionSpec* function : test::constraint_functions()) {
      const bool has_gains = function->depends.stabilisation;  // others refuse them
      robot.tree.constraints.kp = has_gains ? kp : 0.0;
      robot.tree.constraints.kd = has_gains ? kd : 0.0;
      const bool has_anchors = has_gains && seed % 2 == 0 && test::has_contacts(robot.tree);
      robot.tree.chosen = has_anchors ? model::choose_inputs(robot.tree, {}, {"anchors", "stabilisation"})
                                      : model::ChosenInputs{};
      verify::KeptProbes kept;
      for (const catalog::Formulation& formulation : function->formulations) {
        if (!applies(formulation, *function, robot.tree, {})) continue;
        if (seed >= 12 && !formulation.in_lanes()) continue;  // of these there are enough
        const std::string name = function->name + " by " + formulation.name;
        CAPTURE(name);
        Options options = test::only({function->name});
        options.formulations[function->name] = formulation.name;
        options.verify = false;  // the first attempt must be right
        Plan plan = make_plan(robot, options, findings);
        REQUIRE_FALSE(findings.has_errors());
        plan.common_frames = function->uses_common_frames;
        plan.lanes = true;
        const std::pair kind(has_gains, plan.common_frames);
        if (trees.count(kind) == 0) trees.emplace(kind, trees_in_chosen_frames(robot.tree, plan));
        for (const LoweredFunction& form : lower(plan.functions.front(), trees.at(kind), options))
          CHECK(verify::worst_error(form, robot.tree, kept).relative <= reference::promised_error);
        ++judged[name];
      }
    }
  }
  for (const catalog::FunctionSpec* function : test::constraint_functions()) {
    for (const catalog::Formulation& formulation : function->formulations) {
      const std::string name = function->name + " by " + formulation.name;
      CAPTURE(name);
      CHECK(judged[name] >= 5);
    }
  }
}

TEST_CASE("legs that are exactly straight do not make the results of lanes wrong") {
  using Type = model::ConstraintType;
  int compared = 0;
  for (const auto& [floating, kinds] :
       {std::pair(true, std::vector{Type::contact_point}), std::pair(false, std::vector{Type::contact_point}),
        std::pair(true, std::vector{Type::contact_normal}),
        std::pair(true, std::vector{Type::contact_normal, Type::contact_friction})}) {
    const Robot robot = straight_robot(4, floating, kinds);
    for (const char* function :
         {"constrained_dynamics", "constrained_dynamics_derivatives", "impulse_dynamics"}) {
      Options options = test::only({function});
      options.formulations[function] = "limb lanes";
      const LoweredFunction request = test::lower_as_emitted(robot, options).front();
      REQUIRE(request.kernel.formulation == "limb lanes");
      for (const unsigned bent : {0U, 1U, 6U, 15U}) {
        CAPTURE(robot.tree.nv);
        CAPTURE(robot.tree.constraints.num_rows());
        CAPTURE(bent);
        const reference::State x = standing_state(robot, bent);
        const auto found =
            ir::KernelInterpreter<>(request.kernel, verify::inputs_of(request.kernel, x)).run();
        const reference::Outputs expected = reference::find_outputs(function)->compute(robot.tree, x);
        for (std::size_t k = 0; k < expected.size(); ++k) {
          CHECK(test::relative_error(Eigen::Map<const Eigen::VectorXd>(
                                         found[k].data(), static_cast<Eigen::Index>(found[k].size())),
                                     Eigen::Map<const Eigen::VectorXd>(
                                         expected[k].values.data(),
                                         static_cast<Eigen::Index>(expected[k].values.size()))) <= 1e-10);
          ++compared;
        }
      }
    }
  }
  CHECK(compared == 4 * 4 * (2 + 6 + 2));
}

TEST_CASE("four feet cost at most twice the free robot, and their derivatives 2.5 times, in flops") {
  const Robot robot = straight_robot(4, true);
  const auto flops = [&](const char* function) {
    return ir::count_cost(test::lower_as_emitted(robot, test::only({function})).front().kernel).flops;
  };
  const int dynamics = flops("constrained_dynamics"), derivatives = flops("constrained_dynamics_derivatives");
  MESSAGE("constrained_dynamics ", dynamics, " of aba's ", flops("aba"), ", derivatives ", derivatives,
          " of ", flops("aba_derivatives"));
  CHECK(dynamics <= 2 * flops("aba"));
  CHECK(2 * derivatives <= 5 * flops("aba_derivatives"));
}

}  // namespace property::constraint_lanes
