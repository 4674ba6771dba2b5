#include "emit/function_files.hpp"

#include "emit/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace featherline::emit {
namespace {

/// "{1, 2, 3}", for rows of int.
std::string row_of(const PanelBody& b) {
  return fmt::format("{{{}, {}, {}, {}}}", b.parent, b.first, b.last, b.placement);
}
std::string row_of(const PanelRange& r) { return fmt::format("{{{}, {}, {}}}", r.first, r.count, r.row); }
std::string row_of(const PanelSegment& s) {
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}}}", s.first, s.count, s.row, s.above_begin, s.above_end,
                     s.below_begin, s.below_end);
}
std::string row_of(int x) { return std::to_string(x); }

std::string row_of(const std::vector<double>& numbers) {
  return "{" + join(each(numbers, [](double x) { return "Real(" + literal(x) + ")"; }), ", ") + "}";
}

std::string declaration(const std::string& what, const std::string& values) {
  return wrap_statement("static constexpr " + what + " = " + values + ";", "  ") + "\n";
}

template <class List>
std::string table_of(const std::string& what, const List& list) {
  const auto rows = each(list, [](const auto& x) { return row_of(x); });
  return declaration(what + "[]", "{" + join(rows, ", ") + "}");
}

std::string numbers(const std::string& what, const std::vector<std::string>& rows) {
  return wrap_statement(
             "template <class Real> static constexpr Real " + what + " = {" + join(rows, ", ") + "};", "  ") +
         "\n";
}

/// The first numbers of a row. Zeros behind them need no text.
std::vector<double> first(int count, const std::vector<double>& row) {
  return {row.begin(), row.begin() + count};
}

std::string by_slot(const ir::PanelTable& table, const std::string& what, const std::vector<double>& values) {
  const std::string row = row_of(first(table.num_slots, values));
  return numbers(fmt::format("{}[{}]", what, values.size()), {row.substr(1, row.size() - 2)});
}

std::string placements(const ir::PanelTable& table) {
  return numbers("placements[][12]", each(table.placements, [](const std::array<double, 12>& X) {
                   return row_of(std::vector<double>(X.begin(), X.end()));
                 }));
}

std::string inertias(const ir::PanelTable& table) {
  std::vector<std::string> rows;
  for (const std::vector<double>& row : table.inertias)
    rows.push_back(row_of(first(table.num_slots + (table.floating ? 1 : 0), row)));
  return numbers(fmt::format("inertias[10][{}]", table.inertias.front().size()), rows);
}

}  // namespace

std::string panel_table(const ir::PanelTable& table, const std::string& name) {
  std::string text = fmt::format(R"(/// The robot as featherline/panels.hpp reads it.
struct {} {{
  static constexpr int nv = {}, num_slots = {}, num_bodies = {}, num_roots = {}, max_places = {};
  static constexpr int all_begin = {}, all_end = {};
  static constexpr bool floating = {}, single_axes = {}, turns_only = {}, placements_vary = {};
)",
                                 name, table.nv, table.num_slots, table.num_bodies, table.num_roots,
                                 table.max_places, table.all_begin, table.all_end, table.floating,
                                 table.single_axes, table.turns_only, table.placements_vary);
  text += table_of("featherline::PanelBody bodies", table.bodies) + table_of("int parents", table.parents) +
          table_of("int coordinates", table.coordinates);
  if (!table.single_axes)
    text += table_of("int joints", table.joints) + table_of("int directions", table.directions);
  text += table_of("featherline::PanelSegment segments", table.segments) +
          table_of("featherline::PanelRange ranges", table.ranges) + placements(table);
  if (!table.turns_only)
    text += by_slot(table, "turns", table.turns) + by_slot(table, "slides", table.slides);
  return text + inertias(table) + "};\n";
}

}  // namespace featherline::emit
