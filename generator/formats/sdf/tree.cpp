#include "formats/sdf/sdf.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace featherline::sdf {
namespace {

/// A joint between two links, which are nodes. 0 is the world.
struct Edge {
  int node, parent, child;
  Joint joint;
  bool is_in_tree = false, is_turned = false;

  /// The constraint that holds what the joint holds; nothing if there is none.
  std::optional<model::ConstraintType> constraint() const {
    using Type = model::ConstraintType;
    if (joint.type == JointType::fixed) return Type::loop_weld;
    if (joint.type == JointType::spherical) return Type::loop_point;
    if (joint.type == JointType::revolute || joint.type == JointType::continuous) return Type::loop_axis;
    return std::nullopt;
  }
};

/// Makes a tree of the links and joints of a graph. Joints that close loops become constraints.
class Writer {
 public:
  Writer(const Graph& graph, int model, Description& robot) : graph_(graph), model_(model), robot_(robot) {}

  void run() {
    collect();
    if (has_errors()) return;
    choose_tree();
    turn_joints();
    for (const int link : links_) write_link(link);
    for (const bool in_tree : {true, false}) {
      for (const Edge& edge : edges_) {
        if (edge.is_in_tree == in_tree) in_tree ? write_joint(edge) : write_loop(edge);
      }
    }
    for (int i = 0; i < size(); ++i) write_frame(i);
  }

 private:
  int size() const { return static_cast<int>(graph_.nodes().size()); }
  bool has_errors() const { return graph_.node(0).element->reader->diagnostics().has_errors(); }
  const std::string& name(int node) const { return graph_.node(node).name; }
  bool is_of_robot(const Node& node) const { return node.scope->top == none || node.scope->top == model_; }

  void collect() {
    for (int i = 1; i < size(); ++i) {
      const Node& node = graph_.node(i);
      if (!is_of_robot(node)) continue;
      if (node.kind == Node::Kind::link) {
        links_.push_back(i);
        link_names_.take(node.name);
        if (node.scope->is_static)
          edges_.push_back(
              {i, 0, i,
               fixed_joint(name(i) + "_fixed", "", {},
                           {.name = name(i), .line = node.element->line(), .file = node.element->file()})});
      }
      if (node.kind == Node::Kind::joint) collect_joint(i);
    }
    const auto is_at_world = [](const Edge& edge) { return edge.parent == 0 || edge.child == 0; };
    if (std::ranges::any_of(edges_, is_at_world)) links_.insert(links_.begin(), 0);
    for (const Edge& edge : edges_) {
      joint_names_.take(edge.joint.name);
      if (edge.joint.mimic) leaders_.insert(edge.joint.mimic->joint);
    }
  }

  void collect_joint(int i) {
    const Node& node = graph_.node(i);
    const Element& element = *node.element;
    if (node.scope->is_static) return element.remark(" is in a static model and does not move");
    const Element* end = child(&element, "parent");
    if (end == nullptr) return element.fault(" has no <parent>", "add it");
    const std::string text = text_of(end);
    const int parent = text == "world" ? 0 : graph_.find(text, *end, *node.scope, "");
    if (parent == none) return;
    Edge edge{i, graph_.body(parent), graph_.body(i), read_joint(graph_, i)};
    if (edge.parent == edge.child)
      return element.fault(" joins link " + in_quotes(name(edge.child)) + " to itself",
                           "name two different links");
    edges_.push_back(std::move(edge));
  }

  bool may_be_cut(const Edge& edge) const {
    return edge.constraint() && !edge.joint.mimic && leaders_.count(edge.joint.name) == 0;
  }

  /// Takes joints that no constraint can stand for first, then in the order of the file. At first each joint has to
  /// hang its child on its parent; what is then still apart hangs the other way round.
  void choose_tree() {
    std::vector<int> group(graph_.nodes().size());
    std::iota(group.begin(), group.end(), 0);
    std::set<int> hanging{0};
    const auto group_of = [&](int i) {
      for (; group[index(i)] != i; i = group[index(i)]) group[index(i)] = group[index(group[index(i)])];
      return i;
    };
    for (const bool either_way : {false, true}) {
      for (const bool cut : {false, true}) {
        for (Edge& edge : edges_) {
          const int a = group_of(edge.parent), b = group_of(edge.child);
          const bool may_hang = either_way || hanging.count(edge.child) == 0;
          if (a == b || may_be_cut(edge) != cut || !may_hang) continue;
          edge.is_in_tree = true;
          hanging.insert(edge.child);
          group[index(b)] = a;
        }
      }
    }
  }

