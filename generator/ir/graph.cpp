#include "ir/graph.hpp"

#include "support/diagnostic.hpp"

#include <array>
#include <cstring>

namespace featherline::ir {
namespace {

struct OpInfo {
  const char* name;
  int arity;
};

// In the order of Op.
constexpr std::array<OpInfo, 12> op_table{{{"constant", 0},
                                           {"input", 0},
                                           {"add", 2},
                                           {"sub", 2},
                                           {"mul", 2},
                                           {"div", 2},
                                           {"neg", 1},
                                           {"sqrt", 1},
                                           {"sin", 1},
                                           {"cos", 1},
                                           {"broadcast", 1},
                                           {"lane_sum", 1}}};

const OpInfo& info(Op op) { return op_table[static_cast<std::size_t>(op)]; }

}  // namespace

int arity(Op op) { return info(op).arity; }
const char* name(Op op) { return info(op).name; }

std::size_t Graph::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = (std::uint64_t{key.a} << 32 | key.b) ^ (std::uint64_t(key.op) << 59) ^ key.lanes;
  h ^= h >> 31;
  h *= 0x9E3779B97F4A7C15ull;  // Fibonacci hashing spreads neighbouring ids
  return static_cast<std::size_t>(h ^ (h >> 29));
}

NodeId Graph::intern(const Key& key) {
  const auto [it, inserted] = ids_.try_emplace(key, size());
  if (inserted) {
    const auto section = static_cast<std::uint32_t>(sections_.size() - 1);
    nodes_.push_back({key.op, key.lanes, key.a, key.b, section});
  }
  return it->second;
}

NodeId Graph::constant(double value) { return constant(std::vector<double>{value}); }

NodeId Graph::constant(const std::vector<double>& lanes) {
  std::vector<double> values = lanes;
  for (double& v : values) v += 0.0;  // -0.0 becomes 0.0
  std::string bytes(values.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  const auto [it, inserted] = constants_.try_emplace(std::move(bytes), no_node);
  if (inserted) {
    const auto index = static_cast<NodeId>(pool_.size());
    it->second = intern({Op::constant, static_cast<Lanes>(values.size()), index, no_node});
    pool_.push_back(std::move(values));
  }
  return it->second;
}

NodeId Graph::input(int parameter, int entry) {
  return intern({Op::input, 1, static_cast<NodeId>(parameter), static_cast<NodeId>(entry)});
}

Lanes Graph::result_lanes(Op op, NodeId a, NodeId b) const {
  if (op == Op::lane_sum || op == Op::broadcast || arity(op) == 0) {
    throw InternalError(std::string(ir::name(op)) + " has a constructor of its own");
  }
  const Lanes lanes = nodes_[a].lanes;
  if (arity(op) == 2 && nodes_[b].lanes != lanes) {
    throw InternalError(std::string("operands of ") + ir::name(op) + " differ in lanes");
  }
  return lanes;
}

NodeId Graph::node(Op op, NodeId a, NodeId b) { return intern({op, result_lanes(op, a, b), a, b}); }

NodeId Graph::broadcast(NodeId a, Lanes lanes) {
  if (nodes_[a].lanes != 1) throw InternalError("broadcast needs a scalar");
  return lanes == 1 ? a : intern({Op::broadcast, lanes, a, no_node});
}

NodeId Graph::lane_sum(NodeId a) { return nodes_[a].lanes == 1 ? a : intern({Op::lane_sum, 1, a, no_node}); }

NodeId Graph::find(Op op, NodeId a, NodeId b) const {
  const auto it = ids_.find({op, nodes_[a].lanes, a, b});
  return it == ids_.end() ? no_node : it->second;
}

void Graph::begin_section(std::string title, std::string sweep) {
  sections_.push_back(std::move(title));
  sweeps_.push_back(std::move(sweep));
}

void Graph::set_name(NodeId id, std::string name) {
  const Op op = nodes_[id].op;
  if (op != Op::constant && op != Op::input) names_.try_emplace(id, std::move(name));
}

const std::string& Graph::node_name(NodeId id) const {
  static const std::string none;
  const auto it = names_.find(id);
  return it == names_.end() ? none : it->second;
}

}  // namespace featherline::ir
