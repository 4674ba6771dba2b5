// Who copies a runtime header into firmware sees its licence in the file.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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
