// --max-stack and --max-code: what is refused, what is said, and that nothing is written.
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

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

TEST_CASE("float alone is estimated for a microcontroller") {
  cli::TemporaryFolder scratch;
  const auto both = scratch.path() / "both", alone = scratch.path() / "alone";
  REQUIRE(generate(both, {"--scalar", "double,float"}).exit_code == 0);
  REQUIRE(generate(alone, {"--scalar", "float"}).exit_code == 0);
  for (const char* what : {"stack_bytes", "code_bytes"}) {
    CHECK(functions_of(alone)["rnea"][what].get<int>() < functions_of(both)["rnea"][what].get<int>());
  }
}
