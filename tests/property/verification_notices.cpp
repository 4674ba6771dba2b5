// Verification can fail, for every function in every form: one node of its graph is negated, and wherever that changes
// a result, the comparison with the reference solver must say so.
#include "algorithms/whole_body/whole_body.hpp"
#include "ir/interpreter.hpp"
#include "passes/simplify.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "support/random_constraints.hpp"
#include "support/random_frames.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace property::verification_notices {

using namespace featherline;

namespace {

/// A change of a result beyond this, relative to its array, must be noticed. Products with unit vectors show an entry
/// of a tensor divided by nv, and verification allows 1e-10.
constexpr double real_change = 1e-8;
constexpr int nodes_a_function = 6;

/// Minus the k-th of the live nodes that are computed.
class NegateOne : public passes::Rewriter {
 public:
  NegateOne(const ir::Kernel& function, ir::NodeId node) : Rewriter(function), node_(node) {}

 private:
  ir::Scalar rewrite(ir::NodeId id) override { return id == node_ ? -rebuild(id) : rebuild(id); }
  ir::NodeId node_;
};

/// Minus one entry of an input.
class NegateEntry : public passes::Rewriter {
 public:
  NegateEntry(const ir::Kernel& function, std::size_t input, int entry)
      : Rewriter(function), input_(static_cast<ir::NodeId>(input)), entry_(static_cast<ir::NodeId>(entry)) {}

 private:
  ir::Scalar rewrite(ir::NodeId id) override {
    const ir::Node& node = source().graph[id];
    const bool negated = node.op == ir::Op::input && node.a == input_ && node.b == entry_;
    return negated ? -rebuild(id) : rebuild(id);
  }
  ir::NodeId input_, entry_;
};

std::vector<ir::NodeId> computed_nodes(const ir::Kernel& function) {
  const std::vector<bool> live = ir::live_nodes(function);
  std::vector<ir::NodeId> nodes;
  for (ir::NodeId id = 0; id < function.graph.size(); ++id) {
    const bool computed = !function.graph.is_constant(id) && function.graph[id].op != ir::Op::input;
    if (live[id] && computed) nodes.push_back(id);
  }
  return nodes;
}

struct Traced {
  model::UserTree user;
  model::CanonicalTree traced;
};

Traced traced(model::UserTree user, bool with_constraints = true) {
  Traced robot;
  robot.user = std::move(user);
  robot.user.base_parameters = algorithms::find_base_parameters(robot.user);
  robot.user.frames = test::random_frames(robot.user, 3);
  robot.user.constraints = {};
  for (std::uint64_t seed = 0; with_constraints && robot.user.constraints.num_residual_rows() == 0; ++seed)
    robot.user.constraints = test::random_constraints(robot.user, seed, 2);
  for (int k = 0; k < robot.user.nv; k += 2) robot.user.constraints.without_motor.push_back(k);
  robot.traced = trees_in_plain_frames(robot.user, false).tree;
  return robot;
}

Traced make_robot(bool floating) {
  test::RobotOptions options;
  options.joints = floating ? 3 : 6;
  model::BuildOptions build;
  build.floating_base = floating;
  return traced(test::random_tree(floating ? 5 : 3, options, build));
}

/// Shapes of outputs cannot be told by their sizes where nv is 1 or 4.
Traced make_chain(int coordinates) {
  test::RobotOptions options;
  options.joints = coordinates;
  options.chain = 1.0;
  options.types = {model::JointType::revolute, model::JointType::prismatic};
  return traced(test::random_tree(static_cast<std::uint64_t>(coordinates), options));
}

/// With all that can be chosen as an input, where functions with other inputs would be left out.
Traced make_chosen(model::UserTree user, bool with_forces, bool with_placement = false) {
  std::vector<std::string> forces, parameters{"gravity"};
  for (const model::Link& link : user.links) {
    if (link.body == static_cast<int>(user.bodies.size()) - 1) {
      if (with_forces) forces.push_back(link.name);
      parameters.push_back("payload:" + link.name);
    }
  }
  if (with_placement) parameters.push_back("placement:" + user.bodies.back().joint.name);
  user.chosen = model::choose_inputs(user, forces, parameters);
  const bool with_constraints = user.constraints.num_rows() > 0;
  return traced(std::move(user), with_constraints);
}

/// The same robot in grams and millimetres, as it were: a hundredth as large, a millionth as heavy.
Traced make_small() {
  model::UserTree tree = make_chain(3).user;
  for (model::Body& body : tree.bodies) {
    body.joint.type = model::JointType::revolute;
    body.joint.placement.p *= 1e-2;
    body.inertia.mass *= 1e-6;
    body.inertia.h *= 1e-8;
    body.inertia.J *= 1e-10;
  }
  for (model::Link& link : tree.links) {
    link.mass *= 1e-6;
    link.com *= 1e-2;
    link.placement.p *= 1e-2;
  }
  // Random torques are not small. Where constraints hold against them, accelerations keep few digits.
  return traced(std::move(tree), false);
}

bool takes_forces_of(const model::UserTree& tree, const catalog::FunctionSpec& function) {
  return tree.chosen.forces.empty() || function.depends.forces != catalog::Dependence::Forces::not_yet;
}

bool has_rows_of(const model::UserTree& tree, const catalog::FunctionSpec& function) {
  return tree.constraints.num_rows() > 0 || !catalog::takes_constraints(function);
}

/// Whether it is about parameters where none is chosen, or about joints that follow from eliminated loops, which
/// property_clusters has.
bool is_about_nothing(const catalog::FunctionSpec& function, const model::Tree& tree) {
  return catalog::is_of_all_joints(function) ||
         (catalog::has_parameter_derivatives(function) && tree.chosen.num_parameters() == 0);
}

/// The robot; with gravity, a payload of its last link and where its last joint is as inputs for derivatives by
/// parameters, and on a point of that link for steps with contacts.
Traced fitting(const Traced& robot, const catalog::FunctionSpec& function) {
  const bool lacks_parameters =
      catalog::has_parameter_derivatives(function) && robot.user.chosen.num_parameters() == 0;
  Traced other = lacks_parameters ? make_chosen(robot.user, false, function.depends.takes_geometry()) : robot;
  if (!catalog::takes_ground(function)) return other;
  const auto& links = robot.user.links;
  model::Constraint point;
  point.name = "foot";
  point.anchors.resize(1);
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (links[k].body == static_cast<int>(robot.user.bodies.size()) - 1)
      point.anchors.front().link = static_cast<int>(k);
  }
  other.user.constraints = {};
  other.user.constraints.all = {point};
  other.user.constraints.number_rows();
  other.traced = trees_in_plain_frames(other.user, false).tree;
  return other;
}

