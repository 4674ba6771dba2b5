#include "cost/estimate.hpp"

#include "cost/cortex_m.hpp"
#include "passes/rewrite.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <set>

namespace featherline::cost {
namespace {

using ir::NodeId;
using ir::Op;

constexpr int registers = 14;
constexpr int never = INT_MAX;

bool is_operation(Op op) { return op != Op::constant && op != Op::input && op != Op::sin && op != Op::cos; }

/// A named value is defined or read.
struct Event {
  NodeId value = ir::no_node;
  bool definition = false;
  int next_read = never;  ///< index of the event that reads it next
};

/// Walks the statements of one part in order.
class PartCounter {
 public:
  PartCounter(const ir::Program& program, const std::vector<int>& uses) : program_(program), uses_(uses) {}

  /// Adds the part to `load`.
  void count(const ir::Part& part, Load& load) {
    load.stores += static_cast<int>(part.saves.size());
    load.reloads += static_cast<int>(part.loads.size());
    for (const ir::Statement& statement : part.statements) {
      if (statement.store >= 0) ++load.stores;
      if (statement.store < 0 || !is_named(statement.value)) read_operands(statement.value, load);
      if (statement.store >= 0 && is_named(statement.value)) events_.push_back({statement.value});
      if (statement.store < 0) events_.push_back({statement.value, true});
    }
    find_next_reads();
    give_away_registers(load);
  }

 private:
  const ir::Graph& graph() const { return program_.function.graph; }
  bool is_named(NodeId id) const { return is_operation(graph()[id].op) && !program_.inlined[id]; }

  bool is_single_product(NodeId id) const { return graph()[id].op == Op::mul && uses_[id] == 1; }

  /// Counts the operation `id` and those inlined in it; named operands become events.
  void read_operands(NodeId id, Load& load) {
    const ir::Node& node = graph()[id];
    if (!is_operation(node.op)) return;
    ++load.operations;
    const bool sum = node.op == Op::add || node.op == Op::sub;
    if (sum && (is_single_product(node.a) || is_single_product(node.b))) ++load.fused;
    for (const NodeId operand : {node.a, node.b}) {
      if (operand == ir::no_node || !is_operation(graph()[operand].op)) continue;
      if (is_named(operand)) {
        events_.push_back({operand});
      } else {
        read_operands(operand, load);
      }
    }
  }

  void find_next_reads() {
    std::map<NodeId, int> next;
    for (int i = static_cast<int>(events_.size()) - 1; i >= 0; --i) {
      Event& event = events_[static_cast<std::size_t>(i)];
      const auto known = next.find(event.value);
      if (known != next.end()) event.next_read = known->second;
      if (event.definition) {
        next.erase(event.value);
      } else {
        next[event.value] = i;
      }
    }
  }

  void give_away_registers(Load& load) {
    std::map<NodeId, int> in_register;         // with the next read
    std::set<std::pair<int, NodeId>> by_read;  // the same, the furthest last
    std::set<NodeId> spilled;
    for (const Event& event : events_) {
      const auto held = in_register.find(event.value);
      if (held != in_register.end()) {
        by_read.erase({held->second, event.value});
        in_register.erase(held);
      } else if (!event.definition) {
        ++load.reloads;
      }
      if (event.next_read == never) {
        spilled.erase(event.value);
        continue;
      }
      in_register[event.value] = event.next_read;
      by_read.insert({event.next_read, event.value});
      if (in_register.size() <= registers) continue;
      const auto furthest = std::prev(by_read.end());
      spilled.insert(furthest->second);
      in_register.erase(furthest->second);
      by_read.erase(furthest);
      load.spill_slots = std::max(load.spill_slots, static_cast<int>(spilled.size()));
    }
  }

  const ir::Program& program_;
  const std::vector<int>& uses_;
  std::vector<Event> events_;
};

/// Sines, cosines, workspace; angles that are no consecutive inputs take an array, too.
int array_entries(const ir::Program& program) {
  return 3 * static_cast<int>(program.angles.size()) + program.workspace_size;
}

/// `fixed` bytes and so many hundredths, cut off where int ends.
int to_bytes(int fixed, long long hundredths) {
  return static_cast<int>(std::min<long long>(fixed + hundredths / 100, INT_MAX));
}

int straight_line_bytes(const ir::Program& program, Target target) {
  if (is_cortex_m(target)) return cortex_m_code_bytes(program);
  const Load load = count_load(program);
  const int sincos = program.angles.empty() ? 0 : 480;
  return to_bytes(70 + sincos, 1122LL * load.operations + 674LL * load.stores + 361LL * load.reloads);
}

}  // namespace

const std::vector<TargetName>& target_names() {
  static const std::vector<TargetName> names{
      {"x86-64", Target::x86_64}, {"cortex-m7", Target::cortex_m7}, {"cortex-m4f", Target::cortex_m4f}};
  return names;
}

std::string name(Target target) {
  for (const TargetName& entry : target_names()) {
    if (entry.target == target) return entry.name;
  }
  return "";
}

bool is_cortex_m(Target target) { return target != Target::x86_64; }

Target usual_target(const std::vector<std::string>& scalars) {
  const bool has_double = std::find(scalars.begin(), scalars.end(), "double") != scalars.end();
  return has_double ? Target::x86_64 : Target::cortex_m7;
}

Load count_load(const ir::Program& program) {
  const std::vector<int> uses = passes::count_uses(program.function);
  Load load;
  for (const ir::Part& part : program.parts) PartCounter(program, uses).count(part, load);
  return load;
}

int estimated_code_bytes(const ir::Program& program, Target target) {
  const auto& completion = program.function.completion;
  return straight_line_bytes(program, target) + (completion ? completion->code_bytes : 0);
}

int estimated_stack_bytes(const ir::Program& program, Target target) {
  if (is_cortex_m(target)) return cortex_m_stack_bytes(program);
  const int entries = array_entries(program), slots = count_load(program).spill_slots;
  return 8 * entries + 14 + 912 * slots / 100;
}

}  // namespace featherline::cost
