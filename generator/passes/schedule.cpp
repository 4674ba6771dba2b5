#include "passes/schedule.hpp"
#include "passes/rewrite.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace featherline::passes {
namespace {

using ir::Kernel;
using ir::no_node;
using ir::Node;
using ir::NodeId;
using ir::Op;

bool has_statement(Op op) { return op != Op::constant && op != Op::input && op != Op::sin && op != Op::cos; }

bool is_trigonometric(Op op) { return op == Op::sin || op == Op::cos; }

/// Marks nodes that only serve to make the angles: they are printed in the angle array. A product of two values is not
/// marked, nor what is made of it, if statements use it, too.
std::vector<bool> angle_nodes(const Kernel& kernel, const std::vector<NodeId>& angles) {
  const ir::Graph& graph = kernel.graph;
  std::vector<bool> in_angle(graph.size(), false), is_long(graph.size(), false),
      in_statements(graph.size(), false);
  for (NodeId id = 0; id < graph.size(); ++id) {
    is_long[id] = graph[id].op == Op::mul && !graph.is_constant(graph[id].a);
    for (const NodeId operand : ir::Operands(graph[id])) is_long[id] = is_long[id] || is_long[operand];
  }
  for (const ir::Store& store : kernel.stores) in_statements[store.value] = true;
  for (const NodeId angle : angles) in_angle[angle] = true;
  const std::vector<bool> live = ir::live_nodes(kernel);
  for (NodeId id = graph.size(); id-- > 0;) {
    if (!live[id] || is_trigonometric(graph[id].op)) continue;
    if (in_statements[id] && is_long[id]) in_angle[id] = false;
    for (const NodeId operand : ir::Operands(graph[id])) {
      if (in_angle[id])
        in_angle[operand] = true;
      else
        in_statements[operand] = true;
    }
  }
  return in_angle;
}

std::vector<NodeId> collect_angles(const Kernel& kernel, const std::vector<int>& uses) {
  std::vector<NodeId> angles;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (uses[id] == 0 || !is_trigonometric(kernel.graph[id].op)) continue;
    const NodeId angle = kernel.graph[id].a;
    if (std::find(angles.begin(), angles.end(), angle) == angles.end()) angles.push_back(angle);
  }
  return angles;
}

class Scheduler {
 public:
  Scheduler(Kernel kernel, const ScheduleOptions& options) : options_(options) {
    kernel_ = std::move(kernel);
    uses_ = ir::count_uses(kernel_);
    angles_ = collect_angles(kernel_, uses_);
    in_angle_ = angle_nodes(kernel_, angles_);
    choose_inlining();
    choose_cleared_outputs();
    order_statements();
    if (options_.limb_loops && has_lanes())
      lines_.push_back(in_limb_loops(kernel_, std::move(statements_)));
    else
      cut_into_parts();
    list_steps();
  }
  ir::Kernel take() { return std::move(kernel_); }

 private:
  const ir::Graph& graph() const { return kernel_.graph; }

  bool is_defined(NodeId id) const {
    return uses_[id] > 0 && has_statement(graph()[id].op) && !in_angle_[id] && !kernel_.inlined[id];
  }

  /// Operations of a statement, those of values printed inside it included, and one for a store. How many values have
  /// names does not matter.
  std::int64_t weight(const ir::Statement& s) const {
    const int stored = s.store < 0 ? 0 : lanes(s.value);
    return stored + (s.store < 0 || !is_defined(s.value) ? operations_[s.value] : 0);
  }

  /// An unnamed value with one use is printed where it is used, up to a size a reader can take in.
  void choose_inlining() {
    kernel_.inlined.assign(graph().size(), false);
    operations_.assign(graph().size(), 0);
    for (NodeId id = 0; id < graph().size(); ++id) {
      const Node& node = graph()[id];
      if (uses_[id] == 0 || !has_statement(node.op)) continue;
      operations_[id] = 1;
      for (const NodeId operand : ir::Operands(node)) {
        if (kernel_.inlined[operand]) operations_[id] += operations_[operand];
      }
      kernel_.inlined[id] = uses_[id] == 1 && graph().node_name(id).empty() &&
                            operations_[id] <= options_.max_inline_operations;
    }
    if (options_.limb_loops) keep_lanes_apart();
    for (NodeId id = 0; id < graph().size(); ++id) {
      if (in_angle_[id]) kernel_.inlined[id] = true;
    }
  }

  bool has_lanes() const {
    for (NodeId id = 0; id < graph().size(); ++id) {
      if (uses_[id] > 0 && lanes(id) > 1) return true;
    }
    return false;
  }

