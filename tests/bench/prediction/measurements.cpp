#include "measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
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
      Measurement row{
          one_word(file.at("cpu")), one_word(file.at("robot")),      function, one_word(candidate.at("name")),
          candidate.at("ns"),       candidate.value("cold_ns", 0.0), {}};
      for (const auto& [name, member] : cost::work_members())
        row.work.*member = candidate.at("work").value(std::string(name), 0.0);
      rows.push_back(row);
    }
  }
  return rows;
}

/// Where a column of numbers goes.
double& column(Measurement& row, const std::string& name) {
  if (name == "ns") return row.ns;
  if (name == "cold_ns") return row.cold_ns;
  for (const auto& [member_name, member] : cost::work_members()) {
    if (member_name == name) return row.work.*member;
  }
  throw std::runtime_error{"a table has a column that is not known: " + name};
}

/// `columns`: the names of the numbers.
Measurement read_row(const std::string& line, const std::vector<std::string>& columns) {
  std::istringstream words(line);
  Measurement row;
  words >> row.machine >> row.robot >> row.function >> row.formulation;
  for (const std::string& name : columns) words >> column(row, name);
  if (!words) throw std::runtime_error{"a row has too few columns: " + line};
  return row;
}

/// What "# machine robot function formulation ns ..." names behind the words.
std::vector<std::string> number_columns(const std::string& line) {
  std::istringstream words(line);
  const std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
  return {all.begin() + std::min<std::ptrdiff_t>(5, std::ssize(all)), all.end()};
}

}  // namespace

std::vector<Measurement> read_measurements(const std::string& file) {
  std::ifstream in{file};
  if (!in) throw std::runtime_error{"cannot read " + file};
  if (in.peek() == '{') return read_choices(nlohmann::json::parse(in));
  std::vector<Measurement> rows;
  std::vector<std::string> columns;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# machine ")) columns = number_columns(line);
    if (!line.empty() && line.front() != '#') rows.push_back(read_row(line, columns));
  }
  return rows;
}

std::string print_measurements(const std::vector<Measurement>& rows) {
  std::string text = "# machine robot function formulation ns cold_ns";
  for (const auto& [name, member] : cost::work_members()) text += " " + std::string(name);
  text += "\n";
  for (const Measurement& row : rows) {
    text += fmt::format("{} {} {} {} {:.4g} {:.4g}", row.machine, row.robot, row.function, row.formulation,
                        row.ns, row.cold_ns);
    for (const auto& [name, member] : cost::work_members()) text += fmt::format(" {:.6g}", row.work.*member);
    text += "\n";
  }
  return text;
}

}  // namespace featherline::bench
