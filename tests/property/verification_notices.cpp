// Verification can fail, for every function in every form: one node of its graph is negated, and wherever that changes a
// result, the comparison with the reference solver must say so.
#include "lowering.hpp"
#include "passes/rewrite.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace featherline;

namespace {

/// A change of a result beyond this must be noticed; verification itself allows 1e-10.
constexpr double real_change = 1e-9;
constexpr int nodes_a_function = 6;

/// Minus the k-th of the live nodes that are computed.
class NegateOne : public passes::Rewriter {
 public:
  NegateOne(const expr::Function& function, expr::NodeId node) : Rewriter(function), node_(node) {}

 private:
  expr::Scalar rewrite(expr::NodeId id) override { return id == node_ ? -rebuild(id) : rebuild(id); }
  expr::NodeId node_;
};

std::vector<expr::NodeId> computed_nodes(const expr::Function& function) {
  const std::vector<bool> live = expr::live_nodes(function);
  std::vector<expr::NodeId> nodes;
  for (expr::NodeId id = 0; id < function.graph.size(); ++id) {
    const bool computed = !function.graph.is_constant(id) && function.graph[id].op != expr::Op::input;
    if (live[id] && computed) nodes.push_back(id);
  }
  return nodes;
}

struct Traced {
  model::Tree user, traced;
};

Traced make_robot(bool floating) {
  test::RobotOptions options;
  options.joints = floating ? 3 : 6;
  model::BuildOptions build;
  build.floating_base = floating;
  Traced robot;
  robot.user = test::random_tree(floating ? 5 : 3, options, build);
  robot.traced = plain_tracing_tree(robot.user);
  return robot;
}

/// One form of one function, and what verification says of it.
struct Form {
  std::string name;
  emit::FunctionRequest request;
  std::vector<passes::Program> pose_steps;
};

double error_of(const Form& form, const Traced& robot) {
  return verify::worst_error({form.request, robot.traced, form.pose_steps}, robot.user).relative;
}

/// Dense, packed and batch form of a function, and its loops where it has any; `tamper` as in EmitOptions.
std::vector<Form> forms_of(const algorithms::Algorithm& algorithm, const Traced& robot,
                           const std::function<expr::Function(const expr::Function&)>& tamper) {
  EmitOptions options;
  options.functions = {algorithm.name, algorithms::packed_name(algorithm)};
  options.batch = true;
  options.tamper = tamper;
  std::vector<Form> forms;
  for (emit::FunctionRequest& request : lower_function(algorithm, robot.traced, options, {})) {
    forms.push_back({emit::function_name(request), std::move(request), {}});
    if (algorithm.formulations.empty()) forms.back().pose_steps = lower_pose_steps(robot.traced, options, {});
  }
  if (algorithm.formulations.empty() || !algorithm.formulations.back().in_loops) return forms;
  options.functions = {algorithm.name};
  options.batch = false;
  options.formulations[algorithm.name] = algorithm.formulations.back().name;
  forms.push_back(
      {algorithm.name + " in loops", lower_function(algorithm, robot.traced, options, {}).front(), {}});
  REQUIRE(forms.back().request.program.function.completion);
  return forms;
}

/// Of each function that is traced, the node at a fraction of its computed nodes.
std::function<expr::Function(const expr::Function&)> negate_at(double fraction) {
  return [fraction](const expr::Function& function) {
    const std::vector<expr::NodeId> nodes = computed_nodes(function);
    if (nodes.empty()) return function;
    return NegateOne(function, nodes[static_cast<std::size_t>(fraction * static_cast<double>(nodes.size()))])
        .run();
  };
}

/// How many of the negated nodes verification noticed.
struct Count {
  int noticed = 0, tried = 0;
};

}  // namespace

TEST_CASE("every function agrees as it is") {
  for (const bool floating : {false, true}) {
    const Traced robot = make_robot(floating);
    for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
      for (const Form& form : forms_of(algorithm, robot, {})) {
        CAPTURE(form.name);
        CHECK(error_of(form, robot) <= verify::largest_error);
      }
    }
  }
}

TEST_CASE("a negated node is noticed in every function and form") {
  for (const bool floating : {false, true}) {
    const Traced robot = make_robot(floating);
    std::mt19937 random(floating ? 1 : 2);
    std::uniform_real_distribution<double> fraction(0.0, 1.0);
    for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
      std::map<std::string, Count> counts;
      for (int k = 0; k < nodes_a_function; ++k) {
        for (const Form& form : forms_of(algorithm, robot, negate_at(fraction(random)))) {
          Count& count = counts[form.name];
          ++count.tried;
          count.noticed += error_of(form, robot) > real_change ? 1 : 0;
        }
      }
      for (const auto& [name, count] : counts) {
        CAPTURE(name);
        MESSAGE(name << ": " << count.noticed << " of " << count.tried);
        CHECK(count.noticed > 0);
      }
    }
  }
}
