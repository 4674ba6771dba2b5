#include "emit/expression.hpp"

#include "emit/identifiers.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::emit {

using ir::NodeId;
using ir::Op;

namespace {

/// The numbers of a constant, one for each lane.
std::vector<std::string> constant_lanes(const ir::Graph& graph, NodeId id) {
  return each(graph.lane_values(id), [](double value) { return "S(" + literal(value) + ")"; });
}

bool are_evenly_spaced(const std::vector<int>& entries, int stride) {
  return std::adjacent_find(entries.begin(), entries.end(), [&](int a, int b) { return b - a != stride; }) ==
         entries.end();
}

}  // namespace

void Usage::merge(const Usage& other) {
  inputs.insert(other.inputs.begin(), other.inputs.end());
  written.insert(other.written.begin(), other.written.end());
  sines |= other.sines;
  cosines |= other.cosines;
  workspace |= other.workspace;
  zeros |= other.zeros;
  functions.insert(other.functions.begin(), other.functions.end());
  limb_numbers |= other.limb_numbers;
  lanes.insert(other.lanes.begin(), other.lanes.end());
  lane_numbers.insert(other.lane_numbers.begin(), other.lane_numbers.end());
  values.insert(other.values.begin(), other.values.end());
}

ExpressionPrinter::ExpressionPrinter(const ir::Kernel& kernel, LimbsOn limbs)
    : kernel_(kernel),
      on_threads_(limbs == LimbsOn::threads),
      angles_(kernel.angles()),
      names_(value_names(kernel)),
      columns_(ir::column_nodes(kernel)),
      limb_loops_(kernel.has_limb_loops()),
      arrays_(ir::values_between_loops(kernel)) {
  const std::vector<bool> live = ir::live_nodes(kernel);
  for (NodeId id = 0; limb_loops_ && id < kernel.graph.size(); ++id) {
    if (live[id] && kernel.graph.is_constant(id) && kernel.graph[id].lanes > 1)
      limb_numbers_.emplace(id, static_cast<int>(limb_numbers_.size()));
  }
  int entries = 0;
  for (const NodeId angle : angles_) {
    first_entry_.push_back(entries);
    entries += on_threads_ ? 1 : kernel.graph[angle].lanes;
  }
}

std::string ExpressionPrinter::type(NodeId id) const {
  return columns_[id] ? "featherline::kinematics::Column<S>" : value_type(kernel_.graph[id].lanes);
}

std::string ExpressionPrinter::definition(NodeId id, Usage& usage) const {
  return print(id, {true}, usage).text;
}

std::string ExpressionPrinter::value(NodeId id, Usage& usage) const { return print(id, {}, usage).text; }

std::vector<std::string> ExpressionPrinter::angle(std::size_t k, Usage& usage) const {
  std::vector<std::string> lanes;
  for (int lane = 0; lane < (on_threads_ ? 1 : kernel_.graph[angles_[k]].lanes); ++lane)
    lanes.push_back(print(angles_[k], {true, lane}, usage).text);
  return lanes;
}

ExpressionPrinter::Text ExpressionPrinter::print(NodeId id, Depth depth, Usage& usage) const {
  const ir::Node& node = kernel_.graph[id];
  switch (node.op) {
    case Op::constant:
      return print_constant(id, depth, usage);
    case Op::input:
      return {print_input(node.a, static_cast<int>(node.b), usage), 4};
    case Op::sin:
    case Op::cos:
      return {print_trigonometric(id, usage), 4};
    default:
      break;
  }
  if (depth.past_name || depth.lane >= 0 || kernel_.inlined[id])
    return node.op == Op::gather ? print_gather(id, depth, usage) : print_operation(id, depth.below(), usage);
  if (name(id).empty())
    throw InternalError("a value of " + kernel_.name + " is used, but neither defined nor inlined");
  usage.values.insert(id);
  return {is_array(id) ? name(id) + "[limb]" : name(id), 4};
}

ExpressionPrinter::Text ExpressionPrinter::print_constant(NodeId id, Depth depth, Usage& usage) const {
  const std::vector<std::string> lanes = constant_lanes(kernel_.graph, id);
  if (lanes.size() == 1) return {lanes.front(), 4};
  if (on_threads_) return {"by_limb(" + join(lanes, ", ") + ")", 4};
  if (depth.lane >= 0) return {lanes[index(depth.lane)], 4};
  if (limb_loops_) {
    usage.limb_numbers = true;
    return {"S(number[" + std::to_string(limb_numbers_.at(id)) + "])", 4};
  }
  usage.lanes.insert(kernel_.graph[id].lanes);
  usage.lane_numbers.insert(id);
  return {name(id), 4};
}

