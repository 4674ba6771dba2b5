// The papers' accuracy figure: derivatives of a serial chain of 100 revolute joints against complex step on the
// reference solver, rms relative error at most 1e-12.
#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/routines/routine_calls.hpp"
#include "ir/interpreter.hpp"
#include "model/canonical.hpp"
#include "passes/simplify.hpp"
#include "support/derivatives.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <cmath>
#include <functional>

namespace property::long_chain {

using namespace featherline;

namespace {

/// Root mean square of (x - ref) / ref over the entries that are not negligible: |ref| > 1e-9 max |ref|.
double rms_relative_error(const std::vector<double>& x, const Eigen::MatrixXd& reference) {
  const double negligible = 1e-9 * reference.cwiseAbs().maxCoeff();
  double sum = 0.0;
  int count = 0;
  for (Eigen::Index k = 0; k < reference.size(); ++k) {
    const double ref = reference.data()[k];
    if (std::abs(ref) <= negligible) continue;
    sum += std::pow((x[static_cast<std::size_t>(k)] - ref) / ref, 2);
    ++count;
  }
  return std::sqrt(sum / count);
}

std::vector<double> entries(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

void run_with_stack(std::size_t bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread{};
  const auto call = [](void* task) -> void* {
    (*static_cast<std::function<void()>*>(task))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, call, &work) == 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

}  // namespace

TEST_CASE("derivatives of a chain of 100 joints: rms relative error against complex step at most 1e-12") {
  test::RobotOptions options;
  options.joints = 100;
  options.types = {model::JointType::revolute};
  options.chain = 1.0;
  options.fixed = 0.0;
  const model::UserTree tree = test::random_tree(100, options);
  REQUIRE(tree.nv == 100);
  const model::CanonicalTree traced = model::regroup_inertias(model::canonicalise(tree));
  const auto derivatives = [&](algorithms::Context& context) {
    algorithms::rnea_derivatives(context, algorithms::body_frames(traced));
  };
  const ir::Kernel function = passes::simplify(algorithms::trace(
      traced, {{"q", traced.nq}, {"v", traced.nv}, {"a", traced.nv}},
      {{"dtau_dq", traced.nv * traced.nv}, {"dtau_dv", traced.nv * traced.nv}}, derivatives));

  const test::State x = test::random_state(tree, 1);
  const auto result = ir::evaluate(function, {entries(x.q), entries(x.v), entries(x.a)});
  const test::RneaDerivatives expected = test::rnea_derivatives(tree, x.q, x.v, x.a);
  const double dq = rms_relative_error(result[0], expected.dtau_dq);
  const double dv = rms_relative_error(result[1], expected.dtau_dv);
  MESSAGE("rms relative error: dtau_dq " << dq << ", dtau_dv " << dv);
  CHECK(dq <= 1e-12);
  CHECK(dv <= 1e-12);
}

TEST_CASE("a chain of 3000 joints with a force at its end is traced with little stack") {
  test::RobotOptions options;
  options.joints = 3000;
  options.types = {model::JointType::revolute};
  options.chain = 1.0;
  options.fixed = 0.0;
  model::UserTree tree = test::random_tree(100, options);
  tree.chosen.forces = {static_cast<int>(tree.links.size()) - 1};
  const model::CanonicalTree traced = model::regroup_inertias(model::canonicalise(tree));
  const std::vector<ir::Buffer> inputs{
      {"q", traced.nq}, {"v", traced.nv}, {"a", traced.nv}, {"fext", model::force_entries}};
  constexpr std::size_t little = std::size_t{256} << 10;
  run_with_stack(little, [&] {
    CHECK(algorithms::trace(traced, inputs, {{"tau", traced.nv}}, [](algorithms::Context& context) {
            algorithms::rnea(context);
          }).stores.size() == static_cast<std::size_t>(traced.nv));
    const algorithms::PanelLayout layout(traced);
    CHECK(layout.table.num_slots == traced.nv);
  });
}

}  // namespace property::long_chain
