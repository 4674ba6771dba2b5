#include "cli/inspect.hpp"

#include "cli/commands.hpp"
#include "model/check_inertias.hpp"
#include "model/joint_table.hpp"
#include "pipeline.hpp"
#include "support/diagnostic.hpp"
#include "support/json.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace featherline::cli {
namespace {

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const model::Vector3& v) { return {v.x(), v.y(), v.z()}; }

Json to_json(const model::Placement& placement) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back(to_json(model::Vector3(placement.R.row(i))));
  return {{"R", rows}, {"p", to_json(placement.p)}};
}

Json to_json(const model::Joint& joint) {
  Json json{{"name", joint.name},          {"type", model::name(joint.type)},
            {"idx_q", joint.idx_q},        {"nq", joint.nq},
            {"idx_v", joint.idx_v},        {"nv", joint.nv},
            {"axis", to_json(joint.axis)}, {"placement", to_json(joint.placement)}};
  json["limits"] = {{"lower", finite_or_null(joint.limits.lower)},
                    {"upper", finite_or_null(joint.limits.upper)},
                    {"velocity", finite_or_null(joint.limits.velocity)},
                    {"effort", finite_or_null(joint.limits.effort)}};
  if (joint.mimics >= 0) {
    json["mimics"] = {{"body", joint.mimics}, {"multiplier", joint.multiplier}, {"offset", joint.offset}};
  }
  return json;
}

Json to_json(const model::Body& body) {
  return {{"name", body.name},
          {"parent", body.parent},
          {"mass", body.inertia.mass},
          {"joint", to_json(body.joint)}};
}

Json to_json(const model::Link& link) {
  return {{"name", link.name},
          {"body", link.body},
          {"placement", to_json(link.placement)},
          {"mass", link.mass},
          {"com", to_json(link.com)}};
}

/// One input; its JSON says what is wrong with a robot that cannot be read.
void inspect_one(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  Diagnostics findings;
  try {
    const Robot robot = read_robot(line.urdf, line.options, findings);
    model::warn_massless(robot.tree, robot.description.file, findings);
    settle_findings(line, findings, log);
    switch (line.inspect_format) {
      case CommandLine::Format::text:
        out << inspect_text(robot);
        break;
      case CommandLine::Format::json:
        out << inspect_json(robot, findings);
        break;
      case CommandLine::Format::dot:
        out << inspect_dot(robot);
        break;
    }
  } catch (const InputError& error) {
    const bool in_array = line.inspect_format == CommandLine::Format::json && line.inputs.size() > 1;
    if (in_array) out << inspect_json(line.urdf, error.findings());
    throw;
  }
}

}  // namespace

std::vector<std::vector<const model::Link*>> links_by_body(const model::Tree& tree) {
  std::vector<std::vector<const model::Link*>> links(tree.bodies.size() + 1);
  for (const model::Link& link : tree.links) {
    const std::size_t body = link.body < 0 ? tree.bodies.size() : static_cast<std::size_t>(link.body);
    const bool own = link.body >= 0 && link.name == tree.bodies[body].name;
    links[body].insert(own ? links[body].begin() : links[body].end(), &link);
  }
  return links;
}

std::vector<TreeLine> walk(const model::Tree& tree) {
  std::vector<std::vector<int>> children(tree.bodies.size());
  std::vector<TreeLine> open, lines;  // a stack of our own: chains of 100,000 links exist
  for (int i = static_cast<int>(tree.bodies.size()); i-- > 0;) {
    const int parent = tree.bodies[static_cast<std::size_t>(i)].parent;
    if (parent < 0)
      open.push_back({i, 0});
    else
      children[static_cast<std::size_t>(parent)].push_back(i);
  }
  while (!open.empty()) {
    const TreeLine line = open.back();
    open.pop_back();
    lines.push_back(line);
    for (const int child : children[static_cast<std::size_t>(line.body)])
      open.push_back({child, line.depth + 1});
  }
  return lines;
}

Masses sum_masses(const model::Tree& tree) {
  Masses sum;
  for (const model::Link& link : tree.links) (link.body < 0 ? sum.welded_to_world : sum.moving) += link.mass;
  return sum;
}

std::string index_range(int first, int count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + ".." + std::to_string(first + count - 1);
}

std::string describe_base(const model::Tree& tree) {
  if (tree.floating_base) {
    return "floating: the root link moves freely, q[0..6] is its pose and v[0..5] its velocity in its own "
           "axes";
  }
  return "fixed: the root link is welded to the world; --base floating lets it move";
}

std::string inspect_json(const Robot& robot, const Diagnostics& findings) {
  const model::Tree& tree = robot.tree;
  const Masses mass = sum_masses(tree);
  Json json{{"name", tree.name},
            {"file", robot.description.file},
            {"input_sha256", robot.description.sha256},
            {"base", tree.floating_base ? "floating" : "fixed"},
            {"gravity", to_json(tree.gravity)},
            {"nq", tree.nq},
            {"nv", tree.nv},
            {"mass", {{"moving", mass.moving}, {"welded_to_world", mass.welded_to_world}}}};
  json["bodies"] = Json::array();
  for (const model::Body& body : tree.bodies) json["bodies"].push_back(to_json(body));
  json["links"] = Json::array();
  for (const model::Link& link : tree.links) json["links"].push_back(to_json(link));
  json["diagnostics"] = read_json(format_json(findings));
  return print_json(json);
}

std::string inspect_json(const std::string& file, const Diagnostics& findings) {
  return print_json({{"file", file}, {"diagnostics", read_json(format_json(findings))}});
}

bool inspect(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  const bool array = line.inspect_format == CommandLine::Format::json && line.inputs.size() > 1;
  const char* between = array ? "," : "\n";
  bool first = true;
  if (array) out << "[\n";
  const bool all_well = for_each_input(line, log, [&](const CommandLine& one) {
    if (!first) out << between;
    first = false;
    inspect_one(one, out, log);
    return true;
  });
  if (array) out << "]\n";
  return all_well;
}

}  // namespace featherline::cli
