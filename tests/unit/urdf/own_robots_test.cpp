#include "support/diagnostic.hpp"
#include "urdf/reader.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace featherline;

TEST_CASE("our own robots give neither error nor warning") {
  for (const auto& entry : std::filesystem::directory_iterator("robots")) {
    if (entry.path().extension() != ".urdf") continue;
    Diagnostics findings;
    urdf::read_file(entry.path().string(), findings);
    INFO(format_text(findings));
    CHECK_FALSE(findings.has_errors());
    CHECK_FALSE(findings.has_warnings());
  }
}
