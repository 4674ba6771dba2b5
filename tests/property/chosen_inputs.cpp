// External forces, gravity, inertias and numbers of joints as inputs, on random robots: the judge against itself, then
// every formulation against the judge, by the interpreter.
#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "ir/interpreter.hpp"
#include "model/build_tree.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "support/derivatives.hpp"
#include "support/random.hpp"
#include "support/random_frames.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <map>

namespace property::chosen_inputs {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::agreement;
using test::relative_error;

namespace {

/// Damping, springs and the rest, so that some numbers of joints are constants and some are inputs.
void add_joint_dynamics(model::UserTree& tree, test::Random& random) {
  for (model::Body& body : tree.bodies) {
    model::Joint& joint = body.joint;
    if (!joint.row().can_be_driven() || random.chance(0.3)) continue;
    joint.armature = random.uniform(0.1, 1.0), joint.damping = random.uniform(0.1, 1.0);
    joint.friction = random.uniform(0.1, 1.0);
    if (!joint.row().moves_on_axes()) continue;
    joint.stiffness = random.uniform(1.0, 10.0), joint.rest = random.uniform(-1.0, 1.0);
  }
}

/// Of each number of joints: nothing, that of all joints, or that of some. A robot may have no joint for it.
void choose_joint_numbers(const model::Tree& tree, test::Random& random,
                          std::vector<std::string>& parameters) {
  for (const model::JointNumber& number : model::joint_numbers()) {
    const bool of_all = random.chance(0.3), of_some = random.chance(0.6);
    bool has_joints = false;
    for (const model::Body& body : tree.bodies) {
      if (!number.fits(body.joint)) continue;
      has_joints = true;
      if (!of_all && of_some && random.chance(0.5))
        parameters.push_back(std::string(number.word) + ":" + body.joint.name);
    }
    if (of_all && has_joints) parameters.emplace_back(number.word);
  }
}

/// Forces on about `share` of the links that move, payloads on fewer; links that are welded together, equal limbs and
/// parts of them among these.
void choose_inputs(model::UserTree& tree, std::uint64_t seed, double share = 0.4) {
  test::Random random(seed);
  add_joint_dynamics(tree, random);
  std::vector<std::string> forces, parameters;
  if (seed % 4 != 0) parameters.emplace_back("gravity");
  for (const model::Link& link : tree.links) {
    if (link.body < 0) continue;
    if (random.chance(share)) forces.push_back(link.name);
    if (random.chance(share / 2)) parameters.push_back("payload:" + link.name);
    if (random.chance(share / 2)) parameters.push_back("inertia:" + link.name);
  }
  choose_joint_numbers(tree, random, parameters);
  for (const model::Body& body : tree.bodies) {
    if (random.chance(share / 2)) parameters.push_back("placement:" + body.joint.name);
  }
  const auto moves = [](const model::Link& link) { return link.body >= 0; };
  model::FrameRequest frame;
  frame.link = std::find_if(tree.links.rbegin(), tree.links.rend(), moves)->name;
  tree.frames = model::choose_frames(tree, {frame}, model::FrameAxes::local_world_aligned, 0.0);
  tree.chosen = model::choose_inputs(tree, forces, parameters);
  tree.base_parameters = algorithms::find_base_parameters(tree);
}

/// Every joint type, at and away from the root, fixed and floating, with coupled joints and welded links.
model::UserTree make_robot(std::uint64_t seed) {
  test::RobotOptions options;
  options.joints = 2 + static_cast<int>(seed % 5);
  options.mimic = seed % 3 == 2 ? 0.5 : 0.0;
  options.fixed = 0.6;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  build.gravity = model::Vector3(1.0, -2.0, 3.0);
  model::UserTree tree = test::random_tree(seed + 400, options, build);
  choose_inputs(tree, seed);
  return tree;
}

/// Equal limbs, some with a force or a payload.
model::UserTree make_limbs(std::uint64_t seed) {
  test::LimbOptions options;
  options.limbs = 2 + static_cast<int>(seed % 3);
  options.limb.joints = options.limbs == 2 ? static_cast<int>(seed % 2) + 1 : options.limbs == 3 ? 1 : 0;
  options.limb.fixed = 0.6;
  options.limb.mimic = seed % 3 == 2 ? 0.7 : 0.0;
  options.trunk.joints = static_cast<int>(seed / 2 % 2);
  options.mirrored = seed % 4 == 1;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  model::UserTree tree = test::tree_of(test::random_limbs(seed + 60, options), build);
  choose_inputs(tree, seed, 0.5);
  tree.frames = test::random_frames(tree, seed);
  return tree;
}

reference::State random_state(const model::Tree& tree, std::uint64_t seed, double speed = 3.0) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  reference::State x = reference::random_state(tree, random);
  x.v *= speed;
  return x;
}

/// Whether there are inputs to choose that the function depends on. Functions of constraints are tested by
/// constraints.cpp and constraint_lanes.cpp.
bool can_depend(const catalog::FunctionSpec& function) {
  const catalog::Dependence& depends = function.depends;
  return !catalog::takes_constraints(function) && !catalog::is_of_all_joints(function) &&
         (depends.forces != catalog::Dependence::Forces::no || depends.gravity || depends.inertia ||
          depends.geometry == catalog::Dependence::Geometry::yes);
}

bool depends_on_chosen(const catalog::FunctionSpec& function, const model::Tree& tree) {
  return can_depend(function) && catalog::inputs_of(function, tree).size() > function.inputs.size();
}

/// The robot as the function can have it: without what it depends on but cannot take.
model::UserTree robot_for(const catalog::FunctionSpec& function, model::UserTree tree) {
  if (function.depends.forces == catalog::Dependence::Forces::not_yet) tree.chosen.forces.clear();
  if (function.depends.geometry == catalog::Dependence::Geometry::yes) return tree;
  if (!function.depends.takes_geometry()) tree.chosen.placements.clear();
  std::erase_if(tree.chosen.joints, [](const model::JointInput& input) {
    return input.number->which == &model::Joint::multiplier;
  });
  return tree;
}

/// Minus the torques of the forces on the links, by the Jacobians of the links.
template <class T>
reference::VectorX<T> torques_by_jacobians(const model::Tree& applied, const reference::VectorX<T>& q) {
  reference::VectorX<T> tau = reference::VectorX<T>::Zero(applied.nv);
  reference::Solver<T> solver(applied);
  for (const model::AppliedForce& force : applied.applied_forces) {
    VectorXd wrench(6);
    wrench << force.force, force.moment;
    tau -= solver.frame_jacobian(q, force.link, reference::Frame::local_world_aligned).transpose() *
           wrench.cast<T>();
  }
  return tau;
}

VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The first output of a traced function.
VectorXd run(const ir::Kernel& kernel, const reference::State& x) {
  return vector_of(ir::evaluate(kernel, verify::inputs_of(kernel, x)).front());
}

}  // namespace