  /// Walks from the roots, the world first, and turns the joints round that point towards it.
  void turn_joints() {
    std::map<int, std::vector<Edge*>> at;
    std::set<int> seen, children;
    for (Edge& edge : edges_) {
      if (!edge.is_in_tree) continue;
      at[edge.parent].push_back(&edge);
      at[edge.child].push_back(&edge);
      if (edge.child != 0) children.insert(edge.child);
    }
    std::vector<int> open;
    for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
      if (children.count(*link) == 0) open.push_back(*link);
    }
    while (!open.empty()) {
      const int link = open.back();
      open.pop_back();
      seen.insert(link);
      for (Edge* edge : at[link]) {
        const int other = edge->parent == link ? edge->child : edge->parent;
        if (seen.count(other) > 0) continue;
        edge->is_turned = edge->parent != link;
        open.push_back(other);
      }
    }
  }

  void write_link(int i) {
    const Element& element = *graph_.node(i).element;
    Link link{.name = name(i), .line = element.line(), .file = element.file()};
    if (i != 0) link.inertial = read_inertial(element);
    robot_.links.push_back(std::move(link));
  }

  /// The child's frame is that of its link. Where the joint's point is elsewhere, a link without mass stands between.
  void write_joint(const Edge& edge) {
    Joint joint = edge.joint;
    const Element& element = *graph_.node(edge.node).element;
    const int up = edge.is_turned ? edge.child : edge.parent,
              down = edge.is_turned ? edge.parent : edge.child;
    const Pose in_down = graph_.pose(edge.node, down);
    const bool has_several = model::row_of(joint.type).nv() > 1;
    if (edge.is_turned && has_several)
      element.fault(" hangs its parent on its child, which only joints with one axis can",
                    "exchange <parent> and <child>");
    if (edge.is_turned) element.remark(" hangs its parent on its child; its q keeps its sign");
    for (Vector3d* axis : {&joint.axis, &joint.axis2})
      *axis = (edge.is_turned ? -1.0 : 1.0) * (in_down.q * *axis).normalized();
    const bool turns = model::row_of(joint.type).num_turns() > 0, is_apart = turns && !in_down.p.isZero(0.0);
    const Pose there{Eigen::Quaterniond::Identity(), is_apart ? in_down.p : Vector3d(Vector3d::Zero())};
    joint.parent = name(up);
    joint.child = is_apart ? link_names_.unique(joint.name + "_link") : name(down);
    joint.origin = (graph_.pose(down, up) * there).origin(element.line());
    if (is_apart) {
      robot_.links.push_back({.name = joint.child, .line = element.line(), .file = element.file()});
      robot_.joints.push_back(
          fixed_joint(joint_names_.unique(name(down) + "_fixed"), joint.child, there.inverse(),
                      {.name = name(down), .line = element.line(), .file = element.file()}));
    }
    robot_.joints.push_back(std::move(joint));
  }

  void write_loop(const Edge& edge) {
    const Element& element = *graph_.node(edge.node).element;
    if (!may_be_cut(edge))
      return element.fault(
          " closes a loop, which only fixed, revolute, continuous and ball joints without <mimic> can",
          "close the loop with another of its joints");
    const Joint& joint = edge.joint;
    Constraint constraint;
    constraint.name = joint.name;
    constraint.line = joint.line;
    constraint.type = edge.constraint();
    constraint.file = joint.file;
    if (constraint.type == model::ConstraintType::loop_axis) constraint.axis = joint.axis.normalized();
    for (const int link : {edge.parent, edge.child})
      constraint.ends.push_back({name(link), graph_.pose(edge.node, link).origin(joint.line), joint.line});
    robot_.constraints.push_back(std::move(constraint));
    // Where --joint-dynamics asks for it, that it is lost must not pass.
    const Dynamics lost = joint.dynamics.value_or(Dynamics{});
    const auto moves = [](const Joint& j) { return j.type != JointType::fixed; };
    const auto first = std::ranges::find_if(robot_.joints, moves);
    if (first == robot_.joints.end() ||
        (lost.damping == 0.0 && lost.friction == 0.0 && lost.stiffness == 0.0))
      return;
    if (!first->dynamics) first->dynamics = Dynamics{};
    first->dynamics->left_out =
        "beside it damping, friction or a spring of joint " + in_quotes(joint.name) + ", which closes a loop";
    first->dynamics->line = lost.line;
  }

  void write_frame(int i) {
    const Node& node = graph_.node(i);
    if (node.kind != Node::Kind::frame || !is_of_robot(node)) return;
    const int link = graph_.body(i), line = node.element->line();
    if (link == 0 ? links_.front() != 0 : !is_of_robot(graph_.node(link)))
      return node.element->remark(" moves with nothing of the robot and is left out");
    robot_.frames.push_back({node.name, name(link), graph_.pose(i, link).origin(line), line});
  }

  const Graph& graph_;
  int model_;
  Description& robot_;
  std::vector<int> links_;  ///< the world first, if a joint holds on to it
  std::vector<Edge> edges_;
  std::set<std::string> leaders_;  ///< joints that others follow
  Names link_names_, joint_names_;
};

}  // namespace

void write(const Graph& graph, int model, Description& robot) { Writer(graph, model, robot).run(); }

}  // namespace featherline::sdf
