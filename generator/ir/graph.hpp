#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

/// The expression graph: a hash-consed DAG of typed operations. Structurally equal expressions are one node,
/// so common subexpressions are found by construction. A node's operands always have smaller ids, hence
/// creation order is a topological order, and it is also the algorithm's own order: link by link.
namespace featherline::ir {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = ~NodeId{0};

enum class Op : std::uint8_t {
  constant,  ///< payload: index into the constant pool
  input,     ///< a: parameter, b: entry
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  sin,
  cos,
  broadcast,  ///< scalar -> lanes
  lane_sum,   ///< lanes -> scalar
};

/// Number of operand nodes of an operation.
int arity(Op op);
const char* name(Op op);

/// Value type of a node: 1 is a scalar, W > 1 a vector of W SIMD lanes.
using Lanes = std::uint16_t;

struct Node {
  Op op;
  Lanes lanes;
  NodeId a, b;            ///< operands; parameter and entry of an input; pool index of a constant
  std::uint32_t section;  ///< index in Graph::sections(): the equations that made it
};

class Graph {
 public:
  /// A scalar constant. -0.0 is stored as 0.0.
  NodeId constant(double value);
  /// One constant per lane.
  NodeId constant(const std::vector<double>& lanes);
  NodeId input(int parameter, int entry);
  /// Finds or creates the node. Throws InternalError when the operand types do not fit `op`.
  NodeId node(Op op, NodeId a, NodeId b = no_node);
  /// The scalar `a` in each of `lanes` lanes.
  NodeId broadcast(NodeId a, Lanes lanes);
  /// Sum over the lanes of `a`, a scalar.
  NodeId lane_sum(NodeId a);
  /// The node if it exists already, no_node otherwise.
  NodeId find(Op op, NodeId a, NodeId b = no_node) const;

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  bool is_constant(NodeId id) const { return nodes_[id].op == Op::constant; }
  /// Value of a constant node; the first lane of a vector one.
  double value(NodeId id) const { return pool_[nodes_[id].a].front(); }
  const std::vector<double>& lane_values(NodeId id) const { return pool_[nodes_[id].a]; }

  /// Nodes created from here on belong to this section of the emitted code: to one body in one sweep over the tree, or to
  /// a step of its own such as a factorisation, which has no sweep.
  void begin_section(std::string title, std::string sweep = {});
  const std::vector<std::string>& sections() const { return sections_; }
  /// The sweep that a section is part of; empty for none.
  const std::string& sweep(std::uint32_t section) const { return sweeps_[section]; }

  /// Gives a node the name it is printed with; the first name stays.
  void set_name(NodeId id, std::string name);
  /// Empty for an unnamed node.
  const std::string& node_name(NodeId id) const;

 private:
  struct Key {
    Op op;
    Lanes lanes;
    NodeId a, b;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  NodeId intern(const Key& key);
  Lanes result_lanes(Op op, NodeId a, NodeId b) const;

  std::vector<Node> nodes_;
  std::vector<std::vector<double>> pool_;
  std::unordered_map<Key, NodeId, KeyHash> ids_;
  std::unordered_map<std::string, NodeId> constants_;  // keyed by the bytes of the lanes
  std::vector<std::string> sections_{""}, sweeps_{""};
  std::unordered_map<NodeId, std::string> names_;
};

}  // namespace featherline::ir
