#include "cli/compare/comparison.hpp"
#include "cli/text_table.hpp"
#include "reference/error.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace featherline::cli {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* none = "-";

std::string time_text(double ns) { return fmt::format("{:.{}f}", ns, ns < 99.95 ? 1 : 0); }

/// What the name of a formulation needs beside it.
std::string label(const ComparedFormulation& row) {
  return row.formulation->name + (row.in_plain_frames ? plain_frames_mark : "") +
         (row.formulation->by_name_only() ? " (by name)" : "");
}

Cells number_titles(const CommandLine& line) {
  Cells titles{"written", "before", "after", "sincos", "~stack", "~code", "~ns"};
  if (line.measure) titles.insert(titles.end(), {"code", "ns"});
  titles.emplace_back("error");
  return titles;
}

Cells numbers(const ComparedFormulation& row) {
  const cost::Figures& figures = row.figures;
  Cells cells{row.written ? std::to_string(row.written->total()) : none,
              std::to_string(row.flops_before),
              std::to_string(figures.flops),
              std::to_string(figures.sincos),
              std::to_string(figures.stack_bytes),
              std::to_string(figures.code_bytes),
              figures.ns ? time_text(*figures.ns) : none};
  if (row.timing) cells.insert(cells.end(), {std::to_string(row.timing->bytes), time_text(row.timing->ns)});
  cells.push_back(row.error ? fmt::format("{:.1e}", *row.error) : none);
  return cells;
}

