#include "cli/compare/tables.hpp"

#include "cli/compare/paper_table.hpp"
#include "cli/host_compiler.hpp"
#include "cli/tune/choices.hpp"
#include "support/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace featherline::cli {
namespace {

using Row = std::vector<std::string>;

/// Cells of text. The first `names` columns are names, all others are numbers.
struct Table {
  std::size_t names = 1;
  Row header;
  std::vector<Row> rows;
};

constexpr const char* none = "-";

std::string time_text(double ns) { return fmt::format("{:.{}f}", ns, ns < 99.95 ? 1 : 0); }

/// What the name of a formulation needs beside it.
std::string label(const ComparedFormulation& row) {
  return row.formulation->name + (row.in_plain_frames ? plain_frames_mark : "") +
         (row.formulation->by_name_only ? " (by name)" : "");
}

Row number_titles(const CommandLine& line) {
  Row titles{"written", "before", "after", "sincos", "~code", "~ns"};
  if (line.measure) titles.insert(titles.end(), {"code", "ns"});
  titles.emplace_back("error");
  return titles;
}

Row numbers(const ComparedFormulation& row) {
  const cost::Figures& figures = row.figures;
  Row cells{row.written ? std::to_string(row.written->total()) : none,
            std::to_string(row.flops_before),
            std::to_string(figures.flops),
            std::to_string(figures.sincos),
            std::to_string(figures.code_bytes),
            figures.ns ? time_text(*figures.ns) : none};
  if (row.timing) cells.insert(cells.end(), {std::to_string(row.timing->bytes), time_text(row.timing->ns)});
  cells.push_back(row.error ? fmt::format("{:.1e}", *row.error) : none);
  return cells;
}

Row joined(Row front, const Row& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// A line for each formulation that was compared, under a line with the function's name.
Table table_for_text(const Comparison& comparison, const CommandLine& line) {
  Table table{1, joined({"  formulation"}, number_titles(line)), {}};
  for (const ComparedFunction& function : comparison.functions) {
    table.rows.push_back({function.name});
    for (const ComparedFormulation& row : function.formulations)
      if (row.is_compared())
        table.rows.push_back(joined({(row.chosen ? "* " : "  ") + label(row)}, numbers(row)));
  }
  return table;
}

Table table_for_markdown(const Comparison& comparison, const CommandLine& line) {
  Table table{2, joined({"function", "formulation"}, number_titles(line)), {}};
  for (const ComparedFunction& function : comparison.functions) {
    for (const ComparedFormulation& row : function.formulations)
      if (row.is_compared())
        table.rows.push_back(joined(
            {"`" + function.name + "`", row.chosen ? "**" + label(row) + "**" : label(row)}, numbers(row)));
  }
  return table;
}

/// "rnea by link frames", or a dash.
std::string ours(const PaperRow& row) {
  return row.functions.empty() ? none : join(row.functions, " + ") + " by " + row.formulation;
}

Row counts(const std::optional<ir::Operations>& operations) {
  if (!operations) return {none, none};
  return {std::to_string(operations->multiplications + operations->divisions),
          std::to_string(operations->additions)};
}

Table paper_table(const std::vector<PaperRow>& rows) {
  Table table{2, {"paper", "ours", "stated mult", "add", "written mult", "add", "after mult", "add"}, {}};
  for (const PaperRow& row : rows) {
    const Row paper = joined(counts(row.paper), counts(row.written));
    table.rows.push_back(joined({row.method, ours(row)}, joined(paper, counts(row.simplified))));
  }
  return table;
}

std::string print_text(const Table& table) {
  std::vector<std::size_t> widths;
  const auto widen = [&](const Row& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  };
  widen(table.header);
  for (const Row& row : table.rows)
    if (row.size() > 1) widen(row);
  std::string text;
  const auto print = [&](const Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::size_t width = row.size() > 1 ? widths[k] : 0;
      text += (k > 0 ? "  " : "") +
              (k < table.names ? fmt::format("{:<{}}", row[k], width) : fmt::format("{:>{}}", row[k], width));
    }
    text += '\n';
  };
  print(table.header);
  for (const Row& row : table.rows) print(row);
  return text;
}

/// The same with the second column below it, for narrow pages.
std::string paper_text(const std::vector<PaperRow>& rows) {
  Table table = paper_table(rows);
  std::string below;
  table.names = 1;
  table.header.erase(table.header.begin() + 1);
  for (Row& row : table.rows) {
    if (row[1] != none) below += "  " + row[0] + ": " + row[1] + '\n';
    row.erase(row.begin() + 1);
  }
  return print_text(table) + "ours:\n" + below;
}

std::string print_markdown(const Table& table) {
  std::string text = "| " + join(table.header, " | ") + " |\n|";
  for (std::size_t k = 0; k < table.header.size(); ++k) text += k < table.names ? " --- |" : " --: |";
  text += '\n';
  for (const Row& row : table.rows) { text += "| " + join(row, " | ") + " |\n"; }
  return text;
}

/// Breaks a line between words; all but the first begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent) {
  constexpr std::size_t width = 120;
  std::string lines;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines += line + '\n';
      line = indent + word;
    } else {
      line += (begin > 0 ? " " : "") + word;
    }
    begin = end + 1;
  }
  return lines + line + '\n';
}

