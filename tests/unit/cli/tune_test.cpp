// featherline tune, --choices and --optimise-for. Times are written, never asserted.
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <functional>

using namespace featherline;
using test::Answer;
using test::contains;
using test::run_featherline;
using Json = nlohmann::json;

namespace {

/// planar3, tuned once for two functions.
class Tuned {
 public:
  Tuned() {
    answer = run_featherline(
        {"tune", test::planar3, "--functions", "minv,gravity", "-o", original_file().string()});
    REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
    original = Json::parse(test::read_text(original_file()));
  }

  std::filesystem::path original_file() const { return scratch_.path() / "choices.json"; }
  std::filesystem::path folder() const { return scratch_.path() / "out"; }

  /// The file after `change`.
  std::string changed(const std::function<void(Json&)>& change) const {
    Json json = original;
    change(json);
    const std::filesystem::path file = scratch_.path() / "changed.json";
    test::write_text(file, json.dump(2));
    return file.string();
  }

  Answer generate(const std::string& choices, const std::vector<std::string>& more = {}) const {
    std::filesystem::remove_all(folder());
    std::vector<std::string> arguments{"generate",    test::planar3,  "-o",        folder().string(),
                                       "--functions", "minv,gravity", "--choices", choices};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_featherline(arguments);
  }

  std::string formulation(const std::string& function) const {
    return Json::parse(test::read_text(folder() / "planar3.json"))["functions"][function]["formulation"];
  }

  Answer answer;
  Json original;

 private:
  cli::TemporaryFolder scratch_;
};

const Tuned& tuned() {
  static const Tuned once;
  return once;
}

void choose(Json& json, const std::string& function, const std::string& formulation) {
  json["functions"][function]["chosen"] = formulation;
}

}  // namespace

TEST_CASE("tune times every candidate and chooses the fastest") {
  const Json& file = tuned().original;
  CHECK(file["model_sha256"].get<std::string>().size() == 64);
  for (const char* member : {"version", "options", "cpu", "compiler", "flags", "scalar"})
    CHECK_FALSE(file[member].get<std::string>().empty());
  REQUIRE(file["functions"].size() == 2);
  CHECK(file["functions"]["minv"]["candidates"].size() >= 3);
  for (const auto& function : file["functions"]) {
    double best = INFINITY, chosen = INFINITY;
    for (const auto& candidate : function["candidates"]) {
      CHECK(candidate["bytes"].get<int>() > 100);
      CHECK(candidate["predicted_ns"].get<double>() > 0);
      best = std::min(best, candidate["ns"].get<double>());
      if (candidate["name"] == function["chosen"]) chosen = candidate["ns"];
    }
    CHECK(best > 0);
    CHECK(chosen == best);
  }
  CHECK(contains(tuned().answer.out, "vector loops"));
}

TEST_CASE("--choices decides, again and again; --formulation takes precedence") {
  const std::string file = tuned().changed([](Json& json) {
    choose(json, "minv", "AZA columns");
    choose(json, "gravity", "composite first moments");
  });
  REQUIRE(tuned().generate(file).exit_code == 0);
  CHECK(tuned().formulation("minv") == "AZA columns");
  CHECK(tuned().formulation("gravity") == "composite first moments");
  const std::string manifest = test::read_text(tuned().folder() / "planar3.json");
  CHECK(contains(manifest, "--choices"));
  REQUIRE(tuned().generate(file).exit_code == 0);
  CHECK(test::read_text(tuned().folder() / "planar3.json") == manifest);
  REQUIRE(tuned().generate(file, {"--formulation", "minv=sparse factor"}).exit_code == 0);
  CHECK(tuned().formulation("minv") == "sparse factor");
}

TEST_CASE("packed forms come out of another formulation where the choice has none") {
  const std::string file = tuned().changed([](Json& json) { choose(json, "minv", "vector loops"); });
  REQUIRE(tuned().generate(file, {"--functions", "minv,minv_packed"}).exit_code == 0);
  CHECK(tuned().formulation("minv") == "vector loops");
  CHECK(tuned().formulation("minv_packed") != "vector loops");
}

