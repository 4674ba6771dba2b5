#include "report/report.hpp"

#include "catalog/functions.hpp"
#include "joints/page/joint_kind.hpp"
#include "model/overview.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace featherline::report {
namespace {

/// The heading is HTML.
struct Column {
  std::string heading;
  bool is_right;  ///< aligned to the right
};
Column left(const char* heading) { return {heading, false}; }
Column right(const char* heading) { return {heading, true}; }

/// Cells are HTML. The first one is the heading of the row.
struct Row {
  std::vector<std::string> cells;
  const char* css_class = "";
};

/// A table that scrolls sideways on narrow screens. `label` says what it holds, for screen readers.
std::string table(const char* label, const std::vector<Column>& columns, const std::vector<Row>& rows) {
  const auto cell = [](const char* tag, const char* scope, const Column& column, const std::string& text) {
    return fmt::format("<{0}{1}{2}>{3}</{0}>", tag, scope, column.is_right ? " class=\"n\"" : "", text);
  };
  std::string head, body;
  for (const Column& column : columns) head += cell("th", " scope=\"col\"", column, column.heading);
  for (const Row& row : rows) {
    body += *row.css_class == '\0' ? "<tr>" : fmt::format("<tr class=\"{}\">", row.css_class);
    body += cell("th", " scope=\"row\"", columns[0], row.cells[0]);
    for (std::size_t k = 1; k < row.cells.size(); ++k) body += cell("td", "", columns[k], row.cells[k]);
    body += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\">\n<table>\n<thead><tr>{}</tr></thead>\n"
      "<tbody>\n{}</tbody>\n</table>\n</div>\n",
      label, head, body);
}

/// "1.2345", or a dash for infinities: six digits.
std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–"; }

std::string vector_text(const model::Vector3& v, const char* separator = ", ") {
  return fmt::format("{:.4g}{}{:.4g}{}{:.4g}", v.x(), separator, v.y(), separator, v.z());
}

std::string code(const std::string& text) { return "<code>" + escape_html(text) + "</code>"; }

std::string mimic_text(const model::Tree& tree, const model::Joint& joint) {
  if (joint.is_eliminated) return "a loop";
  const model::Joint& driver = tree.bodies[static_cast<std::size_t>(joint.mimics)].joint;
  return fmt::format("{:.6g} × {} {} {:.6g}", joint.multiplier, html_name(driver.name),
                     joint.offset < 0.0 ? "−" : "+", std::abs(joint.offset));
}

/// A bar that shows a share of the longest time.
std::string bar(double share) {
  constexpr double longest = 7.0;  // of the height of a letter
  return fmt::format("<span class=\"bar\" style=\"width:{:.2f}em\"></span>", std::max(longest * share, 0.1));
}

std::string figures_table(const std::vector<emit::FunctionFacts>& functions, cost::Target target) {
  double slowest = 0.0;
  for (const emit::FunctionFacts& facts : functions) slowest = std::max(slowest, facts.time().value_or(0.0));
  std::vector<Row> rows;
  for (const emit::FunctionFacts& facts : functions) {
    rows.push_back(
        {{code(facts.name), fmt::to_string(facts.flops), fmt::to_string(facts.sincos),
          fmt::to_string(facts.statements), facts.time() ? fmt::format("{:.0f}", *facts.time()) : "–",
          facts.time() ? bar(*facts.time() / slowest) : "",
          facts.cold_ns ? fmt::format("{:.0f}", *facts.cold_ns) : "–", fmt::to_string(facts.stack_bytes),
          fmt::to_string(facts.code_bytes), facts.error ? fmt::format("{:.1e}", *facts.error) : "–",
          escape_html(facts.formulation)}});
  }
  std::vector titles{left("function"),
                     right("flops"),
                     right("sincos"),
                     right("statements"),
                     right(cost::time_title(target)),
                     left(""),
                     right("~cold [ns]"),
                     right("~stack [B]"),
                     right("~code [B]"),
                     right("error"),
                     left("formulation")};
  if (!cost::predicts_cold(target)) {
    constexpr int cold = 6;
    titles.erase(titles.begin() + cold);
    for (Row& row : rows) row.cells.erase(row.cells.begin() + cold);
  }
  return table("Functions", titles, rows);
}

bool is_used(const Report& report, std::string_view formulation) {
  return std::ranges::any_of(report.functions, [&](const emit::FunctionFacts& facts) {
    return facts.formulation.substr(0, facts.formulation.find_first_of(",;")) == formulation;
  });
}

/// The findings that one stands for, which its own line cuts.
std::string others_list(const Diagnostic& finding) {
  if (finding.num_others == 0) return {};
  std::string items;
  for (const Diagnostic& other : finding.others)
    items += fmt::format("<li>line {}: {}</li>\n", other.where.line, escape_html(other.message));
  if (const std::size_t lost = finding.num_others - finding.others.size())
    items += fmt::format("<li>{} more not shown</li>\n", lost);
  return fmt::format("<details><summary>each by itself</summary>\n<ul>\n{}</ul></details>", items);
}

}  // namespace

