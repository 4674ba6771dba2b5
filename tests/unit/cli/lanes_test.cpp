// --lanes, and what is said about limbs where they are computed side by side.
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

using namespace featherline;
using test::Answer;
using test::contains;
using test::run_featherline;

namespace {

class Quadruped {
 public:
  Answer generate(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"generate", "robots/quadruped.urdf", "--base", "floating",
                                       "-o",       folder().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_featherline(arguments);
  }
  std::string file(const std::string& name) const { return test::read_text(folder() / name); }
  nlohmann::json manifest() const { return nlohmann::json::parse(file("quadruped.json")); }

 private:
  std::filesystem::path folder() const { return scratch_.path() / "out"; }

  cli::TemporaryFolder scratch_;
};

}  // namespace

TEST_CASE("manifest and header name equal limbs; the reading guide says which lane is which") {
  const Quadruped robot;
  REQUIRE(robot.generate({"--functions", "rnea,mass_matrix", "--formulation", "rnea=limb lanes"}).exit_code ==
          0);
  const auto limbs = robot.manifest()["limbs"];
  REQUIRE(limbs.size() == 1);
  CHECK(limbs[0]["names"] == nlohmann::json{"front_left", "front_right", "rear_left", "rear_right"});
  CHECK(robot.manifest()["functions"]["rnea"]["formulation"] == "limb lanes");
  const std::string header = robot.file("quadruped.hpp");
  CHECK(contains(header,
                 "/// Equal limbs:\n///   front_left, front_right, rear_left, rear_right: 4 x 3 joints (3 "
                 "revolute), on trunk\n///\n"));
  CHECK(contains(header, "Functions in \"limb lanes\" compute equal limbs side by side"));
  CHECK(contains(header, "//  L4    front_left, front_right, rear_left, rear_right  2, 5, 8 and 11\n"));
  CHECK(contains(robot.file("quadruped_rnea.ipp"), "using L4 = featherline::Lanes<S, 4>;"));
}

TEST_CASE("without functions in lanes the guide does not speak of them; --lanes off is said") {
  const Quadruped robot;
  REQUIRE(robot.generate({"--functions", "rnea,rnea_derivatives,aba", "--lanes", "off"}).exit_code == 0);
  for (const auto& function : robot.manifest()["functions"]) CHECK(function["formulation"] != "limb lanes");
  CHECK(contains(robot.manifest()["options"].get<std::string>(), " --lanes off"));
  CHECK(contains(robot.file("quadruped.hpp"), "Equal limbs:"));
  CHECK_FALSE(contains(robot.file("quadruped.hpp"), "L4"));
}

TEST_CASE("a robot whose limbs are not equal has none in the manifest") {
  cli::TemporaryFolder folder;
  REQUIRE(run_featherline({"generate", test::planar3, "-o", folder.path().string(), "--functions", "gravity"})
              .exit_code == 0);
  CHECK(nlohmann::json::parse(test::read_text(folder.path() / "planar3.json"))["limbs"] ==
        nlohmann::json::array());
  CHECK_FALSE(contains(test::read_text(folder.path() / "planar3.hpp"), "Equal limbs"));
}
