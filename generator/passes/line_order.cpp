#include "passes/line_order.hpp"

#include "passes/schedule.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace featherline::passes {

using ir::NodeId;
namespace {

/// The values that the definition of `id` mentions; sines and cosines by their angle.
void collect(const ir::Kernel& kernel, NodeId id, std::set<NodeId>& seen) {
  for (const NodeId operand : ir::Operands(kernel.graph[id])) {
    const ir::Op op = kernel.graph[operand].op;
    if (ir::is_trigonometric(op))
      seen.insert(kernel.graph[operand].a);
    else if (kernel.has_statement(operand))
      seen.insert(operand);
    else if (ir::is_operation(op))
      collect(kernel, operand, seen);
  }
}

/// Takes one statement after the other, from the first or from the last on: of those that can be next, the one that
/// adds the fewest values, and of equals the one that is next in `before`. If `before` is empty, which is for going
/// backwards, the last one that was found is taken of equals, so that what belongs together stays together.
class Greedy {
 public:
  Greedy(const Line& line, const std::vector<int>& place, bool forwards, bool by_words)
      : line_(line),
        forwards_(forwards),
        by_words_(by_words),
        by_time_(place.empty()),
        place_(by_time_ ? std::vector<int>(index(line.num_statements())) : place),
        added_(place_.size(), 0),
        waits_(place_.size(), 0),
        left_(line.reader_counts()),
        alive_(left_.size(), 0),
        done_(place_.size(), 0) {
    for (int s = 0; s < line.num_statements(); ++s) {
      const int defined = line.defines(s);
      if (defined >= 0) added_[index(s)] = forwards ? size(defined) : -size(defined);
      if (defined >= 0 && !forwards) waits_[index(s)] = left_[index(defined)];
      for (const int v : line.reads(s)) {
        added_[index(s)] += forwards && left_[index(v)] == 1 ? 0 : size(v);
        waits_[index(s)] += forwards && line.definer(v) >= 0 ? 1 : 0;
      }
    }
    for (int s = 0; s < line.num_statements(); ++s) {
      if (waits_[index(s)] == 0) ready_.push(key(s));
    }
  }

  Order run() {
    Order order;
    while (!ready_.empty()) {
      const std::uint64_t first = ready_.top();
      const int s = static_cast<int>(first % most_statements);
      ready_.pop();
      if (done_[index(s)] != 0 || first != key(s)) continue;  // it was added again with another key
      done_[index(s)] = 1;
      order.push_back(s);
      for (const int v : line_.reads(s)) {
        begin(v);
        if (forwards_)
          end(v);
        else if (line_.definer(v) >= 0)
          release(line_.definer(v), static_cast<int>(order.size()));
      }
      if (!forwards_ || line_.defines(s) < 0) continue;
      begin(line_.defines(s));
      for (const int reader : line_.readers(line_.defines(s))) release(reader, 0);
    }
    if (!forwards_) std::ranges::reverse(order);
    return order;
  }

 private:
  int size(int v) const { return by_words_ ? line_.words(v) : 1; }
  /// What it adds, then its place, then its number: the smallest is taken.
  std::uint64_t key(int s) const {
    const int place = forwards_ ? place_[index(s)] : -place_[index(s)];
    const auto high = static_cast<std::uint64_t>((added_[index(s)] + (1 << 15)) * (2LL * most_statements) +
                                                 place + most_statements);
    return high * most_statements + static_cast<std::uint64_t>(s);
  }
  void change(int s, int by) {
    added_[index(s)] += by;
    if (waits_[index(s)] == 0 && done_[index(s)] == 0) ready_.push(key(s));
  }
  void begin(int v) {
    if (alive_[index(v)] != 0) return;
    alive_[index(v)] = 1;
    for (const int reader : line_.readers(v)) change(reader, -size(v));
  }
  /// One reader less is to come.
  void end(int v) {
    if (--left_[index(v)] != 1) return;
    for (const int reader : line_.readers(v)) change(reader, -size(v));
  }
  void release(int s, int time) {
    if (--waits_[index(s)] != 0) return;
    if (by_time_) place_[index(s)] = time;
    ready_.push(key(s));
  }

  static constexpr int most_statements = 1 << 21;

  const Line& line_;
  bool forwards_, by_words_, by_time_;
  std::vector<int> place_, added_, waits_, left_;
  std::vector<char> alive_, done_;
  /// A statement whose key changes is added again.
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> ready_;
};

}  // namespace