/// One form of one function, and what verification says of it.
struct Form {
  std::string name;
  LoweredFunction request;
};

double error_of(const Form& form, const Traced& robot, verify::KeptProbes& kept) {
  return verify::worst_error(form.request, robot.user, kept).relative;
}

double error_of(const Form& form, const Traced& robot) {
  verify::KeptProbes kept;
  return error_of(form, robot, kept);
}

/// Dense, packed and batch form of a function, and its loops, kernels and panels where it has any; `tamper` as in
/// Observer. Functions made wrong have the formulation of the `right` ones, so that no others are traced.
std::vector<Form> forms_of(const catalog::FunctionSpec& spec, const Traced& robot,
                           const std::function<ir::Kernel(const ir::Kernel&)>& tamper,
                           const std::vector<Form>& right = {}) {
  Options options;
  options.bindings = {"batch"};
  if (!right.empty()) options.formulations[spec.name] = right.front().request.kernel.formulation;
  Observer observer;
  observer.tamper = tamper;
  const auto lowered = [&](bool packed) {
    return lower(plan_function(spec, true, packed, robot.user, options), {robot.traced, {}}, options,
                 observer);
  };
  std::vector<Form> forms;
  for (LoweredFunction& request : lowered(has_packed_form(spec)))
    forms.push_back({function_name(request), std::move(request)});
  options.bindings.clear();
  for (const catalog::Formulation& formulation : spec.formulations) {
    if (spec.takes_link || !formulation.in_loops() || !formulation.applies(robot.user)) continue;
    options.formulations[spec.name] = formulation.name;
    forms.push_back({spec.name + " in " + formulation.name, std::move(lowered(false).front())});
    REQUIRE(forms.back().request.kernel.calls().empty() == formulation.is_unrolled());
  }
  return forms;
}

/// Of each function that is traced, the node at a fraction of its computed nodes.
std::function<ir::Kernel(const ir::Kernel&)> negate_at(double fraction) {
  return [fraction](const ir::Kernel& function) {
    const std::vector<ir::NodeId> nodes = computed_nodes(function);
    if (nodes.empty()) return function;
    return NegateOne(function, nodes[static_cast<std::size_t>(fraction * static_cast<double>(nodes.size()))])
        .run();
  };
}

