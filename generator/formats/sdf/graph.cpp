#include "formats/sdf/sdf.hpp"

#include "support/text.hpp"

#include <algorithm>

namespace featherline::sdf {
namespace {

constexpr std::size_t deepest = 32;  ///< files that include each other

}  // namespace

void Graph::read(const Element& world, int version) {
  Scope& scope = scopes_.emplace_back(Scope{.self = 0, .version = version, .is_world = true});
  scope.nodes = std::make_shared<std::map<std::string, int, std::less<>>>();
  nodes_.push_back({.element = &world, .scope = &scope, .name = "world"});
  open_ = {std::filesystem::path(world.file()).lexically_normal()};
  read_contents(world, scope);
  Diagnostics& diagnostics = world.reader->diagnostics();
  if (diagnostics.has_errors()) return;
  for (int i = 1; i < static_cast<int>(nodes_.size()); ++i) {
    if (nodes_[index(i)].kind == Node::Kind::model) resolve_model(nodes_[index(i)]);
  }
  for (int i = 1; i < static_cast<int>(nodes_.size()); ++i) resolve(i);
  if (diagnostics.has_errors()) return;
  if (!check_cycles(&Node::attached_to, "is attached to") ||
      !check_cycles(&Node::relative_to, "is relative to"))
    return;
  for (int i = static_cast<int>(nodes_.size()) - 1; i > 0; --i) {  // models inside first
    Node& model = nodes_[index(i)];
    int at = model.placement;
    while (at != none && at != i) at = node(at).relative_to;
    if (model.placement != none && at == none)
      return model.element->error(
          "the placement frame of " + describe(*model.element->xml) + " is relative to what is outside of it",
          "name a frame that is placed in the model");
    if (model.placement != none && model.placement != i)
      model.pose = model.pose * pose(model.placement, i).inverse();
  }
}

void Graph::read_contents(const Element& parent, const Scope& scope) {
  for (const Element& element : parent.children) {
    const std::string_view tag = element.tag();
    if (tag == "model") add_model(element, nullptr, scope, scope.version);
    if (tag == "include") include(element, scope);
    if (tag != "link" && tag != "joint" && tag != "frame") continue;
    const auto name = element.reader->name(*element.xml, "name");
    const auto kind = tag == "link"    ? Node::Kind::link
                      : tag == "joint" ? Node::Kind::joint
                                       : Node::Kind::frame;
    if (name) add({.kind = kind, .element = &element, .scope = &scope}, *name);
  }
}

int Graph::add(Node node, const std::string& name) {
  const Scope& scope = *node.scope;
  const Element& element = *node.element;
  const bool is_reserved = name == "world" || (name.starts_with("__") && name.ends_with("__"));
  if (is_reserved || name.find("::") != name.npos)
    element.error("the name " + in_quotes(name) + " is reserved by SDF",
                  "rename the " + std::string(element.tag()));
  node.name = scope.prefix + name;
  const int index = static_cast<int>(nodes_.size());
  const auto [known, is_new] = scope.nodes->emplace(name, index);
  // In old files joints may be called like links. Names mean links there.
  const bool is_old_joint = scope.version < 7 && node.kind == Node::Kind::joint;
  if (!is_new && !is_old_joint) {
    const Element& first = *this->node(known->second).element;
    element.error("a second element named " + in_quotes(name) + " (the first is <" +
                      printable(first.xml->Name()) + "> on line " + std::to_string(first.line()) + ')',
                  "rename one of them; links, joints, frames and models of a model share their names");
  }
  nodes_.push_back(std::move(node));
  return index;
}

void Graph::add_model(const Element& model, const Element* include, const Scope& outer, int version) {
  const auto own = model.reader->name(*model.xml, "name");
  if (!own) return;
  const std::string given = text_of(child(include, "name")), name = given.empty() ? *own : given;
  const bool is_merged = include != nullptr && flag(attribute(include, "merge"), *include);
  Scope& scope = scopes_.emplace_back(outer);
  scope.version = version;
  scope.is_world = false;
  scope.is_static = outer.is_static || flag(include, "static", flag(&model, "static"));
  if (is_merged && outer.is_world)
    include->error("a model is merged into the world", "remove merge=\"true\"");
  scope.self = add({.kind = Node::Kind::model,
                    .element = include == nullptr ? &model : include,
                    .scope = &outer,
                    .inside = &scope,
                    .include = include},
                   is_merged ? "_merged_" + name : name);
  nodes_.back().model = &model;
  scope.top = outer.is_world ? scope.self : outer.top;
  if (!is_merged) {
    scope.prefix = outer.is_world ? "" : outer.prefix + name + "::";
    scope.nodes = std::make_shared<std::map<std::string, int, std::less<>>>();
  }
  read_contents(model, scope);
  scope.end = static_cast<int>(nodes_.size());
}

void Graph::include(const Element& element, const Scope& scope) {
  const Root* root = files_.open(element);
  if (root == nullptr) return;
  const std::string path = root->element.file();
  if (std::ranges::find(open_, path) != open_.end() || open_.size() > deepest)
    return element.error("file " + in_quotes(path) + " includes itself, or files include too deep",
                         "correct the <uri>");
  std::vector<const Element*> models;
  for (const Element& part : root->element.children) {
    if (part.tag() == "model") models.push_back(&part);
    if (part.tag() == "light" || part.tag() == "actor") return;
  }
  if (models.size() != 1)
    return element.error("file " + in_quotes(path) + " has " + std::to_string(models.size()) + " models",
                         "include files with one <model> in <sdf>");
  open_.push_back(path);
  add_model(*models.front(), &element, scope, root->version);
  open_.pop_back();
}

int Graph::find(const std::string& name, const Element& at, const Scope& scope, const char* what) const {
  const Scope* in = &scope;
  std::string_view rest = name;
  while (true) {
    if (rest == (in->is_world ? "world" : "__model__")) return in->self;
    const std::size_t end = rest.find("::");
    const auto found = in->nodes->find(rest.substr(0, end));
    if (found == in->nodes->end()) break;
    if (end == rest.npos) return found->second;
    in = node(found->second).inside;
    if (in == nullptr) break;
    rest.remove_prefix(end + 2);
  }
  std::vector<std::string> names = each(*scope.nodes, [&](const auto& entry) { return entry.first; });
  const std::string nearest = nearest_name(name, names);
  at.error((*what == '\0' ? "" : std::string(what) + " of ") + describe(*at.xml) + " is " + in_quotes(name) +
               ", which does not exist in " +
               (scope.is_world ? "the world" : describe(*node(scope.self).element->xml)),
           nearest.empty() ? "name a link, joint, frame or model there, e.g. model::link"
                           : "correct it; there is " + in_quotes(nearest));
  return none;
}

/// The first link of the model, or of the first model in it that has one.
int Graph::canonical_link(const Scope& scope) const {
  int first = none;
  for (const auto kind : {Node::Kind::link, Node::Kind::model}) {
    for (int i = scope.self + 1; i < scope.end; ++i) {
      const Node& node = this->node(i);
      if (node.scope->nodes != scope.nodes || node.kind != kind || i == scope.self) continue;
      first = kind == Node::Kind::link ? i : canonical_link(*node.inside);
      if (first != none) return first;
    }
  }
  return first;
}

void Graph::resolve_model(Node& node) {
  const Element& model = *node.model;
  const std::string link = attribute(&model, "canonical_link");
  const std::string given = text_of(child(node.include, "placement_frame"));
  const std::string placement = given.empty() ? attribute(&model, "placement_frame") : given;
  if (!placement.empty()) node.placement = find(placement, model, *node.inside, "placement_frame");
  node.attached_to = node.inside->is_static ? 0
                     : link.empty()         ? canonical_link(*node.inside)
                                            : find(link, model, *node.inside, "canonical_link");
  if (node.attached_to == none && link.empty())
    model.fault(" has no link", "add at least one <link name=\"...\">");
}

/// Finds what its pose is relative to, and what it moves with.
void Graph::resolve(int i) {
  Node& node = nodes_[index(i)];
  const Element& element = *node.element;
  const Scope& scope = *node.scope;
  node.relative_to = scope.self;
  if (node.kind == Node::Kind::frame) {
    const std::string to = attribute(&element, "attached_to");
    node.attached_to = to.empty() ? scope.self : find(to, element, scope, "attached_to");
    node.relative_to = node.attached_to;
  } else if (node.kind == Node::Kind::joint) {
    const Element* end = child(&element, "child");
    if (end == nullptr) return element.fault(" has no <child>", "add it");
    if (text_of(end) == "world" && !scope.is_world)
      return end->error("the child of " + describe(*element.xml) + " is the world",
                        "exchange <parent> and <child>");
    node.attached_to = find(text_of(end), *end, scope, "");
    node.relative_to = node.attached_to;
  }
  const Element* pose = child(&element, "pose");
  if (pose == nullptr) pose = child(node.model, "pose");
  node.pose = read_pose(pose);
  const std::string in = attribute(pose, "relative_to");
  if (!in.empty()) node.relative_to = find(in, *pose, scope, "relative_to");
  if (!attribute(pose, "frame").empty())
    pose->fault(" has attribute \"frame\", which SDF 1.7 replaced",
                "write relative_to, and a version of at least 1.7");
}

/// \return whether every way along these references ends at the world or at a link
bool Graph::check_cycles(int Node::*next, const char* what) {
  std::vector<int> state(nodes_.size(), 0);  // 1 + the node where the walk began that came here first
  for (int start = 0; start < static_cast<int>(nodes_.size()); ++start) {
    int i = start;
    std::vector<int> way;
    while (i != none && state[index(i)] == 0) {
      state[index(i)] = start + 1;
      way.push_back(i);
      i = node(i).*next;
    }
    if (i != none && state[index(i)] == start + 1) {
      std::vector<std::string> names;
      for (auto at = std::ranges::find(way, i); at != way.end(); ++at)
        names.push_back(in_quotes(node(*at).name));
      node(i).element->error(describe(*node(i).element->xml) + ' ' + what +
                                 " itself: " + join(names, " -> ") + " -> " + names.front(),
                             "correct one of the references");
      return false;
    }
    for (; !way.empty() && next == &Node::relative_to; way.pop_back()) {
      const int above = node(way.back()).relative_to;
      nodes_[index(way.back())].depth = above == none ? 0 : node(above).depth + 1;
    }
  }
  return true;
}

int Graph::body(int i) const {
  while (node(i).attached_to != none) i = node(i).attached_to;
  return i;
}

Pose Graph::pose(int i, int in) const {
  Pose X, Y;  // of both, in the node that their ways up have come to
  while (i != in) {
    int& lower = node(i).depth >= node(in).depth ? i : in;
    Pose& pose = &lower == &i ? X : Y;
    pose = node(lower).pose * pose;
    lower = node(lower).relative_to;
  }
  Pose result = Y.inverse() * X;
  constexpr double rounding = 1e-14;  // [m] what differences of sums leave of zero
  for (double& x : result.p) {
    if (std::abs(x) < rounding) x = 0.0;
  }
  return result;
}

}  // namespace featherline::sdf