/// A line for each reason, "needs equal limbs: limb lanes of rnea, bias; limb lanes and dense kernels of minv".
std::vector<std::string> left_out(const Comparison& comparison) {
  using Functions = std::vector<std::string>;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Functions>>>> reasons;
  const auto entry = [](auto& list, const std::string& key) -> auto& {
    const auto is_key = [&](const auto& pair) { return pair.first == key; };
    const auto found = std::find_if(list.begin(), list.end(), is_key);
    if (found != list.end()) return found->second;
    list.emplace_back().first = key;
    return list.back().second;
  };
  for (const ComparedFunction& function : comparison.functions) {
    for (const ComparedFormulation& row : function.formulations)
      if (!row.is_compared())
        entry(entry(reasons, row.left_out), row.formulation->name).push_back(function.name);
  }
  std::vector<std::string> lines;
  for (const auto& [reason, formulations] : reasons) {
    std::vector<std::string> names;
    for (const auto& [name, functions] : formulations) names.push_back(name + " of " + join(functions));
    const std::string heading = reason.rfind("it ", 0) == 0 ? reason.substr(3) : reason;
    lines.push_back(heading + ": " + join(names, "; "));
  }
  return lines;
}

std::string title(const Robot& robot, const CommandLine& line) {
  const model::Tree& tree = robot.tree;
  std::string goal;
  for (const GoalName& entry : goal_names())
    if (entry.goal == line.options.goal()) goal = entry.name;
  return fmt::format("{}: nq = {}, nv = {}, {} base; chosen for {} on {}", printable(tree.name), tree.nq,
                     tree.nv, tree.floating_base ? "floating" : "fixed", goal,
                     cost::name(line.options.estimated_target()));
}

std::vector<std::string> legend(const CommandLine& line, const std::string& mark) {
  const std::string measured =
      std::string("; code, ns: compiled with ") + timing_flags + ", the best time of many";
  return {mark + ": chosen, as generate does; (by name): generate takes it with --formulation only",
          "written: operations as the formulas have them, before zeros, ones and common terms are folded; -: "
          "routines of the runtime compute a part",
          "before, after: flops before and after the passes, with negations; one for all lanes of equal "
          "limbs; of "
          "functions that take a link, for the link with the most",
          std::string("~code: bytes on ") + cost::name(line.options.estimated_target()) +
              "; ~ns: time of a call in double; both predicted" + (line.measure ? measured : ""),
          "error: the largest difference from the reference solver; generate allows 1e-10"};
}