TEST_CASE("a stale, foreign or broken file of choices is refused, with place and remedy") {
  struct Case {
    const char* message;
    std::function<void(Json&)> change;
  };
  const Case cases[] = {
      {"model_sha256: the choices are for another robot", [](Json& j) { j["model_sha256"] = "0"; }},
      {"options: ", [](Json& j) { j["options"] = "--base floating"; }},
      {"files_sha256: ", [](Json& j) { j["files_sha256"] = "1"; }},
      {"scalar: the times are of \"float\"", [](Json& j) { j["scalar"] = "float"; }},
      {"cold: the times are of cold calls", [](Json& j) { j["cold"] = true; }},
      {"functions/crba: there is no such function",
       [](Json& j) { j["functions"]["crba"] = j["functions"]["minv"]; }},
      {"functions/minv/chosen: \"sparse\" is not one of", [](Json& j) { choose(j, "minv", "sparse"); }},
      {"functions/minv: it has no \"chosen\"", [](Json& j) { j["functions"]["minv"] = 1; }},
      {"it is not a file that featherline tune wrote", [](Json& j) { j = Json::array(); }},
      {"it is not a file that featherline tune wrote", [](Json& j) { j["functions"] = "all"; }},
  };
  for (const Case& wrong : cases) {
    CAPTURE(wrong.message);
    const Answer answer = tuned().generate(tuned().changed(wrong.change));
    CHECK(answer.exit_code == 1);
    CHECK_MESSAGE(contains(answer.err, std::string("changed.json: error: ") + wrong.message), answer.err);
    CHECK(contains(answer.err, "featherline tune"));
    CHECK_FALSE(std::filesystem::exists(tuned().folder()));
  }
}

TEST_CASE("other options, versions and machines are said") {
  const Answer gravity = tuned().generate(tuned().original_file().string(), {"--gravity", "0,0,-1.62"});
  CHECK(gravity.exit_code == 1);
  CHECK(contains(gravity.err, "--gravity 0,0,-1.62"));
  const Answer version = tuned().generate(tuned().changed([](Json& j) { j["version"] = "0.0.9"; }));
  CHECK(version.exit_code == 0);
  CHECK(contains(version.err, "warning: the choices were made by featherline 0.0.9"));
  const Answer machine = tuned().generate(tuned().changed([](Json& j) { j["cpu"] = "Z80"; }));
  CHECK(machine.exit_code == 0);
  CHECK(contains(machine.err, "warning: the choices were measured on \"Z80\""));
  const Answer missing = tuned().generate(tuned().changed([](Json& j) { j["functions"].erase("minv"); }));
  CHECK(missing.exit_code == 0);
  CHECK(
      contains(missing.err, "note: there is no choice for \"minv\"; the least predicted time decides there"));
  const Answer forced = tuned().generate(tuned().changed([](Json& j) { j["functions"].erase("minv"); }),
                                         {"--formulation", "minv=sparse factor"});
  CHECK(forced.exit_code == 0);
  CHECK_FALSE(contains(forced.err, "there is no choice"));
}

TEST_CASE("choices stay valid for the same robot in another text") {
  cli::TemporaryFolder scratch;
  const std::string file = (scratch.path() / "planar3.urdf").string(), text = test::read_text(test::planar3);
  const auto generate = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    REQUIRE(contains(changed, from));
    test::write_text(file, changed.replace(changed.find(from), from.size(), to));
    return run_featherline({"generate", file, "-o", (scratch.path() / "out").string(), "--functions",
                            "minv,gravity", "--choices", tuned().original_file().string()});
  };
  CHECK(generate("<robot", "<!-- a comment -->\n<robot").exit_code == 0);
  const Answer other = generate("<mass value=\"0.4", "<mass value=\"0.5");
  CHECK(other.exit_code == 1);
  CHECK_MESSAGE(contains(other.err, "the choices are for another robot"), other.err);
}

