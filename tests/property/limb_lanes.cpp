// Every formulation in lanes on random robots with equal limbs, against the reference solver.
#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "model/build_tree.hpp"
#include "passes/schedule.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "support/random.hpp"
#include "support/random_constraints.hpp"
#include "support/random_frames.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace property::limb_lanes {

using namespace featherline;

namespace {

/// Limb by limb in q, or joint by joint, which interleaves the limbs.
std::vector<std::string> interleaved(const description::Description& robot, int limbs) {
  std::vector<std::string> order;
  std::vector<std::vector<std::string>> by_limb(static_cast<std::size_t>(limbs));
  for (const description::Joint& joint : robot.joints) {
    if (joint.type == model::JointType::fixed) continue;
    if (joint.name.rfind("limb_", 0) == 0)
      by_limb.at(static_cast<std::size_t>(joint.name[5] - '0')).push_back(joint.name);
    else
      order.push_back(joint.name);
  }
  for (std::size_t k = 0; k < by_limb.front().size(); ++k) {
    for (const std::vector<std::string>& limb : by_limb) order.push_back(limb[k]);
  }
  return order;
}

/// Other damping, friction, rotor inertia and spring for each joint.
void add_joint_dynamics(model::UserTree& tree, std::uint64_t seed) {
  test::Random random(seed);
  std::string text;
  for (const model::Body& body : tree.bodies) {
    if (!body.joint.row().can_be_driven() || body.joint.mimics >= 0) continue;
    text += fmt::format("{} {} {} {} {} {}\n", body.joint.name, random.uniform(0.0, 2.0),
                        random.uniform(0.0, 2.0), random.uniform(0.0, 0.1), random.uniform(0.0, 9.0),
                        body.joint.row().moves_on_axes() ? random.uniform(-1.0, 1.0) : 0.0);
  }
  Diagnostics findings;
  model::set_joint_dynamics(tree, text, "drives.txt", findings);
  REQUIRE_FALSE(findings.has_errors());
  test::add_pose_springs(tree, seed);
}

/// A contact point on the last body of each limb of a group.
void add_constraints(model::UserTree& tree, std::uint64_t seed) {
  test::Random random(seed);
  const model::Folding folding = model::fold_bodies(tree);
  for (auto body = folding.bodies.rbegin(); body != folding.bodies.rend(); ++body) {
    if (body->lanes() == 1) continue;
    for (const int member : body->members) {
      const auto is_on = [&](const model::Link& link) { return link.body == member; };
      const auto link = std::find_if(tree.links.begin(), tree.links.end(), is_on);
      model::Constraint constraint;
      constraint.name = link->name;
      constraint.anchors = {{static_cast<int>(link - tree.links.begin()), {}}};
      for (double& x : constraint.anchors.front().placement.p) x = random.uniform(-0.5, 0.5);
      tree.constraints.all.push_back(std::move(constraint));
    }
    break;
  }
  test::leave_motors_to_limbs(tree);
  tree.constraints.number_rows();
}

/// The schedule of the kernel and of the internal functions that it calls.
ir::Kernel scheduled(ir::Kernel kernel) {
  for (ir::Step& step : kernel.steps) {
    auto* call = std::get_if<ir::Call>(&step);
    if (call != nullptr && call->body)
      call->body = std::make_shared<const ir::Kernel>(scheduled(*call->body));
  }
  return passes::schedule(std::move(kernel));
}

/// Whether a rare call replaces the results in this state.
bool is_stretched(const ir::Kernel& kernel, const reference::State& x) {
  const auto arrays = ir::evaluate(kernel, verify::inputs_of(kernel, x));
  for (std::size_t k = 0; k < kernel.locals.size(); ++k) {
    if (kernel.locals[k].name != "stretched") continue;
    const std::vector<double>& stretch = arrays.at(kernel.outputs.size() + k);
    if (!std::all_of(stretch.begin(), stretch.end(), [](double s) { return is_bent(s); })) return true;
  }
  return false;
}

/// Rotors for the joints of all limbs alike: in parent links, which takes no body of their own, or in child links.
void add_rotors(description::Description& robot) {
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const description::Joint& joint = robot.joints[j];
    if (joint.name.rfind("limb_", 0) != 0 || model::row_of(joint.type).nv() != 1) continue;
    const bool in_parent = joint.type != model::JointType::prismatic && joint.name.back() % 2 == 0;
    const std::string& carrier = in_parent ? joint.parent : joint.child;
    const auto link = std::ranges::find(robot.links, carrier, &description::Link::name);
    description::Rotor rotor{
        .name = joint.name, .carrier = carrier, .gear_ratio = 3.0 + static_cast<double>(j)};
    rotor.inertia = 0.02 * description::principal_moments(link->inertial->inertia)[0];
    if (!in_parent) rotor.axis = model::Vector3(0.6, 0.0, 0.8);
    if (in_parent) rotor.carrier.clear();  // the trunk may be the world
    robot.rotors.push_back(rotor);
  }
}

