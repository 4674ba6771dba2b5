// Flags, exit codes, and which stream what goes to.
#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

struct WrongUsage {
  std::vector<std::string> arguments;
  std::string message;
};

}  // namespace

TEST_CASE("wrong usage names the flag and what is valid, exit code 2") {
  const std::string robot = test::planar3;
  const std::vector<WrongUsage> cases{
      {{}, "A command is required; see featherline --help"},
      {{"generat", robot},
       "\"generat\" is not one of generate, inspect, check, tune, compare; did you mean \"generate\"?"},
      {{"generate", "-o", "x"}, "the file of a robot is required; see featherline generate --help"},
      {{"generate", robot}, "-o DIR is missing"},
      {{"generate", robot, "-o"}, "-o needs a value: DIR; see featherline generate --help"},
      {{"check", robot, "--base", "fixed", "--base=floating"},
       "--base may be given once; see featherline check"},
      {{"inspect", robot, "--werror=1"}, "--werror takes no value"},
      {{"generate", robot, "-o", "x", "--casadi=nq"}, "--casadi takes no value but [tangent]"},
      {{"generate", robot, "-o", "x", "--casadi", "--scalar", "float"},
       "--casadi: CasADi computes in double; add double to --scalar"},
      {{"inspect", robot, "--functions", "rnea"}, "--functions of inspect is for --format html"},
      {{"inspect", "-", robot, "-"}, "'-' may be given once: standard input can be read once"},
      {{"generate", robot, "more", "-o", "x", "--name", "n"}, "--name is for one robot; 2 are given"},
      {{"generate", robot, "more", "-o", "x", "--depfile", "d"}, "--depfile is for one robot; 2 are given"},
      {{"generate", robot, "-o", "x", "--bas", "fixed"}, "unknown flag \"--bas\"; did you mean --base?"},
      {{"inspect", robot, "--bogus=1"}, "unknown flag \"--bogus\"; see featherline inspect --help"},
      {{"generate", robot, "-o", "x", "--base", "flaoting"},
       "--base: \"flaoting\" is not one of fixed, floating; did"},
      {{"generate", robot, "-o", "x", "--mimic", "both"},
       "--mimic: \"both\" is not one of coupled, independent"},
      {{"generate", robot, "-o", "x", "--functions", "rnae"}, "did you mean \"rnea\"?"},
      {{"generate", robot, "-o", "x", "--functions", "minv_nonzeros"}, "ask for \"minv\""},
      {{"generate", robot, "-o", "x", "--functions", "rnea,,bias"},
       "--functions: \"rnea,,bias\" has an empty item"},
      {{"generate", robot, "-o", "x", "--functions", ""}, "--functions: \"\" has an empty item"},
      {{"generate", robot, "-o", "x", "--scalar", "float,half"},
       "--scalar: \"half\" is not one of double, float"},
      {{"generate", robot, "-o", "x", "--gravity", "0,0"}, "--gravity: \"0,0\" is not of the form X,Y,Z"},
      {{"generate", robot, "-o", "x", "--gravity", "0,0,nan"}, "--gravity: \"nan\" is not a finite number"},
      {{"generate", robot, "-o", "x", "--gravity", "0,0,1e999"},
       "--gravity: \"1e999\" is not a finite number"},
      {{"inspect", robot, "--allow", "unphysical"},
       "--allow: \"unphysical\" is not one of unphysical-inertia, unknown-attribute"},
      {{"generate", robot, "-o", "x", "--snap-angles", "-1"},
       "--snap-angles: \"-1\" is not between 0 and 0.5"},
      {{"generate", robot, "-o", "x", "--snap-angles", "1e-9x"},
       "--snap-angles: \"1e-9x\" is not a finite number"},
      {{"generate", robot, "-o", "x", "--joint-order", "no/such"},
       "--joint-order: \"no/such\" cannot be read"},
      {{"generate", robot, "-o", "x", "--joint-order", "robots"}, "--joint-order: \"robots\" cannot be read"},
      {{"generate", robot, "-o", "x", "--formulation", "rnea"}, "--formulation: \"rnea\" is not of the form"},
      {{"generate", robot, "-o", "x", "--formulation", "rnae=x"}, "did you mean \"rnea\"?"},
      {{"generate", robot, "-o", "x", "--formulation", "rnea=link frame"},
       "did you mean \"link frames\"?; featherline generate --help says what each one does"},
      {{"generate", robot, "-o", "x", "--formulation", "rnea=link frames", "--formulation",
        "rnea=link frames"},
       "--formulation: rnea is given twice"},
      {{"generate", robot, "-o", "x", "--functions", "bias", "--formulation", "minv=sparse factor"},
       "--formulation: minv is not among the functions of this run: bias; leave it out, or add minv to "
       "--functions"},
      {{"generate", robot, "-o", "x", "--lanes", "3"}, "--lanes: \"3\" is not one of auto, off"},
      {{"check", robot, "--lanes", "of"}, "--lanes: \"of\" is not one of auto, off; did you mean \"off\"?"},
      {{"generate", robot, "-o", "x", "--lanes", "off", "--formulation", "rnea=limb lanes"},
       "--formulation: \"limb lanes\" computes rnea in lanes, and --lanes off forbids lanes; leave one of "
       "them out"},
      {{"generate", robot, "-o", "x", "--formulation", "rnea=limb lanes"},
       "--formulation: \"limb lanes\" cannot compute rnea: it needs equal limbs, and no two subtrees on one "
       "link have joints of the same types in the same order; there are \"link frames\", \"DeNOC\""},
      {{"generate", robot, "-o", "x", "--formulation", "mass_matrix=denoc"},
       "--formulation: mass_matrix: \"denoc\" is not one of link frames, limb lanes, DeNOC, Gauss; did you "
       "mean "
       "\"DeNOC\"?"},
      {{"generate", robot, "-o", "x", "--dump-after", "grpah"}, "did you mean \"graph\"?"},
      {{"generate", robot, "--dump-after", "tree", "--depfile", "d"}, "--depfile needs -o DIR"},
      {{"generate", robot, "-o", "x", "--diagnostics", "xml"},
       "--diagnostics: \"xml\" is not one of text, full, json"},
      {{"inspect", robot, "--format", "svg"}, "--format: \"svg\" is not one of text, json, dot"},
      {{"generate", robot, "-o", "x", "--c-api", "--name", "math"},
       "--c-api: math.h would hide the system header <math.h>; choose another --name"},
      {{"generate", robot, "-o", "x", "--max-code", "0"},
       "--max-code: \"0\" is not a size from one byte to 1000M; write 2000, 1k, 1.5KiB or 2M (k is 1024)"},
      {{"generate", robot, "-o", "x", "--max-stack", "2q"}, "--max-stack: \"2q\" is not a size"},
      {{"generate", robot, "-o", "x", "--max-image", "k"}, "--max-image: \"k\" is not a size"},
      {{"generate", robot, "-o", "x", "--max-stack", "1e12"},
       "--max-stack: \"1e12\" is not a size from one byte to 1000M"},
      {{"generate", robot, "-o", "x", "--max-code", "4000M"},
       "--max-code: \"4000M\" is not a size from one byte to 1000M"},
      {{"generate", robot, "-o", "x", "--max-image", "1e308k"},
       "--max-image: \"1e308k\" is not a size from one byte to 1000M"},
      {{"generate", robot, "-o", "x", "--max-stack", "-1k"}, "--max-stack: \"-1k\" is not a size"},
      {{"generate", robot, "-o", "x", "--target", "cortex-m8"}, "did you mean \"cortex-m7\"?"},
      {{"generate", robot, "-o", "x", "--target", "cortex-m7"},
       "--target cortex-m7 is estimated in float; add --scalar float"},
      {{"generate", robot, "-o", "x", "--flash-wait-states", "5"},
       "--flash-wait-states 5: cycles are predicted for Cortex-M alone, and the target is x86-64; add "
       "--scalar "
       "float --target cortex-m7 or cortex-m4f, or leave it out"},
      {{"generate", robot, "-o", "x", "--scalar", "float", "--choices", robot, "--flash-wait-states", "5"},
       "--flash-wait-states 5: cycles are predicted for Cortex-M alone, and the target is x86-64"},
      {{"generate", robot, "-o", "x", "--flash-wait-states", "-1"},
       "--flash-wait-states: \"-1\" is not a whole number from 0 to 100"},
      {{"check", robot, "--states", "0"}, "--states: \"0\" is not a whole number from 1 to 1000000"},
      {{"check", robot, "--states", "1.5"}, "--states: \"1.5\" is not a whole number"},
      {{"check", robot, "--states", "1e12"}, "--states: \"1e12\" is not a whole number from 1 to 1000000"},
      {{"check", robot, "--states", "-1e12"}, "--states: \"-1e12\" is not a whole number"},
      {{"check", robot, "--seed", "2147483648"}, "--seed: \"2147483648\" is not a whole number from 0 to"},
      {{"check", robot, "--seed", "1e300"}, "--seed: \"1e300\" is not a whole number from 0 to 2147483647"},
      {{"check", robot, "--seed", "-1"}, "--seed: \"-1\" is not a whole number from 0 to 2147483647"},
  };
  for (const WrongUsage& wrong : cases) {
    CAPTURE(wrong.message);
    const test::Answer answer = run_featherline(wrong.arguments);
    CHECK(answer.exit_code == 2);
    CHECK(answer.out == "");
    CHECK_MESSAGE(contains(answer.err, wrong.message), answer.err);
    CHECK(answer.err.rfind("featherline: error: ", 0) == 0);
    CHECK(std::count(answer.err.begin(), answer.err.end(), '\n') == 1);
  }
  CHECK_FALSE(std::filesystem::exists("x"));
}

