#include "run_featherline.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

// --lanes, and what is said about limbs where they are computed side by side.

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
  CHECK_FALSE(contains(header, "mir_"));  // no limb is mirrored
  CHECK(contains(robot.file("quadruped_rnea.ipp"), "using L4 = featherline::Lanes<S, 4>;"));
}

TEST_CASE("the table of lanes says which limbs are mirrored in values called mir_...") {
  cli::TemporaryFolder folder;
  // The right hips turn the other way.
  std::string text = test::read_text("robots/quadruped.urdf");
  for (const std::string joint : {"front_right_hip_roll", "rear_right_hip_roll"}) {
    const std::string axis = "<axis xyz=\"1 0 0\"/>";
    text.replace(text.find(axis, text.find("<joint name=\"" + joint)), axis.size(), "<axis xyz=\"-1 0 0\"/>");
  }
  const std::string robot = (folder.path() / "mirrored.urdf").string();
  test::write_text(robot, text);
  REQUIRE(run_featherline({"generate", robot, "--base", "floating", "--functions", "rnea", "--formulation",
                           "rnea=limb lanes", "-o", folder.path().string(), "--name", "mirrored"})
              .exit_code == 0);
  CHECK(contains(test::read_text(folder.path() / "mirrored_rnea.ipp"), " mir_"));
  const std::string header = test::read_text(folder.path() / "mirrored.hpp");
  CHECK(contains(header, "the last column names them"));
  CHECK_MESSAGE(contains(header,
                         "first bodies    other sign in mir_\n//  L4    front_left, front_right, rear_left, "
                         "rear_right  2, 5, 8 and 11  front_right, rear_right\n"),
                header);
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

TEST_CASE("batches compute equal limbs one after the other") {
  const Quadruped robot;
  REQUIRE(robot.generate({"--functions", "rnea,aba", "--batch"}).exit_code == 0);
  for (const std::string name : {"rnea", "aba"}) {
    CHECK(contains(robot.file("quadruped_" + name + ".ipp"), "Lanes<S, 4>"));
    CHECK(contains(robot.file("quadruped_batch_" + name + ".ipp"), "::" + name + "_packed("));
    const std::string batch = robot.file("quadruped_" + name + "_packed.ipp");
    CHECK_FALSE(contains(batch, "Lanes<"));
    CHECK(contains(batch, "for (int limb = 0; limb < 4; ++limb) {"));
  }
}

// When a batch calls the plain function: cost/time.hpp.

TEST_CASE("batches call plain functions that write more than they compute") {
  const cli::TemporaryFolder scratch;
  const test::Answer answer = test::run_featherline(
      {"generate", "robots/quadruped.urdf", "--base", "floating", "--batch", "-o", scratch.path(),
       "--functions",
       "rnea,mass_matrix,rnea_derivatives,link_poses,frame_jacobian,regressor,constrained_dynamics",
       "--contacts", "front_left_foot,front_right_foot,rear_left_foot,rear_right_foot"});
  CAPTURE(answer.err);
  REQUIRE(answer.exit_code == 0);
  const auto manifest = nlohmann::json::parse(test::read_text(scratch.path() / "quadruped.json"));
  const auto choice = [&](const std::string& name) { return manifest["functions"][name]["batch"]; };
  const auto plain = [](int up_to_lanes, bool beyond_cache) {
    return nlohmann::json{{"calls_it_up_to_lanes", up_to_lanes}, {"calls_it_beyond_cache", beyond_cache}};
  };
  for (const char* dense : {"rnea", "rnea_derivatives", "link_poses", "frame_jacobian"}) {
    CAPTURE(dense);
    CHECK(choice(dense) == plain(0, false));
  }
  CHECK(choice("mass_matrix") == plain(0, true));
  CHECK(choice("regressor") == plain(0, true));
  CHECK(choice("constrained_dynamics") == plain(4, false));  // four legs side by side, with a guard

  const std::string header = test::read_text(scratch.path() / "quadruped.hpp");
  CHECK(test::contains(header, "where lanes gain nothing: constrained_dynamics.\n"));
  CHECK(test::contains(header, "which caches do not hold: mass_matrix, regressor.\n"));
}
