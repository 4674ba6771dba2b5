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

void write_statement(std::ostream& out, const Program& program, const Statement& statement) {
  const Function& function = program.function;
  if (statement.store >= 0) {
    const Store& store = function.stores[static_cast<std::size_t>(statement.store)];
    const std::string& array = function.outputs[static_cast<std::size_t>(store.parameter)].name;
    out << "  " << array << '[' << store.entry << "] = n" << store.value << '\n';
    return;
  }
  const Node& node = function.graph[statement.value];
  out << "  n" << statement.value << " = " << name(node.op);
  if (arity(node.op) > 0) out << " n" << node.a;
  if (arity(node.op) > 1) out << " n" << node.b;
  const std::string& label = function.graph.node_name(statement.value);
  if (!label.empty()) out << "  # " << label;
  out << '\n';
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

std::string dump(const Program& program) {
  std::ostringstream out;
  out << "program " << program.function.name << " (" << program.function.formulation
      << "): " << program.statements << " statements, workspace " << program.workspace_size << '\n';
  for (std::size_t k = 0; k < program.angles.size(); ++k)
    out << "angle " << k << " n" << program.angles[k] << '\n';
  for (std::size_t p = 0; p < program.parts.size(); ++p) {
    const Part& part = program.parts[p];
    out << "part " << p << '\n';
    for (const Transfer& load : part.loads) out << "  n" << load.value << " = work[" << load.slot << "]\n";
    for (const Statement& statement : part.statements) write_statement(out, program, statement);
    for (const Transfer& save : part.saves) out << "  work[" << save.slot << "] = n" << save.value << '\n';
  }
  return out.str();
}

}  // namespace featherline::ir
