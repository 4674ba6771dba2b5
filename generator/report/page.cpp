#include "emit/function_files.hpp"
#include "joints/page/joint_kind.hpp"
#include "model/overview.hpp"
#include "pipeline.hpp"
#include "report/report.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace featherline::report {
namespace {

std::string skeleton(const char* name) { return std::string(emit::skeleton(std::string("html/") + name)); }

std::string count_text(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// The robot in a few numbers.
std::string summary(const Report& report) {
  const model::Tree& tree = report.robot->tree;
  const model::Masses mass = model::sum_masses(tree);
  const model::Vector3& g = tree.gravity;
  const Diagnostics& findings = report.findings;
  return term("base", tree.floating_base ? "floating" : "fixed") +
         term("nq, nv", fmt::format("{}, {}", tree.nq, tree.nv)) +
         term("moving bodies", fmt::to_string(tree.bodies.size())) +
         term("links", fmt::to_string(tree.links.size())) +
         term("moving mass", fmt::format("{:.4g} kg", mass.moving)) +
         (mass.welded_to_world > 0.0
              ? term("welded to the world", fmt::format("{:.4g} kg", mass.welded_to_world))
              : "") +
         term("gravity", fmt::format("({:.6g}, {:.6g}, {:.6g}) m/s²", g.x(), g.y(), g.z())) +
         term("findings", fmt::format("<a href=\"#findings\">{}, {}</a>",
                                      count_text(findings.count(Severity::warning), "warning", "warnings"),
                                      count_text(findings.count(Severity::note), "note", "notes")));
}

std::string functions_note(const Report& report) {
  return fmt::format(
      "<p class=\"quiet\">As <code>featherline generate</code> reports them. flops: an operation on all "
      "lanes of equal limbs counts as one. {}: {}. ~stack (with what is called) and ~code: estimated bytes "
      "for {}; all functions and what they share: {} bytes. error: the largest difference from the reference "
      "solver; 1e-10 is allowed.</p>\n",
      cost::time_title(report.target), cost::time_words(report.target, report.flash_wait_states),
      cost::name(report.target), report.image_bytes);
}

std::string script() {
  std::string text;
  for (const char* part : {"loops.js", "kinematics.js", "drawing.js", "pose.js", "player.js", "page.js"})
    text += skeleton(part);
  return "(() => {\n'use strict';\n" + text + "})();\n";
}

}  // namespace

Report make_report(const Robot& robot, Plan plan, const Options& options, const Observer& observer) {
  const std::vector<std::string> added = plan_matrices(plan, robot.tree, options);
  LoweredRobot lowered = lower_robot(robot, plan, options, observer);
  Report report;
  report.robot = &robot;
  report.matrices = take_matrices(lowered.functions, added, robot.tree);
  std::vector<std::string> names = each(lowered.functions, function_name);
  Options as_built = options;
  as_built.build.gravity = robot.tree.gravity;
  report.flags = flags_in_effect(as_built, names);
  Emission emission = emit_lowered(robot, plan.name, std::move(lowered), options, observer);
  report.functions = std::move(emission.facts);
  report.image_bytes = emission.image_bytes;
  report.target = options.estimated_target();
  report.flash_wait_states = options.flash_wait_states;
  return report;
}

std::string page(const Report& report) {
  const Robot& robot = *report.robot;
  const std::string file = std::filesystem::path(robot.description.file).filename().string();
  return emit::render(emit::skeleton("html/page.html"),
                      {{"name", html_name(robot.tree.name)},
                       {"file", html_name(file)},
                       {"sha256", robot.description.sha256},
                       {"version", emit::version()},
                       {"flags", escape_html(report.flags)},
                       {"summary", summary(report)},
                       {"style", skeleton("style.css")},
                       {"tree", tree_picture(robot.tree)},
                       {"legend", joint_legend()},
                       {"joints", joint_table(robot.tree)},
                       {"links", link_table(robot)},
                       {"findings", finding_list(report.findings)},
                       {"functions", function_table(report) + functions_note(report)},
                       {"matrices", matrix_pictures(report.matrices)},
                       {"scene", scene_json(robot)},
                       {"trajectory", report.trajectory.empty() ? "null" : report.trajectory},
                       {"script", script()}});
}

namespace {

/// Pixels of a side of an entry.
int entry_size(int rows) { return rows <= 8 ? 22 : rows <= 14 ? 16 : rows <= 40 ? 8 : rows <= 80 ? 5 : 2; }

/// Nonzeros as one path: neighbours in a row are one rectangle.
std::string filled(const Matrix& matrix) {
  std::string path;
  for (int i = 0; i < matrix.size; ++i) {
    for (int j = 0; j < matrix.size; ++j) {
      if (!matrix.at(i, j)) continue;
      const int first = j;
      while (j < matrix.size && matrix.at(i, j)) ++j;
      path += fmt::format("M{} {}h{}v1h-{}z", first, i, j - first, j - first);
    }
  }
  return path;
}

std::string grid(int rows) {
  std::string path;
  for (int k = 1; k < rows; ++k) path += fmt::format("M0 {0}h{1}M{0} 0v{1}", k, rows);
  return path;
}

std::string share(const Matrix& matrix) {
  const int all = matrix.size * matrix.size, nonzeros = matrix.num_nonzeros();
  return fmt::format("{} of {} entries are not structural zeros ({:.0f} %)", nonzeros, all,
                     100.0 * nonzeros / all);
}

std::string picture(const Matrix& matrix) {
  const int side = matrix.size * entry_size(matrix.size);
  const std::string name = fmt::format(
      "<b>{}</b> of <code>{}</code><br><span class=\"quiet\">{}</span>", matrix.output, matrix.function,
      escape_html(matrix.meaning.substr(0, matrix.meaning.find_first_of(":,;"))));
  const std::string svg = fmt::format(
      "<svg width=\"{0}\" height=\"{0}\" viewBox=\"0 0 {1} {1}\" role=\"img\" aria-label=\"{2}: {3}\" "
      "data-rows=\"{1}\"><path class=\"filled\" d=\"{4}\"/><path class=\"grid\" d=\"{5}\"/></svg>",
      side, matrix.size, matrix.output, share(matrix), filled(matrix), grid(matrix.size));
  return fmt::format(
      "<figure class=\"matrix\">\n<figcaption>{}</figcaption>\n{}\n<p class=\"quiet\">{}</p>\n</figure>\n",
      name, svg, share(matrix));
}

}  // namespace

std::string matrix_pictures(const std::vector<Matrix>& matrices) {
  std::string pictures;
  std::vector<std::string> full, unknown;
  for (const Matrix& matrix : matrices) {
    if (!matrix.is_known())
      unknown.push_back(matrix.output + " of " + matrix.function);
    else if (matrix.num_nonzeros() == matrix.size * matrix.size)
      full.push_back(matrix.output + " of " + matrix.function);
    else
      pictures += picture(matrix);
  }
  if (matrices.empty()) {
    return "<p>None of the functions is drawn here; --functions mass_matrix,rnea_derivatives adds "
           "some.</p>\n";
  }
  std::string text;
  if (!pictures.empty()) {
    text += "<div class=\"matrices\">\n" + pictures +
            "</div>\n<p id=\"entry\">Point at an entry to see its row and column.</p>\n";
  }
  if (!full.empty()) text += "<p>Without zeros: " + join(full) + ".</p>\n";
  if (!unknown.empty()) {
    text += "<p>Not known, because loops compute them for a robot of this size: " + join(unknown) + ".</p>\n";
  }
  return text;
}

}  // namespace featherline::report