/// Every joint type in limbs and in the trunk, 2 to 8 limbs, at the world, on a fixed and on a floating base, mirrored,
/// with coupled mimic joints, with rotors, in another order of q.
model::UserTree make_robot(std::uint64_t seed) {
  constexpr int counts[] = {2, 4, 3, 5, 8};
  test::LimbOptions options;
  options.limbs = counts[seed % 5];
  options.limb.joints = options.limbs < 4 ? 3 : options.limbs < 8 ? 1 : 0;
  options.limb.mimic = seed % 3 == 2 ? 0.7 : 0.0;
  options.trunk.joints = static_cast<int>(seed / 2 % 3);
  options.mirrored = seed % 4 == 1;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  build.gravity = model::Vector3(1.0, -2.0, 3.0);
  description::Description robot = test::random_limbs(seed, options);
  if (seed % 4 == 2) add_rotors(robot);
  if (seed % 4 == 3) build.joint_order = interleaved(robot, options.limbs);
  model::UserTree tree = test::tree_of(robot, build);
  if (seed % 3 == 1) add_joint_dynamics(tree, seed);
  tree.base_parameters = algorithms::find_base_parameters(tree);
  tree.frames = test::random_frames(tree, seed);
  add_constraints(tree, seed);
  return tree;
}

/// Tensors of robots larger than this take minutes.
constexpr int most_coordinates_of_second_order = 18;

}  // namespace

TEST_CASE("every formulation in lanes agrees with the reference solver after every stage") {
  std::map<std::string, int> followed;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const model::UserTree user = make_robot(seed);
    Plan plan;
    plan.common_frames = plan.lanes = true;
    const ChosenTrees chosen = trees_in_chosen_frames(user, plan), plain = trees_in_plain_frames(user, true);
    REQUIRE(chosen.folded->has_lanes());
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(user, random);
    const model::Tree as_traced = model::without_rotors(user);
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (algorithm.group.order == 2 && user.nv > most_coordinates_of_second_order) continue;
      CAPTURE(algorithm.name);
      const reference::OutputFunction& judge = *reference::find_outputs(algorithm.name);
      std::optional<reference::Outputs> expected;  // takes long: only where somebody asks
      for (const catalog::Formulation& formulation : algorithm.formulations) {
        if (!formulation.in_lanes() || !formulation.applies(as_traced) || formulation.in_loops() ||
            algorithm.takes_link)
          continue;
        CAPTURE(formulation.name);
        if (!expected) expected = judge.compared(x, judge.compute(user, x));
        const ir::Kernel traced = catalog::trace(algorithm, formulation, *chosen.folded);
        if (!traced.calls().empty() && is_stretched(traced, x)) continue;
        test::follow(traced, judge, x, *expected);
        if (seed % 4 == 0)
          test::follow(catalog::trace(algorithm, formulation, *plain.folded), judge, x, *expected);
        ++followed[algorithm.name];
      }
    }
  }
  for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
    CAPTURE(algorithm.name);
    for (const catalog::Formulation& formulation : algorithm.formulations) {
      if (formulation.in_lanes() && !formulation.in_loops() && !algorithm.takes_link)
        CHECK(followed[algorithm.name] > 5);
    }
  }
}

