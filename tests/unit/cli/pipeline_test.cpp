// Stages and what they show; the choice of formulations.
#include "pipeline.hpp"

#include "catalog/functions.hpp"
#include "run_featherline.hpp"
#include "support/as_emitted.hpp"
#include "support/side_by_side.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const Robot& planar3() {
  static const Robot robot = [] {
    Diagnostics findings;
    return read_robot(test::planar3, {}, findings);
  }();
  return robot;
}

/// What an observer of planar3's emission sees, by stage.
std::map<std::string, std::string> stage_texts(const std::vector<std::string>& functions) {
  std::map<std::string, std::string> texts;
  Observer observer;
  observer.stage_done = [&](const std::string& stage, const std::function<std::string()>& text) {
    texts[stage] += text();
  };
  Diagnostics findings;
  emit_robot(read_robot(test::planar3, {}, findings, observer), test::only(functions), observer);
  return texts;
}

/// Operations in the text of an emitted function: + - * / and negations of values, not of numbers.
int operators_in(const std::string& ipp) {
  const std::string body = ipp.substr(ipp.find("void ", ipp.find("\ntemplate")));
  int count = 0;
  std::istringstream lines(body.substr(body.find("{\n") + 2));
  for (std::string line; std::getline(lines, line) && line != "}";) {
    line.erase(std::min(line.find("//"), line.size()));
    if (contains(line, "featherline::sincos<")) continue;  // its pointers
    for (std::size_t number; (number = line.find("S(")) != std::string::npos;)
      line.replace(number, line.find(')', number) + 1 - number, "number");
    count += static_cast<int>(std::count_if(
        line.begin(), line.end(), [](char c) { return std::string("+-*/").find(c) != std::string::npos; }));
  }
  return count;
}

int flops_of(const Emission& emission) { return emission.facts.front().flops; }

const catalog::FunctionSpec& algorithm(const std::string& name) {
  const auto& all = catalog::functions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

/// What names may begin with, by the last table of a header: "w", "wd", "t", ...
std::set<std::string> explained_letters(const std::string& header) {
  std::set<std::string> letters{"u"};  // u1_ to u11_ are one line
  std::istringstream lines(header.substr(header.find("// Names end in")));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("//  ")) continue;
    std::istringstream words(line.substr(4, line.find("  ", 4) - 4));
    for (std::string word; words >> word;)
      letters.insert(word == "t1," ? "t" : word.substr(0, word.find(',')));
  }
  return letters;
}

void check_legend(const Emission& emission) {
  std::set<std::string> letters = explained_letters(emission.files.front().content);
  for (const catalog::FunctionSpec& f : catalog::functions()) {  // entries have the name of their array
    for (const catalog::Argument& output : f.outputs) letters.insert(output.name + "_");
  }
  letters.insert("acceleration_");  // that of the internal function for forward dynamics
  const std::regex definition("const S (?:neg_)?(?:adj_|rate_)?(\\w+) =");
  for (const emit::File& file : emission.files) {
    for (std::sregex_iterator it(file.content.begin(), file.content.end(), definition), end; it != end;
         ++it) {
      const std::string name = (*it)[1];
      INFO("a letter is missing in the legend, templates/cpp/legend.in: ", name);
      CHECK(std::any_of(letters.begin(), letters.end(), [&](const std::string& l) {
        return name.starts_with(l) && std::isdigit(static_cast<unsigned char>(name[l.size()])) != 0;
      }));
    }
  }
}

}  // namespace

TEST_CASE("the header explains every quantity that emitted names speak of") {
  std::vector<std::string> functions;
  for (const catalog::FunctionSpec& f : catalog::functions()) functions.push_back(f.name);
  for (const char* formulation : {"sparse factor", "articulated bodies"}) {
    Options options;
    options.functions = functions;
    options.formulations = {{"aba", formulation}};
    Diagnostics findings;
    check_legend(emit_robot(read_robot(test::planar3, options, findings), options));
  }
}