TEST_CASE("the judge's forces are those of Jacobians, and so are their derivatives") {
  int welded = 0;  // links with a force on the body of the one before
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const model::UserTree robot = make_robot(seed);
    const reference::State x = random_state(robot, seed);
    const model::Tree applied = model::with_values(robot, x.fext, x.p);
    for (std::size_t k = 1; k < robot.chosen.forces.size(); ++k) {
      const auto body = [&](std::size_t of) {
        return robot.links[static_cast<std::size_t>(robot.chosen.forces[of])].body;
      };
      welded += body(k) == body(k - 1) ? 1 : 0;
    }
    model::Tree free = applied;
    free.applied_forces.clear();
    reference::Solver<double> solver(applied), without(free);
    const VectorXd push = torques_by_jacobians<double>(applied, x.q);
    CHECK(relative_error(solver.rnea(x.q, x.v, x.a), without.rnea(x.q, x.v, x.a) + push) <= 1e-13);
    CHECK(relative_error(solver.bias(x.q, x.v), without.bias(x.q, x.v) + push) <= 1e-13);
    CHECK(relative_error(solver.gravity(x.q), without.gravity(x.q)) <= 1e-13);
    CHECK(relative_error(solver.aba(x.q, x.v, x.tau), without.aba(x.q, x.v, x.tau - push)) <= 1e-11);

    using Number = reference::HyperDual<double>;
    MatrixXd turning(robot.nv, robot.nv);
    for (int k = 0; k < robot.nv; ++k) {
      const reference::VectorX<Number> dq = reference::VectorX<Number>::Unit(robot.nv, k) * Number::e1();
      const auto stepped = reference::integrate<Number>(applied, x.q.cast<Number>(), dq);
      turning.col(k) = part(torques_by_jacobians<Number>(applied, stepped), &Number::d1);
    }
    const auto with = test::rnea_derivatives(applied, x.q, x.v, x.a),
               plain = test::rnea_derivatives(free, x.q, x.v, x.a);
    CHECK(relative_error(with.dtau_dq, plain.dtau_dq + turning) <= 1e-12);
    CHECK(relative_error(with.dtau_dv, plain.dtau_dv) <= 1e-12);
  }
  CHECK(welded >= 3);
}