TEST_CASE("choices in float: tune measures this machine, and generate takes it") {
  cli::TemporaryFolder scratch;
  const std::string choices = (scratch.path() / "float.json").string();
  const std::vector<std::string> flags{
      "robots/quadruped.urdf", "--base", "floating", "--functions", "gravity", "--scalar", "float", "-o"};
  const auto run = [&](const std::string& command, const std::string& output,
                       const std::vector<std::string>& more) {
    std::vector<std::string> arguments{command};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.push_back(output);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_featherline(arguments);
  };
  REQUIRE(run("tune", choices, {}).exit_code == 0);
  const Json file = Json::parse(test::read_text(choices));
  CHECK(file["scalar"] == "float");
  CHECK(contains(file.dump(), "limb lanes"));
  const std::string out = (scratch.path() / "out").string();
  REQUIRE(run("generate", out, {"--choices", choices}).exit_code == 0);
  const Json manifest = Json::parse(test::read_text(out + "/quadruped.json"));
  CHECK(manifest["functions"]["gravity"]["formulation"] == file["functions"]["gravity"]["chosen"]);
  const Answer other = run("generate", out, {"--choices", choices, "--target", "cortex-m7"});
  CHECK(other.exit_code == 2);
  CHECK(contains(other.err, "--target cortex-m7 is another one; leave out one of them"));
}

TEST_CASE("wrong usage of tune, --choices and --optimise-for") {
  const std::string choices = tuned().original_file().string();
  const auto refuses = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Answer answer = run_featherline(arguments);
    CHECK(answer.exit_code == 2);
    CHECK_MESSAGE(contains(answer.err, message), answer.err);
  };
  refuses({"tune", test::planar3}, "-o FILE is missing");
  refuses({"tune", test::planar3, test::planar3, "-o", "x.json"}, "-o is for one robot");
  const std::vector<std::string> generate{"generate", test::planar3, "-o", "nowhere"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), generate.begin(), generate.end());
    return more;
  };
  refuses(with({"--choices", "no.json"}), "--choices: \"no.json\" cannot be read");
  refuses(with({"--choices", choices, "--optimise-for", "size"}), "--optimise-for asks for others");
  refuses(with({"--optimise-for", "sped"}),
          "\"sped\" is not one of speed, latency, size, flops; did you mean \"speed\"?");
  refuses(with({"--scalar", "float", "--optimise-for", "speed"}), "predicted for x86-64 alone");
}

TEST_CASE("--optimise-for latency takes routines where speed takes straight lines") {
  const auto chosen = [](const std::string& goal) {
    const Answer answer = run_featherline({"compare", "robots/arm7.urdf", "--functions", "aba_derivatives",
                                           "--no-verify", "--format", "json", "--optimise-for", goal});
    REQUIRE(answer.exit_code == 0);
    return Json::parse(answer.out)["functions"]["aba_derivatives"]["chosen"];
  };
  CHECK(chosen("speed") == "DMM");
  CHECK(chosen("latency") == "dense kernels");  // half the code
}

TEST_CASE("--optimise-for latency reads the lines of large outputs before it stores to them") {
  cli::TemporaryFolder scratch;
  for (const std::string goal : {"speed", "latency"}) {
    CAPTURE(goal);
    const std::string out = (scratch.path() / goal).string();
    REQUIRE(run_featherline({"generate", "robots/arm7.urdf", "-o", out, "--functions", "regressor,rnea",
                             "--no-verify", "--optimise-for", goal})
                .exit_code == 0);
    const std::string text = test::read_text(out + "/arm7_regressor.ipp");
    const std::size_t touched = text.find("touch_results<490>(Y)"), dense = text.find("void regressor(");
    CHECK((touched != std::string::npos) == (goal == "latency"));
    if (touched != std::string::npos) CHECK(touched > dense);
    CHECK(text.find("touch_results", touched + 1) == std::string::npos);
    CHECK_FALSE(contains(test::read_text(out + "/arm7_rnea.ipp"), "touch_results"));  // 56 bytes
  }
}

TEST_CASE("--optimise-for latency on a Cortex-M takes the least code, and says why") {
  cli::TemporaryFolder scratch;
  const auto run = [&](const std::string& goal) {
    const std::string out = (scratch.path() / goal).string();
    const Answer answer = run_featherline({"generate", test::planar3, "-o", out, "--scalar", "float",
                                           "--target", "cortex-m4f", "--optimise-for", goal});
    CHECK(answer.exit_code == 0);
    CHECK((goal == "latency") ==
          contains(answer.err, "note: --optimise-for latency: a cortex-m4f has no caches to fill"));
    return Json::parse(test::read_text(out + "/planar3.json"))["functions"];
  };
  CHECK(run("latency") == run("size"));
}

