#include "cli/compare/comparison.hpp"
#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "reference/expected.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

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
  const cost::Target target = line.options.estimated_target();
  Cells titles{"written", "before", "after", "sincos", "~stack", "~code", cost::time_title(target)};
  if (cost::predicts_cold(target)) titles.emplace_back("~cold");
  if (line.measure) titles.insert(titles.end(), {"code", "ns"});
  if (line.cold) titles.emplace_back("cold");
  titles.emplace_back("error");
  return titles;
}

Cells numbers(const ComparedFormulation& row, cost::Target target) {
  const cost::Figures& figures = row.figures;
  Cells cells{row.written ? std::to_string(row.written->total()) : none,
              std::to_string(row.flops_before),
              std::to_string(figures.flops),
              std::to_string(figures.sincos),
              std::to_string(figures.stack_bytes),
              std::to_string(figures.code_bytes),
              figures.time() ? time_text(*figures.time()) : none};
  if (cost::predicts_cold(target)) cells.push_back(figures.cold_ns ? time_text(*figures.cold_ns) : none);
  if (row.timing) cells.insert(cells.end(), {std::to_string(row.timing->bytes), time_text(row.timing->ns)});
  if (row.timing && row.timing->cold_ns > 0) cells.push_back(time_text(row.timing->cold_ns));
  cells.push_back(row.error ? fmt::format("{:.1e}", *row.error) : none);
  return cells;
}

Cells joined(Cells front, const Cells& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// Text has the functions as headings among the rows; Markdown has a column of them.
TextTable formulations_table(const Comparison& comparison, const CommandLine& line, bool markdown) {
  TextTable table = markdown ? TextTable(2, joined({"function", "formulation"}, number_titles(line)))
                             : TextTable(1, joined({"  formulation"}, number_titles(line)));
  for (const ComparedFunction& function : comparison.functions) {
    if (!markdown) table.add({function.name});
    for (const ComparedFormulation& row : function.formulations) {
      if (!row.is_compared()) continue;
      const Cells names =
          markdown ? Cells{"`" + function.name + "`", row.chosen ? "**" + label(row) + "**" : label(row)}
                   : Cells{(row.chosen ? "* " : "  ") + label(row)};
      table.add(joined(names, numbers(row, line.options.estimated_target())));
    }
  }
  return table;
}

/// A line for each reason: "limb lanes of rnea, bias; limb lanes and dense kernels of minv: it needs equal limbs".
std::vector<std::string> left_out(const Comparison& comparison) {
  using Functions = std::vector<std::string>;
  nlohmann::ordered_map<std::string, nlohmann::ordered_map<std::string, Functions>> reasons;
  for (const ComparedFunction& function : comparison.functions) {
    for (const ComparedFormulation& row : function.formulations)
      if (!row.is_compared()) reasons[row.left_out][row.formulation->name].push_back(function.name);
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
  for (const GoalName& entry : goal_names)
    if (entry.goal == line.options.goal()) goal = entry.name;
  return fmt::format("{}: nq = {}, nv = {}, {} base; chosen for {} on {}", printable(tree.name), tree.nq,
                     tree.nv, tree.floating_base ? "floating" : "fixed", goal,
                     cost::name(line.options.estimated_target()));
}

/// What the columns are, a line for each.
std::vector<std::string> legend(const CommandLine& line, const std::string& mark) {
  const std::string measured = std::string("; code, ns: compiled with ") + timing_flags +
                               ", the best time of many" + (line.cold ? "; cold: the median of 31" : "");
  const cost::Target target = line.options.estimated_target();
  return {
      mark + ": chosen, as generate does; (by name): generate takes it with --formulation only",
      "written: operations as the formulas have them, before zeros, ones and common terms are folded; -: "
      "routines of the runtime compute a part",
      "before, after: operations before and after simplification, negations included; an operation on all "
      "equal limbs at once counts once; forward_kinematics and frame_jacobian: of the link with the most",
      "~stack, ~code: predicted bytes on " + cost::name(target) +
          (cost::is_cortex_m(target)
               ? "; ~cycles: " + cost::time_words(target, line.options.flash_wait_states)
               : "; ~ns, ~cold: predicted times of a call in double, one call after the other and one that "
                 "finds nothing in the caches. The choice for speed adds a little time for long code") +
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
          fmt::format("{}: generate would stop: the shortest code takes {} bytes, and --max-code allows {}",
                      function.name, bytes, limit));
  }
  return lines;
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
            {"by_name_only", row.formulation->by_name_only()},
            {"plain_frames", row.in_plain_frames},
            {"written", to_json(row.written)},
            {"flops_before", row.flops_before},
            {"flops", figures.flops},
            {"sincos", figures.sincos},
            {"stack_bytes", figures.stack_bytes},
            {"code_bytes", figures.code_bytes},
            {"predicted_ns", or_null(figures.ns)},
            {"predicted_cold_ns", or_null(figures.cold_ns)},
            {"predicted_cycles", or_null(figures.cycles)},
            {"error", or_null(row.error)}};
  if (row.timing) json["measured"] = {{"ns", row.timing->ns}, {"code_bytes", row.timing->bytes}};
  if (row.timing && row.timing->cold_ns > 0) json["measured"]["cold_ns"] = row.timing->cold_ns;
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

}  // namespace

std::string comparison_text(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  const bool markdown = line.format == CommandLine::Format::markdown;
  const std::string bullet = markdown ? "- " : "", blank = markdown ? "\n" : "";
  const TextTable table = formulations_table(comparison, line, markdown);
  std::string text =
      title(robot, line) + '\n' + blank + (markdown ? table.markdown() : table.text("")) + blank;
  for (const std::string& entry : too_long(comparison, line)) text += bullet + wrapped(entry, "  ");
  for (const std::string& entry : legend(line, markdown ? "bold" : "*"))
    text += bullet + wrapped(entry, "  ");
  const std::vector<std::string> missing = left_out(comparison);
  if (!missing.empty()) text += markdown ? "\nLeft out:\n\n" : "\nleft out:\n";
  for (const std::string& entry : missing)
    text += markdown ? "- " + wrapped(entry, "  ") : wrapped("  " + entry, "    ");
  return text;
}

Json comparison_json(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  Json json{{"featherline_comparison", 1},
            {"robot", robot.tree.name},
            {"file", robot.description.file},
            {"nq", robot.tree.nq},
            {"nv", robot.tree.nv},
            {"options", robot_flags(line.options)},
            {"target", cost::name(line.options.estimated_target())},
            {"functions", Json::object()}};
  if (line.measure) {
    json["measured_on"] = {
        {"cpu", processor_name()}, {"compiler", compiler_version()}, {"flags", timing_flags}};
  }
  for (const ComparedFunction& function : comparison.functions)
    json["functions"][function.name] = to_json(function);
  return json;
}

}  // namespace featherline::cli
