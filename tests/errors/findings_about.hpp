#pragma once

#include "description/checks.hpp"
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "model/clusters.hpp"
#include "model/constraints.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// The bad files of tests/errors, unpacked, and what reader and tree say about a file.
namespace featherline::test {

inline const std::filesystem::path folder_of_cases = FEATHERLINE_ERROR_CASES;

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline std::vector<std::filesystem::path> inputs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of_cases)) {
    if (entry.path().extension() != ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// `name` is what the findings call the file.
inline Diagnostics findings_about(const std::string& text, const std::string& name) {
  Diagnostics findings;
  const description::Description robot = formats::read_string(text, name, findings);
  if (findings.has_errors()) return findings;
  description::check_angles(robot, model::BuildOptions::default_snap_tolerance, findings);
  model::UserTree tree = model::build_tree(robot, {}, findings);
  if (!findings.has_errors()) tree.constraints.all = model::build_constraints(robot, tree, 0.0, findings);
  if (!findings.has_errors()) model::eliminate_loops(robot, {}, tree, findings);
  if (!findings.has_errors()) model::warn_massless(tree, findings);
  return findings;
}

inline Diagnostics findings_about(const std::filesystem::path& input) {
  return findings_about(content_of(input), input.filename().string());
}

}  // namespace featherline::test
