#include "support/shared_folder.hpp"
#include "unit/mjcf/mujoco_values.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

TEST_CASE("published models have MuJoCo's numbers") {
  namespace fs = std::filesystem;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(featherline::test::shared_or_skip("models/dev"))) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = nlohmann::json::parse(std::ifstream(entry.path()))["file"];
    featherline::test::compare_with_mujoco(entry.path().parent_path() / name, entry.path());
    ++count;
  }
  CHECK(count >= 10);
}
