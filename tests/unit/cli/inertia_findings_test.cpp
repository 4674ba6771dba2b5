// Bodies without inertia and bodies that cannot be: what is left out, what --allow lets pass.
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace inertia_findings_test {

using namespace featherline;
using test::Answer;
using test::contains;
using test::run_featherline;

namespace {

std::string link(const std::string& name, const std::string& mass, const std::string& ixx) {
  return "<link name='" + name + "'><inertial><origin xyz='0.1 0 0'/><mass value='" + mass +
         "'/><inertia ixx='" + ixx + "' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial></link>\n";
}

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& axis = "0 1 0") {
  return "<joint name='" + name + "' type='continuous'><parent link='" + parent + "'/><child link='" + child +
         "'/><origin xyz='0 0.2 0.1'/><axis xyz='" + axis + "'/>" + inside + "</joint>\n";
}

/// An arm with a universal wrist, two fingers without inertia and a coupled one with.
std::string hand() {
  return "<robot name='hand'><link name='base'/>\n" + link("arm", "2", "0.02") + joint("a", "base", "arm") +
         link("palm", "1", "0.01") +
         joint("b", "arm", "palm", "<featherline_joint type='universal' axis2='1 0 0'/>") +
         "<link name='thumb'/><link name='index'/>\n" + joint("c", "palm", "thumb") +
         joint("d", "palm", "index") + link("ring", "0.1", "0.01") +
         joint("e", "palm", "ring", "<mimic joint='a' multiplier='0.5'/>") + "</robot>";
}

std::string unphysical() {
  return "<robot name='odd'><link name='base'/>\n" + link("arm", "2", "0.02") + joint("a", "base", "arm") +
         link("bar", "1", "-0.001") + joint("b", "arm", "bar", "", "1 0 0") + link("lid", "-0.1", "0.01") +
         joint("c", "bar", "lid") + "</robot>";
}

class Input {
 public:
  explicit Input(const std::string& urdf) { test::write_text(scratch_.path() / "r.urdf", urdf); }

  Answer run(const std::string& command, const std::vector<std::string>& flags) const {
    std::vector<std::string> arguments{command, (scratch_.path() / "r.urdf").string()};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_featherline(arguments);
  }
  Answer generate(std::vector<std::string> flags) const {
    flags.insert(flags.end(), {"-o", folder().string()});
    return run("generate", flags);
  }
  std::filesystem::path folder() const { return scratch_.path() / "out"; }
  nlohmann::json manifest(const std::string& name) const {
    return nlohmann::json::parse(test::read_text(folder() / (name + ".json")));
  }

 private:
  cli::TemporaryFolder scratch_;
};

}  // namespace

TEST_CASE("joints without inertia remove what inverts M from a group, with one warning that names them") {
  const Input robot(hand());
  for (const std::string base : {"fixed", "floating"}) {
    const Answer answer = robot.generate({"--functions", "all", "--batch", "--base", base});
    REQUIRE(answer.exit_code == 0);
    CHECK_MESSAGE(contains(answer.err,
                           "joints \"c\", \"d\" move without inertia (links behind them: "
                           "\"thumb\", \"index\"), so the mass matrix has no inverse: aba, aza, minv"),
                  answer.err);
    CHECK(std::count(answer.err.begin(), answer.err.end(), '\n') == 1);
    const nlohmann::json functions = robot.manifest("hand")["functions"];
    for (const std::string name :
         {"aba", "aza", "minv", "minv_packed", "aba_derivatives", "aba_second_derivatives",
          "aba_vector_hessian", "minv_vector_derivative_packed"}) {
      CAPTURE(name);
      CHECK(contains(answer.err, name));
      CHECK_FALSE(functions.contains(name));
    }
    for (const std::string name : {"rnea", "mass_matrix_packed", "rnea_derivatives",
                                   "rnea_second_derivatives", "rnea_vector_hessian", "frame_jacobian"}) {
      CAPTURE(name);
      CHECK(functions.contains(name));
    }
  }
}

TEST_CASE("a default run does the same, a named function is an error") {
  const Input robot(hand());
  const Answer by_default = robot.generate({});
  CHECK(by_default.exit_code == 0);
  CHECK(contains(by_default.err, "left out"));
  const Answer named = robot.generate({"--functions", "rnea,aba"});
  CHECK(named.exit_code == 1);
  CHECK(contains(named.err, "error: joints \"c\", \"d\" move without inertia"));
}

TEST_CASE("a tiny inertia is kept") {
  std::string urdf = hand();
  for (const std::string name : {"thumb", "index"}) {
    const std::string empty = "<link name='" + name + "'/>";
    urdf.replace(urdf.find(empty), empty.size(),
                 "<link name='" + name +
                     "'><inertial><mass value='1e-6'/><inertia ixx='1e-11' ixy='0' ixz='0' "
                     "iyy='1e-11' iyz='0' izz='1e-11'/></inertial></link>");
  }
  const Input robot(urdf);
  const Answer answer = robot.generate({"--functions", "dynamics"});
  CHECK(answer.exit_code == 0);
  CHECK_FALSE(contains(answer.err, "left out"));
}

