// The table in robots/README.md against what the generator makes of the files.
#include "model/build_tree.hpp"
#include "urdf/reader.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace featherline;

namespace {

/// The cells of a row of a markdown table, without the spaces and quotes around them.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line.substr(1));
  for (std::string cell; std::getline(row, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

model::UserTree tree_of(const std::string& file, model::BuildOptions options) {
  Diagnostics findings;
  model::UserTree tree = model::build_tree(urdf::read_file("robots/" + file, findings), options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

}  // namespace

TEST_CASE("robots/README.md counts coordinates and masses right") {
  std::ifstream in("robots/README.md");
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() >= 6);
    CAPTURE(cells[0]);
    model::BuildOptions options;
    options.floating_base = cells[1] == "floating";
    const model::UserTree tree = tree_of(cells[0], options);
    CHECK(std::to_string(tree.nq) == cells[2]);
    CHECK(std::to_string(tree.nv) == cells[3]);
    double mass = 0.0;
    for (const model::Link& link : tree.links) mass += link.mass;
    CHECK(std::abs(mass - std::stod(cells[5])) <= 0.051);
    ++rows;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("robots"))
    files += entry.path().extension() == ".urdf" ? 1 : 0;
  CHECK(rows == files);
}

TEST_CASE("robots/README.md counts the mobile manipulator's independent velocities right") {
  model::BuildOptions independent;
  independent.mimic_independent = true;
  const int nv = tree_of("mobile_manipulator.urdf", independent).nv;
  std::stringstream text;
  text << std::ifstream("robots/README.md").rdbuf();
  const std::string words =
      "--mimic independent` the mobile manipulator has " + std::to_string(nv) + " of each";
  CHECK(text.str().find(words) != std::string::npos);
}
