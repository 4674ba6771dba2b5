#include "report/tables.hpp"

#include "catalog/formulations.hpp"
#include "model/overview.hpp"
#include "report/ellipsoid.hpp"
#include "report/joint_kind.hpp"
#include "report/table.hpp"
#include "support/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace featherline::report {
namespace {

std::string vector_text(const model::Vector3& v, const char* separator = ", ") {
  return fmt::format("{:.4g}{}{:.4g}{}{:.4g}", v.x(), separator, v.y(), separator, v.z());
}

std::string code(const std::string& text) { return "<code>" + escape_html(text) + "</code>"; }

std::string mimic_text(const model::Tree& tree, const model::Joint& joint) {
  const model::Joint& driver = tree.bodies[static_cast<std::size_t>(joint.mimics)].joint;
  return fmt::format("{:.6g} × {} {} {:.6g}", joint.multiplier, html_name(driver.name), joint.offset < 0.0 ? "−" : "+",
                     std::abs(joint.offset));
}

}  // namespace

std::string joint_table(const model::Tree& tree) {
  Table table("Joints", {{"joint"},
                         {"q", true},
                         {"v", true},
                         {"type"},
                         {"axis"},
                         {"lower", true},
                         {"upper", true},
                         {"unit"},
                         {"velocity", true},
                         {"effort", true},
                         {"unit"},
                         {"coupled to"}});
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    const model::Limits& limits = joint.limits;
    const std::string symbol =
        fmt::format("<svg width=\"16\" height=\"16\" viewBox=\"-8 -8 16 16\" aria-hidden=\"true\">{}</svg> ",
                    joint_symbol(kind_of(joint), 0, 0));
    table.add({html_name(joint.name), model::index_range(joint.idx_q, joint.nq),
               model::index_range(joint.idx_v, joint.nv), symbol + model::name(joint.type), axis_text(joint),
               number_text(limits.lower), number_text(limits.upper), position_units(joint),
               number_text(limits.velocity), number_text(limits.effort), force_units(joint),
               joint.mimics < 0 ? "" : mimic_text(tree, joint)});
  }
  return table.html();
}

std::string link_table(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  Table table("Links", {{"link"},
                        {"moves with"},
                        {"mass [kg]", true},
                        {"centre of mass [m]", true},
                        {"principal moments [kg m²]", true},
                        {"semi-axes [mm]", true},
                        {"possible"}});
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const model::Link& link = tree.links[i];
    const std::string body =
        link.body < 0 ? "the world" : html_name(tree.bodies[static_cast<std::size_t>(link.body)].name);
    const std::optional<Ellipsoid> ellipsoid = equivalent_ellipsoid(robot.description.links[i]);
    if (!ellipsoid) {
      table.add({html_name(link.name), body, "–", "–", "–", "–", ""}, "quiet");
      continue;
    }
    const bool has_axes = link.mass > 0.0;
    table.add({html_name(link.name), body, number_text(link.mass), vector_text(link.com),
               vector_text(ellipsoid->moments), has_axes ? vector_text(ellipsoid->semi_axes * 1e3, " × ") : "–",
               ellipsoid->flaw.empty() ? "yes" : "<b>⚠ no:</b> " + ellipsoid->flaw},
              ellipsoid->flaw.empty() ? "" : "flawed");
  }
  return table.html();
}

std::string function_table(const Report& report) {
  Table table("Functions", {{"function"},
                            {"flops", true},
                            {"sincos", true},
                            {"statements", true},
                            {"~ns", true},
                            {"~stack [B]", true},
                            {"~code [B]", true},
                            {"error", true},
                            {"formulation"}});
  std::string dictionary;
  std::set<std::string> explained;
  for (const emit::FunctionFacts& facts : report.functions) {
    const std::string& brief = catalog::find(facts.name)->brief;
    table.add({fmt::format("<span title=\"{}\"><code>{}</code></span>", escape_html(brief), escape_html(facts.name)),
               fmt::to_string(facts.flops), fmt::to_string(facts.sincos), fmt::to_string(facts.statements),
               facts.ns ? fmt::format("{:.0f}", *facts.ns) : "–", fmt::to_string(facts.stack_bytes),
               fmt::to_string(facts.code_bytes), facts.error ? fmt::format("{:.1e}", *facts.error) : "–",
               escape_html(facts.formulation)});
    dictionary += term(code(facts.name), escape_html(brief));
  }
  std::string formulations;
  for (const auto& [name, doc] : catalog::formulation_docs()) {
    const auto has_it = [&, wanted = std::string(name)](const emit::FunctionFacts& facts) {
      return facts.formulation.substr(0, facts.formulation.find_first_of(",;")) == wanted;
    };
    if (std::any_of(report.functions.begin(), report.functions.end(), has_it))
      formulations += term(escape_html(name), escape_html(doc));
  }
  return table.html() + "<details><summary>What the functions and formulations are</summary>\n<dl>\n" + dictionary +
         formulations + "</dl></details>\n";
}

std::string finding_list(const Diagnostics& findings) {
  std::string items;
  for (Diagnostic finding : findings.sorted()) {
    finding.where.file = std::filesystem::path(finding.where.file).filename().string();
    items += fmt::format("<li class=\"{}\">{}</li>\n", finding.severity == Severity::note ? "note" : "warning", escape_html(format(finding)));
  }
  if (findings.dropped() > 0) items += fmt::format("<li>{} further findings not shown</li>\n", findings.dropped());
  return items.empty() ? "<p>None.</p>\n" : "<ul class=\"findings\">\n" + items + "</ul>\n";
}

}  // namespace featherline::report
