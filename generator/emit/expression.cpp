#include "emit/expression.hpp"

#include "emit/literal.hpp"
#include "emit/namer.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::emit {

using ir::NodeId;
using ir::Op;

namespace {

bool is_trigonometric(Op op) { return op == Op::sin || op == Op::cos; }

}  // namespace

void Usage::merge(const Usage& other) {
  inputs.insert(other.inputs.begin(), other.inputs.end());
  outputs.insert(other.outputs.begin(), other.outputs.end());
  sines |= other.sines;
  cosines |= other.cosines;
  workspace |= other.workspace;
  sqrt |= other.sqrt;
  values.insert(other.values.begin(), other.values.end());
}

std::vector<std::string> value_names(const ir::Program& program) {
  const ir::Graph& graph = program.function.graph;
  Namer namer("value");
  for (const char* taken : {"S", "sn", "cs", "ws", "angle", "nq", "nv", "num_joints", "num_links", "joints",
                            "joint_names", "link_names", "Link"}) {
    namer.reserve(taken);
  }
  for (const ir::Parameter& p : program.function.inputs) namer.reserve(p.name);
  for (const ir::Parameter& p : program.function.outputs) namer.reserve(p.name);

  std::vector<NodeId> defined;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (is_trigonometric(graph[id].op) && !graph.node_name(id).empty()) defined.push_back(id);
  }
  for (const ir::Part& part : program.parts) {
    for (const ir::Statement& s : part.statements) {
      if (s.store < 0) defined.push_back(s.value);
    }
  }
  std::vector<std::string> names(graph.size());
  for (const NodeId id : defined) {  // labels first, so that they never give way to a temporary
    if (!graph.node_name(id).empty()) names[id] = namer.take(graph.node_name(id));
  }
  for (const NodeId id : defined) {
    if (graph.node_name(id).empty()) names[id] = namer.take_temporary();
  }
  return names;
}

ExpressionPrinter::ExpressionPrinter(const ir::Program& program)
    : program_(program), names_(value_names(program)) {}

std::string ExpressionPrinter::definition(NodeId id, Usage& usage) const {
  return print(id, true, false, usage).text;
}

std::string ExpressionPrinter::value(NodeId id, Usage& usage) const {
  return print(id, false, false, usage).text;
}

std::string ExpressionPrinter::angle(std::size_t k, Usage& usage) const {
  return print(program_.angles[k], true, true, usage).text;
}

ExpressionPrinter::Text ExpressionPrinter::print(NodeId id, bool expand, bool expand_all,
                                                 Usage& usage) const {
  const ir::Graph& graph = program_.function.graph;
  const ir::Node& node = graph[id];
  if (node.lanes != 1) throw InternalError("the printer has no lane vectors yet");
  switch (node.op) {
    case Op::constant:
      return {"S(" + literal(graph.value(id)) + ")", 4};
    case Op::input:
      return {print_input(id, usage), 4};
    case Op::sin:
    case Op::cos:
      return {print_trigonometric(id, usage), 4};
    default:
      break;
  }
  if (expand || expand_all || program_.inlined[id]) return print_operation(id, expand_all, usage);
  if (names_[id].empty()) {
    throw InternalError("a value of " + program_.function.name + " is used, but neither defined nor inlined");
  }
  usage.values.insert(id);
  return {names_[id], 4};
}

ExpressionPrinter::Text ExpressionPrinter::print_operation(NodeId id, bool expand_all, Usage& usage) const {
  const ir::Node& node = program_.function.graph[id];
  switch (node.op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
      return print_binary(id, expand_all, usage);
    case Op::sqrt:
      usage.sqrt = true;
      return {"sqrt(" + print(node.a, false, expand_all, usage).text + ")", 4};
    case Op::neg: {
      const Text x = print(node.a, false, expand_all, usage);
      return {x.strength < 4 ? "-(" + x.text + ")" : "-" + x.text, 3};
    }
    default:
      throw InternalError(std::string("the printer does not know the operation ") + ir::name(node.op));
  }
}

ExpressionPrinter::Text ExpressionPrinter::print_binary(NodeId id, bool expand_all, Usage& usage) const {
  const ir::Node& node = program_.function.graph[id];
  const bool additive = node.op == Op::add || node.op == Op::sub;
  const int strength = additive ? 1 : 2;
  const char* sign = node.op == Op::add   ? " + "
                     : node.op == Op::sub ? " - "
                     : node.op == Op::mul ? " * "
                                          : " / ";
  const Text a = print(node.a, false, expand_all, usage);
  const Text b = print(node.b, false, expand_all, usage);
  // C++ groups from the left: a right operand of equal strength, and a minus sign after a sign, need
  // parentheses.
  const bool wrap_b = b.strength <= strength || b.strength == 3;
  return {
      (a.strength < strength ? "(" + a.text + ")" : a.text) + sign + (wrap_b ? "(" + b.text + ")" : b.text),
      strength};
}

std::string ExpressionPrinter::print_input(NodeId id, Usage& usage) const {
  const ir::Node& node = program_.function.graph[id];
  usage.inputs.insert(static_cast<int>(node.a));
  return program_.function.inputs.at(node.a).name + "[" + std::to_string(node.b) + "]";
}

std::string ExpressionPrinter::print_trigonometric(NodeId id, Usage& usage) const {
  (program_.function.graph[id].op == Op::sin ? usage.sines : usage.cosines) = true;
  const std::string entry = array_entry(id);
  if (names_[id].empty()) return entry;
  usage.values.insert(id);
  return names_[id];
}

std::string ExpressionPrinter::array_entry(NodeId id) const {
  const ir::Node& node = program_.function.graph[id];
  const auto angle = std::find(program_.angles.begin(), program_.angles.end(), node.a);
  if (angle == program_.angles.end()) throw InternalError("an angle is missing in " + program_.function.name);
  return (node.op == Op::sin ? "sn[" : "cs[") + std::to_string(angle - program_.angles.begin()) + "]";
}

std::string ExpressionPrinter::angle_names(std::size_t k, const Usage& usage) const {
  const ir::Graph& graph = program_.function.graph;
  std::string names;
  for (const Op op : {Op::sin, Op::cos}) {
    const NodeId id = graph.find(op, program_.angles[k]);
    if (id == ir::no_node || usage.values.count(id) == 0) continue;
    names += (names.empty() ? "&" : ", &") + names_[id] + " = " + array_entry(id);
  }
  return names;
}

}  // namespace featherline::emit
