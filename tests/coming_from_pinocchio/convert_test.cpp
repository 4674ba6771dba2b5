#include "convert.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

using featherline::JointType;

namespace {

std::string content_of(const char* path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The text between the two marks of convert.hpp.
std::string shown_code() {
  const std::string mark = "// [page]\n", text = content_of("tests/coming_from_pinocchio/convert.hpp");
  const std::size_t begin = text.find(mark) + mark.size();
  return text.substr(begin, text.find(mark, begin) - begin);
}

/// A floating base, a revolute, a continuous and a planar joint.
constexpr featherline::JointInfo joints[] = {
    {JointType::floating, 0, 7, 0, 6, 0.0, 0.0, 0.0, 0.0},
    {JointType::revolute, 7, 1, 6, 1, 0.0, 0.0, 0.0, 0.0},
    {JointType::continuous, 8, 1, 7, 1, 0.0, 0.0, 0.0, 0.0},
    {JointType::planar, 9, 3, 8, 3, 0.0, 0.0, 0.0, 0.0},
};

}  // namespace

TEST_CASE("Pinocchio's q has cosine and sine where ours has an angle") {
  const double q[] = {1.0, 2.0, 3.0, 0.5, -0.5, 0.5, 0.5, 0.4, -2.0, 4.0, 5.0, 3.0};
  const std::vector<double> theirs = coming_from_pinocchio::to_pinocchio(joints, q);
  const std::vector<double> expected{
      1.0, 2.0, 3.0,           0.5,          -0.5, 0.5, 0.5, 0.4, std::cos(-2.0), std::sin(-2.0),
      4.0, 5.0, std::cos(3.0), std::sin(3.0)};
  CHECK(theirs == expected);
  const std::vector<double> back = coming_from_pinocchio::from_pinocchio(joints, theirs.data());
  REQUIRE(back.size() == 12);
  for (std::size_t i = 0; i < back.size(); ++i) CHECK(back[i] == doctest::Approx(q[i]).epsilon(1e-15));
}

TEST_CASE("the page shows this code") {
  REQUIRE(shown_code().size() > 500);
  CHECK(content_of("runtime/guide/coming_from_pinocchio.md").find(shown_code()) != std::string::npos);
}
