#include "ir/kernel.hpp"

#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace featherline::ir {

const Buffer& Kernel::output_or_local(int buffer) const {
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
  std::optional<Place> first;
  int before = 0;
  for (const NodeId angle : angles()) {
    const Node& node = graph[angle];
    if (node.op != Op::input && node.op != Op::gather) return std::nullopt;
    const std::vector<int> entries =
        node.op == Op::gather ? graph.entries(angle) : std::vector{static_cast<int>(node.b)};
    for (const int entry : entries) {
      const Place start{static_cast<int>(node.a), entry - before++};
      if (first.value_or(start) != start) return std::nullopt;
      first = start;
    }
  }
  return first;
}

int LinkWalk::parent(int body) const {
  const kinematics::RunInfo& run = runs[index(bodies[index(body)].run)];
  return body == run.first ? run.parent : body - 1;
}

bool LinkWalk::plain_angles() const {
  return std::ranges::all_of(bodies, [](const auto& body) {
    return !kinematics::has_angle(body.motion) || (body.multiplier == 1.0 && body.angle_offset == 0.0);
  });
}

unsigned LinkWalk::motions() const {
  unsigned bits = 0;
  for (const auto& body : bodies) bits |= 1U << static_cast<int>(body.motion);
  return bits;
}

bool LinkWalk::coupled() const {
  std::set<int> columns;
  return std::ranges::any_of(
      bodies, [&](const auto& body) { return body.multiplier != 1.0 || !columns.insert(body.idx_v).second; });
}

const LinkWalk* Kernel::walk() const {
  for (const Call* call : calls()) {
    if (call->walk) return call->walk.get();
  }
  return nullptr;
}

bool Kernel::ends_in_calls() const {
  return std::ranges::any_of(calls(), [](const Call* call) { return !call->body; });
}

std::vector<const Kernel*> Kernel::bodies() const {
  std::vector<const Kernel*> found;
  for (const Call* call : calls()) {
    if (call->body && std::ranges::find(found, call->body.get()) == found.end())
      found.push_back(call->body.get());
  }
  return found;
}

std::vector<const Clear*> Kernel::clears() const {
  std::vector<const Clear*> found = steps_of<Clear>();
  for (const StraightLine* line : straight_lines()) {
    for (const ZerosBetween& between : line->zeros) found.push_back(&between.zeros);
  }
  return found;
}

bool Kernel::has_nonzeros_form() const {
  return std::ranges::any_of(clears(), [](const Clear* clear) { return clear->once || clear->for_sums; });
}

bool Kernel::has_limb_loops() const {
  return std::ranges::any_of(straight_lines(), [](const StraightLine* line) { return !line->loops.empty(); });
}

int Kernel::num_statements() const {
  std::size_t count = 0;
  for (const Clear* clear : clears()) count += rows_of(clear->entries).size();
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
  store(buffer, entries.front(), x);
  stores.back().stride = stride;
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

std::string operands_text(const Kernel& kernel, NodeId id) {
  const Node& node = kernel.graph[id];
  const auto entry_text = [&](auto entry) {
    return fmt::format(" {}[{}]", kernel.inputs[node.a].name, entry);
  };
  std::string text;
  switch (node.op) {
    case Op::constant:
      for (const double value : kernel.graph.lane_values(id)) text += fmt::format(" {:.17g}", value);
      return text;
    case Op::input:
      return entry_text(node.b);
    case Op::gather:
      for (const int entry : kernel.graph.entries(id)) text += entry_text(entry);
      return text;
    case Op::lane:
      return fmt::format(" n{} [{}]", node.a, node.b);
    default:
      for (const NodeId operand : Operands(node)) text += fmt::format(" n{}", operand);
      return text;
  }
}

std::string node_text(const Kernel& kernel, NodeId id) {
  const Node& node = kernel.graph[id];
  const std::string& label = kernel.graph.node_name(id);
  return fmt::format("n{} = {}{}{}{}\n", id, name(node.op), operands_text(kernel, id),
                     node.lanes > 1 ? fmt::format("  : {} lanes", node.lanes) : "",
                     label.empty() ? "" : "  # " + label);
}

std::string store_text(const Kernel& kernel, const Store& store) {
  std::vector<std::string> targets;
  for (const int entry : kernel.entries(store))
    targets.push_back(fmt::format("{}[{}]", kernel.output_or_local(store.buffer).name, entry));
  return fmt::format("{} = n{}\n", fmt::join(targets, ", "), store.value);
}

/// The text of a step, behind its number.
struct StepText {
  const Kernel& kernel;
  std::set<const Kernel*> bodies = {};  ///< that are written already

  std::string operator()(const Clear& clear) {
    std::string text = (clear.once ? "clear once " : "clear ") + kernel.output_or_local(clear.buffer).name;
    for (const int entry : clear.entries) text += fmt::format(" {}", entry);
    return text + "\n";
  }
  std::string operator()(const SinCos& sincos) {
    return fmt::format("sincos n{}\n", fmt::join(sincos.angles, " n"));
  }
  std::string operator()(const StraightLine& line) {
    std::string text = "straight line\n";
    for (const Transfer& load : line.loads) text += fmt::format("  n{} = work[{}]\n", load.value, load.slot);
    for (const ZerosBetween& between : line.zeros) text += "  between: " + (*this)(between.zeros);
    for (const auto& [value, store] : line.statements)
      text += "  " + (store < 0 ? node_text(kernel, value) : store_text(kernel, kernel.stores[index(store)]));
    for (const Transfer& save : line.saves) text += fmt::format("  work[{}] = n{}\n", save.slot, save.value);
    return text;
  }
  std::string operator()(const Call& call) {
    std::vector<std::string> arguments;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      arguments.push_back(kernel.array(call.arguments[k]).name);
      if (!call.first.empty()) arguments.back() += fmt::format(" + {}", call.first[k]);
    }
    std::string text = fmt::format("call {}({})\n", call.body ? call.body->name : qualified_name(call),
                                   fmt::join(arguments, ", "));
    if (call.body && bodies.insert(call.body.get()).second) text += dump(*call.body);
    if (!call.walk) return text;
    for (const Kernel& step : call.walk->steps) text += dump(step);
    return text;
  }
};

}  // namespace

