#include "measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace featherline::bench {
namespace {

/// Names in a table have no spaces.
std::string one_word(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::vector<Measurement> read_choices(const nlohmann::json& file) {
  std::vector<Measurement> rows;
  for (const auto& [function, entry] : file.at("functions").items()) {
    for (const auto& candidate : entry.at("candidates")) {
      Measurement row{one_word(file.at("cpu")),       one_word(file.at("robot")), function,
                      one_word(candidate.at("name")), candidate.at("ns"),         {}};
      for (const auto& [name, member] : cost::work_members())
        row.work.*member = candidate.at("work").value(std::string(name), 0.0);
      rows.push_back(row);
    }
  }
  return rows;
}

Measurement read_row(const std::string& line) {
  std::istringstream words(line);
  Measurement row;
  words >> row.machine >> row.robot >> row.function >> row.formulation >> row.ns;
  for (const auto& [name, member] : cost::work_members()) words >> row.work.*member;
  if (!words) throw std::runtime_error{"a row has too few columns: " + line};
  return row;
}

}  // namespace

std::vector<Measurement> read_measurements(const std::string& file) {
  std::ifstream in{file};
  if (!in) throw std::runtime_error{"cannot read " + file};
  if (in.peek() == '{') return read_choices(nlohmann::json::parse(in));
  std::vector<Measurement> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != '#') rows.push_back(read_row(line));
  }
  return rows;
}

std::string print_measurements(const std::vector<Measurement>& rows) {
  std::string text = "# machine robot function formulation ns";
  for (const auto& [name, member] : cost::work_members()) text += " " + std::string(name);
  text += "\n";
  for (const Measurement& row : rows) {
    text += fmt::format("{} {} {} {} {:.4g}", row.machine, row.robot, row.function, row.formulation, row.ns);
    for (const auto& [name, member] : cost::work_members()) text += fmt::format(" {:.6g}", row.work.*member);
    text += "\n";
  }
  return text;
}

}  // namespace featherline::bench
