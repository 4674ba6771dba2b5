// --max-stack and --max-code: what is refused, what is said, and that nothing is written.
#include "option_types.hpp"
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>

namespace budgets_test {

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

/// `generate planar3 -o folder --functions rnea,rnea_derivatives` with more arguments.
test::Answer generate(const std::filesystem::path& folder, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"generate",      test::planar3, "-o",
                                     folder.string(), "--functions", "rnea,rnea_derivatives"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_featherline(arguments);
}

nlohmann::json functions_of(const std::filesystem::path& folder) {
  return nlohmann::json::parse(test::read_text(folder / "planar3.json"))["functions"];
}

}  // namespace

TEST_CASE("a function beyond its budget stops the run and is named with figure and remedy") {
  cli::TemporaryFolder scratch;
  const auto measured = scratch.path() / "measured", refused = scratch.path() / "refused";
  REQUIRE(generate(measured, {}).exit_code == 0);
  for (const std::string what : {"stack", "code"}) {
    CAPTURE(what);
    const int small = functions_of(measured)["rnea"][what + "_bytes"];
    const int large = functions_of(measured)["rnea_derivatives"][what + "_bytes"];
    REQUIRE(small < large);
    const std::string flag = "--max-" + what;
    const test::Answer answer = generate(refused, {flag, std::to_string(large - 1)});
    CHECK(answer.exit_code == 1);
    CHECK(answer.out == "");
    CHECK_MESSAGE(
        contains(answer.err, "error: rnea_derivatives needs about " + std::to_string(large) + " bytes of " +
                                 what + ", and " + flag + " allows " + std::to_string(large - 1) + "; "),
        answer.err);
    CHECK(contains(answer.err, "or raise " + flag));
    CHECK_FALSE(contains(answer.err, "rnea needs"));
    CHECK_FALSE(std::filesystem::exists(refused));
    CHECK(generate(scratch.path() / what, {flag, std::to_string(large)}).exit_code == 0);
  }
}

TEST_CASE("a remedy is advised only if it can help") {
  cli::TemporaryFolder scratch;
  const auto refusal = [&](const std::vector<std::string>& more) {
    const test::Answer answer = generate(scratch.path() / "refused", more);
    CHECK(answer.exit_code == 1);
    return answer.err;
  };
  CHECK(contains(refusal({"--max-stack", "10"}), "try another --formulation"));
  const std::string all_tried = refusal({"--max-code", "10"});
  CHECK_FALSE(contains(all_tried, "--formulation"));
  CHECK(contains(all_tried, "ask for --scalar float alone"));
  CHECK(contains(refusal({"--max-code", "10", "--formulation", "rnea_derivatives=body frames"}),
                 "leave out its --formulation"));
  CHECK_FALSE(contains(refusal({"--max-code", "10", "--target", "x86-64"}), "float"));
}

TEST_CASE("more than 32 KB of stack is said in report and manifest, with the formulation that needs less") {
  cli::TemporaryFolder scratch;
  const auto humanoid = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "robots/humanoid.urdf", "--base", "floating", "-o",
                               (scratch.path() / "out").string(), "--functions", "rnea,rnea_derivatives"});
    return run_featherline(more);
  };
  const auto facts = [&] {
    return nlohmann::json::parse(test::read_text(scratch.path() / "out/humanoid.json"))["functions"];
  };
  const test::Answer fastest = humanoid({});
  const nlohmann::json matrices = facts()["rnea_derivatives"];
  REQUIRE(matrices["stack_bytes"].get<int>() > 32 * 1024);
  const std::string formulation = matrices["less_stack"]["formulation"];
  const int less = matrices["less_stack"]["stack_bytes"];
  CHECK(less <= 32 * 1024);
  const std::string flag = "--formulation \"rnea_derivatives=" + formulation + "\"";
  CHECK_MESSAGE(contains(fastest.out, fmt::format("\nmore than 32 KB of stack (--max-stack sets a limit):\n"
                                                  "  rnea_derivatives: {} bytes; {} needs {}\n",
                                                  matrices["stack_bytes"].get<int>(), flag, less)),
                fastest.out);
  CHECK_FALSE(facts()["rnea"].contains("less_stack"));

  const test::Answer leaner = humanoid({"--formulation", "rnea_derivatives=" + formulation});
  CHECK(facts()["rnea_derivatives"]["stack_bytes"] == less);
  CHECK_FALSE(contains(leaner.out, "KB of stack"));
  const test::Answer demanded = humanoid({"--formulation", "rnea_derivatives=panels"});
  CHECK_MESSAGE(contains(demanded.out, fmt::format("  rnea_derivatives: {} bytes\n",
                                                   facts()["rnea_derivatives"]["stack_bytes"].get<int>())),
                demanded.out);
  CHECK(contains(humanoid({"--max-stack", "32k"}).err, fmt::format("take {} ({} bytes)", flag, less)));
  CHECK(contains(humanoid({"--max-stack", "3k"}).err, "try another --formulation"));
}