void Kernel::name_value(const Scalar& x, const std::string& label) {
  if (!x.is_constant()) graph.set_name(x.id(), name_of_node(x, label));
}

void Kernel::hint(const Scalar& x, const std::string& label) {
  if (!x.is_constant()) graph.set_hint(x.id(), name_of_node(x, label));
}

std::vector<NodeId> values_read(const Kernel& kernel, const Statement& statement) {
  if (statement.store >= 0 && kernel.has_statement(statement.value)) return {statement.value};
  std::vector<NodeId> found, open{statement.value};
  while (!open.empty()) {
    const Node& node = kernel.graph[open.back()];
    open.pop_back();
    if (is_trigonometric(node.op)) continue;
    for (const NodeId operand : Operands(node))
      (kernel.has_statement(operand) ? found : open).push_back(operand);
  }
  return found;
}

std::set<NodeId> values_between_loops(const Kernel& kernel) {
  std::set<NodeId> found;
  if (!kernel.has_limb_loops()) return found;
  std::map<NodeId, const LimbLoop*> defined_in;
  for (const StraightLine* line : kernel.straight_lines()) {
    const LimbLoop* loop = line->loops.data();
    const LimbLoop* const end = loop + line->loops.size();
    for (std::size_t k = 0; k < line->statements.size(); ++k) {
      while (loop != end && k >= loop->first + loop->count) ++loop;
      const LimbLoop* here = loop != end && k >= loop->first ? loop : nullptr;
      for (const NodeId id : values_read(kernel, line->statements[k])) {
        if (kernel.graph[id].lanes > 1 && defined_in.at(id) != here) found.insert(id);
      }
      if (line->statements[k].store < 0) defined_in[line->statements[k].value] = here;
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
  for (const Call* call : kernel.calls()) {
    const Cost of_body = call->body ? count_cost(*call->body) : Cost{};
    if (!call->condition) cost.flops += call->body ? of_body.flops : call->cost.flops;
    cost.sincos += of_body.sincos;
  }
  std::set<NodeId> angles;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    const Node& node = kernel.graph[id];
    cost.flops += flops(node.op) * (column[id] ? 3 : 1);
    if (node.op == Op::lane_sum) cost.flops += kernel.graph[node.a].lanes - 1;
    if (node.op == Op::sqrt) ++cost.sqrt;
    if (node.op == Op::atan) ++cost.atan;
    const bool turns = is_trigonometric(node.op) || is_late_trigonometric(node.op);
    if (turns && angles.insert(node.a).second) cost.sincos += kernel.graph[node.a].lanes;
  }
  return cost;
}

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
  std::string text = fmt::format("function {} ({})\n", kernel.name, kernel.formulation);
  if (kernel.straight_lines().empty()) {
    const std::vector<bool> live = live_nodes(kernel);
    std::uint32_t section = 0;
    for (NodeId id = 0; id < kernel.graph.size(); ++id) {
      if (!live[id]) continue;
      const std::uint32_t its = kernel.graph[id].section;
      if (its != section) text += "# " + kernel.graph.sections()[section = its] + "\n";
      text += node_text(kernel, id);
    }
    for (const Store& store : kernel.stores) text += store_text(kernel, store);
  } else {
    text += fmt::format("{} statements, workspace {}\n", kernel.num_statements(), kernel.workspace_size);
  }
  StepText of_step{kernel};
  for (std::size_t k = 0; k < kernel.steps.size(); ++k)
    text += fmt::format("step {}: {}", k + 1, std::visit(of_step, kernel.steps[k]));
  return text;
}

}  // namespace featherline::ir