std::string paper_title(const model::Tree& tree) {
  return fmt::format(
      "Beside table 3 of Silva, Quiroz-Omana, Adorno (Dynamics of Mobile Manipulators Using Dual Quaternion "
      "Algebra), n = {}: products and quotients (mult), sums and differences (add)",
      tree.bodies.size());
}

Json to_json(const std::optional<ir::Operations>& operations) {
  if (!operations) return nullptr;
  return {{"multiplications", operations->multiplications},
          {"divisions", operations->divisions},
          {"additions", operations->additions}};
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const ComparedFormulation& row) {
  const cost::Figures& figures = row.figures;
  Json json{{"name", row.formulation->name},
            {"chosen", row.chosen},
            {"by_name_only", row.formulation->by_name_only},
            {"plain_frames", row.in_plain_frames},
            {"written", to_json(row.written)},
            {"flops_before", row.flops_before},
            {"flops", figures.flops},
            {"sincos", figures.sincos},
            {"code_bytes", figures.code_bytes},
            {"predicted_ns", or_null(figures.ns)},
            {"error", or_null(row.error)}};
  if (row.timing) json["measured"] = {{"ns", row.timing->ns}, {"code_bytes", row.timing->bytes}};
  return json;
}

Json to_json(const ComparedFunction& function) {
  Json json{{"chosen", function.chosen().formulation->name},
            {"formulations", Json::array()},
            {"left_out", Json::array()}};
  for (const ComparedFormulation& row : function.formulations) {
    if (row.is_compared())
      json["formulations"].push_back(to_json(row));
    else
      json["left_out"].push_back({{"name", row.formulation->name}, {"reason", row.left_out}});
  }
  return json;
}

Json to_json(const PaperRow& row) {
  return {{"method", row.method},
          {"functions", row.functions},
          {"formulation", row.formulation},
          {"paper", {{"multiplications", row.paper.multiplications}, {"additions", row.paper.additions}}},
          {"written", to_json(row.written)},
          {"simplified", to_json(row.simplified)}};
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  std::string text = title(robot, line) + '\n' + print_text(table_for_text(comparison, line));
  for (const std::string& entry : legend(line, "*")) text += wrapped(entry, "  ");
  const std::vector<PaperRow> rows = paper_rows(comparison, robot.tree);
  if (!rows.empty()) text += '\n' + wrapped(paper_title(robot.tree), "") + paper_text(rows);
  const std::vector<std::string> missing = left_out(comparison);
  if (!missing.empty()) text += "\nleft out:\n";
  for (const std::string& entry : missing) text += wrapped("  " + entry, "    ");
  return text;
}

std::string comparison_markdown(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  std::string text =
      title(robot, line) + "\n\n" + print_markdown(table_for_markdown(comparison, line)) + '\n';
  for (const std::string& entry : legend(line, "bold")) text += "- " + wrapped(entry, "  ");
  const std::vector<PaperRow> rows = paper_rows(comparison, robot.tree);
  if (!rows.empty())
    text += '\n' + wrapped(paper_title(robot.tree), "") + '\n' + print_markdown(paper_table(rows));
  const std::vector<std::string> missing = left_out(comparison);
  if (!missing.empty()) text += "\nLeft out:\n\n";
  for (const std::string& entry : missing) text += "- " + wrapped(entry, "  ");
  return text;
}

Json comparison_json(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  Json json{{"featherline_comparison", 1},          {"robot", robot.tree.name},
            {"file", robot.description.file},       {"nv", robot.tree.nv},
            {"options", robot_flags(line.options)}, {"target", cost::name(line.options.estimated_target())},
            {"functions", Json::object()}};
  if (line.measure) {
    json["measured_on"] = {
        {"cpu", processor_name()}, {"compiler", compiler_version()}, {"flags", timing_flags}};
  }
  for (const ComparedFunction& function : comparison.functions)
    json["functions"][function.name] = to_json(function);
  json["table_3"] = Json::array();
  for (const PaperRow& row : paper_rows(comparison, robot.tree)) json["table_3"].push_back(to_json(row));
  return json;
}

}  // namespace featherline::cli