/// How far the results of two kernels for one function are apart; infinity where they differ in their packed entries.
/// Packed entries may be stored with the other sign, which their map knows. Inputs without a state of their own, such
/// as steps, have entries up to `largest`.
double change(const ir::Kernel& kernel, const ir::Kernel& original, const model::Tree& tree, bool packed,
              double largest = 50.0) {
  const test::State state = test::random_state(tree, 77, 10.0, 50.0, largest);
  const Eigen::VectorXd& any = state.tau;
  std::mt19937 random(77);
  const reference::State chosen = reference::random_state(tree, random);
  std::vector<std::vector<double>> inputs;
  for (const ir::Buffer& input : original.inputs) {
    const Eigen::VectorXd& x = input.name == "q"        ? state.q
                               : input.name == "v"      ? state.v
                               : input.name == "a"      ? state.a
                               : input.name == "p"      ? chosen.p
                               : input.name == "fext"   ? chosen.fext
                               : input.name == "q0"     ? state.q
                               : input.name == "q1"     ? chosen.q1
                               : input.name == "active" ? chosen.active
                               : input.size == tree.nv
                                   ? any
                                   : chosen.*catalog::input_in_states(input.name).in_state;
    inputs.emplace_back(x.begin(), x.end());
  }
  const auto found = ir::KernelInterpreter<>(kernel, inputs).run();
  const auto expected = ir::KernelInterpreter<>(original, inputs).run();
  double worst = 0.0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (found[k].size() != expected[k].size()) return INFINITY;
    double scale = 1.0, difference = 0.0;
    for (std::size_t i = 0; i < expected[k].size(); ++i) {
      scale = std::max(scale, std::abs(expected[k][i]));
      const double x = found[k][i], y = expected[k][i];
      difference = std::max(difference, packed ? std::abs(std::abs(x) - std::abs(y)) : std::abs(x - y));
    }
    worst = std::max(worst, difference / scale);
  }
  return worst;
}

/// How many of the negated nodes change a result, and how many verification noticed.
struct Count {
  int noticed = 0, changed = 0, tried = 0;
};

}  // namespace

TEST_CASE("every function agrees as it is") {
  for (const Traced& robot :
       {make_robot(false), make_robot(true), make_chain(1), make_chain(2), make_chain(4), make_chain(7),
        make_small(), make_chosen(make_robot(true).user, false), make_chosen(make_small().user, true)}) {
    CAPTURE(robot.user.nv);
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (is_about_nothing(algorithm, robot.user)) continue;
      if (!takes_forces_of(robot.user, algorithm) || !has_rows_of(robot.user, algorithm)) continue;
      verify::KeptProbes kept;
      const Traced used = fitting(robot, algorithm);
      for (const Form& form : forms_of(algorithm, used, {})) {
        CAPTURE(form.name);
        CHECK(error_of(form, used, kept) <= reference::promised_error);
      }
    }
  }
}

TEST_CASE("a negated node is noticed in every function and form") {
  for (const bool floating : {false, true}) {
    const Traced whole = make_robot(floating);
    std::mt19937 random(floating ? 1 : 2);
    std::uniform_real_distribution<double> fraction(0.0, 1.0);
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (catalog::is_of_all_joints(algorithm)) continue;
      const Traced robot = fitting(whole, algorithm);
      const std::vector<Form> right = forms_of(algorithm, robot, {});
      std::map<std::string, Count> counts;
      verify::KeptProbes kept;
      for (int k = 0; k < nodes_a_function; ++k) {
        const std::vector<Form> tampered = forms_of(algorithm, robot, negate_at(fraction(random)), right);
        for (std::size_t f = 0; f < tampered.size(); ++f) {
          Count& count = counts[tampered[f].name];
          ++count.tried;
          const bool noticed = error_of(tampered[f], robot, kept) > reference::promised_error;
          count.noticed += noticed ? 1 : 0;
          const ir::Kernel& kernel = tampered[f].request.kernel;
          const bool packed = tampered[f].request.packed_maps.has_value();
          if (algorithm.takes_link ||
              !(change(kernel, right[f].request.kernel, robot.user, packed) > real_change))
            continue;
          ++count.changed;
          CAPTURE(tampered[f].name);
          CHECK(noticed);
        }
      }
      for (const auto& [name, count] : counts) {
        const auto& which = name;
        CAPTURE(which);
        MESSAGE(name << ": noticed " << count.noticed << " of " << count.tried << ", changed "
                     << count.changed);
        // The others change less than verification allows: corrections of digits are half of some functions.
        CHECK(3 * count.noticed >= count.tried);
      }
    }
  }
}