TEST_CASE("the judge's payload is a link that is welded on, and its gravity that of the tree") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    model::BuildOptions build;
    build.floating_base = seed % 2 == 1;
    description::Description description = test::random_robot(seed);
    model::UserTree robot = test::tree_of(description, build);
    const std::string carrier = robot.links.back().name;
    robot.chosen = model::choose_inputs(robot, {}, {"gravity", "payload:" + carrier});
    const reference::State x = random_state(robot, seed);

    const double mass = x.p[3];
    const Eigen::Vector3d com = x.p.segment<3>(4) / mass;
    Eigen::Matrix3d J;
    J << x.p[7], x.p[8], x.p[10], x.p[8], x.p[9], x.p[11], x.p[10], x.p[11], x.p[12];
    description::Link payload;
    payload.name = "payload";
    payload.inertial.emplace();
    payload.inertial->mass = mass;
    payload.inertial->origin.xyz = com;
    payload.inertial->inertia =
        J - mass * (com.squaredNorm() * Eigen::Matrix3d::Identity() - com * com.transpose());
    description::Joint weld;
    weld.name = "zz_weld";
    weld.type = model::JointType::fixed;
    weld.parent = carrier;
    weld.child = payload.name;
    description.links.push_back(payload);
    description.joints.push_back(weld);
    build.gravity = x.p.head<3>();
    const model::UserTree loaded = test::tree_of(description, build);
    const model::Tree with_inputs = model::with_values(robot, x.fext, x.p);
    reference::Solver<double> expected(loaded), found(with_inputs);
    CHECK(relative_error(found.rnea(x.q, x.v, x.a), expected.rnea(x.q, x.v, x.a)) <= 1e-13);
    CHECK(relative_error(found.crba(x.q), expected.crba(x.q)) <= 1e-13);
    CHECK(relative_error(found.aba(x.q, x.v, x.tau), expected.aba(x.q, x.v, x.tau)) <= 1e-11);
  }
}

namespace {

/// Follows all formulations of functions that depend on the chosen inputs; those in lanes on a folded tree.
void follow_formulations(const model::UserTree& robot, std::uint64_t seed, bool in_lanes, int most_of_second,
                         std::map<std::string, int>& followed) {
  Plan plan;
  plan.common_frames = true;
  plan.lanes = in_lanes;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    const model::UserTree user = robot_for(function, robot);
    if (!depends_on_chosen(function, user) || function.takes_link) continue;
    if (function.group.order == 2 && user.nv > most_of_second) continue;
    CAPTURE(function.name);
    const ChosenTrees trees = trees_in_chosen_frames(user, plan);
    const reference::State x = random_state(user, seed);
    const reference::OutputFunction& judge = *reference::find_outputs(function.name);
    const reference::Outputs expected = judge.compared(x, judge.compute(user, x));
    for (const catalog::Formulation& formulation : function.formulations) {
      if (formulation.in_loops() || formulation.in_lanes() != in_lanes) continue;
      if (!formulation.applies(user)) continue;
      CAPTURE(formulation.name);
      test::follow(in_lanes ? catalog::trace(function, formulation, *trees.folded)
                            : catalog::trace(function, formulation, trees.tree),
                   judge, x, expected);
      ++followed[function.name + " by " + formulation.name];
    }
  }
}

}  // namespace

