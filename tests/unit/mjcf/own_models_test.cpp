#include "unit/mjcf/mujoco_values.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("models of our own have MuJoCo's numbers") {
  const std::string folder = "tests/unit/mjcf/models/";
  for (const std::string name : {"matter", "mechanism"})
    featherline::test::compare_with_mujoco(folder + name + ".xml", folder + name + ".json");
}
