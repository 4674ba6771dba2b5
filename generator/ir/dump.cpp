#include "ir/dump.hpp"

#include <sstream>

namespace featherline::ir {
namespace {

void write_operands(std::ostream& out, const Function& function, NodeId id) {
  const Node& node = function.graph[id];
  if (node.op == Op::constant) {
    for (const double v : function.graph.lane_values(id)) out << ' ' << v;
  } else if (node.op == Op::input) {
    out << ' ' << function.inputs[node.a].name << '[' << node.b << ']';
  } else if (node.op == Op::gather) {
    for (const int entry : function.graph.entries(id))
      out << ' ' << function.inputs[node.a].name << '[' << entry << ']';
  } else {
    out << " n" << node.a;
    if (arity(node.op) == 2) out << " n" << node.b;
    if (node.op == Op::lane) out << " [" << node.b << ']';
  }
}

}  // namespace

std::string dump(const Function& function) {
  std::ostringstream out;
  out.precision(17);
  out << "function " << function.name << " (" << function.formulation << ")\n";
  const std::vector<bool> live = live_nodes(function);
  std::uint32_t section = 0;
  for (NodeId id = 0; id < function.graph.size(); ++id) {
    if (!live[id]) continue;
    const Node& node = function.graph[id];
    if (node.section != section) out << "# " << function.graph.sections()[section = node.section] << '\n';
    out << 'n' << id << " = " << name(node.op);
    write_operands(out, function, id);
    if (node.lanes > 1) out << "  : " << node.lanes << " lanes";
    if (const std::string& label = function.graph.node_name(id); !label.empty()) out << "  # " << label;
    out << '\n';
  }
  for (const Store& s : function.stores) {
    const Parameter& p = function.outputs[static_cast<std::size_t>(s.parameter)];
    out << p.name << '[' << s.entry << "] = n" << s.value << '\n';
  }
  return out.str();
}

}  // namespace featherline::ir