TEST_CASE("every formulation with chosen inputs agrees with the reference solver after every stage") {
  std::map<std::string, int> followed;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    follow_formulations(make_robot(seed), seed, false, 9, followed);
  }
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (!can_depend(function)) continue;
    CAPTURE(function.name);
    for (const catalog::Formulation& formulation : function.formulations) {
      CAPTURE(formulation.name);
      const bool is_for_loops = formulation.name == "articulated clusters";  // see clusters.cpp
      if (!formulation.in_loops() && !formulation.in_lanes() && !function.takes_link && !is_for_loops)
        CHECK(followed[function.name + " by " + formulation.name] >= 1);
    }
  }
}

TEST_CASE(
    "every formulation in lanes with chosen inputs agrees with the reference solver after every stage") {
  std::map<std::string, int> followed;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    follow_formulations(make_limbs(seed), seed, true, 14, followed);
  }
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (!can_depend(function)) continue;
    CAPTURE(function.name);
    for (const catalog::Formulation& formulation : function.formulations) {
      CAPTURE(formulation.name);
      if (formulation.in_lanes() && !formulation.in_loops() && !function.takes_link)
        CHECK(followed[function.name + " by " + formulation.name] >= 1);
    }
  }
}

TEST_CASE("loops, kernels and panels with chosen inputs agree with the reference solver") {
  std::map<std::string, int> judged;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    model::UserTree robot = seed < 4 ? make_robot(seed + 1) : make_limbs(seed);
    // Panels have neither forces nor payloads.
    if (seed % 2 == 0) {
      robot.chosen = model::choose_inputs(robot, {}, {"gravity"});
      robot.base_parameters = algorithms::find_base_parameters(robot);
    }
    for (const catalog::FunctionSpec& function : catalog::functions()) {
      const model::UserTree user = robot_for(function, robot);
      if (!depends_on_chosen(function, user) || user.nv > 20) continue;
      CAPTURE(function.name);
      verify::KeptProbes kept;
      for (const catalog::Formulation& formulation : function.formulations) {
        if (!formulation.in_loops() || !formulation.applies(user)) continue;
        CAPTURE(formulation.name);
        Options options;
        options.formulations[function.name] = formulation.name;
        Plan plan;
        plan.common_frames = true;
        plan.lanes = formulation.in_lanes();
        const LoweredForms lowered = lower(plan_function(function, true, false, user, options),
                                           trees_in_chosen_frames(user, plan), options);
        CHECK(verify::worst_error(lowered.front(), user, kept).relative <= reference::promised_error);
        ++judged[formulation.name];
      }
    }
  }
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (!can_depend(function)) continue;
    for (const catalog::Formulation& formulation : function.formulations) {
      CAPTURE(formulation.name);
      const bool only_coupled = formulation.name == "unrolled and dense kernels";  // no such robot is here
      if (formulation.in_loops() && !only_coupled) CHECK(judged[formulation.name] >= 1);
    }
  }
}

TEST_CASE("poses and Jacobians of links with placements and gears agree with the reference solver") {
  std::map<std::string, int> judged;
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    CAPTURE(seed);
    test::RobotOptions options;
    options.joints = 5;
    options.mimic = seed % 2 == 0 ? 0.7 : 0.0;
    options.types = {model::JointType::revolute, model::JointType::prismatic, model::JointType::spherical};
    model::UserTree robot = test::random_tree(seed + 400, options, {});
    std::vector<std::string> words{"placement:" + robot.bodies.back().joint.name};
    const auto mimics = [](const model::Body& body) { return body.joint.mimics >= 0; };
    if (std::ranges::any_of(robot.bodies, mimics)) words.emplace_back("gear");
    robot.chosen = model::choose_inputs(robot, {}, words);
    for (const char* name : {"forward_kinematics", "frame_jacobian"}) {
      const catalog::FunctionSpec& function = *catalog::find(name);
      const model::UserTree user = robot_for(function, robot);
      const LoweredForms lowered =
          lower(plan_function(function, true, false, user, {}), trees_in_chosen_frames(user, Plan{}), {});
      CHECK(verify::worst_error(lowered.front(), user).relative <= 1e-13);
      ++judged[name + std::string(user.chosen.has_gears() ? " with gears" : "")];
    }
  }
  CHECK(judged.size() == 4);
  for (const auto& [name, count] : judged) CHECK(count >= 3);
}