std::vector<std::string> ExpressionPrinter::lane_numbers(const Usage& usage) const {
  std::vector<std::string> definitions;
  for (const NodeId id : names_.lane_numbers) {
    if (usage.lane_numbers.count(id) == 0) continue;
    definitions.push_back(fmt::format("const {} {}{{{}}};", value_type(kernel_.graph[id].lanes), name(id),
                                      join(constant_lanes(kernel_.graph, id), ", ")));
  }
  return definitions;
}

ExpressionPrinter::Text ExpressionPrinter::print_gather(NodeId id, Depth depth, Usage& usage) const {
  const ir::Node& node = kernel_.graph[id];
  const std::vector<int>& entries = kernel_.graph.entries(id);
  const int stride = entries[1] - entries[0];
  if (on_threads_ && are_evenly_spaced(entries, stride)) {
    usage.inputs.insert(static_cast<int>(node.a));
    return {fmt::format("limb_entries<S, {}>({}, {}, {})", node.lanes, kernel_.inputs.at(node.a).name,
                        entries[0], stride),
            4};
  }
  if (!on_threads_ && depth.lane >= 0) return {print_input(node.a, entries[index(depth.lane)], usage), 4};
  if (limb_loops_) {
    usage.inputs.insert(static_cast<int>(node.a));
    return {limb_entry(kernel_.inputs.at(node.a).name, entries), 4};
  }
  std::vector<std::string> lanes =
      each(entries, [&](const int entry) { return print_input(node.a, entry, usage); });
  if (on_threads_) return {"by_limb(" + join(lanes, ", ") + ")", 4};
  usage.lanes.insert(node.lanes);
  const std::string type = value_type(node.lanes);
  if (are_evenly_spaced(entries, 1))
    return {fmt::format("{}::load({} + {})", type, kernel_.inputs.at(node.a).name, entries[0]), 4};
  return {type + "{" + join(lanes, ", ") + "}", 4};
}

std::string limb_index(int first, int stride) {
  const std::string factor = stride == 1 ? "limb" : std::to_string(stride) + " * limb";
  return first == 0 ? factor : std::to_string(first) + " + " + factor;
}

std::string ExpressionPrinter::limb_entry(const std::string& array, const std::vector<int>& entries) const {
  const int stride = entries[1] - entries[0];
  if (are_evenly_spaced(entries, stride)) return array + "[" + limb_index(entries[0], stride) + "]";
  std::string choice;
  for (std::size_t k = 0; k + 1 < entries.size(); ++k)
    choice += "limb == " + std::to_string(k) + " ? " + std::to_string(entries[k]) + " : ";
  return array + "[" + choice + std::to_string(entries.back()) + "]";
}

std::vector<std::vector<std::string>> ExpressionPrinter::limb_numbers() const {
  std::vector<std::vector<std::string>> numbers;
  for (const auto& [id, place] : limb_numbers_) {
    const std::vector<double>& lanes = kernel_.graph.lane_values(id);
    numbers.resize(std::max(numbers.size(), lanes.size()));
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      numbers[lane].resize(limb_numbers_.size(), "Number(0.0)");
      numbers[lane][index(place)] = "Number(" + literal(lanes[lane]) + ")";
    }
  }
  return numbers;
}

ExpressionPrinter::Text ExpressionPrinter::print_operation(NodeId id, Depth depth, Usage& usage) const {
  const ir::Node& node = kernel_.graph[id];
  switch (node.op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
      return print_binary(id, depth, usage);
    case Op::sqrt:
    case Op::atan:
    case Op::sine:
    case Op::cosine:
    case Op::stumpff_0:
    case Op::stumpff_1:
    case Op::stumpff_3:
    case Op::pivot_inverse: {
      usage.functions.insert(node.op);
      std::vector<std::string> arguments =
          each(ir::Operands(node), [&](const NodeId operand) { return print(operand, depth, usage).text; });
      return {std::string(ir::name(node.op)) + "(" + join(arguments, ", ") + ")", 4};
    }
    case Op::neg: {
      const Text x = print(node.a, depth, usage);
      return {x.strength < 4 ? "-(" + x.text + ")" : "-" + x.text, 3};
    }
    case Op::lane: {
      if (on_threads_)
        return {fmt::format("limb_value<{}>({}, {})", kernel_.graph[node.a].lanes,
                            print(node.a, depth, usage).text, node.b),
                4};
      if (depth.lane >= 0) return print(node.a, {true, static_cast<int>(node.b)}, usage);
      if (is_trigonometric(kernel_.graph[node.a].op)) {
        (kernel_.graph[node.a].op == Op::sin ? usage.sines : usage.cosines) = true;
        return {array_entry(node.a, static_cast<int>(node.b)), 4};
      }
      const std::string lane = std::to_string(node.b);
      if (limb_loops_) return {name(node.a) + "[" + lane + "]", 4};
      const Text x = print(node.a, depth, usage);
      return {(x.strength < 4 ? "(" + x.text + ")" : x.text) + "[" + lane + "]", 4};
    }
    case Op::lane_sum:
      if (limb_loops_) return print(node.a, depth, usage);
      if (on_threads_)
        return {
            fmt::format("limb_sum<{}>({})", kernel_.graph[node.a].lanes, print(node.a, depth, usage).text),
            4};
      return {"lane_sum(" + print(node.a, depth, usage).text + ")", 4};
    default:
      throw InternalError(std::string("the printer does not know the operation ") + ir::name(node.op));
  }
}