  /// What leaves the lanes is computed where the loop over the limbs ends, not where it is used.
  void keep_lanes_apart() {
    for (NodeId id = 0; id < graph().size(); ++id) {
      const Node& node = graph()[id];
      if (node.op == Op::lane_sum || node.op == Op::lane) kernel_.inlined[id] = false;
      if (node.op == Op::lane) kernel_.inlined[node.a] = false;
    }
  }

  bool is_zero(const ir::Store& s) const {
    return graph().is_constant(s.value) && lanes(s.value) == 1 && graph().value(s.value) == 0.0;
  }

  bool is_cleared(int buffer) const {
    return std::any_of(cleared_.begin(), cleared_.end(),
                       [&](const ir::Clear& clear) { return clear.buffer == buffer; });
  }

  /// Whether a call reads or changes the buffer. Then its zeros are stored every time.
  bool is_argument(int buffer) const {
    const std::vector<const ir::Call*> calls = kernel_.calls();
    return std::any_of(calls.begin(), calls.end(), [&](const ir::Call* call) {
      return !call->body &&
             std::count(call->arguments.begin(), call->arguments.end(), ir::ArrayId{false, buffer}) > 0;
    });
  }

  /// Four fifths of a large tensor may be structural zeros: stored one by one they are most of the text, and of
  /// the time to compile it.
  void choose_cleared_outputs() {
    std::vector<std::vector<int>> zeros(static_cast<std::size_t>(kernel_.num_outputs_and_locals()));
    for (const ir::Store& s : kernel_.stores) {
      if (is_zero(s)) zeros[static_cast<std::size_t>(s.buffer)].push_back(s.entry);
    }
    for (int p = 0; p < static_cast<int>(zeros.size()); ++p) {
      std::vector<int>& entries = zeros[static_cast<std::size_t>(p)];
      const bool apart =
          options_.zeros_apart && p < static_cast<int>(kernel_.outputs.size()) && !is_argument(p);
      if (static_cast<int>(entries.size()) > options_.max_stored_zeros)
        cleared_.push_back({p, {}, apart});
      else if (apart && !entries.empty())
        cleared_.push_back({p, std::move(entries), apart});
    }
  }

  const ir::Store& store(int k) const { return kernel_.stores[static_cast<std::size_t>(k)]; }

  /// Stores of lanes that can be one scatter(): consecutive rows of one array. That a value waits for the others costs
  /// less than storing its lanes one by one, even if it is computed in another section (hyq: 6 % of the code of the
  /// second derivatives). Every other store is alone.
  std::vector<std::vector<int>> rows_stored_together() const {
    std::vector<int> order;
    std::vector<std::vector<int>> runs;
    for (int k = 0; k < static_cast<int>(kernel_.stores.size()); ++k) {
      if (is_zero(store(k)) && is_cleared(store(k).buffer)) continue;
      if (store(k).stride == 0)
        runs.push_back({k});
      else
        order.push_back(k);
    }
    const auto key = [&](int k) {
      const ir::Store& s = store(k);
      return std::make_tuple(s.buffer, s.stride, s.entry);
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool continues = i > 0 && runs.back().size() < options_.max_rows_stored_together &&
                             key(order[i]) == follower(key(order[i - 1]));
      if (!continues) runs.emplace_back();
      runs.back().push_back(order[i]);
    }
    return runs;
  }
  template <class Key>
  static Key follower(Key key) {
    ++std::get<2>(key);
    return key;
  }

  /// Signs that only stores read. The passes create them behind all other values: computed there, the value would stay
  /// alive for nothing or cross a cut: 273 values cross in hyq's second derivatives, 210 if signs wait for their store.
  std::vector<bool> signs_of_stores() const {
    std::vector<int> reads(uses_);
    for (const ir::Store& s : kernel_.stores) --reads[s.value];
    std::vector<bool> result(graph().size(), false);
    for (NodeId id = 0; id < graph().size(); ++id)
      result[id] = uses_[id] > 0 && reads[id] == 0 && graph()[id].op == Op::neg && !in_angle_[id];
    return result;
  }

  /// Creation order, each output stored as soon as its value exists, or those of the rows stored with it; constants are
  /// stored where they fall last.
  void order_statements() {
    const std::vector<bool> waits = signs_of_stores();
    std::vector<bool> defined(graph().size(), false);
    std::multimap<NodeId, std::vector<int>> stores;
    for (std::vector<int>& run : rows_stored_together()) {
      NodeId last = 0;
      for (const int k : run) {
        const NodeId id = store(k).value;
        last = std::max(last, waits[id] ? graph()[id].a : id);
      }
      stores.emplace(last, std::move(run));
    }
    const auto define = [&](NodeId id) {
      if (is_defined(id) && !defined[id]) statements_.push_back({id, -1});
      defined[id] = true;
    };
    const auto emit_stores = [&](NodeId id) {
      const auto [first, last] = stores.equal_range(id);
      for (auto it = first; it != last; ++it) {
        for (const int k : it->second) define(store(k).value);
        for (const int k : it->second) statements_.push_back({store(k).value, k});
      }
    };
    for (NodeId id = 0; id < graph().size(); ++id) {
      if (!waits[id]) define(id);
      emit_stores(id);
    }
  }