TEST_CASE("numbers at the ends of their ranges are taken") {
  std::ostringstream out;
  for (const auto& row : {std::pair{"0", 0U}, {"2147483647", 2147483647U}}) {
    CAPTURE(row.first);
    const auto line = cli::parse_command_line(
        {"check", test::planar3, "--seed", row.first, "--states", "1e6", "--max-code", "1000M"}, out);
    REQUIRE(line.has_value());
    CHECK(line->seed == row.second);
    CHECK(line->states == 1'000'000);
    CHECK(line->options.max_code == 1'048'576'000);
  }
}

TEST_CASE("help and version are answers") {
  const test::Answer version = run_featherline({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.out.rfind("featherline 0.", 0) == 0);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"generate", "--help"},
                                                    {"inspect", "--help"},
                                                    {"check", "--help"}}) {
    const test::Answer help = run_featherline(arguments);
    CHECK(help.exit_code == 0);
    CHECK(contains(help.out, "Usage: featherline"));
    CHECK(help.err == "");
  }
  CHECK(contains(run_featherline({"--help"}).out, "Examples:"));
  CHECK(contains(run_featherline({"generate", "--help"}).out, "dynamics: rnea"));
}

TEST_CASE("a faulty robot: findings on stderr, exit code 1, nothing written") {
  cli::TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  const test::Answer answer = run_featherline({"generate", "no/such.urdf", "-o", out.string()});
  CHECK(answer.exit_code == 1);
  CHECK(answer.out == "");
  CHECK(answer.err.rfind("no/such.urdf: error: ", 0) == 0);
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("findings as JSON are one array, empty when there is nothing to say") {
  const test::Answer bad = run_featherline({"inspect", "no/such.urdf", "--diagnostics=json"});
  CHECK(bad.exit_code == 1);
  const auto findings = nlohmann::json::parse(bad.err);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0]["severity"] == "error");
  CHECK(nlohmann::json::parse(run_featherline({"inspect", test::planar3, "--diagnostics=json"}).err).empty());
}

