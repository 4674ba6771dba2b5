#include "ir/kernel.hpp"

#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace featherline::ir {

const Buffer& Kernel::output_or_local(int buffer) const {
  const auto k = index(buffer);
  return k < outputs.size() ? outputs[k] : locals.at(k - outputs.size());
}

Buffer& Kernel::output_or_local(int buffer) {
  const auto k = index(buffer);
  return k < outputs.size() ? outputs[k] : locals.at(k - outputs.size());
}

ArrayId Kernel::find_array(const std::string& array) const {
  for (int k = 0; k < static_cast<int>(inputs.size()); ++k) {
    if (inputs[index(k)].name == array) return {true, k};
  }
  for (int k = 0; k < num_outputs_and_locals(); ++k) {
    if (output_or_local(k).name == array) return {false, k};
  }
  throw InternalError("a kernel has no array " + array);
}

std::vector<NodeId> Kernel::angles() const {
  const std::vector<const SinCos*> found = steps_of<SinCos>();
  return found.empty() ? std::vector<NodeId>() : found.front()->angles;
}

int Kernel::num_angles() const {
  int count = 0;
  for (const NodeId angle : angles()) count += graph[angle].lanes;
  return count;
}

std::optional<Place> Kernel::angles_in_place() const {
  std::vector<Place> places;
  for (const NodeId angle : angles()) {
    const Node& node = graph[angle];
    const int buffer = static_cast<int>(node.a);
    if (node.op == Op::input) {
      places.push_back({buffer, static_cast<int>(node.b)});
    } else if (node.op == Op::gather) {
      for (const int entry : graph.entries(angle)) places.push_back({buffer, entry});
    } else {
      return std::nullopt;
    }
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] != Place{places.front().buffer, places.front().entry + static_cast<int>(k)})
      return std::nullopt;
  }
  if (places.empty()) return std::nullopt;
  return places.front();
}

int LinkWalk::parent(int body) const {
  const kinematics::RunInfo& run = runs[index(bodies[index(body)].run)];
  return body == run.first ? run.parent : body - 1;
}

bool LinkWalk::plain_angles() const {
  return std::all_of(bodies.begin(), bodies.end(), [](const kinematics::BodyInfo<double>& body) {
    return body.angle_entry < 0 || (body.multiplier == 1.0 && body.angle_offset == 0.0);
  });
}

unsigned LinkWalk::motions() const {
  unsigned bits = 0;
  for (const kinematics::BodyInfo<double>& body : bodies) bits |= 1U << static_cast<int>(body.motion);
  return bits;
}

bool LinkWalk::coupled() const {
  std::set<int> columns;
  return std::any_of(bodies.begin(), bodies.end(), [&](const kinematics::BodyInfo<double>& body) {
    return body.multiplier != 1.0 || !columns.insert(body.idx_v).second;
  });
}

const LinkWalk* Kernel::walk() const {
  for (const Call* call : calls()) {
    if (call->walk) return call->walk.get();
  }
  return nullptr;
}

bool Kernel::ends_in_calls() const {
  const std::vector<const Call*> all = calls();
  return std::any_of(all.begin(), all.end(), [](const Call* call) { return !call->body; });
}

std::vector<const Kernel*> Kernel::bodies() const {
  std::vector<const Kernel*> found;
  for (const Call* call : calls()) {
    if (call->body && std::find(found.begin(), found.end(), call->body.get()) == found.end())
      found.push_back(call->body.get());
  }
  return found;
}

bool Kernel::has_nonzeros_form() const {
  const std::vector<const Clear*> clears = steps_of<Clear>();
  return std::any_of(clears.begin(), clears.end(),
                     [](const Clear* clear) { return clear->once || clear->for_sums; });
}

bool Kernel::has_limb_loops() const {
  const std::vector<const StraightLine*> lines = straight_lines();
  return std::any_of(lines.begin(), lines.end(),
                     [](const StraightLine* line) { return !line->loops.empty(); });
}

