// What devices run: one straight line. A thread keeps values in registers of its own, at most 255, and each one more keeps
// other threads away. So the line is in the order, of several, with the fewest values alive at a time.
#include "passes/device_order.hpp"

#include "passes/simplify.hpp"

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <queue>
#include <set>

namespace featherline::passes {
namespace {

using ir::Kernel;
using ir::NodeId;

/// What the statements of a line define and read, by their numbers. A value is what a statement defines, or the sine and
/// cosine of an angle, which are computed where they are first read.
class Line {
 public:
  explicit Line(const Kernel& kernel, const std::vector<ir::Statement>& statements)
      : kernel_(kernel), reads_(statements.size()), defines_(statements.size(), -1) {
    std::map<NodeId, int> value_of;
    for (std::size_t s = 0; s < statements.size(); ++s) {
      std::set<NodeId> seen;
      const NodeId id = statements[s].value;
      if (statements[s].store >= 0 && kernel.has_statement(id))
        seen.insert(id);
      else
        collect(id, seen);
      for (const NodeId read : seen) {
        const auto [found, is_new] = value_of.emplace(read, static_cast<int>(readers_.size()));
        if (is_new) {  // of an angle, whose sine and cosine nothing defines
          readers_.emplace_back();
          definer_.push_back(-1);
        }
        reads_[s].push_back(found->second);
        readers_[static_cast<std::size_t>(found->second)].push_back(static_cast<int>(s));
      }
      if (statements[s].store >= 0) continue;
      defines_[s] = static_cast<int>(readers_.size());
      value_of[id] = defines_[s];
      readers_.emplace_back();
      definer_.push_back(static_cast<int>(s));
    }
  }

  std::size_t num_statements() const { return reads_.size(); }
  std::size_t num_values() const { return readers_.size(); }
  const std::vector<int>& reads(int s) const { return reads_[static_cast<std::size_t>(s)]; }
  int defines(int s) const { return defines_[static_cast<std::size_t>(s)]; }
  const std::vector<int>& readers(int v) const { return readers_[static_cast<std::size_t>(v)]; }
  int definer(int v) const { return definer_[static_cast<std::size_t>(v)]; }

 private:
  /// The values that the definition of `id` mentions; sines and cosines by their angle.
  void collect(NodeId id, std::set<NodeId>& seen) const {
    for (const NodeId operand : ir::Operands(kernel_.graph[id])) {
      const ir::Op op = kernel_.graph[operand].op;
      if (ir::is_trigonometric(op) || kernel_.has_statement(operand))
        seen.insert(operand);
      else if (ir::is_operation(op))
        collect(operand, seen);
    }
  }

