#include <doctest/doctest.h>
#include <featherline/joint_info.hpp>
#include <featherline/reference_frame.hpp>
#include <featherline/version.hpp>

#include <string>
#include <type_traits>

TEST_CASE("the build's version is the runtime's") {
  const auto& version = featherline::runtime_version;
  CHECK(std::to_string(version.major_number) + "." + std::to_string(version.minor_number) + "." +
            std::to_string(version.patch_number) ==
        FEATHERLINE_PROJECT_VERSION);
}

TEST_CASE("a runtime of another minor version is refused while the major is 0") {
  const int major = FEATHERLINE_VERSION_MAJOR, minor = FEATHERLINE_VERSION_MINOR;
  CHECK(featherline::runtime_matches(major, minor));
  CHECK_FALSE(featherline::runtime_matches(major + 1, minor));
  CHECK_FALSE(featherline::runtime_matches(major, minor + 1));
}

TEST_CASE("the joint table is plain constant data") {
  static_assert(std::is_trivially_copyable_v<featherline::JointInfo>);
  static_assert(std::is_aggregate_v<featherline::JointInfo>);
  constexpr featherline::JointInfo joint{featherline::JointType::prismatic, 3, 1, 2, 1, -0.5, 0.5, 1.0, 20.0};
  static_assert(joint.idx_q == 3 && joint.idx_v == 2 && joint.upper == 0.5);
  CHECK(joint.type == featherline::JointType::prismatic);
}
