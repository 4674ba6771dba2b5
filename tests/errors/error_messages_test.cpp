#include "findings_about.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

/// Walks over the cases of tests/errors: what the reader and the tree say about NAME.urdf must be NAME.txt, word for
/// word. With FEATHERLINE_UPDATE_ERRORS set in the environment the texts are written instead
/// (scripts/update-error-tests).
namespace fs = std::filesystem;
using featherline::test::content_of, featherline::test::findings_about, featherline::test::folder_of_cases,
    featherline::test::inputs;

namespace {

fs::path expectation_of(const fs::path& input) { return fs::path(input).replace_extension(".txt"); }

}  // namespace

TEST_CASE("every bad file gives its exact message") {
  const bool update = std::getenv("FEATHERLINE_UPDATE_ERRORS") != nullptr;
  for (const fs::path& input : inputs()) {
    const std::string text = featherline::format_text(findings_about(input));
    if (update) std::ofstream(expectation_of(input), std::ios::binary) << text;
    INFO("if the change is meant, run scripts/update-error-tests and review the difference");
    INFO(input.string());
    CHECK(content_of(expectation_of(input)) == text);
    CHECK_FALSE(text.empty());
  }
}

TEST_CASE("every finding names a line of its file and a remedy") {
  for (const fs::path& input : inputs()) {
    INFO(input.string());
    for (const featherline::Diagnostic& finding : findings_about(input).all()) {
      CHECK(finding.where.file == input.filename().string());
      CHECK(finding.where.line > 0);
      CHECK_FALSE(finding.message.empty());
      CHECK((finding.severity == featherline::Severity::note || !finding.remedy.empty()));
    }
  }
}

TEST_CASE("there are many cases, all different, and no expectation without its input") {
  std::set<std::string> texts;
  std::size_t expectations = 0;
  for (const auto& entry : fs::directory_iterator(folder_of_cases))
    expectations += entry.path().extension() == ".txt";
  for (const fs::path& input : inputs()) {
    std::string text = content_of(expectation_of(input));
    const std::string name = input.filename().string();
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at))
      text.erase(at, name.size());
    CHECK_MESSAGE(texts.insert(text).second, "the same findings as another case: ", input.string());
  }
  CHECK(inputs().size() >= 60);
  CHECK(expectations == inputs().size());
}

TEST_CASE("the guide lists the kinds of all warnings, and nothing else") {
  std::string rest = content_of("runtime/guide/robots.md");
  rest.erase(0, rest.find("| name | what is odd |"));
  std::istringstream rows(rest);
  std::string row;
  std::getline(rows >> std::ws, row);
  std::getline(rows, row);  // | --- | --- |
  for (const std::string_view name : featherline::finding_names) {
    std::getline(rows, row);
    CHECK_MESSAGE(row.starts_with("| `" + std::string(name) + "` | "), name);
  }
  std::getline(rows, row);
  CHECK(row.empty());
}