ExpressionPrinter::Text ExpressionPrinter::print_binary(NodeId id, Depth depth, Usage& usage) const {
  const ir::Node& node = kernel_.graph[id];
  const bool additive = node.op == Op::add || node.op == Op::sub;
  const int strength = additive ? 1 : 2;
  const char* sign = node.op == Op::add   ? " + "
                     : node.op == Op::sub ? " - "
                     : node.op == Op::mul ? " * "
                                          : " / ";
  // A scalar expression beside lanes or columns is made a scalar first: a user's type may have expressions of other
  // types.
  const auto operand = [&](NodeId x) {
    Text text = print(x, depth, usage);
    const bool widened = (columns_[id] && !columns_[x]) || (!limb_loops_ && (on_threads_ || depth.lane < 0) &&
                                                            node.lanes > 1 && kernel_.graph[x].lanes == 1);
    return widened && text.strength < 4 ? Text{"S(" + text.text + ")", 4} : text;
  };
  const Text a = operand(node.a), b = operand(node.b);
  // C++ groups from the left: a right operand of equal strength, and a minus sign after a sign, need
  // parentheses.
  const bool wrap_b = b.strength <= strength || b.strength == 3;
  return {
      (a.strength < strength ? "(" + a.text + ")" : a.text) + sign + (wrap_b ? "(" + b.text + ")" : b.text),
      strength};
}

std::string ExpressionPrinter::print_input(NodeId buffer, int entry, Usage& usage) const {
  usage.inputs.insert(static_cast<int>(buffer));
  return kernel_.inputs.at(buffer).name + "[" + std::to_string(entry) + "]";
}

std::string ExpressionPrinter::print_trigonometric(NodeId id, Usage& usage) const {
  const ir::Node& node = kernel_.graph[id];
  (node.op == Op::sin ? usage.sines : usage.cosines) = true;
  if (node.lanes > 1 && !limb_loops_) usage.lanes.insert(node.lanes);
  if (name(id).empty()) return array_entry(id);
  usage.values.insert(id);
  return name(id);
}

std::string ExpressionPrinter::array_entry(NodeId id, int lane) const {
  const ir::Node& node = kernel_.graph[id];
  const auto angle = std::ranges::find(angles_, node.a);
  if (angle == angles_.end()) throw InternalError("an angle is missing in " + kernel_.name);
  const std::string array = node.op == Op::sin ? "sn" : "cs";
  const int first = first_entry_[static_cast<std::size_t>(angle - angles_.begin())];
  if (node.lanes == 1 || lane >= 0) return fmt::format("{}[{}]", array, first + std::max(lane, 0));
  if (on_threads_) return fmt::format("limb_{}[{}]", array, first);
  if (limb_loops_) return fmt::format("{}[{} + limb]", array, first);
  return fmt::format("{}::load({} + {})", value_type(node.lanes), array, first);
}

std::string ExpressionPrinter::angle_names(std::size_t k, const Usage& usage) const {
  const int lanes = kernel_.graph[angles_[k]].lanes;
  const std::string reference = lanes == 1 || limb_loops_ ? "&" : "";  // a reference costs nothing
  std::string names;
  for (const Op op : {Op::sin, Op::cos}) {
    const NodeId id = kernel_.graph.find(op, angles_[k]);
    if (id == ir::no_node || usage.values.count(id) == 0) continue;
    names += (names.empty() ? "" : ", ") + reference + name(id) + " = " + array_entry(id);
  }
  return names.empty() ? "" : "const " + value_type(limb_loops_ ? 1 : lanes) + " " + names;
}

}  // namespace featherline::emit
