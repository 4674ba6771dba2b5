// When a batch calls the plain function: cost/batch_choice.hpp.
#include "run_featherline.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace featherline;

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