int Kernel::num_statements() const {
  std::size_t count = 0;
  for (const Clear* clear : steps_of<Clear>()) count += clear->entries.size();
  for (const StraightLine* line : straight_lines()) count += line->statements.size();
  return static_cast<int>(count);
}

void Kernel::store(int buffer, int entry, const Scalar& x) {
  const NodeId value = materialise(graph, x);
  graph.keep(value);
  stores.push_back({buffer, entry, value});
}

void Kernel::scatter(int buffer, const std::vector<int>& entries, const Scalar& x) {
  const int stride = entries.size() < 2 ? 0 : entries[1] - entries[0];
  bool even = x.lanes() > 1;
  for (std::size_t k = 1; k < entries.size(); ++k) even = even && entries[k] - entries[k - 1] == stride;
  if (!even) {
    for (std::size_t k = 0; k < entries.size(); ++k) store(buffer, entries[k], lane(x, static_cast<int>(k)));
    return;
  }
  const NodeId value = materialise(graph, x);
  graph.keep(value);
  stores.push_back({buffer, entries.front(), value, stride});
}

std::vector<int> Kernel::entries(const Store& store) const {
  std::vector<int> list;
  for (int lane = 0; lane < graph[store.value].lanes; ++lane)
    list.push_back(store.entry + lane * store.stride);
  return list;
}

void Kernel::keep(const Scalar& x) {
  if (!x.is_constant()) graph.keep(x.id());
}

namespace {

/// The name of the node of x where x is called `name`.
std::string name_of_node(const Scalar& x, const std::string& name) {
  if (!x.negated()) return name;
  return name.starts_with("neg_") ? name.substr(4) : "neg_" + name;
}

}  // namespace

void Kernel::name_value(const Scalar& x, const std::string& label) {
  if (!x.is_constant()) graph.set_name(x.id(), name_of_node(x, label));
}

void Kernel::hint(const Scalar& x, const std::string& label) {
  if (!x.is_constant()) graph.set_hint(x.id(), name_of_node(x, label));
}

std::set<NodeId> values_between_loops(const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  std::set<NodeId> found;
  std::map<NodeId, const LimbLoop*> defined_in;
  std::vector<NodeId> open;
  for (const StraightLine* line : kernel.straight_lines()) {
    const LimbLoop* loop = line->loops.data();
    const LimbLoop* const end = loop + line->loops.size();
    for (std::size_t k = 0; k < line->statements.size(); ++k) {
      while (loop != end && k >= loop->first + loop->count) ++loop;
      const LimbLoop* here = loop != end && k >= loop->first ? loop : nullptr;
      const Statement& statement = line->statements[k];
      if (statement.store < 0) defined_in[statement.value] = here;
      open.assign(1, statement.value);
      for (bool is_own = statement.store < 0; !open.empty(); is_own = false) {  // the values that it reads
        const NodeId id = open.back();
        open.pop_back();
        const auto definition = defined_in.find(id);
        if (!is_own && definition != defined_in.end()) {
          if (graph[id].lanes > 1 && definition->second != here) found.insert(id);
          continue;
        }
        if (graph[id].op == Op::sin || graph[id].op == Op::cos) continue;
        for (const NodeId operand : Operands(graph[id])) open.push_back(operand);
      }
    }
  }
  return found;
}

std::vector<bool> live_nodes(const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  std::vector<bool> live(graph.size(), false);
  for (const Store& store : kernel.stores) live[store.value] = true;
  for (NodeId id = graph.size(); id-- > 0;) {  // operands have smaller ids: one backward sweep is enough
    if (!live[id]) continue;
    for (const NodeId operand : Operands(graph[id])) live[operand] = true;
  }
  return live;
}

std::vector<int> count_uses(const Kernel& kernel) {
  const std::vector<bool> live = live_nodes(kernel);
  std::vector<int> uses(kernel.graph.size(), 0);
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    for (const NodeId operand : Operands(kernel.graph[id])) ++uses[operand];
  }
  for (const Store& store : kernel.stores) ++uses[store.value];
  return uses;
}