TEST_CASE("tune --cold times calls that find nothing in the caches, for --optimise-for latency") {
  cli::TemporaryFolder scratch;
  const std::string choices = (scratch.path() / "cold.json").string(),
                    out = (scratch.path() / "out").string();
  const std::vector<std::string> robot{test::planar3, "--functions", "gravity"};
  const auto run = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.begin() + 1, robot.begin(), robot.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_featherline(arguments);
  };
  const Answer tuned = run({"tune", "--cold", "-o", choices}, {});
  REQUIRE_MESSAGE(tuned.exit_code == 0, tuned.err);
  CHECK(contains(tuned.out, "~cold"));
  const Json file = Json::parse(test::read_text(choices));
  CHECK(file["cold"] == true);
  const Json& gravity = file["functions"]["gravity"];
  double best = INFINITY, chosen = INFINITY;
  for (const Json& candidate : gravity["candidates"]) {
    CHECK(candidate["predicted_cold_ns"] > candidate["predicted_ns"]);
    CHECK(candidate["work"]["run_code"] > 0);
    best = std::min(best, candidate["cold_ns"].get<double>());
    if (candidate["name"] == gravity["chosen"]) chosen = candidate["cold_ns"];
  }
  CHECK(best > 0);
  CHECK(chosen == best);
  CHECK(run({"generate", "--choices", choices, "-o", out}, {"--optimise-for", "latency"}).exit_code == 0);
  CHECK(contains(run({"generate", "--choices", choices, "-o", out}, {}).err, "add --optimise-for latency"));
}

TEST_CASE("tune does not overwrite what it did not write") {
  cli::TemporaryFolder scratch;
  const std::filesystem::path file = scratch.path() / "mine.txt";
  test::write_text(file, "my notes");
  const Answer answer =
      run_featherline({"tune", test::planar3, "--functions", "gravity", "-o", file.string()});
  CHECK(answer.exit_code == 1);
  CHECK(contains(answer.err, "was not written by featherline"));
  CHECK(contains(answer.err, "name another file with -o"));
  CHECK(test::read_text(file) == "my notes");
}

TEST_CASE("nothing overwrites a file that is read, not even with --force") {
  cli::TemporaryFolder scratch;
  const std::string robot = (scratch.path() / "robot.urdf").string(), text = test::read_text(test::planar3);
  test::write_text(robot, text);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"tune", robot, "--functions", "gravity", "-o", robot, "--force"},
        {"generate", robot, "--functions", "gravity", "-o", (scratch.path() / "out").string(), "--depfile",
         robot, "--force"}}) {
    const Answer answer = run_featherline(arguments);
    CHECK(answer.exit_code == 2);
    CHECK_MESSAGE(contains(answer.err, "is a file that this run reads"), answer.err);
    CHECK(test::read_text(robot) == text);
  }
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "out"));
}

TEST_CASE("the rule of --depfile lists the choices") {
  const std::string depfile = (tuned().folder() / "rule.d").string();
  REQUIRE(tuned().generate(tuned().original_file().string(), {"--depfile", depfile}).exit_code == 0);
  CHECK(contains(test::read_text(depfile), "choices.json"));
}

TEST_CASE("--optimise-for: the least code, the fewest flops, the least predicted time, warm and cold") {
  cli::TemporaryFolder scratch;
  const auto facts = [&](const std::string& goal) {
    const std::string folder = (scratch.path() / goal).string();
    REQUIRE(run_featherline({"generate", "robots/quadruped.urdf", "--base", "floating", "--functions",
                             "rnea_derivatives,minv,rnea_second_derivatives", "-o", folder, "--optimise-for",
                             goal, "--no-verify"})
                .exit_code == 0);
    return Json::parse(test::read_text(folder + "/quadruped.json"))["functions"];
  };
  const Json speed = facts("speed"), latency = facts("latency"), size = facts("size"), flops = facts("flops");
  for (const auto& [name, entry] : speed.items()) {
    const auto& which = name;
    CAPTURE(which);
    for (const Json& other : {size, flops}) {
      CHECK(entry["predicted_ns"] <= other[name]["predicted_ns"]);
      CHECK(size[name]["code_bytes"] <= other[name]["code_bytes"]);
    }
    CHECK(size[name]["code_bytes"] <= entry["code_bytes"]);
    for (const Json& other : {speed, size, flops})
      CHECK(latency[name]["predicted_cold_ns"] <= other[name]["predicted_cold_ns"]);
  }
}
