#include "ir/graph.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace featherline::ir {
namespace {

struct OpInfo {
  const char* name;
  int arity, flops;
};

/// In the order of Op. A pivot's inverse is a limit and a division; Stumpff's functions have eight terms.
constexpr OpInfo op_table[] = {
    {"constant", 0, 0},   {"input", 0, 0},         {"gather", 0, 0},     {"add", 2, 1},
    {"sub", 2, 1},        {"mul", 2, 1},           {"div", 2, 1},        {"neg", 1, 1},
    {"sqrt", 1, 0},       {"sin", 1, 0},           {"cos", 1, 0},        {"atan", 1, 0},
    {"sine", 1, 0},       {"cosine", 1, 0},        {"stumpff_0", 1, 16}, {"stumpff_1", 1, 16},
    {"stumpff_3", 1, 16}, {"pivot_inverse", 2, 2}, {"lane", 1, 0},       {"lane_sum", 1, 0}};

const OpInfo& info(Op op) { return op_table[static_cast<std::size_t>(op)]; }

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
bool all_equal(const std::vector<T>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<T>()) == values.end();
}

/// The value of a node, or an empty one.
template <class Value>
const Value& found_or_empty(const std::vector<Value>& values, NodeId id) {
  static const Value none;
  return id < values.size() ? values[id] : none;
}

/// The value of a node, to be changed.
template <class Value>
Value& made(std::vector<Value>& values, NodeId id) {
  if (id >= values.size()) values.resize(id + 1);
  return values[id];
}

}  // namespace

int arity(Op op) { return info(op).arity; }
const char* name(Op op) { return info(op).name; }
int flops(Op op) { return info(op).flops; }

std::uint32_t Graph::hash_of(const Key& key) {
  std::uint64_t h = (std::uint64_t{key.a} << 32 | key.b) ^ (std::uint64_t(key.op) << 59) ^ key.lanes;
  h ^= h >> 31;
  h *= 0x9E3779B97F4A7C15ull;  // Fibonacci hashing spreads neighbouring ids
  return static_cast<std::uint32_t>(h ^ h >> 29);
}

std::size_t Graph::slot_of(const Key& key, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot].node == no_node) return slot;
    if (slots_[slot].hash != hash) continue;
    const Node& node = nodes_[slots_[slot].node];
    if (Key{node.op, node.lanes, node.a, node.b} == key) return slot;
  }
}

void Graph::reserve(NodeId nodes) {
  nodes_.reserve(nodes);
  if (2 * nodes > slots_.size()) grow_slots(std::bit_ceil(2 * std::size_t{nodes}));
}

/// Half of the slots stay free, so that searches end soon.
void Graph::grow_slots(std::size_t size) {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(size));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& moved : old) {
    std::size_t slot = moved.hash & mask;
    if (moved.node == no_node) continue;
    while (slots_[slot].node != no_node) slot = (slot + 1) & mask;
    slots_[slot] = moved;
  }
}

NodeId Graph::intern(const Key& key) {
  const std::uint32_t hash = hash_of(key);
  const std::size_t slot = slot_of(key, hash);
  if (slots_[slot].node != no_node) return slots_[slot].node;
  const NodeId id = size();
  slots_[slot] = {id, hash};
  nodes_.push_back(
      {key.op, false, key.lanes, key.a, key.b, static_cast<std::uint32_t>(sections_.size() - 1)});
  int printed = is_trigonometric(key.op) ? too_long_for_an_angle : 1;
  for (const NodeId operand : Operands(nodes_.back())) printed += printed_size_[operand];
  printed_size_.push_back(std::min(printed, too_long_for_an_angle));
  if (2 * nodes_.size() > slots_.size()) grow_slots(2 * slots_.size());
  return id;
}

NodeId Graph::constant(double value) { return constant(std::vector<double>{value}); }

NodeId Graph::constant(const std::vector<double>& lanes) {
  std::vector<double> values = lanes;
  for (double& v : values) v += 0.0;  // -0.0 becomes 0.0
  if (all_equal(values)) values.resize(1);
  const auto [it, inserted] = constants_.try_emplace(bytes_of(values), no_node);
  if (inserted) {
    const auto index = static_cast<NodeId>(pool_.size());
    it->second = intern({Op::constant, static_cast<std::uint16_t>(values.size()), index, no_node});
    pool_.push_back(std::move(values));
  }
  return it->second;
}