std::vector<bool> column_nodes(const Kernel& kernel) {
  std::vector<bool> column(kernel.graph.size(), false);
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    const Node& node = kernel.graph[id];
    if (node.op == Op::input) column[id] = kernel.inputs.at(node.a).columns;
    for (const NodeId operand : Operands(node)) column[id] = column[id] || column[operand];
  }
  return column;
}

Cost count_cost(const Kernel& kernel) {
  const std::vector<bool> live = live_nodes(kernel), column = column_nodes(kernel);
  Cost cost;
  for (const Call* call : kernel.calls())
    if (!call->condition) cost.flops += call->body ? count_cost(*call->body).flops : call->cost.flops;
  std::set<NodeId> angles;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    const Node& node = kernel.graph[id];
    switch (node.op) {
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::neg:
        cost.flops += column[id] ? 3 : 1;
        break;
      case Op::pivot_inverse:
        cost.flops += 2;  // the limit and the division
        break;
      case Op::lane_sum:
        cost.flops += kernel.graph[node.a].lanes - 1;
        break;
      case Op::sqrt:
        ++cost.sqrt;
        break;
      case Op::atan:
        ++cost.atan;
        break;
      case Op::sin:
      case Op::cos:
        if (angles.insert(node.a).second) cost.sincos += kernel.graph[node.a].lanes;
        break;
      case Op::constant:
      case Op::input:
      case Op::gather:
      case Op::lane:
        break;
    }
  }
  return cost;
}

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
  const char* separator = "";
  for (const int entry : kernel.entries(store)) {
    out << separator << kernel.output_or_local(store.buffer).name << '[' << entry << ']';
    separator = ", ";
  }
  out << " = n" << store.value << '\n';
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

  void operator()(const Clear& clear) {
    out_ << (clear.once ? "clear once " : "clear ") << kernel_.output_or_local(clear.buffer).name;
    for (const int entry : clear.entries) out_ << ' ' << entry;
    out_ << '\n';
  }
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
        write_store(out_, kernel_, kernel_.stores[index(statement.store)]);
    }
    for (const Transfer& save : line.saves) out_ << "  work[" << save.slot << "] = n" << save.value << '\n';
  }
  void operator()(const Call& call) {
    out_ << "call " << (call.body ? call.body->name : qualified_name(call)) << '(';
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      out_ << (k > 0 ? ", " : "") << kernel_.array(call.arguments[k]).name;
      if (!call.first.empty()) out_ << " + " << call.first[k];
    }
    out_ << ")\n";
    if (call.body && bodies_.insert(call.body.get()).second) out_ << dump(*call.body);
    if (!call.walk) return;
    for (const Kernel& step : call.walk->steps) out_ << dump(step);
  }

 private:
  std::ostream& out_;
  const Kernel& kernel_;
  std::set<const Kernel*> bodies_;  ///< that are written already
};

}  // namespace

std::size_t scatter_length(const Kernel& kernel, const std::vector<Statement>& statements, std::size_t k) {
  const auto store_of = [&](std::size_t at) -> const Store& {
    return kernel.stores.at(index(statements[at].store));
  };
  if (statements[k].store < 0 || store_of(k).stride == 0) return 0;
  const Store& first = store_of(k);
  std::size_t count = 1;
  for (; k + count < statements.size() && statements[k + count].store >= 0; ++count) {
    const Store& next = store_of(k + count);
    const bool continues = next.buffer == first.buffer && next.stride == first.stride &&
                           next.entry == first.entry + static_cast<int>(count);
    if (!continues) break;
  }
  return count;
}

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
  StepWriter writer(out, kernel);
  for (std::size_t k = 0; k < kernel.steps.size(); ++k) {
    out << "step " << k + 1 << ": ";
    std::visit(writer, kernel.steps[k]);
  }
  return out.str();
}

}  // namespace featherline::ir
