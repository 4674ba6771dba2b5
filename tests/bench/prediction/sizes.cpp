#include "sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace featherline::bench {
namespace {

/// The columns of counts in a table.
const std::vector<std::pair<std::string, int cost::InstructionCounts::*>>& count_members() {
  using Counts = cost::InstructionCounts;
  static const std::vector<std::pair<std::string, int Counts::*>> counted{
      {"parts", &Counts::parts},
      {"operations", &Counts::operations},
      {"fused", &Counts::fused},
      {"stores", &Counts::stores},
      {"loads", &Counts::loads},
      {"reloads", &Counts::reloads},
      {"constants", &Counts::constants},
      {"spills", &Counts::spills},
      {"registers_used", &Counts::registers_used},
      {"spill_slots", &Counts::spill_slots},
      {"far", &Counts::far},
      {"cleared_entries", &Counts::cleared_entries},
      {"cleared_buffers", &Counts::cleared_buffers},
      {"nonzeros_form", &Counts::nonzeros_form},
      {"angles", &Counts::angles},
      {"copied_angles", &Counts::copied_angles},
      {"arguments", &Counts::arguments},
      {"workspace", &Counts::workspace},
      {"limb_loops", &Counts::limb_loops},
      {"limb_constants", &Counts::limb_constants},
      {"loop_values", &Counts::loop_values},
  };
  return counted;
}

SizeRow read_size_row(const std::string& line) {
  std::istringstream words(line);
  std::string target;
  SizeRow row{};
  words >> target >> row.robot >> row.function >> row.code >> row.stack;
  row.target = target_named(target);
  for (const auto& [name, member] : count_members()) words >> row.counts.*member;
  if (!words) throw std::runtime_error{"a row has too few columns: " + line};
  return row;
}

}  // namespace

cost::Target target_named(const std::string& name) {
  for (const cost::TargetName& entry : cost::target_names()) {
    if (entry.name == name) return entry.target;
  }
  throw std::runtime_error{"no target is called " + name};
}

std::vector<SizeRow> read_sizes(const std::string& file) {
  std::ifstream in{file};
  if (!in) throw std::runtime_error{"cannot read " + file};
  std::vector<SizeRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != '#') rows.push_back(read_size_row(line));
  }
  return rows;
}

std::vector<SizeRow> of_target(const std::vector<SizeRow>& rows, cost::Target target) {
  std::vector<SizeRow> found;
  for (const SizeRow& row : rows) {
    if (row.target == target) found.push_back(row);
  }
  return found;
}

std::string size_header() {
  std::string text = "# target robot function code stack";
  for (const auto& [name, member] : count_members()) text += " " + name;
  return text + "\n";
}

std::string print_row(const SizeRow& row) {
  std::string text =
      fmt::format("{} {} {} {} {}", cost::name(row.target), row.robot, row.function, row.code, row.stack);
  for (const auto& [name, member] : count_members()) text += fmt::format(" {}", row.counts.*member);
  return text + "\n";
}

double size_error(int estimated, int measured) {
  if (measured == 0) return estimated == 0 ? 0.0 : 1.0;
  return static_cast<double>(estimated - measured) / measured;
}

std::string print_size_errors(const std::vector<SizeRow>& rows) {
  double lowest[2] = {0.0, 0.0}, highest[2] = {0.0, 0.0};
  std::string outside;
  for (const SizeRow& row : rows) {
    const double errors[2] = {size_error(row.estimated_code(), row.code),
                              size_error(row.estimated_stack(), row.stack)};
    for (int k = 0; k < 2; ++k) {
      lowest[k] = std::min(lowest[k], errors[k]);
      highest[k] = std::max(highest[k], errors[k]);
    }
    if (std::min(errors[0], errors[1]) < -0.05 || std::max(errors[0], errors[1]) > 0.25) {
      outside += fmt::format("  {} {}: code {:+.1f} %, stack {:+.1f} %\n", row.robot, row.function,
                             100.0 * errors[0], 100.0 * errors[1]);
    }
  }
  return fmt::format("{} functions: code {:+.1f} % to {:+.1f} %, stack {:+.1f} % to {:+.1f} %\n{}",
                     rows.size(), 100.0 * lowest[0], 100.0 * highest[0], 100.0 * lowest[1],
                     100.0 * highest[1], outside);
}

}  // namespace featherline::bench