Cells joined(Cells front, const Cells& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// A line for each formulation that was compared, under a line with the function's name.
TextTable table_for_text(const Comparison& comparison, const CommandLine& line) {
  TextTable table(1, joined({"  formulation"}, number_titles(line)));
  for (const ComparedFunction& function : comparison.functions) {
    table.add({function.name});
    for (const ComparedFormulation& row : function.formulations)
      if (row.is_compared()) table.add(joined({(row.chosen ? "* " : "  ") + label(row)}, numbers(row)));
  }
  return table;
}

TextTable table_for_markdown(const Comparison& comparison, const CommandLine& line) {
  TextTable table(2, joined({"function", "formulation"}, number_titles(line)));
  for (const ComparedFunction& function : comparison.functions) {
    for (const ComparedFormulation& row : function.formulations)
      if (row.is_compared())
        table.add(joined({"`" + function.name + "`", row.chosen ? "**" + label(row) + "**" : label(row)},
                         numbers(row)));
  }
  return table;
}

/// "rnea by link frames", or a dash.
std::string ours(const PaperRow& row) {
  return !row.written ? none : join(row.functions, " + ") + " by " + row.formulation;
}

Cells counts(const std::optional<ir::Operations>& operations) {
  if (!operations) return {none, none};
  return {std::to_string(operations->multiplications + operations->divisions),
          std::to_string(operations->additions)};
}

/// `with_ours`: a column says what is ours.
TextTable paper_table(const std::vector<PaperRow>& rows, bool with_ours) {
  const auto names = [&](const std::string& paper, const std::string& here) {
    return with_ours ? Cells{paper, here} : Cells{paper};
  };
  TextTable table(with_ours ? 2 : 1, joined(names("paper", "ours"), {"stated mult", "add", "written mult",
                                                                     "add", "after mult", "add"}));
  for (const PaperRow& row : rows) {
    const Cells paper = joined(counts(row.paper), counts(row.written));
    table.add(joined(names(row.method, ours(row)), joined(paper, counts(row.simplified))));
  }
  return table;
}

/// For narrow pages: what is ours stands below the table.
std::string paper_text(const std::vector<PaperRow>& rows) {
  std::string text = paper_table(rows, false).text("");
  for (const PaperRow& row : rows) {
    if (row.written)
      text += "  " + row.method + ": ours is " + ours(row) + '\n';
    else if (!row.functions.empty())
      text += wrapped("  " + row.method + ": ours needs --functions " + join(row.functions, ","), "    ");
  }
  return text;
}

/// A line for each reason: "limb lanes of rnea, bias; limb lanes and dense kernels of minv: it needs equal limbs".
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
    lines.push_back(join(names, "; ") + ": " + reason);
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

/// What the columns are, a line for each.
std::vector<std::string> legend(const CommandLine& line, const std::string& mark) {
  const std::string measured =
      std::string("; code, ns: compiled with ") + timing_flags + ", the best time of many";
  const std::string target = cost::name(line.options.estimated_target());
  const bool predicted = !cost::is_cortex_m(line.options.estimated_target());
  return {
      mark + ": chosen, as generate does; (by name): generate takes it with --formulation only",
      "written: operations as the formulas have them, before zeros, ones and common terms are folded; -: "
      "routines of the runtime compute a part",
      "before, after: operations before and after simplification, negations included; an operation on all "
      "equal limbs at once counts once; forward_kinematics and frame_jacobian: of the link with the most",
      "~stack, ~code: predicted bytes on " + target +
          (predicted
               ? "; ~ns: predicted time of a call in double. The choice adds a little time for long code"
               : "; ~ns: there is no prediction for " + target) +
          (line.measure ? measured : ""),
      line.options.verify
          ? fmt::format("error: the largest difference from the reference solver; generate allows {:.0e}",
                        reference::promised_error)
          : "error: not compared, because of --no-verify"};
}

/// Functions that generate would not emit, because even their shortest code is longer than --max-code.
std::vector<std::string> too_long(const Comparison& comparison, const CommandLine& line) {
  std::vector<std::string> lines;
  for (const ComparedFunction& function : comparison.functions) {
    const int bytes = function.chosen().figures.code_bytes, limit = line.options.max_code;
    if (limit > 0 && bytes > limit)
      lines.push_back(
          fmt::format("{}: generate would stop: the shortest code takes {} bytes, and --max-code "
                      "allows {}",
                      function.name, bytes, limit));
  }
  return lines;
}

std::string paper_title(const model::Tree& tree) {
  return fmt::format(
      "Beside table 3 of Silva, Quiroz-Omana, Adorno (Dynamics of Mobile Manipulators Using Dual Quaternion "
      "Algebra), n = {}: products and quotients (mult), sums and differences (add)",
      tree.bodies.size());
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  std::string text = title(robot, line) + '\n' + table_for_text(comparison, line).text("");
  for (const std::string& entry : too_long(comparison, line)) text += wrapped(entry, "  ");
  for (const std::string& entry : legend(line, "*")) text += wrapped(entry, "  ");
  const std::vector<PaperRow> rows = paper_rows(comparison, robot.tree);
  if (!rows.empty()) text += '\n' + wrapped(paper_title(robot.tree), "") + paper_text(rows);
  const std::vector<std::string> missing = left_out(comparison);
  if (!missing.empty()) text += "\nleft out:\n";
  for (const std::string& entry : missing) text += wrapped("  " + entry, "    ");
  return text;
}

std::string comparison_markdown(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  std::string text = title(robot, line) + "\n\n" + table_for_markdown(comparison, line).markdown() + '\n';
  for (const std::string& entry : too_long(comparison, line)) text += "- " + wrapped(entry, "  ");
  for (const std::string& entry : legend(line, "bold")) text += "- " + wrapped(entry, "  ");
  const std::vector<PaperRow> rows = paper_rows(comparison, robot.tree);
  if (!rows.empty())
    text += '\n' + wrapped(paper_title(robot.tree), "") + '\n' + paper_table(rows, true).markdown();
  const std::vector<std::string> missing = left_out(comparison);
  if (!missing.empty()) text += "\nLeft out:\n\n";
  for (const std::string& entry : missing) text += "- " + wrapped(entry, "  ");
  return text;
}

}  // namespace featherline::cli