  const Kernel& kernel_;
  std::vector<std::vector<int>> reads_, readers_;
  std::vector<int> defines_, definer_;
};

using Order = std::vector<int>;

/// The most values alive at a time, then the sum over all statements.
std::pair<int, std::int64_t> pressure(const Line& line, const Order& order) {
  std::vector<std::size_t> left(line.num_values());
  std::vector<bool> alive(line.num_values(), false);
  for (std::size_t v = 0; v < left.size(); ++v) left[v] = line.readers(static_cast<int>(v)).size();
  int now = 0, most = 0;
  std::int64_t sum = 0;
  const auto begin = [&](int v) {
    if (v < 0 || alive[static_cast<std::size_t>(v)]) return;
    alive[static_cast<std::size_t>(v)] = true;
    ++now;
  };
  for (const int s : order) {
    for (const int v : line.reads(s)) begin(v);
    for (const int v : line.reads(s)) {
      if (--left[static_cast<std::size_t>(v)] == 0) --now;
    }
    begin(line.defines(s));
    most = std::max(most, now);
    sum += now;
  }
  return {most, sum};
}

/// Where each statement stands in an order.
std::vector<int> places(const Order& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  return place;
}

/// From the first statement on: of those that can run, the one that leaves the fewest values alive; of equals the one that
/// stands first in `before`.
Order forwards(const Line& line, const Order& before) {
  const std::vector<int> place = places(before);
  const std::size_t count = line.num_statements();
  std::vector<std::size_t> left(line.num_values()), missing(count, 0);
  std::vector<bool> alive(line.num_values(), false);
  for (std::size_t v = 0; v < left.size(); ++v) left[v] = line.readers(static_cast<int>(v)).size();
  std::set<int> ready;
  for (std::size_t s = 0; s < count; ++s) {
    for (const int v : line.reads(static_cast<int>(s))) missing[s] += line.definer(v) >= 0 ? 1 : 0;
    if (missing[s] == 0) ready.insert(static_cast<int>(s));
  }
  const auto growth = [&](int s) {
    int change = line.defines(s) < 0 ? 0 : 1;
    for (const int v : line.reads(s)) {
      change += alive[static_cast<std::size_t>(v)] ? 0 : 1;
      change -= left[static_cast<std::size_t>(v)] == 1 ? 1 : 0;
    }
    return std::pair(change, place[static_cast<std::size_t>(s)]);
  };
  Order order;
  while (!ready.empty()) {
    const int s = *std::ranges::min_element(ready, {}, growth);
    ready.erase(s);
    order.push_back(s);
    for (const int v : line.reads(s))
      alive[static_cast<std::size_t>(v)] = true, --left[static_cast<std::size_t>(v)];
    const int v = line.defines(s);
    if (v < 0) continue;
    alive[static_cast<std::size_t>(v)] = true;
    for (const int reader : line.readers(v)) {
      if (--missing[static_cast<std::size_t>(reader)] == 0) ready.insert(reader);
    }
  }
  return order;
}

/// From the last statement on: of those whose readers stand already, the one that needs the fewest values more; of equals
/// the one that stands last in `before`; with an empty `before` the one that was found last, so that what belongs together
/// stays together.
Order backwards(const Line& line, const Order& before) {
  std::vector<int> place = places(before);
  const bool by_time = before.empty();
  if (by_time) place.assign(line.num_statements(), 0);
  const std::size_t count = line.num_statements();
  std::vector<std::size_t> left(count, 0);
  std::vector<bool> alive(line.num_values(), false);
  std::set<int> ready;
  for (std::size_t s = 0; s < count; ++s) {
    const int v = line.defines(static_cast<int>(s));
    left[s] = v < 0 ? 0 : line.readers(v).size();
    if (left[s] == 0) ready.insert(static_cast<int>(s));
  }
  const auto growth = [&](int s) {
    int change = line.defines(s) < 0 ? 0 : -1;
    for (const int v : line.reads(s)) change += alive[static_cast<std::size_t>(v)] ? 0 : 1;
    return std::pair(change, -place[static_cast<std::size_t>(s)]);
  };
  Order order;
  while (!ready.empty()) {
    const int s = *std::ranges::min_element(ready, {}, growth);
    ready.erase(s);
    order.push_back(s);
    for (const int v : line.reads(s)) {
      alive[static_cast<std::size_t>(v)] = true;
      const int definer = line.definer(v);
      if (definer >= 0 && --left[static_cast<std::size_t>(definer)] == 0) {
        ready.insert(definer);
        if (by_time) place[static_cast<std::size_t>(definer)] = static_cast<int>(order.size());
      }
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// What a store needs, then the store, in this order of the stores: of what a statement reads, what stands last first.
Order depth_first(const Line& line, const Order& stores) {
  std::vector<bool> done(line.num_statements(), false);
  Order order;
  const std::function<void(int)> visit = [&](int s) {
    if (done[static_cast<std::size_t>(s)]) return;
    done[static_cast<std::size_t>(s)] = true;
    std::vector<int> reads = line.reads(s);
    for (const int v : reads) {
      if (line.definer(v) >= 0) visit(line.definer(v));
    }
    order.push_back(s);
  };
  for (const int s : stores) visit(s);
  return order;
}

/// The best of all: from creation order and depth first, forwards and backwards in turn, each by the order before. panda's
/// `aba_derivatives` then has 272 values alive; depth first in the order of the stores alone gives 332.
Order fewest_alive(const Line& line, const std::vector<Order>& orders_of_stores) {
  constexpr int rounds = 8;
  Order kept(line.num_statements());
  for (std::size_t s = 0; s < kept.size(); ++s) kept[s] = static_cast<int>(s);
  std::vector<Order> starts{kept, backwards(line, {})};
  for (const Order& stores : orders_of_stores) starts.push_back(depth_first(line, stores));
  for (Order order : starts) {
    for (int k = 0; k < rounds; ++k) {
      if (pressure(line, order) < pressure(line, kept)) kept = order;
      order = k % 2 == 0 ? backwards(line, order) : forwards(line, order);
    }
  }
  return kept;
}

/// The stores as they stand, and by entry: column by column, all matrices at once. Both from either end.
std::vector<Order> orders_of_stores(const Kernel& kernel, const std::vector<ir::Statement>& statements) {
  Order stores;
  for (std::size_t s = 0; s < statements.size(); ++s) {
    if (statements[s].store >= 0) stores.push_back(static_cast<int>(s));
  }
  Order by_entry = stores;
  std::ranges::stable_sort(by_entry, {}, [&](int s) {
    return kernel.stores[static_cast<std::size_t>(statements[static_cast<std::size_t>(s)].store)].entry;
  });
  const auto reversed = [](Order order) {
    std::ranges::reverse(order);
    return order;
  };
  return {stores, reversed(stores), by_entry, reversed(by_entry)};
}

}  // namespace

DeviceProgram make_device_program(const ir::Kernel& kernel, bool zeros_apart) {
  ScheduleOptions how;
  how.max_operations = INT_MAX;
  how.max_stored_zeros = INT_MAX;  // zeros of a whole array would be stored twice
  how.zeros_apart = zeros_apart;
  Kernel program = make_program(kernel, how);
  int most_alive = 0;
  for (ir::Step& step : program.steps) {
    auto* straight = std::get_if<ir::StraightLine>(&step);
    if (straight == nullptr) continue;
    const std::vector<ir::Statement> statements = straight->statements;
    const Line line(program, statements);
    const Order kept = fewest_alive(line, orders_of_stores(program, statements));
    most_alive = std::max(most_alive, pressure(line, kept).first);
    for (std::size_t s = 0; s < kept.size(); ++s)
      straight->statements[s] = statements[static_cast<std::size_t>(kept[s])];
  }
  return {std::move(program), most_alive};
}

}  // namespace featherline::passes