  /// Parts of about equal weight.
  void cut_into_parts() {
    std::int64_t total = 0;
    for (const ir::Statement& s : statements_) total += weight(s);
    const std::int64_t limit = options_.max_operations,
                       count = std::max<std::int64_t>(1, (total - 1) / limit + 1);
    std::int64_t before = 0;
    lines_.emplace_back();
    for (const ir::Statement& s : statements_) {
      if (before * count >= total * static_cast<std::int64_t>(lines_.size())) lines_.emplace_back();
      lines_.back().statements.push_back(s);
      before += weight(s);
    }
    if (lines_.size() > 1) allocate_workspace();
  }

  /// Named values an expression reads, looking through inlined ones.
  void collect_reads(NodeId id, std::set<NodeId>& reads) const {
    const Node& node = graph()[id];
    if (is_trigonometric(node.op)) return;
    for (const NodeId operand : ir::Operands(node)) {
      if (is_defined(operand)) {
        reads.insert(operand);
      } else {
        collect_reads(operand, reads);
      }
    }
  }

  std::set<NodeId> reads_of(const ir::StraightLine& part) const {
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
    for (int k = 0; k < static_cast<int>(lines_.size()); ++k) {
      const ir::StraightLine& part = lines_[static_cast<std::size_t>(k)];
      for (const ir::Statement& s : part.statements) {
        if (s.store < 0) defined_in[s.value] = k;
      }
      reads.push_back(reads_of(part));
      for (const NodeId id : reads.back()) last_reader[id] = k;
    }
    assign_slots(defined_in, reads, last_reader);
  }

  int lanes(NodeId id) const { return graph()[id].lanes; }

  /// The first of `count` slots.
  int take_slots(std::set<int>& free, int count) {
    if (free.empty()) {
      kernel_.workspace_size += count;
      return kernel_.workspace_size - count;
    }
    const int slot = *free.begin();
    free.erase(free.begin());
    return slot;
  }

  void assign_slots(const std::vector<int>& defined_in, const std::vector<std::set<NodeId>>& reads,
                    const std::vector<int>& last_reader) {
    std::map<NodeId, int> slot_of;
    std::map<int, std::set<int>> free;  // by lanes: first slots
    for (int k = 0; k < static_cast<int>(lines_.size()); ++k) {
      ir::StraightLine& part = lines_[static_cast<std::size_t>(k)];
      for (const NodeId id : reads[static_cast<std::size_t>(k)]) {
        if (defined_in[id] < k) part.loads.push_back({id, slot_of.at(id)});
      }
      for (const ir::Statement& s : part.statements) {
        if (s.store >= 0 || last_reader[s.value] <= k) continue;
        slot_of[s.value] = take_slots(free[lanes(s.value)], lanes(s.value));
        part.saves.push_back({s.value, slot_of[s.value]});
      }
      for (const ir::Transfer& load : part.loads) {
        if (last_reader[load.value] == k) free[lanes(load.value)].insert(load.slot);
      }
    }
  }

  /// Before the calls: what they read has to be there.
  void list_steps() {
    std::vector<ir::Step> steps;
    for (ir::Clear& clear : cleared_) steps.emplace_back(std::move(clear));
    if (!angles_.empty()) steps.emplace_back(ir::SinCos{angles_});
    for (ir::StraightLine& line : lines_) steps.emplace_back(std::move(line));
    for (ir::Step& step : kernel_.steps) steps.push_back(std::move(step));
    kernel_.steps = std::move(steps);
  }

  ScheduleOptions options_;
  Kernel kernel_;
  std::vector<NodeId> angles_;
  std::vector<ir::Clear> cleared_;
  std::vector<ir::StraightLine> lines_;
  std::vector<int> uses_;
  std::vector<bool> in_angle_;
  std::vector<int> operations_;  ///< by node, with those printed inside it
  std::vector<ir::Statement> statements_;
};

}  // namespace

ir::Kernel schedule(Kernel kernel, const ScheduleOptions& options) {
  return Scheduler(std::move(kernel), options).take();
}

}  // namespace featherline::passes
