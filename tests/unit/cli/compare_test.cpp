// featherline compare. Times are printed, never asserted.
#include "catalog/functions.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>

using namespace featherline;
using test::Answer;
using test::contains;
using test::run_featherline;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string compared(const Words& arguments) {
  const Answer answer = run_featherline(Words{"compare"} + arguments);
  REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
  return answer.out;
}

Json compared_json(const Words& arguments) {
  return Json::parse(compared(arguments + Words{"--format", "json"}));
}

/// The formulations that generate takes, by function.
Json generated(const Words& arguments) {
  const cli::TemporaryFolder folder;
  const Answer answer =
      run_featherline(Words{"generate"} + arguments + Words{"-o", folder.path().string(), "--name", "robot"});
  REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
  return Json::parse(test::read_text(folder.path() / "robot.json"))["functions"];
}

/// The name alone: behind a semicolon the manifest says more.
std::string formulation_of(const Json& function) {
  const std::string text = function["formulation"];
  return text.substr(0, text.find(';'));
}

/// Every formulation of the catalogue once: in the table, or left out with a reason.
void check_complete(const std::string& name, const Json& function) {
  std::multiset<std::string> listed, expected;
  for (const Json& row : function["formulations"]) listed.insert(row["name"].get<std::string>());
  for (const Json& row : function["left_out"]) {
    listed.insert(row["name"].get<std::string>());
    CHECK_FALSE(row["reason"].get<std::string>().empty());
  }
  for (const catalog::Formulation& formulation : catalog::find(name)->formulations)
    expected.insert(formulation.name);
  CHECK(listed == expected);
}

void check_row(const Json& row) {
  CAPTURE(row["name"]);
  CHECK(row["flops"] <= row["flops_before"]);
  CHECK(row["code_bytes"] > 0);
  CHECK(row["predicted_cold_ns"] > row["predicted_ns"]);
  CHECK(row["error"] <= 1e-10);
  if (row["written"].is_null()) return;
  long written = 0;
  for (const auto& [kind, count] : row["written"].items()) written += count.get<long>();
  CHECK(written >= row["flops_before"].get<long>());
}

void check_functions(const Json& comparison, const Json& manifest) {
  CHECK(comparison["functions"].size() == manifest.size());
  for (const auto& [name, function] : comparison["functions"].items()) {
    const auto& which = name;
    CAPTURE(which);
    check_complete(name, function);
    int chosen = 0;
    for (const Json& row : function["formulations"]) {
      check_row(row);
      if (!row["chosen"]) continue;
      ++chosen;
      CHECK(row["name"] == formulation_of(manifest[name]));
      for (const char* figure : {"flops", "sincos", "code_bytes"})
        CHECK(row[figure] == manifest[name][figure]);
    }
    CHECK(chosen == 1);
    CHECK(function["chosen"] == formulation_of(manifest[name]));
  }
}

constexpr const char* arm6 = "robots/arm6.urdf";
constexpr const char* quadruped = "robots/quadruped.urdf";

}  // namespace

TEST_CASE("compare lists every formulation once, and marks the one that generate takes") {
  for (const Words& arguments :
       {Words{arm6}, Words{quadruped, "--base", "floating"},
        Words{quadruped, "--base", "floating", "--lanes", "off"},
        Words{arm6, "--optimise-for", "size", "--functions", "minv,rnea_derivatives"},
        Words{arm6, "--optimise-for", "latency", "--functions", "minv,rnea_derivatives"}}) {
    CAPTURE(arguments.back());
    check_functions(compared_json(arguments), generated(arguments));
  }
}

TEST_CASE("compare takes the options of the robot and of its functions") {
  for (const Words& arguments :
       {Words{quadruped, "--base", "floating", "--functions", "rnea,frames,constrained_dynamics", "--frames",
              "front_left_foot", "--contacts", "front_left_foot,front_right_foot", "--external-forces",
              "front_left_foot", "--parameters", "gravity"},
        Words{arm6, "--functions", "rnea_second_derivatives,whole-body", "--formulation",
              "rnea_second_derivatives=ground frame"}}) {
    CAPTURE(arguments.back());
    check_functions(compared_json(arguments), generated(arguments));
  }
}

