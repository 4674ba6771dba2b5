#include "cli/commands.hpp"
#include "cli/tune/tune.hpp"
#include "emit/identifiers.hpp"
#include "joints/joint_table.hpp"
#include "model/build_tree.hpp"
#include "model/overview.hpp"
#include "pipeline.hpp"
#include "report/report.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <ostream>
#include <utility>

namespace featherline::cli {
namespace {

/// Small grey lines, at most eight. So the box of a world with thousands of welded links stays small.
std::string merged_rows(const model::Tree& tree, const std::vector<const model::Link*>& links,
                        std::size_t first) {
  constexpr std::size_t most = 8;
  const std::size_t count = links.size() - std::min(first, links.size());
  const std::size_t shown = count > most ? most - 1 : count;
  std::string rows;
  const auto add = [&](const std::string& text) {
    rows += fmt::format("<br/><font point-size=\"9\" color=\"#5f6b7a\">{}</font>", text);
  };
  for (std::size_t k = first; k < first + shown; ++k) {
    const std::string lock = model::describe_lock(tree, *links[k], html_name);
    add("+ " + html_name(links[k]->name) + (lock.empty() ? "" : " (" + lock + ")"));
  }
  if (shown < count) add(fmt::format("and {} more", count - shown));
  return rows;
}

/// Joints that turn are blue. Joints that slide are brown. Joints that do both are green. A free body is violet.
const char* colour(model::JointType type) {
  const model::JointRow& row = model::row_of(type);
  if (row.nv() == 6) return "#6b4fa0";
  if (row.num_turns() == 0) return "#b3541e";
  return row.travels() ? "#2f7d4f" : "#2563a8";
}

/// A colour from white for no mass to blue for the heaviest body.
std::string fill(double mass, double heaviest) {
  const double share = heaviest > 0.0 ? std::sqrt(mass / heaviest) : 0.0;
  const auto between = [share](int light, int dark) {
    return light + static_cast<int>(share * (dark - light));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", between(0xfb, 0xa9), between(0xfc, 0xc8), between(0xfd, 0xe8));
}

/// " x" or " -z" if the joint has one axis along a coordinate axis of its body; else nothing.
std::string axis_name(const model::Joint& joint) {
  const std::string axis = joint.row().has_one_axis() ? model::coordinate_axis(joint.axis) : "";
  return axis.empty() ? "" : " " + axis;
}

std::string title(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  std::map<std::string, const char*> types;
  for (const model::Body& body : tree.bodies) types[model::name(body.joint.type)] = colour(body.joint.type);
  const model::Masses mass = model::sum_masses(tree);
  std::string text = fmt::format(
      "<font point-size=\"18\"><b>{}</b></font><br/>{} bodies, {} base, nq {}, nv {}, {:.4g} kg<br/>",
      html_name(tree.name), tree.bodies.size(), tree.floating_base ? "floating" : "fixed", tree.nq, tree.nv,
      mass.moving + mass.welded_to_world);
  for (const auto& [type, shade] : types)
    text += fmt::format("<font color=\"{}\">&#9632; {} </font>", shade, type);
  return text;
}

std::string edge(std::size_t i, const model::Body& body) {
  const model::Joint& joint = body.joint;
  const char* shade = colour(joint.type);
  const std::string q = model::index_range(joint.idx_q, joint.nq),
                    v = model::index_range(joint.idx_v, joint.nv);
  const std::string indices = joint.is_eliminated ? "follows from a loop"
                              : q == v            ? fmt::format("q, v[{}]", v)
                                                  : fmt::format("q[{}] v[{}]", q, v);
  std::string text = fmt::format(
      "  {} -> body{} [label=< <b>{}</b> <br align=\"left\"/> <font color=\"{}\">{}{}</font>, {} "
      "<br align=\"left\"/>>, color=\"{}\"];\n",
      body.parent < 0 ? "world" : fmt::format("body{}", body.parent), i, html_name(joint.name), shade,
      model::name(joint.type), axis_name(joint), indices, shade);
  if (joint.mimics >= 0 && !joint.is_eliminated) {
    text += fmt::format(
        "  body{} -> body{} [style=dashed, constraint=false, label=\"mimic\", color=\"#9aa5b1\"];\n",
        joint.mimics, i);
  }
  return text;
}

Json to_json(const model::Vector3& v) { return {v.x(), v.y(), v.z()}; }

Json to_json(const model::Placement& placement) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back(to_json(model::Vector3(placement.R.row(i))));
  return {{"R", rows}, {"p", to_json(placement.p)}};
}

Json to_json(const model::Joint& joint) {
  Json json{{"name", joint.name},
            {"type", model::name(joint.type)},
            {"idx_q", joint.idx_q},
            {"nq", joint.nq},
            {"idx_v", joint.idx_v},
            {"nv", joint.nv},
            {"axis", to_json(joint.axis)},
            {"placement", to_json(joint.placement)},
            {"limits", emit::limits_json(joint)}};
  emit::add_dynamics(joint, json);
  if (joint.is_eliminated) {
    json["eliminated"] = true;
  } else if (joint.mimics >= 0) {
    json["mimics"] = {{"body", joint.mimics}, {"multiplier", joint.multiplier}, {"offset", joint.offset}};
  }
  return json;
}

/// The page (report/report.hpp). Logs the findings, to which those of the plan are added.
std::string inspect_html(const CommandLine& given, const Robot& robot, Diagnostics& findings,
                         FindingsLog& log) {
  const std::string trajectory =
      given.trajectory_file.empty() ? "" : report::trajectory_json(given.trajectory_file, robot.tree);
  Progress progress;
  const CommandLine line = with_choices(given, robot, findings);
  Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  report::Report report = report::make_report(robot, std::move(plan), line.options, progress.observer());
  report.findings = findings;
  report.trajectory = trajectory;
  return report::page(report);
}

std::string inspect_one(const CommandLine& line, FindingsLog& log) {
  Diagnostics findings(line.accepted);
  const Robot robot = read_robot(line.model, line.options, findings);
  model::warn_massless(robot.tree, findings);
  if (line.format == CommandLine::Format::html) return inspect_html(line, robot, findings, log);
  settle_findings(line, findings, log);
  if (line.format == CommandLine::Format::json) return inspect_json(robot, findings);
  return line.format == CommandLine::Format::dot ? inspect_dot(robot) : inspect_text(robot);
}

}  // namespace

std::string inspect_dot(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const auto links = model::links_by_body(tree);
  double heaviest = 0.0;
  for (const model::Body& body : tree.bodies) heaviest = std::max(heaviest, body.inertia.mass);
  std::string text =
      "digraph robot {\n"
      "  graph [rankdir=TB, ranksep=0.45, nodesep=0.3, fontname=\"Helvetica\", labelloc=t, pad=0.2];\n"
      "  node [shape=box, style=\"rounded,filled\", color=\"#8896a5\", fontname=\"Helvetica\", fontsize=11, "
      "margin=\"0.16,0.07\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.6, penwidth=1.6];\n";
  text += fmt::format("  label=<{}>;\n", title(robot));
  text += fmt::format("  world [label=<<b>world</b>{}>, shape=box, style=filled, fillcolor=\"#dfe4ea\"];\n",
                      merged_rows(tree, links.back(), 0));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Body& body = tree.bodies[i];
    text += fmt::format("  body{} [label=<<b>{}</b><br/>{:.4g} kg{}>, fillcolor=\"{}\"];\n", i,
                        html_name(body.name), body.inertia.mass, merged_rows(tree, links[i], 1),
                        fill(body.inertia.mass, heaviest));
  }
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) text += edge(i, tree.bodies[i]);
  return text + "}\n";
}

