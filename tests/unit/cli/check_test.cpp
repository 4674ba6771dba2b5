// `check` agrees where code is right, and would notice where it is not.
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>
#include <featherline/batch.hpp>
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
  const description::Description robot = formats::read_file("robots/stanford_arm.urdf", findings);
  for (const bool floating : {false, true}) {
    model::BuildOptions options;
    options.floating_base = floating;
    const model::UserTree tree = model::build_tree(robot, options, findings);
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

namespace {

/// Runs with a compiler that spoils what it compiles: `edit` is a sed script for sources whose name matches `pattern`,
/// and for what belongs to them. Other sources may include them.
test::Answer run_with_spoilt(const std::string& pattern, const std::string& edit,
                             const std::vector<std::string>& arguments) {
  cli::TemporaryFolder folder;
  const std::filesystem::path wrapper = folder.path() / "cxx";
  test::write_text(
      wrapper,
      "#!/bin/sh\nfor word in \"$@\"; do\n  for file in \"$word\" "
      "$(sed -n \"s|^#include \\\"\\(.*[.]cpp\\)\\\"|${word%/*}/\\1|p\" -- \"$word\" 2>/dev/null); do\n"
      "    case $file in *" +
          pattern + ") [ -e \"$file\" ] && sed -i '" + edit +
          "' \"$file\" \"${file%.cpp}.ipp\" 2>/dev/null;; esac\n  done\ndone\nexec c++ \"$@\"\n");
  std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
  setenv("CXX", wrapper.c_str(), 1);
  const test::Answer answer = run_featherline(arguments);
  unsetenv("CXX");
  return answer;
}

/// The line of the table that begins with `row`.
std::string row_of(const test::Answer& answer, const std::string& row) {
  const std::size_t start = ("\n" + answer.out).find("\n" + row + "  ");
  return start == std::string::npos ? "" : answer.out.substr(start, answer.out.find('\n', start) - start);
}

}  // namespace

TEST_CASE("check notices wrong code, names the entry, and says what to try and how to repeat it") {
  const test::Answer answer = run_with_spoilt("_bias.cpp", "/^ *const S /s/ + / - /",
                                              {"check", test::planar3, "--functions", "bias,gravity"});
  CHECK_MESSAGE(answer.exit_code == 1, answer.out << answer.err);
  CHECK(contains(row_of(answer, "bias"), "FAILED"));
  CHECK_FALSE(contains(row_of(answer, "gravity"), "FAILED"));
  CHECK(contains(answer.out, "DISAGREED"));
  CHECK(contains(answer.out, "  bias: tau["));
  CHECK(contains(answer.out, "(joint"));
  CHECK(contains(answer.out, "--functions bias --seed 1 --states 100"));
}

TEST_CASE("check judges the form without structural zeros by itself") {
  const std::vector<std::string> arguments{"check", test::planar3, "--functions", "rnea_vector_hessian"};
  const std::string dense = "rnea_vector_hessian", nonzeros = "rnea_vector_hessian (nonzeros)";
  const test::Answer right = run_featherline(arguments);
  CHECK_MESSAGE(right.exit_code == 0, right.out << right.err);
  CHECK_FALSE(row_of(right, nonzeros).empty());
  const test::Answer no_zero =
      run_with_spoilt("_rnea_vector_hessian.cpp", "s/^  featherline::clear_rows<3>(H + 3);//", arguments);
  CHECK(contains(row_of(no_zero, dense), "FAILED"));
  CHECK_FALSE(contains(row_of(no_zero, nonzeros), "FAILED"));
  const test::Answer no_value =
      run_with_spoilt("_rnea_vector_hessian.cpp", "s/^  H\\[14\\] = .*//", arguments);
  CHECK(contains(row_of(no_value, nonzeros), "FAILED"));
}

TEST_CASE("check judges batches on every instruction set, float, packed forms and the C interface") {
  const test::Answer answer = run_featherline({"check", "robots/double_pendulum.urdf", "--functions",
                                               "rnea,mass_matrix,mass_matrix_packed,frame_jacobian",
                                               "--batch", "--c-api", "--scalar", "double,float"});
  CHECK_MESSAGE(answer.exit_code == 0, answer.out << answer.err);
  for (const std::string function : {"rnea", "mass_matrix", "mass_matrix_packed", "frame_jacobian"}) {
    for (const std::string form :
         {"", " (C)", " (float)", " (C, float)", " (batch, baseline)", " (batch, baseline, float)"}) {
      CHECK_MESSAGE(!row_of(answer, function + form).empty(), function << form << answer.out);
    }
    for (const auto& [set, name] :
         {std::pair{InstructionSet::avx2, "avx2"}, {InstructionSet::avx512, "avx512"}}) {
      CHECK(row_of(answer, function + " (batch, " + name + ")").empty() != is_supported(set));
    }
  }
}

TEST_CASE("check notices a batch that is wrong where the function is right") {
  // Velocities and accelerations change places.
  const test::Answer answer =
      run_with_spoilt("_batch_rnea*.cpp", "s/in + nq, in + nq + nv,/in + nq + nv, in + nq,/",
                      {"check", "robots/double_pendulum.urdf", "--functions", "rnea", "--batch"});
  CHECK_MESSAGE(answer.exit_code == 1, answer.out << answer.err);
  CHECK(contains(row_of(answer, "rnea (batch, baseline)"), "FAILED"));
  CHECK_FALSE(contains(row_of(answer, "rnea"), "FAILED"));
  CHECK(contains(answer.out, "rnea agrees: the formula is right there"));
}

TEST_CASE("check notices a number that float has with five digits only") {
  const test::Answer right =
      run_featherline({"check", test::planar3, "--functions", "gravity", "--scalar", "float"});
  CHECK_MESSAGE(right.exit_code == 0, right.out << right.err);
  const test::Answer wrong =
      run_with_spoilt("_gravity.cpp", "s/S(9\\.81)/S(9.8101)/",
                      {"check", test::planar3, "--functions", "gravity", "--scalar", "float"});
  CHECK_MESSAGE(wrong.exit_code == 1, wrong.out << wrong.err);
  CHECK(contains(row_of(wrong, "gravity (float)"), "FAILED"));
  CHECK(contains(wrong.out, "gravity: another way to compute it: --formulation \"gravity="));
  CHECK_FALSE(contains(wrong.out, "limb lanes"));  // it has no equal limbs
}

TEST_CASE("check notices a C function that writes nothing: not a number, and at which state") {
  const test::Answer answer =
      run_with_spoilt("_gravity.cpp", "/^  ::.*::gravity<double>(/d",
                      {"check", test::planar3, "--functions", "gravity,bias", "--c-api", "--states", "3"});
  CHECK_MESSAGE(answer.exit_code == 1, answer.out << answer.err);
  CHECK(contains(row_of(answer, "gravity (C)"), "FAILED"));
  CHECK_FALSE(contains(row_of(answer, "bias (C)"), "FAILED"));
  CHECK_MESSAGE(contains(answer.out, "  gravity (C): tau[0] (joint1) is nan at state 0: not a number"),
                answer.out);
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
    const auto& which = name;
    CAPTURE(which);
    const auto& measured = facts["measured"];
    // Other compilers and processors than the calibrated ones are allowed to differ more than cost/estimate.hpp says.
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

TEST_CASE("check ends for a robot without a moving joint") {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path() / "still.urdf";
  test::write_text(file, "<robot name='still'><link name='base'/></robot>");
  const test::Answer answer = run_featherline({"check", file, "--functions", "all", "--states", "2"});
  CHECK_MESSAGE(answer.exit_code == 0, answer.out << answer.err);
}