TEST_CASE("a packed form by itself has no loops; beside its dense form it has no rows") {
  const Json packed = compared_json({arm6, "--functions", "minv_packed"})["functions"];
  REQUIRE(packed.size() == 1);
  const Json& function = packed["minv_packed"];
  check_complete("minv", function);
  CHECK(contains(function["left_out"].dump(),
                 "{\"name\":\"vector loops\",\"reason\":\"it has no packed form\"}"));
  CHECK(compared_json({arm6, "--functions", "minv,minv_packed"})["functions"].size() == 1);
}

TEST_CASE("what is left out has the reason") {
  const std::string text = compared({arm6, "--functions", "rnea,aba"});
  CHECK(contains(text, "\nleft out:\n  limb lanes of "));
  const Json lanes = compared_json({quadruped, "--functions", "rnea", "--lanes", "off"});
  CHECK(lanes["functions"]["rnea"]["left_out"][0]["reason"] == "--lanes off forbids lanes");
}

TEST_CASE("markdown: the table has as many cells in every row") {
  const std::string text = compared({arm6, "--functions", "rnea,minv", "--format", "markdown"});
  std::istringstream lines(text);
  std::ptrdiff_t cells = 0;
  int tables = 0, rows = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_row = line.rfind('|', 0) == 0;
    const std::ptrdiff_t bars = std::count(line.begin(), line.end(), '|');
    if (is_row && cells == 0) ++tables;
    if (is_row && cells != 0) CHECK(bars == cells);
    cells = is_row ? bars : 0;
    rows += is_row ? 1 : 0;
  }
  CHECK(tables == 1);
  CHECK(rows > 8);
  CHECK(contains(text, "| `minv` | **sparse factor** |"));
}

TEST_CASE("text: one line a formulation, the chosen ones marked, at most 120 columns") {
  const std::string text = compared({arm6});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
  CHECK(contains(text, "\nminv\n* sparse factor "));
  CHECK(contains(text, "\n  AZA columns "));
}

TEST_CASE("--measure adds measured times and bytes to every row") {
  const Json json = compared_json({test::planar3, "--functions", "gravity,frame_jacobian", "--measure"});
  for (const char* fact : {"cpu", "compiler", "flags"})
    CHECK_FALSE(json["measured_on"][fact].get<std::string>().empty());
  for (const Json& function : json["functions"]) {
    for (const Json& row : function["formulations"]) {
      CHECK(row["measured"]["ns"] > 0.0);
      CHECK(row["measured"]["code_bytes"] > 50);
    }
  }
}

TEST_CASE("--no-verify leaves the errors out; several robots are an array") {
  const Json robots = compared_json({test::planar3, arm6, "--functions", "gravity", "--no-verify"});
  REQUIRE(robots.size() == 2);
  CHECK(robots[1]["robot"] == "arm6");
  CHECK(robots[1]["functions"]["gravity"]["formulations"][0]["error"].is_null());
}

TEST_CASE("a Cortex-M has bytes of its own, and cycles in place of ns") {
  const Json json = compared_json({arm6, "--functions", "rnea", "--target", "cortex-m7"});
  CHECK(json["target"] == "cortex-m7");
  const Json& row = json["functions"]["rnea"]["formulations"][0];
  CHECK(row["predicted_ns"].is_null());
  CHECK(row["predicted_cycles"] > row["flops"]);
}

TEST_CASE("wrong usage of compare") {
  const auto refuses = [](const Words& arguments, const std::string& message, int exit_code = 2) {
    const Answer answer = run_featherline(Words{"compare"} + arguments);
    CHECK(answer.exit_code == exit_code);
    CHECK(answer.out == "");
    CHECK_MESSAGE(contains(answer.err, message), answer.err);
  };
  refuses({}, "the file of a robot is required; see featherline compare --help");
  refuses({arm6, "--functions", "rnae"}, "did you mean \"rnea\"?");
  refuses({arm6, "--format", "dot"}, "--format: \"dot\" is not one of text, json, markdown");
  refuses({arm6, "--scalar", "float"}, "unknown flag \"--scalar\"");
  refuses({arm6, "--target", "cortex-m7", "--measure"}, "--measure times on this machine");
  refuses({arm6, "--choices", "no.json"}, "--choices: \"no.json\" cannot be read");
  refuses({"no.urdf"}, "no.urdf", 1);
}