TEST_CASE("and those of joints that loops tie together") {
  Options options;
  options.functions = {"aba", "rnea_derivatives"};
  options.formulations = {{"aba", "articulated clusters"}};
  options.eliminate = {"pin"};
  Diagnostics findings;
  check_legend(emit_robot(read_robot("robots/parallelogram_leg.urdf", options, findings), options));
}

TEST_CASE("and those of chosen inputs") {
  Options options;
  options.functions = {"rnea", "mass_matrix", "aba", "rnea_derivatives"};
  options.external_forces = {"forearm", "tool"};
  options.parameters = {"gravity", "payload:tool"};
  Diagnostics findings;
  const Robot robot = read_robot("robots/arm6.urdf", options, findings);
  for (const char* formulation : {"body frames", "ground frame", "piecewise frames"}) {
    options.formulations = {{"rnea_derivatives", formulation}};
    check_legend(emit_robot(robot, options));
  }
}

TEST_CASE("every stage is listed and can be dumped without writing anything") {
  const test::Answer list = run_featherline({"generate", test::planar3, "--dump-after=list"});
  CHECK(list.exit_code == 0);
  std::string expected;
  for (const std::string& stage : stage_names()) expected += stage + "\n";
  CHECK(list.out == expected);
  const std::map<std::string, std::string> texts = stage_texts({"rnea", "forward_kinematics"});
  for (const std::string& stage : stage_names()) {
    CAPTURE(stage);
    const test::Answer dump = run_featherline(
        {"generate", test::planar3, "--functions", "rnea,forward_kinematics", "--dump-after", stage});
    CHECK(dump.exit_code == 0);
    REQUIRE(texts.count(stage) == 1);
    if (stage != "files") CHECK(dump.out == texts.at(stage));  // those hold the options, too
    CHECK_FALSE(contains(dump.out, " files in "));             // no report
  }
}

TEST_CASE("dumps show their stage") {
  const auto dump = [](const std::string& stage) {
    return run_featherline({"generate", test::planar3, "--functions", "rnea", "--dump-after", stage}).out;
  };
  CHECK(contains(dump("description"), "joint \"joint2\" revolute: \"link1\" -> \"link2\""));
  CHECK(contains(dump("tree"), "body 1 \"link2\" on 0"));
  CHECK(contains(dump("graph"), "function rnea (link frames)"));
  CHECK(contains(dump("program"), "tau[0] = n"));
  CHECK(contains(dump("files"), "==== planar3.hpp\n"));
}

TEST_CASE("stages come in the order they are listed, the same text every time") {
  std::vector<std::string> seen, texts[2];
  for (std::vector<std::string>& run : texts) {
    seen.clear();
    Observer observer;
    observer.stage_done = [&](const std::string& stage, const std::function<std::string()>& text) {
      if (seen.empty() || seen.back() != stage) seen.push_back(stage);
      run.push_back(text());
    };
    Diagnostics findings;
    const Robot robot = read_robot(test::planar3, {}, findings, observer);
    emit_robot(robot, test::only({"mass_matrix"}), observer);  // one candidate
  }
  CHECK(seen == stage_names());
  CHECK(texts[0] == texts[1]);
}

TEST_CASE("the cheapest formulation is kept, unless another is forced") {
  const catalog::FunctionSpec& gravity = algorithm("gravity");
  REQUIRE(gravity.formulations.size() >= 2);
  const Emission chosen = emit_robot(planar3(), test::only({"gravity"}));
  int cheapest = flops_of(chosen);
  bool found_chosen = false;
  for (const catalog::Formulation& formulation : gravity.formulations) {
    if (!formulation.applies(planar3().tree)) continue;
    Options options = test::only({"gravity"});
    options.formulations["gravity"] = formulation.name;
    const Emission forced = emit_robot(planar3(), options);
    CHECK(forced.facts.front().formulation == formulation.name);
    CHECK(flops_of(forced) >= cheapest);
    found_chosen = found_chosen ||
                   (flops_of(forced) == cheapest && formulation.name == chosen.facts.front().formulation);
  }
  CHECK(found_chosen);
}

