#include "cost/estimate.hpp"

#include <algorithm>
#include <climits>
#include <utility>

namespace featherline::cost {
namespace {

using ir::NodeId;
using ir::Op;

constexpr int never = INT_MAX;
constexpr int first_far_entry = 256;

/// The definition of a value, or a read of it.
struct Event {
  NodeId value = ir::no_node;
  bool definition = false;
  std::size_t statement = 0;
  int next_read = never;  ///< the index of the event that reads it next
};

/// How often each statement of a part counts.
std::vector<int> times_of(const ir::StraightLine& part, Counting counting) {
  std::vector<int> times(part.statements.size(), 1);
  if (counting == Counting::code) return times;
  for (const ir::LimbLoop& loop : part.loops)
    std::fill_n(times.begin() + static_cast<std::ptrdiff_t>(loop.first), loop.count, loop.lanes);
  return times;
}

/// Walks through the statements of one part after the other, and adds what it counts.
class PartCounter {
 public:
  PartCounter(const ir::Kernel& kernel, const std::vector<int>& uses, const Machine& machine,
              Counting counting, InstructionCounts& counts)
      : kernel_(kernel),
        uses_(uses),
        machine_(machine),
        counting_(counting),
        counts_(counts),
        next_(kernel.graph.size(), never),
        spilled_(kernel.graph.size(), false) {}

  void count(const ir::StraightLine& part) {
    events_.clear();
    ++counts_.parts;
    counts_.stores += static_cast<int>(part.saves.size());
    counts_.loads += static_cast<int>(part.loads.size());
    for (const auto* transfers : {&part.loads, &part.saves}) {
      for (const ir::Transfer& transfer : *transfers) count_far(transfer.slot);
    }
    all_times_ = times_of(part, counting_);
    traffic_.assign(part.statements.size(), {});
    for (statement_ = 0; statement_ < part.statements.size(); ++statement_) {
      const ir::Statement& statement = part.statements[statement_];
      times_ = all_times_[statement_];
      if (statement.store >= 0) {
        read(statement.value);
        count_far(kernel_.stores[static_cast<std::size_t>(statement.store)].entry);
      } else {
        read_operands(statement.value);
        events_.push_back({statement.value, true, statement_});
      }
    }
    count_stores(part.statements);
    times_ = 1;
    find_next_reads();
    spill_furthest_reads();
  }
  const std::vector<MemoryTraffic>& traffic() const { return traffic_; }

 private:
  /// Up to four rows of a limb are stored at once.
  void count_stores(const std::vector<ir::Statement>& statements) {
    constexpr std::size_t together = 4;
    for (std::size_t k = 0; k < statements.size();) {
      const std::size_t rows = counting_ == Counting::code ? ir::scatter_length(kernel_, statements, k) : 0;
      const auto groups = static_cast<int>((rows + together - 1) / together);
      if (rows > 0) counts_.stores += groups * graph()[statements[k].value].lanes;
      if (rows == 0 && statements[k].store >= 0)
        counts_.stores += counting_ == Counting::code ? 1 : graph()[statements[k].value].lanes;
      k += rows > 0 ? rows : 1;
    }
  }
  void count_far(int entry) { counts_.far += entry >= first_far_entry ? times_ : 0; }

  const ir::Graph& graph() const { return kernel_.graph; }
  bool is_single_product(NodeId id) const { return graph()[id].op == Op::mul && uses_[id] == 1; }

  /// A named value becomes an event. So do constants and inputs if instructions read registers only.
  void read(NodeId id) {
    const bool computed = ir::is_operation(graph()[id].op);
    if (computed && kernel_.inlined[id]) {
      read_operands(id);
    } else if (computed || !machine_.has_memory_operands) {
      events_.push_back({id, false, statement_});
    }
  }

  /// Counts the operation `id` and reads its operands.
  void read_operands(NodeId id) {
    const ir::Node& node = graph()[id];
    if (!ir::is_operation(node.op)) return;
    counts_.operations += times_;
    if (is_sum(node.op) && (is_single_product(node.a) || is_single_product(node.b))) counts_.fused += times_;
    for (const NodeId operand : ir::Operands(node)) read(operand);
  }