TEST_CASE("a negated node that matters to small or to large steps is noticed") {
  // Coefficients of a turn are computed in one way below a radian and in another one above. Random steps of some of
  // these planar joints are all below.
  for (const auto& [type, joints] : {std::pair{model::JointType::planar, 3},
                                     {model::JointType::planar, 6},
                                     {model::JointType::spherical, 1}}) {
    test::RobotOptions options;
    options.joints = joints;
    options.types = {type};
    const Traced robot = traced(test::random_tree(static_cast<std::uint64_t>(joints), options), false);
    const catalog::FunctionSpec& function = *catalog::find("integrate_derivatives");
    std::size_t count = 0;
    const std::vector<Form> right = forms_of(function, robot, [&](const ir::Kernel& kernel) {
      count = std::max(count, computed_nodes(kernel).size());
      return kernel;
    });
    verify::KeptProbes kept;
    int changed = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double fraction = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
      const Form tampered = forms_of(function, robot, negate_at(fraction), right).front();
      double most = 0.0;
      for (const double largest : {0.3, 1.6})
        most = std::max(
            most, change(tampered.request.kernel, right.front().request.kernel, robot.user, false, largest));
      if (!(most > real_change)) continue;
      ++changed;
      CAPTURE(k);
      CHECK(error_of(tampered, robot, kept) > reference::promised_error);
    }
    CHECK(2 * changed > static_cast<int>(count));
  }
}

TEST_CASE("a negated entry of a force, of gravity or of a payload is noticed in every function and form") {
  std::map<std::string, Count> counts;
  for (const bool with_forces : {false, true}) {
    const Traced whole = make_chosen(make_chain(3).user, with_forces);
    for (const catalog::FunctionSpec& function : catalog::functions()) {
      const Traced robot = fitting(whole, function);
      if (!takes_forces_of(robot.user, function) || is_about_nothing(function, robot.user)) continue;
      const std::vector<catalog::Argument> inputs = catalog::inputs_of(function, robot.user);
      const std::vector<Form> right = forms_of(function, robot, {});
      verify::KeptProbes kept;
      for (std::size_t input = 0; input < inputs.size(); ++input) {
        if (!catalog::is_chosen(inputs[input].name)) continue;
        const auto size = static_cast<int>(inputs[input].shape.size(catalog::sizes_of(robot.user)));
        for (int entry = 0; entry < size; ++entry) {
          CAPTURE(entry);
          const std::vector<Form> tampered = forms_of(
              function, robot,
              [&](const ir::Kernel& kernel) { return NegateEntry(kernel, input, entry).run(); }, right);
          bool changes = false;
          for (std::size_t f = 0; f < tampered.size(); ++f) {
            CAPTURE(tampered[f].name);
            // Packed forms, which follow the dense one, may have the same entries in another order.
            if (!tampered[f].request.packed_maps)
              changes = change(tampered[f].request.kernel, right[f].request.kernel, robot.user, false) >
                        real_change;
            if (changes) CHECK(error_of(tampered[f], robot, kept) > reference::promised_error);
            counts[inputs[input].name].tried += 1;
            counts[inputs[input].name].changed += changes ? 1 : 0;
          }
        }
      }
    }
  }
  for (const auto& [name, count] : counts) {
    MESSAGE(name << ": changed and noticed " << count.changed << " of " << count.tried);
    CHECK(2 * count.changed >= count.tried);
  }
}

TEST_CASE("chosen inputs do not hide a wrong inertia of a robot of grams and millimetres") {
  const Traced robot = make_chosen(make_small().user, true);
  int noticed = 0, tried = 0;
  for (const Form& form : forms_of(*catalog::find("rnea"), robot, negate_at(0.3))) {
    ++tried;
    noticed += error_of(form, robot) > 1e-3 ? 1 : 0;
  }
  CHECK(noticed == tried);
}

TEST_CASE("a wrong inertia is noticed in a robot of grams and millimetres") {
  const Traced robot = make_small();
  const auto& all = catalog::functions();
  const auto algorithm =
      std::find_if(all.begin(), all.end(), [](const auto& a) { return a.name == "mass_matrix"; });
  for (const Form& form : forms_of(*algorithm, robot, negate_at(0.5))) CHECK(error_of(form, robot) > 1e-3);
}

}  // namespace property::verification_notices