TEST_CASE("--werror: warnings stop the run before anything is written") {
  cli::TemporaryFolder folder;
  const std::string robot = (folder.path() / "odd.urdf").string();
  std::string text = test::read_text(test::planar3);
  text.replace(text.find("<link name="), 0, "<surprise/>");
  test::write_text(robot, text);
  const std::string out = (folder.path() / "out").string();
  const test::Answer strict =
      run_featherline({"generate", robot, "-o", out, "--functions", "bias", "--werror"});
  CHECK(strict.exit_code == 1);
  CHECK(contains(strict.err, "warning: "));
  CHECK_MESSAGE(contains(strict.err,
                         "1 warning stops the run under --werror; mend the input, accept them by name "
                         "(--accept), or leave the flag out"),
                strict.err);
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK(run_featherline({"generate", robot, "-o", out, "--functions", "bias"}).exit_code == 0);
  CHECK(std::filesystem::exists(out));
}

TEST_CASE("a joint order file") {
  cli::TemporaryFolder folder;
  const std::string order = (folder.path() / "order.txt").string();
  test::write_text(order, "# from the base outwards\r\njoint1\r\n\n  joint2\t\njoint3");
  CHECK(run_featherline({"inspect", test::planar3, "--joint-order", order}).exit_code == 0);
  test::write_text(order, "joint1\njoint3\n");
  const test::Answer answer = run_featherline({"inspect", test::planar3, "--joint-order", order});
  CHECK(answer.exit_code == 1);
  CHECK(contains(answer.err, "joint2"));
}

TEST_CASE("generate --help explains every formulation in one line") {
  std::ostringstream out;
  CHECK_FALSE(cli::parse_command_line({"generate", "--help"}, out).has_value());
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    for (const catalog::Formulation& formulation : function.formulations) {
      CAPTURE(formulation.name);
      CHECK(words_of(formulation) != "");
      CHECK(std::ranges::count(catalog::methods(), formulation.name, &catalog::Method::name) == 1);
      CHECK(test::contains(out.str(), "\n  " + formulation.name + "  "));
    }
  }
}
