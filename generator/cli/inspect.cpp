#include "cli/inspect.hpp"

#include "cli/commands.hpp"
#include "cli/read_input.hpp"
#include "model/check_inertias.hpp"

#include <algorithm>
#include <ostream>

namespace featherline::cli {

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

namespace {

/// One input; its JSON says what is wrong with a robot that cannot be read.
void inspect_one(const Options& options, std::ostream& out, FindingsLog& log) {
  Diagnostics findings;
  try {
    const Robot robot = read_input(options, findings);
    model::warn_massless(robot.tree, robot.description.file, findings);
    settle_findings(options, findings, log);
    switch (options.inspect_format) {
      case Options::Format::text:
        out << inspect_text(robot);
        break;
      case Options::Format::json:
        out << inspect_json(robot, findings);
        break;
      case Options::Format::dot:
        out << inspect_dot(robot);
        break;
    }
  } catch (const InputError& error) {
    const bool in_array = options.inspect_format == Options::Format::json && options.inputs.size() > 1;
    if (in_array) out << inspect_json(options.urdf, error.findings());
    throw;
  }
}

}  // namespace

bool inspect(const Options& options, std::ostream& out, FindingsLog& log) {
  const bool array = options.inspect_format == Options::Format::json && options.inputs.size() > 1;
  const char* between = array ? "," : "\n";
  bool first = true;
  if (array) out << "[\n";
  const bool all_well = for_each_input(options, log, [&](const Options& one) {
    if (!first) out << between;
    first = false;
    inspect_one(one, out, log);
    return true;
  });
  if (array) out << "]\n";
  return all_well;
}

}  // namespace featherline::cli