namespace {

/// A quadruped on its four feet: its contacts, and the random state of a seed.
struct Standing {
  model::UserTree user;
  reference::State x;
};
Standing standing_quadruped(unsigned seed) {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = true;
  Standing standing{
      model::build_tree(formats::read_file("robots/quadruped.urdf", findings), options, findings), {}};
  standing.user.constraints.all = model::choose_contacts(
      standing.user,
      model::parse_contacts("front_left_foot,front_right_foot,rear_left_foot,rear_right_foot"));
  standing.user.constraints.number_rows();
  std::mt19937 random(seed);
  standing.x = reference::random_state(standing.user, random);
  standing.x.active.setOnes();
  return standing;
}

/// max |x - ref| / max(1, max |ref|) of the results that Real gives, over all outputs.
template <class Real>
double error_in(const ir::Kernel& kernel, const Standing& standing, const reference::OutputFunction& judge) {
  std::vector<std::vector<Real>> inputs;
  for (const std::vector<double>& input : verify::inputs_of(kernel, standing.x))
    inputs.emplace_back(input.begin(), input.end());
  const auto arrays = ir::KernelInterpreter<Real>(kernel, inputs).run();
  reference::Outputs found;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    found.push_back({kernel.outputs[k].name, std::vector<double>(arrays[k].begin(), arrays[k].end())});
  return reference::compare(found, judge.compute(standing.user, standing.x)).relative;
}

/// They run in double alone here.
bool calls_routines(const ir::Kernel& kernel) {
  return std::ranges::any_of(kernel.calls(), [](const ir::Call* call) {
    return call->body == nullptr || calls_routines(*call->body);
  });
}

}  // namespace

TEST_CASE("legs that approach straight lose no more digits than is allowed, in double and in float") {
  Plan plan;
  plan.common_frames = plan.lanes = true;
  const ChosenTrees chosen = trees_in_chosen_frames(standing_quadruped(1).user, plan);
  for (const char* name : {"constrained_dynamics", "constrained_dynamics_derivatives", "impulse_dynamics"}) {
    CAPTURE(name);
    const catalog::FunctionSpec& function = *catalog::find(name);
    const reference::OutputFunction& judge = *reference::find_outputs(name);
    const ir::Kernel kernel =
        scheduled(catalog::trace(function, function.formulations.back(), *chosen.folded));
    double worst = 0.0, worst_in_float = 0.0;
    for (unsigned seed = 0; seed < 39; ++seed) {
      // Hip and leg hang down, and the foot is bent by 1e-1 ... 1e-12: on one leg, and on two of them.
      Standing standing = standing_quadruped(seed);
      const double bend = std::pow(10.0, -1.0 - static_cast<double>(seed % 12));
      for (const int first : {7, 13}) {
        if (first == 13 && seed % 3 == 0) continue;
        standing.x.q.segment<3>(first) << 0.1 * standing.x.q[first], 0.01 * standing.x.q[first + 1], bend;
      }
      worst = std::max(worst, error_in<double>(kernel, standing, judge));
      if (calls_routines(kernel)) continue;
      standing.x = reference::rounded_to_float(standing.x);
      worst_in_float = std::max(worst_in_float, error_in<float>(kernel, standing, judge));
    }
    MESSAGE(name, " near straight legs: ", worst, ", in float ", worst_in_float);
    CHECK(worst <= 1e-10);
    CHECK(worst_in_float <= 1e-3);
  }
}

TEST_CASE("stretched legs are computed by the Delassus matrix, all others in lanes") {
  Standing standing = standing_quadruped(1);
  const model::UserTree& user = standing.user;
  reference::State& x = standing.x;
  Plan plan;
  plan.common_frames = plan.lanes = true;
  const ChosenTrees chosen = trees_in_chosen_frames(user, plan);
  for (const double knee : {-1.2, 0.0, 1e-6, 1e-3, 0.02, 0.5}) {
    CAPTURE(knee);
    x.q[7 + 2] = knee;  // of one leg
    for (const char* name :
         {"constrained_dynamics", "constrained_dynamics_derivatives", "impulse_dynamics"}) {
      CAPTURE(name);
      const catalog::FunctionSpec& function = *catalog::find(name);
      const ir::Kernel traced = catalog::trace(function, function.formulations.back(), *chosen.folded);
      CHECK(is_stretched(traced, x) == (std::abs(knee) < 0.01));
      if (knee == 0.0 || !is_stretched(traced, x)) {
        reference::Outputs found;
        const auto arrays = ir::KernelInterpreter<>(scheduled(traced), verify::inputs_of(traced, x)).run();
        for (std::size_t k = 0; k < arrays.size(); ++k)
          found.push_back({function.outputs[k].name, arrays[k]});
        const reference::OutputFunction& judge = *reference::find_outputs(name);
        CHECK(reference::compare(found, judge.compute(user, x)).relative <= 1e-10);
      }
    }
  }
}

}  // namespace property::limb_lanes