Line::Line(const ir::Kernel& kernel, const std::vector<ir::Statement>& statements)
    : reads_(statements.size()), defines_(statements.size(), -1) {
  std::map<NodeId, int> value_of;
  const auto add_value = [&](NodeId id, int statement) {
    value_of[id] = num_values();
    readers_.emplace_back();
    definer_.push_back(statement);
    return value_of[id];
  };
  for (int s = 0; s < num_statements(); ++s) {
    const auto& [value, store] = std::pair(statements[index(s)].value, statements[index(s)].store);
    std::set<NodeId> seen;
    if (store >= 0 && kernel.has_statement(value))
      seen.insert(value);
    else if (store >= 0 && ir::is_trigonometric(kernel.graph[value].op))
      seen.insert(kernel.graph[value].a);
    else
      collect(kernel, value, seen);
    for (const NodeId read : seen) {
      const auto found = value_of.find(read);
      reads_[index(s)].push_back(found == value_of.end() ? add_value(read, -1) : found->second);
      readers_[index(reads_[index(s)].back())].push_back(s);
    }
    if (store < 0) defines_[index(s)] = add_value(value, s);
  }
}

std::vector<int> Line::reader_counts() const {
  return each(readers_, [](const std::vector<int>& list) { return static_cast<int>(list.size()); });
}

std::vector<int> places(const Order& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[index(order[k])] = static_cast<int>(k);
  return place;
}

std::pair<int, std::int64_t> pressure(const Line& line, const Order& order) {
  std::vector<int> left = line.reader_counts();
  std::vector<char> alive(left.size(), 0);
  int now = 0, most = 0;
  std::int64_t sum = 0;
  const auto begin = [&](int v) {
    if (v < 0 || alive[index(v)] != 0) return;
    alive[index(v)] = 1;
    now += line.words(v);
  };
  for (const int s : order) {
    for (const int v : line.reads(s)) begin(v);
    for (const int v : line.reads(s)) {
      if (--left[index(v)] == 0) now -= line.words(v);
    }
    begin(line.defines(s));
    most = std::max(most, now);
    sum += now;
  }
  return {most, sum};
}

Order depth_first(const Line& line, const Order& some) {
  std::vector<bool> done(index(line.num_statements()), false);
  Order order;
  const std::function<void(int)> visit = [&](int s) {
    if (done[index(s)]) return;
    done[index(s)] = true;
    for (const int v : line.reads(s)) {
      if (line.definer(v) >= 0) visit(line.definer(v));
    }
    order.push_back(s);
  };
  for (const int s : some) visit(s);
  return order;
}

/// Backwards and forwards in turn, each by the order before: once an angle counts as one value, once as two words
/// (hyq's `aba` has 204 words alive by the former, 172 by the latter). Then from the best order, with places that are
/// shuffled a little (ur5's `rnea_derivatives`: 80, 62); long lines gain nothing by that.
Order fewest_alive(const Line& line, std::vector<Order> starts) {
  const int count = line.num_statements(), rounds = count < 4000 ? 8 : 3,
            shuffles = std::min(64, 16'000 / std::max(1, count));
  starts.push_back(Greedy(line, {}, false, false).run());
  Order kept = starts.front();
  auto least = pressure(line, kept);
  std::uint32_t random = 1;
  const auto search = [&](Order order, bool by_words, int noise) {
    for (int k = 0; k < rounds; ++k) {
      if (const auto found = pressure(line, order); found < least) least = found, kept = order;
      std::vector<int> place = places(order);
      for (int& p : place) {
        random = random * 1664525U + 1013904223U;
        p += noise == 0 ? 0 : static_cast<int>((random >> 16) % static_cast<std::uint32_t>(noise));
      }
      order = Greedy(line, place, k % 2 != 0, by_words).run();
    }
  };
  for (const bool by_words : {false, true}) {
    for (const Order& start : starts) search(start, by_words, 0);
  }
  for (int k = 0; k < shuffles; ++k) search(kept, k % 2 != 0, k < shuffles / 2 ? 20 : 300);
  return kept;
}

ir::StraightLine in_limb_loops(const ir::Kernel& kernel, std::vector<ir::Statement> statements) {
  const ir::Graph& graph = kernel.graph;
  // Loops and what is between them take turns: turn 0 is before the first loop, loop 0 follows it.
  std::vector<int> turn(graph.size(), 0);  // by node: the turn in which it can be used first
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (const NodeId operand : ir::Operands(graph[id])) turn[id] = std::max(turn[id], turn[operand]);
    if (graph[id].op == Op::lane || graph[id].op == Op::lane_sum) ++turn[id];
  }
  // Turn, whether it is in a loop, and the number of limbs.
  const auto place = [&](const ir::Statement& statement) -> std::tuple<int, bool, int> {
    const ir::Node& node = graph[statement.value];
    const bool is_sum = statement.store < 0 && node.op == Op::lane_sum;
    if (is_sum) return {turn[statement.value] - 1, true, graph[node.a].lanes};
    return {turn[statement.value], node.lanes > 1, node.lanes};
  };
  std::ranges::stable_sort(statements, {}, place);
  ir::StraightLine line;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const auto [turn_of_loop, in_loop, lanes] = place(statements[k]);
    if (!in_loop) continue;
    const bool continues = k > 0 && place(statements[k - 1]) == place(statements[k]);
    if (!continues) line.loops.push_back({k, 0, lanes});
    ++line.loops.back().count;
  }
  line.statements = std::move(statements);
  return line;
}

}  // namespace featherline::passes
