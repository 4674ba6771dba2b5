#include "passes/schedule.hpp"

#include "support/index.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace featherline::passes {
namespace {

/// Marks nodes that only serve to make the angles: they are printed in the angle array. A product of two values is not
/// marked, nor what is made of it, if statements use it, too.
std::vector<bool> angle_nodes(const Kernel& kernel, const std::vector<NodeId>& angles) {
  const ir::Graph& graph = kernel.graph;
  std::vector<bool> in_angle(graph.size(), false), is_long(in_angle), in_statements(in_angle);
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
    for (const NodeId operand : ir::Operands(graph[id]))
      (in_angle[id] ? in_angle : in_statements)[operand] = true;
  }
  return in_angle;
}

std::vector<NodeId> collect_angles(const Kernel& kernel, const std::vector<int>& uses) {
  std::vector<NodeId> angles;
  for (NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (uses[id] == 0 || !is_trigonometric(kernel.graph[id].op)) continue;
    const NodeId angle = kernel.graph[id].a;
    if (std::ranges::find(angles, angle) == angles.end()) angles.push_back(angle);
  }
  return angles;
}

class Scheduler {
 public:
  Scheduler(Kernel kernel, const ScheduleOptions& options)
      : options_(options),
        kernel_(std::move(kernel)),
        uses_(ir::count_uses(kernel_)),
        angles_(collect_angles(kernel_, uses_)),
        in_angle_(angle_nodes(kernel_, angles_)) {
    choose_inlining();
    choose_cleared_outputs();
    order_statements();
    if (options_.limb_loops) lines_.push_back(in_limb_loops(kernel_, statements_));
    if (lines_.empty() || lines_.front().loops.empty()) cut_into_parts();
    if (spreads_) spread_zeros();
    list_steps();
  }
  ir::Kernel take() { return std::move(kernel_); }

 private:
  const ir::Graph& graph() const { return kernel_.graph; }

  /// Operations of a statement, those of values printed inside it included, and one for a store. How many values have
  /// names does not matter.
  std::int64_t weight(const ir::Statement& s) const {
    const int stored = s.store < 0 ? 0 : lanes(s.value);
    return stored + (s.store < 0 || !kernel_.has_statement(s.value) ? operations_[s.value] : 0);
  }

