// Flops of what `featherline generate --optimise-for flops` emits with default options, against flop_budgets.txt.
// Counts are deterministic: a change that costs or saves flops says so there. FEATHERLINE_UPDATE_FLOPS=1 writes the
// counts anew; read the difference.
#include "pipeline.hpp"
#include "support/shared_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace featherline;

namespace {

constexpr const char* table_file = "tests/unit/algorithms/flop_budgets.txt";

struct Row {
  std::string text;  ///< of a comment or an empty line; the other members are then empty
  std::string folder, robot, base, function;  ///< base: "floating", or with frames: "floating@foot:point,imu"
  int flops = 0;
};

Row read_row(const std::string& line) {
  if (line.empty() || line.front() == '#') return {line, {}, {}, {}, {}};
  Row row;
  std::istringstream words(line);
  words >> row.folder >> row.robot >> row.base >> row.function >> row.flops;
  REQUIRE_MESSAGE(!words.fail(), line);
  return row;
}

std::vector<Row> read_table() {
  std::ifstream in(table_file);
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) rows.push_back(read_row(line));
  return rows;
}

void write_table(const std::vector<Row>& rows) {
  std::ofstream out(table_file);
  for (const Row& row : rows) {
    if (row.function.empty()) {
      out << row.text << '\n';
    } else {
      out << row.folder << ' ' << row.robot << ' ' << row.base << ' ' << row.function << ' ' << row.flops
          << '\n';
    }
  }
}

/// The folder whose robots this run looks at: "robots", or "shared" for ../shared/robots.
std::string wanted_folder() {
  const char* values = std::getenv("FEATHERLINE_REFERENCE_VALUES");
  const bool shared = values != nullptr && std::string(values) == "shared";
  if (shared) test::shared_or_skip("robots");
  return shared ? "shared" : "robots";
}

/// As emitted, by function.
std::map<std::string, int> emitted_flops(const Row& robot, const std::vector<std::string>& functions) {
  Diagnostics findings;
  const std::string folder = robot.folder == "shared" ? "../shared/robots/" : "robots/";
  Options options;
  options.optimise_for = Goal::flops;
  const std::size_t at = robot.base.find('@');
  options.build.floating_base = robot.base.substr(0, at) == "floating";
  if (at != std::string::npos) options.frames = model::parse_frames(robot.base.substr(at + 1));
  options.functions = functions;
  const Emission emission =
      emit_robot(read_robot(folder + robot.robot + ".urdf", options, findings), options);
  std::map<std::string, int> flops;
  for (const emit::FunctionFacts& facts : emission.facts) flops[facts.name] = facts.flops;
  return flops;
}

}  // namespace

TEST_CASE("emitted flops are those of the table") {
  const std::string folder = wanted_folder();
  std::vector<Row> rows = read_table();
  std::map<std::pair<std::string, std::string>, std::vector<Row*>> by_robot;
  for (Row& row : rows) {
    if (row.folder == folder) by_robot[{row.robot, row.base}].push_back(&row);
  }
  REQUIRE(by_robot.size() >= 6);
  const bool update = std::getenv("FEATHERLINE_UPDATE_FLOPS") != nullptr;
  for (const auto& [robot, budgets] : by_robot) {
    std::vector<std::string> functions;
    for (const Row* row : budgets) functions.push_back(row->function);
    const std::map<std::string, int> flops = emitted_flops(*budgets.front(), functions);
    for (Row* row : budgets) {
      CAPTURE(row->robot);
      CAPTURE(row->function);
      REQUIRE(flops.count(row->function) == 1);
      if (update) row->flops = flops.at(row->function);
      CHECK(flops.at(row->function) == row->flops);
    }
  }
  if (update) write_table(rows);
}
