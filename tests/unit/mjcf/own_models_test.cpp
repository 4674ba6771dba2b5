#include "unit/mjcf/mujoco_values.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string content_of(const char* path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

// The values are those of MuJoCo 3.14.0 (the npm package @mujoco/mujoco). NAME.json was computed from NAME.xml.
TEST_CASE("models of our own have MuJoCo's numbers") {
  const std::string folder = "tests/unit/mjcf/models/";
  for (const std::string name : {"matter", "mechanism"})
    featherline::test::compare_with_mujoco(folder + name + ".xml", folder + name + ".json");
}

TEST_CASE("the page for users of MuJoCo shows the code that this test tries") {
  const std::string mark = "// [page]\n", text = content_of("tests/coming_from_mujoco/convert.hpp");
  const std::size_t begin = text.find(mark) + mark.size();
  const std::string code = text.substr(begin, text.find(mark, begin) - begin);
  REQUIRE(code.size() > 500);
  CHECK(content_of("runtime/guide/coming_from_mujoco.md").find(code) != std::string::npos);
}
