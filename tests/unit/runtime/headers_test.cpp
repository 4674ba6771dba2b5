#include <doctest/doctest.h>
#include <featherline/joint_info.hpp>
#include <featherline/reference_frame.hpp>
#include <featherline/version.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
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

// Who copies a runtime header into firmware sees its licence in the file.

namespace {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every runtime header begins with the licence") {
  const std::string lines =
      "// SPDX-License-Identifier: BSD-2-Clause\n// Copyright (c) 2026 the Featherline authors\n";
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("runtime/featherline")) {
    if (!entry.is_regular_file()) continue;
    CAPTURE(entry.path().string());
    CHECK(read_text(entry.path()).compare(0, lines.size(), lines) == 0);
    ++count;
  }
  CHECK(count >= 36);
}

TEST_CASE("the licence file names the same licence and the same authors") {
  const std::string text = read_text("LICENSE");
  CHECK(text.find("BSD 2-Clause License") == 0);
  CHECK(text.find("Copyright (c) 2026 the Featherline authors") != std::string::npos);
  const std::string::size_type exception = text.find("\n\nRuntime exception\n\n");
  CHECK(exception != std::string::npos);
  CHECK(text.find("runtime/featherline", exception) != std::string::npos);
  for (const char* page : {"README.md", "runtime/guide/in_firmware.md"})
    CHECK(read_text(page).find("runtime exception") != std::string::npos);
}