std::string term(std::string_view name, std::string_view html) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
}

std::string joint_table(const model::Tree& tree) {
  bool has_drives = false;
  std::vector<Row> rows;
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    const model::Limits& limits = joint.limits;
    const std::string symbol =
        fmt::format("<svg width=\"16\" height=\"16\" viewBox=\"-8 -8 16 16\" aria-hidden=\"true\">{}</svg> ",
                    joint_symbol(kind_of(joint), 0, 0));
    rows.push_back({{html_name(joint.name), model::index_range(joint.idx_q, joint.nq),
                     model::index_range(joint.idx_v, joint.nv), symbol + model::name(joint.type),
                     axis_text(joint), number_text(limits.lower), number_text(limits.upper),
                     position_units(joint), number_text(limits.velocity), number_text(limits.effort),
                     force_units(joint), joint.mimics < 0 ? "" : mimic_text(tree, joint)}});
    std::string drive = model::describe_drive(joint);
    const std::string rotors =
        model::describe_rotors(tree, static_cast<int>(&body - tree.bodies.data()), html_name);
    if (!rotors.empty()) drive += (drive.empty() ? "" : "; ") + rotors;
    if (!drive.empty()) rows.back().cells.push_back(drive);
    has_drives = has_drives || !drive.empty();
  }
  for (const model::Tendon& tendon : tree.tendons)
    rows.push_back({{html_name(tendon.name), "–", "–", "tendon", "", "", "", "", "", "", "",
                     model::describe_tendon(tree, tendon, html_name)}});
  for (const model::LockedJoint& joint : tree.locked) {
    rows.push_back({{html_name(joint.name), "–", "–", model::name(joint.type), "", "", "", "", "", "", "",
                     fmt::format("locked at {:.6g}", fmt::join(joint.position, " "))},
                    "quiet"});
  }
  std::vector titles{left("joint"),     right("q"),      right("v"),     left("type"),
                     left("axis"),      right("lower"),  right("upper"), left("unit"),
                     right("velocity"), right("effort"), left("unit"),   left("coupled to")};
  if (has_drives) titles.push_back(left("drive, spring, further limits [SI]"));
  return table("Joints", titles, rows);
}

std::string link_table(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const model::Link& link = tree.links[i];
    const std::string body =
        link.body < 0 ? "the world" : html_name(tree.bodies[static_cast<std::size_t>(link.body)].name);
    const std::optional<Ellipsoid> ellipsoid = equivalent_ellipsoid(robot.description.links[i]);
    if (!ellipsoid) {
      rows.push_back({{html_name(link.name), body, "–", "–", "–", "–", ""}, "quiet"});
      continue;
    }
    const bool is_possible = ellipsoid->flaw.empty();
    rows.push_back({{html_name(link.name), body, number_text(link.mass), vector_text(link.com),
                     vector_text(ellipsoid->moments),
                     link.mass > 0.0 ? vector_text(ellipsoid->semi_axes * 1e3, " × ") : "–",
                     is_possible ? "yes" : "<b>⚠ no:</b> " + ellipsoid->flaw},
                    is_possible ? "" : "flawed"});
  }
  return table("Links",
               {left("link"), left("moves with"), right("mass [kg]"), right("centre of mass [m]"),
                right("principal moments [kg m²]"), right("semi-axes [mm]"), left("possible")},
               rows);
}

std::string function_table(const Report& report) {
  std::string terms;
  for (const emit::FunctionFacts& facts : report.functions)
    terms += term(code(facts.name), escape_html(catalog::find(facts.name)->brief));
  for (const catalog::Method& method : catalog::methods()) {
    if (is_used(report, method.name)) terms += term(escape_html(method.name), escape_html(words_of(method)));
  }
  return figures_table(report.functions, report.target) +
         "<details><summary>What the functions and formulations are</summary>\n<dl>\n" + terms +
         "</dl></details>\n";
}

std::string finding_list(const Diagnostics& findings) {
  std::string items;
  for (Diagnostic finding : sorted(findings.all())) {
    finding.where.file = std::filesystem::path(finding.where.file).filename().string();
    items +=
        fmt::format("<li class=\"{}\">{}{}</li>\n", finding.severity == Severity::note ? "note" : "warning",
                    escape_html(format(finding)), others_list(finding));
  }
  if (findings.dropped() > 0)
    items += fmt::format("<li>{} further findings not shown</li>\n", findings.dropped());
  return items.empty() ? "<p>None.</p>\n" : "<ul class=\"findings\">\n" + items + "</ul>\n";
}

}  // namespace featherline::report
