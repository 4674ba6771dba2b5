#include "passes/passes.hpp"
#include "passes/rewrite.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace featherline::passes {
namespace {

using ir::Function;
using ir::no_node;
using ir::Node;
using ir::NodeId;
using ir::Op;

bool has_statement(Op op) { return op != Op::constant && op != Op::input && op != Op::sin && op != Op::cos; }

bool is_trigonometric(Op op) { return op == Op::sin || op == Op::cos; }

/// Marks nodes that only serve to make the angles: they are printed in the angle array.
std::vector<bool> angle_nodes(const Function& function, const std::vector<NodeId>& angles) {
  std::vector<bool> in_angle(function.graph.size(), false);
  for (const NodeId angle : angles) in_angle[angle] = true;
  for (NodeId id = function.graph.size(); id-- > 0;) {
    if (!in_angle[id]) continue;
    const Node& node = function.graph[id];
    if (ir::arity(node.op) >= 1) in_angle[node.a] = true;
    if (ir::arity(node.op) == 2) in_angle[node.b] = true;
  }
  return in_angle;
}

std::vector<NodeId> collect_angles(const Function& function, const std::vector<int>& uses) {
  std::vector<NodeId> angles;
  for (NodeId id = 0; id < function.graph.size(); ++id) {
    if (uses[id] == 0 || !is_trigonometric(function.graph[id].op)) continue;
    const NodeId angle = function.graph[id].a;
    if (std::find(angles.begin(), angles.end(), angle) == angles.end()) angles.push_back(angle);
  }
  return angles;
}

class Scheduler {
 public:
  Scheduler(Function function, const ScheduleOptions& options) : options_(options) {
    program_.function = std::move(function);
    uses_ = count_uses(graph_function());
    program_.angles = collect_angles(graph_function(), uses_);
    in_angle_ = angle_nodes(graph_function(), program_.angles);
    choose_inlining();
    choose_cleared_outputs();
    order_statements();
    cut_into_parts();
  }
  ir::Program take() { return std::move(program_); }

 private:
  const Function& graph_function() const { return program_.function; }
  const ir::Graph& graph() const { return program_.function.graph; }

  bool is_defined(NodeId id) const {
    return uses_[id] > 0 && has_statement(graph()[id].op) && !in_angle_[id] && !program_.inlined[id];
  }

  /// Operations of a statement, those of values printed inside it included, and one for a store. How many values have
  /// names does not matter.
  std::int64_t weight(const ir::Statement& s) const {
    const int stored = s.store < 0 ? 0 : 1;
    return stored + (s.store < 0 || !is_defined(s.value) ? operations_[s.value] : 0);
  }

  /// An unnamed value with one use is printed where it is used, up to a size a reader can take in.
  void choose_inlining() {
    program_.inlined.assign(graph().size(), false);
    operations_.assign(graph().size(), 0);
    for (NodeId id = 0; id < graph().size(); ++id) {
      const Node& node = graph()[id];
      if (uses_[id] == 0 || !has_statement(node.op)) continue;
      operations_[id] = 1;
      for (const NodeId operand : {node.a, node.b}) {
        if (operand != no_node && program_.inlined[operand]) operations_[id] += operations_[operand];
      }
      program_.inlined[id] = uses_[id] == 1 && graph().node_name(id).empty() &&
                             operations_[id] <= options_.max_inline_operations;
    }
    for (NodeId id = 0; id < graph().size(); ++id) {
      if (in_angle_[id]) program_.inlined[id] = true;
    }
  }

  bool is_zero(const ir::Store& s) const {
    return graph().is_constant(s.value) && graph().value(s.value) == 0.0;
  }

  bool is_cleared(int output) const {
    return std::find(program_.cleared.begin(), program_.cleared.end(), output) != program_.cleared.end();
  }

  /// Four fifths of a large tensor may be structural zeros: stored one by one they are most of the text, and of
  /// the time to compile it.
  void choose_cleared_outputs() {
    std::vector<int> zeros(graph_function().outputs.size(), 0);
    for (const ir::Store& s : graph_function().stores)
      zeros[static_cast<std::size_t>(s.parameter)] += is_zero(s) ? 1 : 0;
    for (int p = 0; p < static_cast<int>(zeros.size()); ++p) {
      if (zeros[static_cast<std::size_t>(p)] > options_.max_stored_zeros) program_.cleared.push_back(p);
    }
  }

