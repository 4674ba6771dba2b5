// What devices run: one straight line. A thread keeps values in registers of its own, at most 255, and each one more
// keeps other threads away. So the line is in the order, of several, with the fewest values alive at a time.
#include "passes/schedule.hpp"

#include "passes/line_order.hpp"
#include "passes/simplify.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <climits>
#include <map>

namespace featherline::passes {
namespace {

Order reversed(Order order) {
  std::ranges::reverse(order);
  return order;
}

/// As created, and what each store needs right before it: the stores as they stand, and by entry (column by column, all
/// matrices at once), both from either end.
std::vector<Order> simple_orders(const Line& line, const Kernel& kernel,
                                 const std::vector<ir::Statement>& statements) {
  Order created, stores;
  for (int s = 0; s < line.num_statements(); ++s) {
    created.push_back(s);
    if (statements[index(s)].store >= 0) stores.push_back(s);
  }
  Order by_entry = stores;
  std::ranges::stable_sort(by_entry, {},
                           [&](int s) { return kernel.stores[index(statements[index(s)].store)].entry; });
  std::vector<Order> orders{created};
  for (const Order& order : {stores, reversed(stores), by_entry, reversed(by_entry)})
    orders.push_back(depth_first(line, order));
  return orders;
}

/// Prints values of one use where they are used, up to a size a reader can take in, if no more than one of their
/// operands then lives longer.
void inline_values(Kernel& kernel, std::vector<ir::Statement>& statements, int most_operations) {
  const Line line(kernel, statements);
  std::vector<int> place(statements.size()), last(index(line.num_values())), operations(statements.size(), 1),
      printed(statements.size());  // the statement that each is printed in
  for (int s = 0; s < line.num_statements(); ++s) {
    place[index(s)] = printed[index(s)] = s;
    for (const int v : line.reads(s)) last[index(v)] = s;
  }
  std::vector<ir::Statement> kept;
  for (int s = line.num_statements(); s-- > 0;) {
    const int defined = line.defines(s), reader = defined < 0 ? -1 : line.readers(defined).front();
    int longer = 0;
    for (const int v : line.reads(s))
      longer += reader >= 0 && last[index(v)] < place[index(reader)] ? line.words(v) : 0;
    const ir::NodeId id = statements[index(s)].value;
    if (reader < 0 || line.readers(defined).size() > 1 || longer > 1 || !kernel.graph.node_name(id).empty() ||
        operations[index(printed[index(reader)])] >= most_operations) {
      kept.push_back(statements[index(s)]);
      continue;
    }
    kernel.inlined[id] = true;
    place[index(s)] = place[index(reader)];
    printed[index(s)] = printed[index(reader)];
    ++operations[index(printed[index(s)])];
    for (const int v : line.reads(s)) last[index(v)] = std::max(last[index(v)], place[index(s)]);
  }
  std::ranges::reverse(kept);
  statements = std::move(kept);
}

/// The statement with each value, and each store.
int key(const ir::Statement& s) { return s.store < 0 ? static_cast<int>(s.value) : -1 - s.store; }

/// The statements that have these keys.
Order by_keys(const std::vector<ir::Statement>& statements, const std::vector<int>& keys) {
  std::map<int, int> numbers;
  for (int s = 0; s < static_cast<int>(statements.size()); ++s) numbers[key(statements[index(s)])] = s;
  Order order;
  for (const int k : keys) {
    if (const auto found = numbers.find(k); found != numbers.end()) order.push_back(found->second);
  }
  return order;
}

}  // namespace

/// From statements of many operations to those of one: the best order of one kind is a start for the next. hyq's `aba`
/// has 172, then 148 words alive; from operations alone it would have 203. Where shorter statements gain nothing, as in
/// many derivatives, the longer ones stay.
DeviceProgram make_device_program(const ir::Kernel& kernel, bool zeros_apart) {
  ScheduleOptions how;
  const int readable = how.max_inline_operations;
  how.max_operations = INT_MAX;
  how.max_stored_zeros = INT_MAX;  // zeros of a whole array would be stored twice
  how.zeros_at_once = INT_MAX;     // the text for devices has one place for zeros
  how.zeros_apart = zeros_apart;
  DeviceProgram best;
  std::vector<int> keys;  // of the last order
  for (const int operations : {readable, 2, 0}) {
    how.max_inline_operations = operations;
    DeviceProgram program{make_program(kernel, how), 0};
    for (ir::Step& step : program.kernel.steps) {  // one line at most
      auto* straight = std::get_if<ir::StraightLine>(&step);
      if (straight == nullptr) continue;
      std::vector<ir::Statement>& statements = straight->statements;
      const Line line(program.kernel, statements);
      std::vector<Order> starts = simple_orders(line, program.kernel, statements);
      if (!keys.empty()) starts.push_back(depth_first(line, by_keys(statements, keys)));
      const Order order = fewest_alive(line, std::move(starts));
      program.most_alive = pressure(line, order).first;
      statements = each(order, [&](int s) { return statements[index(s)]; });
      keys = each(statements, key);
      if (operations == 0) inline_values(program.kernel, statements, readable);
    }
    if (operations == readable || program.most_alive < best.most_alive) best = std::move(program);
  }
  return best;
}

}  // namespace featherline::passes