TEST_CASE("no forces, no payloads and the robot's own gravity leave the plain functions") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const model::UserTree robot = seed >= 4 ? make_limbs(seed) : make_robot(seed);
    model::UserTree plain = robot;
    plain.chosen = {};
    Plan plan;
    plan.common_frames = plan.lanes = true;
    const ChosenTrees trees = trees_in_chosen_frames(robot, plan),
                      trees_of_plain = trees_in_chosen_frames(plain, plan);
    reference::State x = random_state(robot, seed, 1.0);
    reference::set_defaults(robot, x);
    for (const catalog::FunctionSpec& function : catalog::functions()) {
      if (!depends_on_chosen(function, robot) || function.group.order == 2 || function.takes_link) continue;
      if (catalog::has_parameter_derivatives(function)) continue;  // the plain robot has no parameters
      CAPTURE(function.name);
      for (const catalog::Formulation& formulation : function.formulations) {
        if (formulation.in_loops() || !formulation.applies(robot)) continue;
        if (formulation.in_lanes() && !trees.folded->has_lanes()) continue;
        CAPTURE(formulation.name);
        const auto values = [&](const ChosenTrees& of) {  // of what is unique
          const ir::Kernel kernel = formulation.in_lanes() ? catalog::trace(function, formulation, *of.folded)
                                                           : catalog::trace(function, formulation, of.tree);
          const auto arrays = ir::evaluate(kernel, verify::inputs_of(kernel, x));
          reference::Outputs outputs;
          for (std::size_t k = 0; k < arrays.size(); ++k)
            outputs.push_back({kernel.outputs[k].name, arrays[k]});
          return reference::find_outputs(function.name)->compared(x, outputs);
        };
        const reference::Outputs found = values(trees), expected = values(trees_of_plain);
        for (std::size_t k = 0; k < found.size(); ++k)
          CHECK(relative_error(vector_of(found[k].values), vector_of(expected[k].values)) <= 1e-13);
      }
    }
  }
}

TEST_CASE("forward dynamics takes back what inverse dynamics gives, at high speeds") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const model::UserTree robot = make_robot(seed);
    const model::CanonicalTree tree = in_chosen_frames(robot, true);
    reference::State x = random_state(robot, seed);
    const auto kernel = [&](const std::string& name, const catalog::Formulation& formulation) {
      return catalog::trace(*catalog::find(name), formulation, tree);
    };
    x.tau = run(kernel("rnea", catalog::find("rnea")->formulations.front()), x);
    for (const catalog::Formulation& formulation : catalog::find("aba")->formulations) {
      if (formulation.in_loops() || formulation.in_lanes() || !formulation.applies(robot)) continue;
      CHECK(relative_error(run(kernel("aba", formulation), x), x.a) <= 1e-10);
    }
  }
}

TEST_CASE("derivatives by parameters are those of differences of sixth order") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const model::UserTree robot = make_robot(seed);
    const model::CanonicalTree tree = in_chosen_frames(robot, true);
    const reference::State x = random_state(robot, seed, 1.0);
    for (const auto& [name, of] : std::map<std::string, std::string>{{"rnea", "rnea_parameter_derivatives"},
                                                                     {"aba", "aba_parameter_derivatives"}}) {
      const std::string function = name;
      CAPTURE(function);
      if (catalog::inputs_of(*catalog::find(of), robot).back().name != "p") continue;
      const auto kernel = [&](const std::string& of_name) {
        const catalog::FunctionSpec& spec = *catalog::find(of_name);
        return catalog::trace(spec, spec.formulations.front(), tree);
      };
      const ir::Kernel values = kernel(name);
      const VectorXd found = run(kernel(of), x);
      VectorXd expected(found.size());
      for (Eigen::Index k = 0; k < x.p.size(); ++k) {
        const double h = 1e-3 * std::max(1.0, std::abs(x.p[k]));
        const auto at = [&](double steps) {
          reference::State moved = x;
          moved.p[k] += steps * h;
          return run(values, moved);
        };
        expected.segment(k * robot.nv, robot.nv) =
            (45.0 * (at(1) - at(-1)) - 9.0 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60.0 * h);
      }
      CHECK(relative_error(found, expected) <= 1e-8);
    }
  }
}

}  // namespace property::chosen_inputs