TEST_CASE(
    "what forward dynamics cannot resolve at 1e-10 is left out: a light ring between two bodies on one "
    "axis") {
  const auto with_ring = [](const std::string& inertia) {
    return "<robot name='ring'><link name='base'/><link name='ring'><inertial><mass value='0.1'/><inertia "
           "ixx='" +
           inertia + "' ixy='0' ixz='0' iyy='" + inertia + "' iyz='0' izz='" + inertia +
           "'/></inertial></link>" + joint("a", "base", "ring") + link("wheel", "1", "1") +
           "<joint name='b' type='continuous'><parent link='ring'/><child link='wheel'/><axis xyz='0 1 "
           "0'/></joint></robot>";
  };
  const Answer light = Input(with_ring("1e-10")).generate({"--functions", "dynamics"});
  CHECK(light.exit_code == 0);
  CHECK_MESSAGE(
      contains(light.err, "joint \"a\" moves almost without inertia, too little for double precision"),
      light.err);
  const Answer heavy = Input(with_ring("1e-7")).generate({"--functions", "dynamics"});
  CHECK_MESSAGE(!contains(heavy.err, "left out"), heavy.err);
}

TEST_CASE("unphysical inertias are errors, or warnings with --allow, which banner and manifest tell") {
  const Input robot(unphysical());
  const Answer refused = robot.generate({});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "error: link \"bar\" has a negative principal moment"));
  CHECK(contains(refused.err, "error: link \"lid\" has negative mass -0.1"));
  CHECK(contains(refused.err, "--allow unphysical-inertia"));
  const Answer allowed = robot.generate({"--allow", "unphysical-inertia"});
  REQUIRE_MESSAGE(allowed.exit_code == 0, allowed.err);
  CHECK_FALSE(contains(allowed.err, "error:"));
  CHECK_FALSE(contains(allowed.err, "left out"));
  CHECK(contains(robot.manifest("odd")["options"].dump(), "--allow unphysical-inertia"));
  CHECK(contains(test::read_text(robot.folder() / "odd.hpp"), "--allow unphysical-inertia"));
  CHECK(robot.run("inspect", {"--allow", "unphysical-inertia"}).exit_code == 0);
  CHECK(robot.run("inspect", {}).exit_code == 1);
}

TEST_CASE("words that nobody knows stop the run, unless they are allowed") {
  std::string text = unphysical();
  text.replace(text.find("'-0.001'"), 8, "'0.02'");
  text.replace(text.find("'-0.1'"), 6, "'0.1'");
  text.replace(text.find("<origin xyz"), 11, "<origin turn='0 0 1 0' xyz");
  const Input robot(text);
  const Answer refused = robot.generate({});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "attribute \"turn\" in <origin> of"));
  CHECK_FALSE(std::filesystem::exists(robot.folder()));
  const Answer allowed = robot.generate({"--allow", "unknown-attribute"});
  CHECK(allowed.exit_code == 0);
  CHECK(contains(allowed.err, "warning: ignored: attribute \"turn\" in <origin>"));
  CHECK(contains(robot.manifest("odd")["options"].dump(), "--allow unknown-attribute"));
  CHECK(robot.generate({"--allow", "unknown-attribute", "--werror"}).exit_code == 1);
}

TEST_CASE("accepted warnings are as if nobody had made them") {
  std::string text = "<robot name='flat'><link name='base'/>" + link("arm", "2", "0") +
                     joint("a", "base", "arm") + "<foreign/></robot>";
  const Input robot(text);
  const Answer told = robot.generate({});
  CHECK(contains(told.err, "correct the inertia [zero-moment]\n"));
  CHECK(contains(told.err, "remove it [unknown-attribute]\n"));
  const Answer one = robot.generate({"--accept", "zero-moment"});
  CHECK_FALSE(contains(one.err, "zero-moment"));
  CHECK(contains(one.err, "[unknown-attribute]"));
  CHECK(contains(robot.generate({"--accept", "zero-moment", "--werror"}).err, "1 warning stops the run"));
  const std::vector<std::string> both{"--accept", "zero-moment,unknown-attribute", "--werror"};
  CHECK(robot.generate(both).exit_code == 0);
  CHECK(robot.generate(both).err.empty());
  for (const std::string command : {"inspect", "compare"}) {
    std::vector<std::string> flags = both;
    if (command == "compare") flags.insert(flags.end(), {"--functions", "gravity"});
    CHECK(robot.run(command, flags).exit_code == 0);
  }
  CHECK(nlohmann::json::parse(robot.generate({"--diagnostics", "json"}).err)[0]["finding"] == "zero-moment");
  const Answer unknown = robot.generate({"--accept", "zero-momnet"});
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.err, "did you mean \"zero-moment\"?"));
}

TEST_CASE("quiet leaves errors, and warnings that stop the run") {
  const Input odd("<robot name='flat'><link name='base'/>" + link("arm", "2", "0") +
                  joint("a", "base", "arm") + "<gazebo/></robot>");
  CHECK(contains(odd.generate({}).err, "note: "));
  const Answer quiet = odd.generate({"--quiet"});
  CHECK(quiet.exit_code == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.err.empty());
  const Answer without_report = odd.generate({"--no-report"});
  CHECK(without_report.out.empty());
  CHECK(contains(without_report.err, "[zero-moment]"));
  const Answer stopped = odd.generate({"--quiet", "--werror"});
  CHECK(stopped.exit_code == 1);
  CHECK(contains(stopped.err, "[zero-moment]"));
  CHECK_FALSE(contains(stopped.err, "note: "));
  const Answer refused = Input(unphysical()).generate({"--quiet"});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "error: "));
  CHECK_FALSE(contains(refused.err, "warning: "));
}

}  // namespace inertia_findings_test
