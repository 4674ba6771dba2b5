#include "formats/sdf/sdf.hpp"

#include "description/checks.hpp"
#include "support/text.hpp"

#include <limits>
#include <numbers>

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

const Element* child(const Element* parent, const char* tag) {
  if (parent == nullptr) return nullptr;
  const XMLElement* xml = parent->reader->only_child(*parent->xml, tag);
  for (const Element& element : parent->children) {
    if (element.xml == xml) return &element;
  }
  return nullptr;
}

std::string text_of(const Element* element) {
  const char* text = element == nullptr ? nullptr : element->xml->GetText();
  const auto words = split_words(text == nullptr ? "" : text);
  return words.empty() ? "" : std::string(words.front().data(), words.back().data() + words.back().size());
}

std::string attribute(const Element* element, const char* name) {
  const char* text = element == nullptr ? nullptr : element->attribute(name);
  return text == nullptr ? "" : text;
}

std::optional<double> number(const Element* parent, const char* tag) {
  const Element* element = child(parent, tag);
  if (element == nullptr) return std::nullopt;
  const std::string text = text_of(element);
  const bool is_limit = parent->tag() == "limit";
  if (is_limit && (text == "inf" || text == "-inf"))
    return (text == "inf" ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
  const double largest = is_limit ? std::numeric_limits<double>::max() : ElementReader::plausible;
  const auto read = numbers_in(text.c_str(), *element, describe(*element->xml), 1, 1, largest);
  return read ? std::optional(read->front()) : std::nullopt;
}

bool flag(const Element* parent, const char* tag, bool otherwise) {
  const Element* element = child(parent, tag);
  return element == nullptr ? otherwise : flag(text_of(element), *element, otherwise);
}

bool flag(const std::string& text, const Element& at, bool otherwise) {
  if (text.empty()) return otherwise;
  const bool is_true = text == "true" || text == "1";
  if (!is_true && text != "false" && text != "0") at.fault(" says " + in_quotes(text), "write true or false");
  return is_true;
}

std::optional<Vector3d> vector(const Element* element) {
  if (element == nullptr) return std::nullopt;
  const auto read = numbers_in(text_of(element).c_str(), *element, describe(*element->xml), 3, 3);
  return read ? std::optional(Vector3d((*read)[0], (*read)[1], (*read)[2])) : std::nullopt;
}

Pose read_pose(const Element* pose) {
  const std::string text = text_of(pose), format = attribute(pose, "rotation_format");
  const bool is_quaternion = format == "quat_xyzw";
  if (pose == nullptr) return {};
  const bool in_degrees = flag(attribute(pose, "degrees"), *pose);
  if (!is_quaternion && !format.empty() && format != "euler_rpy")
    pose->error("rotation_format of " + describe(*pose->xml) + " is " + in_quotes(format),
                "write euler_rpy or quat_xyzw");
  if (is_quaternion && in_degrees) pose->fault(" is a quaternion in degrees", "remove degrees=\"true\"");
  if (text.empty()) return {};
  const std::size_t count = is_quaternion ? 7 : 6;
  const auto read = numbers_in(text.c_str(), *pose, describe(*pose->xml), count, count);
  if (!read) return {};
  const std::vector<double>& x = *read;
  const Vector3d p(x[0], x[1], x[2]);
  if (is_quaternion) return {unit_quaternion({x[6], x[3], x[4], x[5]}, *pose), p};
  using Eigen::AngleAxisd;
  const double unit = in_degrees ? std::numbers::pi / 180.0 : 1.0;
  return {AngleAxisd(unit * x[5], Vector3d::UnitZ()) * AngleAxisd(unit * x[4], Vector3d::UnitY()) *
              AngleAxisd(unit * x[3], Vector3d::UnitX()),
          p};
}

}  // namespace featherline::sdf
