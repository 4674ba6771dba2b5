#include "ir/dump.hpp"

#include <sstream>

namespace featherline::ir {
namespace {

void write_operands(std::ostream& out, const Kernel& kernel, NodeId id) {
  const Node& node = kernel.graph[id];
  if (node.op == Op::constant) {
    for (const double v : kernel.graph.lane_values(id)) out << ' ' << v;
  } else if (node.op == Op::input) {
    out << ' ' << kernel.inputs[node.a].name << '[' << node.b << ']';
  } else if (node.op == Op::gather) {
    for (const int entry : kernel.graph.entries(id))
      out << ' ' << kernel.inputs[node.a].name << '[' << entry << ']';
  } else {
    out << " n" << node.a;
    if (arity(node.op) == 2) out << " n" << node.b;
    if (node.op == Op::lane) out << " [" << node.b << ']';
  }
}

void write_store(std::ostream& out, const Kernel& kernel, const Store& store) {
  out << kernel.written(store.buffer).name << '[' << store.entry << "] = n" << store.value << '\n';
}

void write_node(std::ostream& out, const Kernel& kernel, NodeId id) {
  const Node& node = kernel.graph[id];
  out << 'n' << id << " = " << name(node.op);
  write_operands(out, kernel, id);
  if (node.lanes > 1) out << "  : " << node.lanes << " lanes";
  if (const std::string& label = kernel.graph.node_name(id); !label.empty()) out << "  # " << label;
  out << '\n';
}

/// A step, after its number.
class StepWriter {
 public:
  StepWriter(std::ostream& out, const Kernel& kernel) : out_(out), kernel_(kernel) {}

  void operator()(const Clear& clear) { out_ << "clear " << kernel_.written(clear.buffer).name << '\n'; }
  void operator()(const SinCos& sincos) {
    out_ << "sincos";
    for (const NodeId angle : sincos.angles) out_ << " n" << angle;
    out_ << '\n';
  }
  void operator()(const StraightLine& line) {
    out_ << "straight line\n";
    for (const Transfer& load : line.loads) out_ << "  n" << load.value << " = work[" << load.slot << "]\n";
    for (const Statement& statement : line.statements) {
      out_ << "  ";
      if (statement.store < 0)
        write_node(out_, kernel_, statement.value);
      else
        write_store(out_, kernel_, kernel_.stores[static_cast<std::size_t>(statement.store)]);
    }
    for (const Transfer& save : line.saves) out_ << "  work[" << save.slot << "] = n" << save.value << '\n';
  }
  void operator()(const Call& call) {
    out_ << "call " << call.routine << '(';
    for (std::size_t k = 0; k < call.arguments.size(); ++k) out_ << (k > 0 ? ", " : "") << call.arguments[k];
    out_ << ")\n";
    if (!call.walk) return;
    for (const Kernel& step : call.walk->steps) out_ << dump(step);
  }

 private:
  std::ostream& out_;
  const Kernel& kernel_;
};

}  // namespace

std::string dump(const Kernel& kernel) {
  std::ostringstream out;
  out.precision(17);
  out << "function " << kernel.name << " (" << kernel.formulation << ")\n";
  if (kernel.straight_lines().empty()) {
    const std::vector<bool> live = live_nodes(kernel);
    std::uint32_t section = 0;
    for (NodeId id = 0; id < kernel.graph.size(); ++id) {
      if (!live[id]) continue;
      const Node& node = kernel.graph[id];
      if (node.section != section) out << "# " << kernel.graph.sections()[section = node.section] << '\n';
      write_node(out, kernel, id);
    }
    for (const Store& store : kernel.stores) write_store(out, kernel, store);
  } else {
    out << kernel.num_statements() << " statements, workspace " << kernel.workspace_size << '\n';
  }
  for (std::size_t k = 0; k < kernel.steps.size(); ++k) {
    out << "step " << k + 1 << ": ";
    std::visit(StepWriter(out, kernel), kernel.steps[k]);
  }
  return out.str();
}

}  // namespace featherline::ir
