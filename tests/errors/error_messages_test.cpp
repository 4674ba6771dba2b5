#include "model/build_tree.hpp"
#include "model/check_inertias.hpp"
#include "model/constraints.hpp"
#include "support/diagnostic.hpp"
#include "urdf/reader.hpp"
#include "urdf/suspicious_values.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

/// Walks over tests/errors/cases: what the reader and the tree say about NAME.urdf must be NAME.txt, word for
/// word. With FEATHERLINE_UPDATE_ERRORS set in the environment the texts are written instead
/// (scripts/update-error-tests).
namespace {

namespace fs = std::filesystem;

const fs::path folder = "tests/errors/cases";

std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> inputs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

fs::path expectation_of(const fs::path& input) { return fs::path(input).replace_extension(".txt"); }

featherline::Diagnostics findings_about(const fs::path& input) {
  featherline::Diagnostics findings;
  const auto robot = featherline::urdf::read_string(content_of(input), input.filename().string(), findings);
  if (findings.has_errors()) return findings;
  featherline::urdf::check_angles(robot, featherline::model::BuildOptions::default_snap_tolerance, findings);
  const featherline::model::UserTree tree = featherline::model::build_tree(robot, {}, findings);
  if (!findings.has_errors()) featherline::model::build_constraints(robot, tree, 0.0, findings);
  if (!findings.has_errors()) featherline::model::warn_massless(tree, robot.file, findings);
  return findings;
}

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
  for (const auto& entry : fs::directory_iterator(folder)) expectations += entry.path().extension() == ".txt";
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