TEST_CASE("a function is the same whatever else is asked for") {
  Diagnostics findings;
  const Robot arm6 = read_robot("robots/arm6.urdf", {}, findings);
  for (const std::string name :
       {"coriolis_matrix", "mass_matrix_vector_derivative", "minv_vector_derivative"}) {
    CAPTURE(name);
    const int alone = flops_of(emit_robot(arm6, test::only({name})));
    const Emission among_others = emit_robot(arm6, test::only({name, "rnea_derivatives"}));
    for (const emit::FunctionFacts& facts : among_others.facts) {
      if (facts.name == name) CHECK(facts.flops == alone);
    }
  }
}

TEST_CASE("reported flops are the operations in the emitted text") {
  for (const std::string robot : {"planar3", "stanford_arm"}) {
    Diagnostics findings;
    const Robot read = read_robot("robots/" + robot + ".urdf", {}, findings);
    const Emission emission = emit_robot(read, test::only({"rnea", "gravity", "mass_matrix", "aba"}));
    REQUIRE(emission.facts.size() == 4);
    for (const emit::FunctionFacts& facts : emission.facts) {
      CAPTURE(robot);
      CAPTURE(facts.name);
      const auto file = std::find_if(emission.files.begin(), emission.files.end(), [&](const emit::File& f) {
        return f.relative_name == robot + "_" + facts.name + ".ipp";
      });
      REQUIRE(file != emission.files.end());
      CHECK(operators_in(file->content) == facts.flops);
    }
  }
}

TEST_CASE("work side by side is done once each, and the first failure in order is passed on") {
  for (const int jobs : {1, 2, 7, 100}) {
    std::vector<std::atomic<int>> calls(50);
    side_by_side(jobs, calls.size(), [&](std::size_t k) { ++calls[k]; });
    CHECK(std::all_of(calls.begin(), calls.end(), [](const std::atomic<int>& n) { return n == 1; }));

    std::atomic<std::size_t> last{0};
    const auto fail = [&](std::size_t k) {
      last = std::max<std::size_t>(last, k);
      if (k >= 3) throw std::runtime_error(std::to_string(k));
    };
    CHECK_THROWS_WITH(side_by_side(jobs, 5000, fail), "3");
    CHECK(last < 4999);  // the rest did not begin
  }
}

TEST_CASE("--jobs is a number of threads, and dumps come in order with any") {
  const auto run = [](const std::string& jobs) {
    cli::TemporaryFolder out;
    return run_featherline({"generate", test::planar3, "-o", out.path().string(), "--jobs", jobs,
                            "--dump-after", "program", "--no-report"});
  };
  const auto one = run("1"), four = run("4");
  CHECK(one.exit_code == 0);
  CHECK(one.out == four.out);
  CHECK(run("0").exit_code == 2);
  CHECK(contains(run("1e9").err, "--jobs: \"1e9\" is not a whole number from 1 to 1000"));
}

TEST_CASE("emitted files carry no paths and depend on nothing but their input") {
  cli::TemporaryFolder a, b;
  std::filesystem::copy_file(test::planar3, a.path() / "planar3.urdf");
  std::filesystem::copy_file(test::planar3, b.path() / "planar3.urdf");
  for (const cli::TemporaryFolder* folder : {&a, &b}) {
    REQUIRE(run_featherline({"generate", (folder->path() / "planar3.urdf").string(), "-o",
                             (folder->path() / "out").string()})
                .exit_code == 0);
  }
  const std::vector<std::string> names = test::names_in(a.path() / "out");
  CHECK(names.size() == test::names_in(b.path() / "out").size());
  for (const std::string& name : names) {
    const std::string text = test::read_text(a.path() / "out" / name);
    CHECK(text == test::read_text(b.path() / "out" / name));
    CHECK_FALSE(contains(text, a.path().string()));
  }
}