std::string inspect_json(const Robot& robot, const Diagnostics& findings) {
  const model::Tree& tree = robot.tree;
  const model::Masses mass = model::sum_masses(tree);
  Json json{{"name", tree.name},
            {"file", robot.description.file},
            {"input_sha256", robot.description.sha256},
            {"base", tree.floating_base ? "floating" : "fixed"},
            {"gravity", to_json(tree.gravity)},
            {"nq", tree.nq},
            {"nv", tree.nv},
            {"mass", {{"moving", mass.moving}, {"welded_to_world", mass.welded_to_world}}}};
  json["bodies"] = Json::array();
  for (const model::Body& body : tree.bodies)
    json["bodies"].push_back({{"name", body.name},
                              {"parent", body.parent},
                              {"mass", body.inertia.mass},
                              {"joint", to_json(body.joint)}});
  json["links"] = Json::array();
  for (const model::Link& link : tree.links)
    json["links"].push_back({{"name", link.name},
                             {"body", link.body},
                             {"placement", to_json(link.placement)},
                             {"mass", link.mass},
                             {"com", to_json(link.com)}});
  emit::add_tendons(tree, json);
  emit::add_positions(tree, json);
  emit::add_chosen(tree, json);
  json["limbs"] = emit::limbs_json(robot.tree);
  json["diagnostics"] = read_json(format_json(findings));
  return print_json(json);
}

bool inspect(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  return print_each(line, out, log, inspect_one);
}

}  // namespace featherline::cli