NodeId Graph::input(int parameter, int entry) {
  return intern({Op::input, 1, static_cast<NodeId>(parameter), static_cast<NodeId>(entry)});
}

NodeId Graph::gather(int parameter, const std::vector<int>& entries) {
  if (all_equal(entries)) return input(parameter, entries.front());
  std::vector<int> key = entries;
  key.push_back(parameter);
  const auto [it, inserted] = gathers_.try_emplace(bytes_of(key), no_node);
  if (inserted) {
    const auto index = static_cast<NodeId>(entries_.size());
    it->second = intern(
        {Op::gather, static_cast<std::uint16_t>(entries.size()), static_cast<NodeId>(parameter), index});
    entries_.push_back(entries);
  }
  return it->second;
}

std::uint16_t Graph::result_lanes(Op op, NodeId a, NodeId b) const {
  if (op == Op::lane || op == Op::lane_sum || arity(op) == 0)
    throw InternalError(std::string(ir::name(op)) + " has a constructor of its own");
  const std::uint16_t lanes = nodes_[a].lanes;
  if (arity(op) == 1) return lanes;
  const std::uint16_t others = nodes_[b].lanes;
  if (lanes != others && lanes != 1 && others != 1)
    throw InternalError(std::string("operands of ") + ir::name(op) + " differ in lanes");
  return std::max(lanes, others);
}

NodeId Graph::node(Op op, NodeId a, NodeId b) { return intern({op, result_lanes(op, a, b), a, b}); }

NodeId Graph::commutative(Op op, NodeId a, NodeId b) {
  const bool swapped = a > b;
  const NodeId before = size();
  const NodeId id = node(op, std::min(a, b), std::max(a, b));
  if (id == before) {
    nodes_[id].swapped = swapped;
  } else if (id >= first_since_kept_ && nodes_[id].swapped != swapped) {
    both_orders_.insert(id);
  }
  return id;
}

NodeId Graph::lane(NodeId a, int index) {
  if (nodes_[a].op == Op::gather)
    return input(static_cast<int>(nodes_[a].a), entries(a)[static_cast<std::size_t>(index)]);
  return nodes_[a].lanes == 1 ? a : intern({Op::lane, 1, a, static_cast<NodeId>(index)});
}

NodeId Graph::lane_sum(NodeId a) { return nodes_[a].lanes == 1 ? a : intern({Op::lane_sum, 1, a, no_node}); }

NodeId Graph::find(Op op, NodeId a, NodeId b) const {
  const Key key{op, result_lanes(op, a, b), a, b};
  return slots_[slot_of(key, hash_of(key))].node;
}

int Graph::max_lanes() const {
  int most = 1;
  for (const Node& node : nodes_) most = std::max<int>(most, node.lanes);
  return most;
}

void Graph::begin_section(std::string title, std::string sweep) {
  sections_.push_back(std::move(title));
  sweeps_.push_back(std::move(sweep));
}

void Graph::keep(NodeId id) {
  kept_.push_back({id, static_cast<std::uint32_t>(sections_.size() - 1)});
  first_since_kept_ = size();
}

bool Graph::has_names(NodeId id) const {
  const Node& node = nodes_[id];
  return node.op != Op::input && (node.op != Op::constant || node.lanes > 1);
}

void Graph::set_name(NodeId id, const std::string& name) {
  if (!has_names(id)) return;
  std::vector<std::string>& labels = made(labels_, id);
  if (std::ranges::find(labels, name) == labels.end()) labels.push_back(name);
}

void Graph::set_hint(NodeId id, const std::string& name) {
  if (has_names(id) && hint(id).empty()) made(hints_, id) = name;
}

const std::vector<std::string>& Graph::labels(NodeId id) const { return found_or_empty(labels_, id); }
const std::string& Graph::hint(NodeId id) const { return found_or_empty(hints_, id); }

const std::string& Graph::node_name(NodeId id) const {
  static const std::string no_name;
  const std::vector<std::string>& all = labels(id);
  return all.empty() ? no_name : all.front();
}

}  // namespace featherline::ir
