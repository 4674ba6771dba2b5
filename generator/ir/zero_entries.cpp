#include "ir/kernel.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace featherline::ir {
bool ZeroLanes::operator()(const Graph& graph, NodeId id, int lane) {
  for (auto next = static_cast<NodeId>(zeros_.size()); next <= id; ++next) {
    std::vector<bool> lanes;
    for (int l = 0; l < graph[next].lanes; ++l) lanes.push_back(computes_zero(graph, next, l));
    zeros_.push_back(std::move(lanes));
  }
  return is_known(id, lane);
}

/// Of a node whose operands are known.
bool ZeroLanes::computes_zero(const Graph& graph, NodeId id, int lane) const {
  const Node& node = graph[id];
  switch (node.op) {
    case Op::constant:
      return graph.lane_values(id)[static_cast<std::size_t>(lane)] == 0.0;
    case Op::add:
    case Op::sub:
      return is_known(node.a, lane) && is_known(node.b, lane);
    case Op::mul:
      return is_known(node.a, lane) || is_known(node.b, lane);
    case Op::div:
    case Op::neg:
    case Op::sqrt:
      return is_known(node.a, lane);
    case Op::lane:
      return is_known(node.a, static_cast<int>(node.b));
    case Op::lane_sum:
      return std::ranges::find(zeros_[node.a], false) == zeros_[node.a].end();
    default:
      return false;
  }
}

namespace {

std::vector<bool> nonzeros_of_output(const Kernel& kernel, ZeroLanes& zeros, int output) {
  const auto size = static_cast<std::size_t>(kernel.outputs[static_cast<std::size_t>(output)].size);
  std::vector<bool> stored(size), nonzero(size);
  for (const Store& store : kernel.stores) {
    if (store.buffer != output) continue;
    int lane = 0;
    for (const int entry : kernel.entries(store)) {
      stored[static_cast<std::size_t>(entry)] = true;
      nonzero[static_cast<std::size_t>(entry)] = !zeros(kernel.graph, store.value, lane++);
    }
  }
  const bool all_stored = std::ranges::find(stored, false) == stored.end();
  return all_stored && !kernel.ends_in_calls() ? nonzero : std::vector<bool>{};
}

}  // namespace

std::vector<std::vector<bool>> stored_nonzeros(const Kernel& kernel) {
  ZeroLanes zeros;
  std::vector<std::vector<bool>> all;
  for (int k = 0; k < static_cast<int>(kernel.outputs.size()); ++k)
    all.push_back(nonzeros_of_output(kernel, zeros, k));
  return all;
}

std::vector<ZeroRows> rows_of(std::vector<int> entries) {
  std::ranges::sort(entries);
  std::vector<ZeroRows> all;
  for (auto begin = entries.begin(); begin != entries.end();) {
    auto end = std::next(begin);
    while (end != entries.end() && *end == *std::prev(end) + 1) ++end;
    const ZeroRows row{*begin, static_cast<int>(end - begin)};
    // Two columns at a time may alternate.
    const auto recent = all.size() < 2 ? all.begin() : std::prev(all.end(), 2);
    const auto same = std::find_if(recent, all.end(), [&](const ZeroRows& rows) {
      return rows.length == row.length &&
             (rows.count == 1 || row.first == rows.first + rows.count * rows.stride);
    });
    if (same == all.end()) {
      all.push_back(row);
    } else {
      same->stride = (row.first - same->first) / same->count++;
    }
    begin = end;
  }
  return all;
}

int stores_of_four(const std::vector<int>& entries) {
  int stores = 0;
  for (const ZeroRows& rows : rows_of(entries)) stores += rows.stores_of_four(rows.count);
  return stores;
}

}  // namespace featherline::ir
