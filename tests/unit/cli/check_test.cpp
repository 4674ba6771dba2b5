// `check` agrees where code is right, and would notice where it is not.
#include "model/build_tree.hpp"
#include "reference/integrate.hpp"
#include "reference/outputs.hpp"
#include "reference/solver.hpp"
#include "run_featherline.hpp"
#include "urdf/reader.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <limits>

using namespace featherline;
using test::contains;
using test::run_featherline;

TEST_CASE("the error measure: relative to the largest entry, NaN is the worst") {
  using reference::compare;
  CHECK(compare({{"x", {1.0, 200.0}}}, {{"x", {1.5, 200.0}}}).relative == doctest::Approx(0.0025));
  CHECK(compare({{"x", {0.1}}}, {{"x", {0.2}}}).relative == doctest::Approx(0.1));
  CHECK(compare({{"x", {1.0}}, {"M", {1.0, 7.0}}}, {{"x", {1.0}}, {"M", {1.0, 8.0}}}).entry == "M[1]");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(compare({{"x", {nan}}}, {{"x", {1.0}}}).relative == std::numeric_limits<double>::infinity());
  CHECK(compare({{"x", {1.0}}}, {{"x", {nan}}}).relative == std::numeric_limits<double>::infinity());
  CHECK(compare({}, {{"x", {1.0}}}).relative == std::numeric_limits<double>::infinity());
  CHECK(compare({{"x", {1.0, 2.0}}}, {{"x", {1.0}}}).relative == std::numeric_limits<double>::infinity());
}

TEST_CASE("the reference Coriolis matrix has the two properties that define one") {
  Diagnostics findings;
  const urdf::Description robot = urdf::read_file("robots/stanford_arm.urdf", findings);
  for (const bool floating : {false, true}) {
    model::BuildOptions options;
    options.floating_base = floating;
    const model::Tree tree = model::build_tree(robot, options, findings);
    std::mt19937 random(7);
    const reference::State x = reference::random_state(tree, random);
    const reference::Outputs C = reference::find_outputs("coriolis_matrix")->compute(tree, x);
    const reference::Outputs view = reference::find_outputs("coriolis_matrix")->compared(x, C);
    const auto bias = reference::find_outputs("bias")->compute(tree, x).front().values;
    const auto gravity = reference::find_outputs("gravity")->compute(tree, x).front().values;
    std::vector<double> expected;
    for (std::size_t i = 0; i < bias.size(); ++i) expected.push_back(bias[i] - gravity[i]);
    CHECK(reference::compare({view.front()}, {{"C v", expected}}).relative < 1e-12);
    // dM/dt by central differences along the motion; their own error is of the order of step^2.
    constexpr double step = 1e-5;
    reference::Solver<double> solver(tree);
    const Eigen::MatrixXd rate = (solver.crba(reference::integrate<double>(tree, x.q, step * x.v)) -
                                  solver.crba(reference::integrate<double>(tree, x.q, -step * x.v))) /
                                 (2.0 * step);
    CHECK(
        reference::compare({view.back()}, {{"C + C^T", {rate.data(), rate.data() + rate.size()}}}).relative <
        1e-6);
  }
}

TEST_CASE("check compiles, compares every function and agrees") {
  const test::Answer answer = run_featherline({"check", test::planar3, "--functions", "dynamics,kinematics"});
  CHECK_MESSAGE(answer.exit_code == 0, answer.out << answer.err);
  for (const char* function :
       {"rnea ", "bias ", "gravity ", "mass_matrix ", "forward_kinematics ", "frame_jacobian "}) {
    CHECK(contains(answer.out, function));
  }
  CHECK(contains(answer.out, "agreed: max |x - ref| / max(1, max |ref|) is allowed up to 1e-10"));
}

TEST_CASE("check notices wrong code: a compiler that swaps plus and minus") {
  // The wrapper spoils the emitted statements before it compiles them.
  cli::TemporaryFolder folder;
  const std::filesystem::path wrapper = folder.path() / "cxx";
  test::write_text(wrapper, R"(#!/bin/sh
for word in "$@"; do
  case $word in *_bias.cpp) sed -i '/^ *const S /s/ + / - /' "${word%.cpp}.ipp";; esac
done
exec c++ "$@"
)");
  std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
  setenv("CXX", wrapper.c_str(), 1);
  const test::Answer answer = run_featherline({"check", test::planar3, "--functions", "bias,gravity"});
  unsetenv("CXX");
  CHECK_MESSAGE(answer.exit_code == 1, answer.out << answer.err);
  CHECK(contains(answer.out, "FAILED"));
  CHECK(contains(answer.out, "DISAGREED"));
}

TEST_CASE("check --size measures what generate estimates") {
  const test::Answer answer =
      run_featherline({"check", "robots/arm6.urdf", "--functions",
                       "rnea,minv,rnea_derivatives,frame_jacobian", "--size", "--keep"});
  REQUIRE_MESSAGE(answer.exit_code == 0, answer.out << answer.err);
  CHECK(contains(answer.out, "code -O2"));
  const std::string before = "files are in ";
  const std::size_t start = answer.out.find(before) + before.size();
  const std::filesystem::path folder = answer.out.substr(start, answer.out.find('\n', start) - start);
  const auto manifest = nlohmann::json::parse(test::read_text(folder / "arm6.json"));
  for (const auto& [name, facts] : manifest["functions"].items()) {
    CAPTURE(name);
    const auto& measured = facts["measured"];
    // Other compilers and processors than the calibrated ones are allowed to differ more than passes/estimate.hpp says.
    CHECK(measured["code_bytes_O2"].get<double>() ==
          doctest::Approx(facts["code_bytes"].get<double>()).epsilon(0.5));
    CHECK(measured["code_bytes_Os"].get<int>() > 500);
    CHECK(measured["stack_bytes"].get<double>() ==
          doctest::Approx(facts["stack_bytes"].get<double>()).epsilon(0.6));
    CHECK(contains(answer.out, " " + std::to_string(measured["code_bytes_Os"].get<int>()) + "\n"));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a compiler that is not there") {
  setenv("CXX", "/no/such/compiler", 1);
  const test::Answer answer = run_featherline({"check", test::planar3, "--functions", "bias"});
  unsetenv("CXX");
  CHECK(answer.exit_code == 1);
  CHECK_MESSAGE(contains(answer.err, "the host compiler \"/no/such/compiler\" failed; set CXX"), answer.err);
}