  void find_next_reads() {
    for (int i = static_cast<int>(events_.size()) - 1; i >= 0; --i) {
      Event& event = events_[static_cast<std::size_t>(i)];
      event.next_read = std::exchange(next_[event.value], event.definition ? never : i);
      if (event.next_read == never && graph().is_constant(event.value)) ++counts_.constants;
    }
    for (const Event& event : events_) next_[event.value] = never;
  }

  void spill_furthest_reads() {
    std::vector<std::pair<int, NodeId>> in_register;  // next read and value; the furthest is last
    int spill_slots = 0;
    for (const Event& event : events_) {
      const auto held = std::ranges::find(in_register, event.value, &std::pair<int, NodeId>::second);
      if (held != in_register.end()) {
        in_register.erase(held);
      } else if (!event.definition) {
        counts_.reloads += all_times_[event.statement];
        traffic_[event.statement].loaded.push_back(event.value);
      }
      if (event.next_read == never) {
        if (spilled_[event.value]) --spill_slots;
        spilled_[event.value] = false;
        continue;
      }
      const std::pair<int, NodeId> read{event.next_read, event.value};
      in_register.insert(std::ranges::upper_bound(in_register, read), read);
      const auto used = static_cast<int>(in_register.size());
      counts_.registers_used = std::max(counts_.registers_used, used);
      if (used <= machine_.registers) continue;
      const NodeId furthest = in_register.back().second;
      in_register.pop_back();
      if (ir::is_operation(graph()[furthest].op) && !spilled_[furthest]) {
        spilled_[furthest] = true;
        counts_.spills += all_times_[event.statement];
        ++traffic_[event.statement].spills;
        counts_.spill_slots = std::max(counts_.spill_slots, ++spill_slots);
      }
    }
  }

  const ir::Kernel& kernel_;
  const std::vector<int>& uses_;
  const Machine& machine_;
  const Counting counting_;
  InstructionCounts& counts_;
  std::vector<Event> events_;           ///< of the part
  std::vector<int> all_times_;          ///< of its statements
  std::vector<MemoryTraffic> traffic_;  ///< of the same
  std::size_t statement_ = 0;
  int times_ = 1;  ///< of the statement
  // By node; each part leaves them as they are here.
  std::vector<int> next_;  ///< the index of its next read
  std::vector<bool> spilled_;
};

void count_arrays(const ir::Kernel& kernel, const Machine& machine, InstructionCounts& counts) {
  for (const ir::Clear* clear : kernel.clears()) {
    counts.cleared_entries +=
        machine.has_vectors ? ir::stores_of_four(clear->entries) : static_cast<int>(clear->entries.size());
    if (clear->entries.empty()) ++counts.cleared_buffers;
  }
  counts.nonzeros_form = kernel.has_nonzeros_form() ? 1 : 0;
  counts.angles = kernel.num_angles();
  if (counts.angles > 0 && !kernel.angles_in_place()) counts.copied_angles = counts.angles;
  counts.arguments = static_cast<int>(kernel.inputs.size() + kernel.outputs.size());
  counts.workspace = kernel.workspace_size;
  for (const ir::StraightLine* line : kernel.straight_lines())
    counts.limb_loops += static_cast<int>(line->loops.size());
  if (counts.limb_loops == 0) return;
  const std::vector<bool> live = ir::live_nodes(kernel);
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    const int lanes = kernel.graph[id].lanes;
    if (live[id] && kernel.graph.is_constant(id) && lanes > 1) counts.limb_constants += lanes;
  }
  for (const NodeId id : ir::values_between_loops(kernel)) counts.loop_values += kernel.graph[id].lanes;
}

}  // namespace

InstructionCounts count_instructions(const ir::Kernel& kernel, const Machine& machine, Counting counting,
                                     std::vector<std::vector<MemoryTraffic>>* traffic) {
  const std::vector<int> uses = ir::count_uses(kernel);
  InstructionCounts sum;
  PartCounter counter(kernel, uses, machine, counting, sum);
  for (const ir::StraightLine* line : kernel.straight_lines()) {
    counter.count(*line);
    if (traffic != nullptr) traffic->push_back(counter.traffic());
  }
  count_arrays(kernel, machine, sum);
  return sum;
}

}  // namespace featherline::cost