  /// An unnamed value with one use is printed where it is used, up to a size a reader can take in.
  void choose_inlining() {
    kernel_.inlined.assign(graph().size(), false);
    operations_.assign(graph().size(), 0);
    for (NodeId id = 0; id < graph().size(); ++id) {
      const Node& node = graph()[id];
      if (uses_[id] == 0 || !is_operation(node.op)) continue;
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

  /// What leaves the lanes is computed where the loop over the limbs ends, not where it is used.
  void keep_lanes_apart() {
    for (NodeId id = 0; id < graph().size(); ++id) {
      const Node& node = graph()[id];
      if (node.op == Op::lane_sum || node.op == Op::lane) kernel_.inlined[id] = false;
      if (node.op == Op::lane) kernel_.inlined[node.a] = false;
    }
  }

  bool is_cleared(int buffer) const {
    return std::ranges::find(cleared_, buffer, &ir::Clear::buffer) != cleared_.end();
  }

  /// Whether a call reads or changes the buffer. Then its zeros are stored every time.
  bool is_argument(int buffer) const {
    return std::ranges::any_of(kernel_.calls(), [&](const ir::Call* call) {
      return !call->body && std::ranges::count(call->arguments, ir::ArrayId{false, buffer}) > 0;
    });
  }

  /// Whether rows of zeros are stored sooner than the whole buffer is cleared: at most three stores for four of those
  /// that clear it, or four for five between statements. Rows begin anywhere, and a store across the border of 32 bytes
  /// takes two cycles on a Zen 3. Without vectors, as where limbs are in loops, a call that clears is shorter.
  bool rows_are_fewer(const std::vector<int>& entries, int size) const {
    const int stores = ir::stores_of_four(entries);
    if (spreads_) return stores <= options_.max_spread_rows && 5 * stores <= size;
    return !options_.limb_loops && stores <= options_.max_zero_rows && 16 * stores <= 3 * size;
  }

  bool is_apart(int buffer) const {
    return options_.zeros_apart && index(buffer) < kernel_.outputs.size() && !is_argument(buffer);
  }

  /// Whether zeros are a large share of all that is done (ScheduleOptions::zeros_at_once).
  bool zeros_are_many(const std::map<int, std::vector<int>>& zeros) const {
    int stores = 0;
    for (const auto& [buffer, entries] : zeros) stores += is_apart(buffer) ? ir::stores_of_four(entries) : 0;
    auto statements =
        std::ranges::count_if(kernel_.stores, [&](const ir::Store& s) { return !graph().is_zero(s.value); });
    for (NodeId id = 0; id < graph().size(); ++id) statements += uses_[id] > 0 && kernel_.has_statement(id);
    return !options_.limb_loops && stores / 2 >= options_.zeros_at_once && 5 * stores >= statements;
  }

  /// Four fifths of a large tensor may be structural zeros: stored one by one they are most of the text, and of
  /// the time to compile it.
  void choose_cleared_outputs() {
    std::map<int, std::vector<int>> zeros;  // by buffer
    for (const ir::Store& s : kernel_.stores) {
      if (graph().is_zero(s.value)) zeros[s.buffer].push_back(s.entry);
    }
    spreads_ = zeros_are_many(zeros);
    for (auto& [buffer, entries] : zeros) {
      const bool apart = is_apart(buffer);
      const bool few = static_cast<int>(entries.size()) <= options_.max_stored_zeros;
      if (!few && !(apart && rows_are_fewer(entries, kernel_.output_or_local(buffer).size)))
        cleared_.push_back({buffer, {}, apart});
      else if (apart)
        cleared_.push_back({buffer, std::move(entries), apart});
    }
  }

  const ir::Store& store(int k) const { return kernel_.stores[index(k)]; }

  /// Stores of lanes that can be one scatter(): consecutive rows of one array. That a value waits for the others costs
  /// less than storing its lanes one by one, even if it is computed in another section (hyq: 6 % of the code of the
  /// second derivatives). Every other store is alone.
  std::vector<std::vector<int>> rows_stored_together() const {
    std::map<std::tuple<int, int, int>, int> rows;  // store by buffer, stride and entry
    std::vector<std::vector<int>> runs;
    for (int k = 0; k < static_cast<int>(kernel_.stores.size()); ++k) {
      const ir::Store& s = store(k);
      if (graph().is_zero(s.value) && is_cleared(s.buffer)) continue;
      if (s.stride == 0)
        runs.push_back({k});
      else
        rows[{s.buffer, s.stride, s.entry}] = k;
    }
    std::tuple<int, int, int> next;
    for (const auto& [row, k] : rows) {
      if (row != next || runs.back().size() >= options_.max_rows_stored_together) runs.emplace_back();
      runs.back().push_back(k);
      next = row;
      ++std::get<2>(next);
    }
    return runs;
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
      if (uses_[id] > 0 && kernel_.has_statement(id) && !defined[id]) statements_.push_back({id, -1});
      defined[id] = true;
    };
    for (NodeId id = 0; id < graph().size(); ++id) {
      if (!waits[id]) define(id);
      const auto [first, last] = stores.equal_range(id);
      for (auto it = first; it != last; ++it) {
        for (const int k : it->second) define(store(k).value);
        for (const int k : it->second) statements_.push_back({store(k).value, k});
      }
    }
  }

  /// Parts of about equal weight.
  void cut_into_parts() {
    std::int64_t total = 0;
    for (const ir::Statement& s : statements_) total += weight(s);
    const std::int64_t count = std::max<std::int64_t>(1, (total - 1) / options_.max_operations + 1);
    std::int64_t before = 0;
    lines_.assign(1, {});
    for (const ir::Statement& s : statements_) {
      if (before * count >= total * static_cast<std::int64_t>(lines_.size())) lines_.emplace_back();
      lines_.back().statements.push_back(s);
      before += weight(s);
    }
    if (lines_.size() > 1) allocate_workspace();
  }

  /// A group of zeros that callers can leave out at a time, evenly over the statements of all parts. The first one
  /// stays in front: it is done while sines and cosines are computed.
  void spread_zeros() {
    const auto is_apart = [](const ir::Clear& clear) { return clear.once && !clear.entries.empty(); };
    std::vector<ir::Clear> apart;
    std::ranges::copy_if(cleared_, std::back_inserter(apart), is_apart);
    int all = 0, stores = 0;
    for (const ir::Clear& clear : apart) all += ir::stores_of_four(clear.entries);
    if (all / 2 < options_.zeros_at_once) return;
    std::erase_if(cleared_, is_apart);
    const int groups = (all - 1) / options_.zeros_at_once + 1;
    std::map<std::pair<std::size_t, int>, std::vector<int>> between;  // entries by statement and buffer
    for (const ir::Clear& clear : apart) {
      for (const ir::ZeroRows& rows : ir::rows_of(clear.entries)) {
        for (int row = 0; row < rows.count; ++row, stores += rows.stores_of_four(1)) {
          const std::size_t before =
              index(stores / options_.zeros_at_once) * statements_.size() / index(groups);
          for (int k = 0; k < rows.length; ++k)
            between[{before, clear.buffer}].push_back(rows.first + row * rows.stride + k);
        }
      }
    }
    std::size_t first = 0;
    auto next = between.begin();
    for (; next != between.end() && next->first.first == 0; ++next)
      cleared_.push_back({next->first.second, next->second, true});
    for (ir::StraightLine& line : lines_) {
      for (; next != between.end() && next->first.first < first + line.statements.size(); ++next)
        line.zeros.push_back({next->first.first - first, {next->first.second, next->second, true}});
      first += line.statements.size();
    }
  }

  int lanes(NodeId id) const { return graph()[id].lanes; }

  /// Slots of values that cross a cut, reused once their last reader has run.
  void allocate_workspace() {
    std::vector<std::set<NodeId>> reads(lines_.size());
    std::vector<std::size_t> last_reader(graph().size(), 0);
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      for (const ir::Statement& s : lines_[k].statements) {
        for (const NodeId id : ir::values_read(kernel_, s)) {
          reads[k].insert(id);
          last_reader[id] = k;
        }
      }
    }
    std::map<NodeId, int> slot_of;
    std::map<int, std::set<int>> free;  // by lanes: first slots
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      for (const NodeId id : reads[k]) {
        if (const auto slot = slot_of.find(id); slot != slot_of.end())
          lines_[k].loads.push_back({id, slot->second});
      }
      for (const ir::Statement& s : lines_[k].statements) {
        if (s.store >= 0 || last_reader[s.value] <= k) continue;
        slot_of[s.value] = take_slots(free[lanes(s.value)], lanes(s.value));
        lines_[k].saves.push_back({s.value, slot_of[s.value]});
      }
      for (const ir::Transfer& load : lines_[k].loads) {
        if (last_reader[load.value] == k) free[lanes(load.value)].insert(load.slot);
      }
    }
  }

  /// The first of `count` slots.
  int take_slots(std::set<int>& free, int count) {
    if (!free.empty()) return free.extract(free.begin()).value();
    kernel_.workspace_size += count;
    return kernel_.workspace_size - count;
  }

  /// Before the calls: what they read has to be there.
  void list_steps() {
    std::vector<ir::Step> steps(cleared_.begin(), cleared_.end());
    if (!angles_.empty()) steps.emplace_back(ir::SinCos{angles_});
    std::ranges::move(lines_, std::back_inserter(steps));
    std::ranges::move(kernel_.steps, std::back_inserter(steps));
    kernel_.steps = std::move(steps);
  }

  ScheduleOptions options_;
  Kernel kernel_;
  std::vector<int> uses_;
  std::vector<NodeId> angles_;
  std::vector<bool> in_angle_;
  std::vector<ir::Clear> cleared_;
  bool spreads_ = false;  ///< those that stay apart
  std::vector<ir::StraightLine> lines_;
  std::vector<int> operations_;  ///< by node, with those printed inside it
  std::vector<ir::Statement> statements_;
};

}  // namespace

ir::Kernel schedule(Kernel kernel, const ScheduleOptions& options) {
  return Scheduler(std::move(kernel), options).take();
}

}  // namespace featherline::passes
