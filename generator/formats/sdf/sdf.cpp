#include "formats/sdf/graph.hpp"

#include "description/checks.hpp"
#include "support/text.hpp"

namespace featherline::sdf {
namespace {

/// <world>, or the <sdf> that has a model alone. Null after a report.
const Element* world_of(const Element& sdf) {
  std::vector<const Element*> worlds;
  bool has_model = false;
  for (const Element& element : sdf.children) {
    has_model = has_model || element.tag() == "model";
    if (element.tag() == "world") worlds.push_back(&element);
  }
  if (worlds.size() + (has_model ? 1 : 0) == 1) return has_model ? &sdf : worlds.front();
  sdf.error(worlds.empty() ? "the file has no model" : "the file has several worlds, or a world and a model",
            "give a file with one <model>, or with one <world> that has it");
  return nullptr;
}

/// The model that is the robot; none after a report. Models that stand still beside it are its surroundings.
int robot_of(const Graph& graph) {
  std::vector<int> moving, all;
  for (int i = 1; i < static_cast<int>(graph.nodes().size()); ++i) {
    const Node& node = graph.node(i);
    if (node.kind != Node::Kind::model || !node.scope->is_world) continue;
    all.push_back(i);
    if (!node.inside->is_static) moving.push_back(i);
  }
  const std::vector<int>& robots = moving.empty() ? all : moving;
  std::vector<std::string> names = each(robots, [&](const int i) { return in_quotes(graph.node(i).name); });
  const Element& world = *graph.node(0).element;
  if (robots.empty()) world.fault(" has no model", "add one");
  if (robots.size() > 1)
    world.error("there are several models: " + join(names),
                "keep one; to have them as one robot, include them in one <model>, and join them");
  if (robots.size() != 1) return none;
  for (const int i : all) {
    if (i != robots.front()) world.note("model " + in_quotes(graph.node(i).name) + " is static and left out");
  }
  return robots.front();
}

}  // namespace

void read(const XMLElement& sdf, const std::string&, UnknownWords unknown, Description& robot,
          ElementReader& reader) {
  robot.line = sdf.GetLineNum();
  Files files(unknown);
  const Root* root = files.take(sdf, reader);
  const Element* world = root == nullptr ? nullptr : world_of(root->element);
  if (world == nullptr) return;
  Graph graph(files);
  graph.read(*world, root->version);
  robot.other_files = files.names();
  const int model = reader.diagnostics().has_errors() ? none : robot_of(graph);
  if (model == none) return;
  robot.name = graph.node(model).name;
  robot.gravity = vector(child(world, "gravity"));
  write(graph, model, robot);
  if (!reader.diagnostics().has_errors()) check(robot, reader.diagnostics());
}

}  // namespace featherline::sdf