TEST_CASE("float alone is estimated for a microcontroller") {
  cli::TemporaryFolder scratch;
  const auto both = scratch.path() / "both", alone = scratch.path() / "alone";
  REQUIRE(generate(both, {"--scalar", "double,float"}).exit_code == 0);
  REQUIRE(generate(alone, {"--scalar", "float"}).exit_code == 0);
  CHECK(functions_of(alone)["rnea"]["code_bytes"].get<int>() <
        functions_of(both)["rnea"]["code_bytes"].get<int>());
  const auto manifest = nlohmann::json::parse(test::read_text(alone / "planar3.json"));
  CHECK(manifest["estimates"]["target"] == "cortex-m7");
}

TEST_CASE("cycles are predicted for a microcontroller, and code in flash takes more") {
  cli::TemporaryFolder scratch;
  const auto cycles = [&](const std::vector<std::string>& more) {
    const test::Answer answer = generate(scratch.path() / "out", more);
    REQUIRE(answer.exit_code == 0);
    const auto facts = functions_of(scratch.path() / "out")["rnea"];
    if (!facts.contains("predicted_cycles")) return 0;
    CHECK_FALSE(facts.contains("predicted_ns"));
    CHECK(contains(answer.out, "~cycles: predicted cycles of the longest way"));
    CHECK_FALSE(contains(answer.out, "~cold"));
    return facts["predicted_cycles"].get<int>();
  };
  CHECK(cycles({}) == 0);
  const int near = cycles({"--scalar", "float"});
  CHECK(near > 0);
  CHECK(cycles({"--scalar", "float", "--target", "cortex-m4f"}) != near);
  const int one = cycles({"--scalar", "float", "--flash-wait-states", "1"});
  const int code = functions_of(scratch.path() / "out")["rnea"]["code_bytes"];
  CHECK(one >= near + code / 16);
  CHECK(std::abs(cycles({"--scalar", "float", "--flash-wait-states", "5"}) - (near + 5 * (one - near))) <= 5);
}

TEST_CASE("sizes have units") {
  for (const auto& row : std::vector<std::pair<std::string, int>>{{"160", 160},
                                                                  {"1k", 1024},
                                                                  {"1K", 1024},
                                                                  {"1KiB", 1024},
                                                                  {"1.5k", 1536},
                                                                  {"2M", 2097152},
                                                                  {"1 kB", 1024}}) {
    CAPTURE(row.first);
    CHECK(cli::bytes_of({"--max-stack", {row.first}}) == row.second);
  }
}

TEST_CASE("the image has functions and what they share, and a budget of its own") {
  cli::TemporaryFolder scratch;
  const auto measured = scratch.path() / "measured", refused = scratch.path() / "refused";
  REQUIRE(generate(measured, {"--scalar", "float"}).exit_code == 0);
  const auto manifest = nlohmann::json::parse(test::read_text(measured / "planar3.json"));
  CHECK(manifest["estimates"]["target"] == "cortex-m7");
  int sum = 0;
  for (const auto& function : manifest["functions"]) sum += function["code_bytes"].get<int>();
  const int image = manifest["estimates"]["image_bytes"];
  CHECK(image > sum + 500);  // sincos
  CHECK(image < sum + 800);
  const test::Answer answer =
      generate(refused, {"--scalar", "float", "--max-image", std::to_string(image - 1)});
  CHECK(answer.exit_code == 1);
  CHECK_MESSAGE(
      contains(answer.err, "need about " + std::to_string(image) + " bytes of code, and --max-image allows " +
                               std::to_string(image - 1) +
                               "; leave functions out of --functions (rnea_derivatives"),
      answer.err);
  CHECK_FALSE(std::filesystem::exists(refused));
  CHECK(generate(refused, {"--scalar", "float", "--max-image", std::to_string(image)}).exit_code == 0);
}

TEST_CASE("a target decides what is estimated, not what is emitted") {
  cli::TemporaryFolder scratch;
  const auto pc = scratch.path() / "pc", m4 = scratch.path() / "m4";
  REQUIRE(generate(pc, {"--scalar", "double,float"}).exit_code == 0);
  REQUIRE(generate(m4, {"--scalar", "double,float", "--target", "cortex-m4f"}).exit_code == 0);
  CHECK(functions_of(m4)["rnea"]["code_bytes"].get<int>() <
        functions_of(pc)["rnea"]["code_bytes"].get<int>());
  CHECK(test::read_text(m4 / "planar3_rnea.cpp") == test::read_text(pc / "planar3_rnea.cpp"));
  const auto manifest = nlohmann::json::parse(test::read_text(m4 / "planar3.json"));
  CHECK(contains(manifest["options"].get<std::string>(), "--target cortex-m4f"));
}

}  // namespace budgets_test
