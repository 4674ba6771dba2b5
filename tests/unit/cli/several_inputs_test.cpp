// Several robots in one run: each in turn, the worst exit code, all files or none.
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const std::string pendulum = "robots/double_pendulum.urdf", missing = "no/such.urdf";

std::ptrdiff_t manifests_in(const std::filesystem::path& folder) {
  const std::vector<std::string> names = test::names_in(folder);
  return std::count_if(names.begin(), names.end(), [](const std::string& name) {
    return std::filesystem::path(name).extension() == ".json";
  });
}

}  // namespace

TEST_CASE("inspect shows what each would show alone; one at fault does not hide the others") {
  const std::string first = run_featherline({"inspect", test::planar3}).out;
  const std::string second = run_featherline({"inspect", pendulum}).out;
  const test::Answer both = run_featherline({"inspect", test::planar3, pendulum});
  CHECK(both.exit_code == 0);
  CHECK(both.out == first + "\n" + second);
  const test::Answer three = run_featherline({"inspect", test::planar3, missing, pendulum});
  CHECK(three.exit_code == 1);
  CHECK(contains(three.out, first));
  CHECK(contains(three.out, second));
  CHECK(contains(three.err, missing + ": error: "));
}

TEST_CASE("inspect --format=json of several is one array, in order, with a place for what cannot be read") {
  const test::Answer answer = run_featherline({"inspect", missing, test::planar3, pendulum, "--format=json"});
  CHECK(answer.exit_code == 1);
  const auto robots = nlohmann::json::parse(answer.out);
  REQUIRE(robots.size() == 3);
  CHECK(robots[0]["file"] == missing);
  CHECK(robots[0]["diagnostics"][0]["severity"] == "error");
  CHECK_FALSE(robots[0].contains("nq"));
  CHECK(robots[1]["name"] == "planar3");
  CHECK(robots[2]["file"] == pendulum);
}

TEST_CASE("findings of all inputs are one JSON array") {
  const test::Answer answer = run_featherline({"inspect", missing, pendulum, "x.urdf", "--diagnostics=json"});
  const auto findings = nlohmann::json::parse(answer.err);
  REQUIRE(findings.size() >= 2);
  CHECK(findings.front()["file"] == missing);
  CHECK(findings.back()["file"] == "x.urdf");
}

TEST_CASE("a robot too large for matrices is refused before anything is computed") {
  cli::TemporaryFolder folder;
  const std::string robot = (folder.path() / "chain.urdf").string();
  std::string text = R"(<robot name="chain"><link name="l0"/>)";
  for (int i = 1; i <= 3000; ++i) {
    const std::string k = std::to_string(i), parent = std::to_string(i - 1);
    text += "<link name=\"l" + k + "\"/><joint name=\"j" + k + "\" type=\"continuous\"><parent link=\"l" +
            parent + "\"/><child link=\"l" + k + "\"/><axis xyz=\"0 0 1\"/></joint>";
  }
  test::write_text(robot, text + "</robot>");
  const std::string out = (folder.path() / "out").string();
  const test::Answer answer = run_featherline({"generate", robot, "-o", out, "--functions", "rnea,minv"});
  CHECK(answer.exit_code == 1);
  CHECK_MESSAGE(contains(answer.err,
                         "the robot has 3000 degrees of freedom; arrays of more than 8 million entries "
                         "would be needed for minv; ask for other functions"),
                answer.err);
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("generate writes all robots into one folder") {
  cli::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const test::Answer answer =
      run_featherline({"generate", test::planar3, pendulum, "-o", out, "--functions", "bias"});
  CHECK(answer.exit_code == 0);
  CHECK(manifests_in(out) == 2);
  CHECK(answer.out.find("planar3: nq = 3") < answer.out.find("double_pendulum: nq = 2"));
}

TEST_CASE("generate writes nothing when one robot is at fault or two would write the same file") {
  cli::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const test::Answer faulty =
      run_featherline({"generate", test::planar3, missing, "-o", out, "--functions", "bias"});
  CHECK(faulty.exit_code == 1);
  CHECK(faulty.out == "");
  CHECK_FALSE(std::filesystem::exists(out));

  const std::string twin = (folder.path() / "twin.urdf").string();
  test::write_text(twin, test::read_text(test::planar3));
  const test::Answer twins =
      run_featherline({"generate", test::planar3, twin, "-o", out, "--functions", "bias"});
  CHECK(twins.exit_code == 1);
  CHECK_MESSAGE(
      contains(twins.err, twin + ": error: \"planar3.hpp\" is emitted for \"robots/planar3.urdf\", "
                                 "too; rename one of the robots, or generate it by itself with --name"),
      twins.err);
  CHECK_FALSE(std::filesystem::exists(out));
}