  /// Creation order, each output stored as soon as its value exists; constants are stored where they fall last.
  void order_statements() {
    std::multimap<NodeId, int> stores;
    for (int k = 0; k < static_cast<int>(graph_function().stores.size()); ++k) {
      const ir::Store& s = graph_function().stores[static_cast<std::size_t>(k)];
      if (!is_zero(s) || !is_cleared(s.parameter)) stores.emplace(s.value, k);
    }
    const auto emit_stores = [&](NodeId id) {
      const auto [first, last] = stores.equal_range(id);
      for (auto it = first; it != last; ++it) statements_.push_back({id, it->second});
    };
    for (NodeId id = 0; id < graph().size(); ++id) {
      if (is_defined(id)) statements_.push_back({id, -1});
      emit_stores(id);
    }
    program_.statements = static_cast<int>(statements_.size());
  }

  /// Parts of about equal weight.
  void cut_into_parts() {
    std::int64_t total = 0;
    for (const ir::Statement& s : statements_) total += weight(s);
    const std::int64_t limit = options_.max_operations,
                       count = std::max<std::int64_t>(1, (total - 1) / limit + 1);
    std::int64_t before = 0;
    program_.parts.emplace_back();
    for (const ir::Statement& s : statements_) {
      if (before * count >= total * static_cast<std::int64_t>(program_.parts.size()))
        program_.parts.emplace_back();
      program_.parts.back().statements.push_back(s);
      before += weight(s);
    }
    if (program_.parts.size() > 1) allocate_workspace();
  }

  /// Named values an expression reads, looking through inlined ones.
  void collect_reads(NodeId id, std::set<NodeId>& reads) const {
    const Node& node = graph()[id];
    if (is_trigonometric(node.op)) return;
    for (const NodeId operand : {node.a, node.b}) {
      if (ir::arity(node.op) == 0 || operand == no_node) continue;
      if (is_defined(operand)) {
        reads.insert(operand);
      } else {
        collect_reads(operand, reads);
      }
    }
  }

  std::set<NodeId> reads_of(const ir::Part& part) const {
    std::set<NodeId> reads;
    for (const ir::Statement& s : part.statements) {
      if (s.store < 0 || !is_defined(s.value)) collect_reads(s.value, reads);
      if (s.store >= 0 && is_defined(s.value)) reads.insert(s.value);
    }
    return reads;
  }

  /// Slots of values that cross a cut, reused once their last reader has run.
  void allocate_workspace() {
    std::vector<int> defined_in(graph().size(), -1);
    std::vector<std::set<NodeId>> reads;
    std::vector<int> last_reader(graph().size(), -1);
    for (int k = 0; k < static_cast<int>(program_.parts.size()); ++k) {
      const ir::Part& part = program_.parts[static_cast<std::size_t>(k)];
      for (const ir::Statement& s : part.statements) {
        if (s.store < 0) defined_in[s.value] = k;
      }
      reads.push_back(reads_of(part));
      for (const NodeId id : reads.back()) last_reader[id] = k;
    }
    assign_slots(defined_in, reads, last_reader);
  }

  void assign_slots(const std::vector<int>& defined_in, const std::vector<std::set<NodeId>>& reads,
                    const std::vector<int>& last_reader) {
    std::map<NodeId, int> slot_of;
    std::set<int> free;
    for (int k = 0; k < static_cast<int>(program_.parts.size()); ++k) {
      ir::Part& part = program_.parts[static_cast<std::size_t>(k)];
      for (const NodeId id : reads[static_cast<std::size_t>(k)]) {
        if (defined_in[id] < k) part.loads.push_back({id, slot_of.at(id)});
      }
      for (const ir::Statement& s : part.statements) {
        if (s.store >= 0 || last_reader[s.value] <= k) continue;
        if (free.empty()) free.insert(program_.workspace_size++);
        const int slot = *free.begin();
        free.erase(free.begin());
        slot_of[s.value] = slot;
        part.saves.push_back({s.value, slot});
      }
      for (const ir::Transfer& load : part.loads) {
        if (last_reader[load.value] == k) free.insert(load.slot);
      }
    }
  }

  ScheduleOptions options_;
  ir::Program program_;
  std::vector<int> uses_;
  std::vector<bool> in_angle_;
  std::vector<int> operations_;  ///< by node, with those printed inside it
  std::vector<ir::Statement> statements_;
};

}  // namespace

ir::Program schedule(Function function, const ScheduleOptions& options) {
  return Scheduler(std::move(function), options).take();
}

}  // namespace featherline::passes
