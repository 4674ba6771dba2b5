#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// The expression graph: a hash-consed DAG of typed operations. Structurally equal expressions are one node,
/// so common subexpressions are found by construction. A node's operands always have smaller ids, hence
/// creation order is a topological order.
namespace featherline::ir {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = ~NodeId{0};

enum class Op : std::uint8_t {
  constant,  ///< payload: index into the constant pool
  input,     ///< a: parameter, b: entry
  gather,    ///< lanes of an input: a: parameter, b: index into the lists of entries
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  sin,
  cos,
  atan,
  sine,           ///< of an angle that depends on another angle (featherline/sincos.hpp)
  cosine,         ///< the same
  stumpff_0,      ///< of the square of an angle (featherline/stumpff.hpp)
  stumpff_1,      ///< the same
  stumpff_3,      ///< the same
  pivot_inverse,  ///< 1 / a, or 0 where a is small beside b (featherline/pivot.hpp)
  lane,           ///< lanes -> scalar: lane b of a
  lane_sum,       ///< lanes -> scalar
};

/// Number of operand nodes of an operation.
int arity(Op op);
const char* name(Op op);
/// What counts as flops, for one lane. Roots and functions are counted apart.
int flops(Op op);
constexpr bool is_sum(Op op) { return op == Op::add || op == Op::sub; }
constexpr bool is_trigonometric(Op op) { return op == Op::sin || op == Op::cos; }
constexpr bool is_late_trigonometric(Op op) { return op == Op::sine || op == Op::cosine; }
constexpr bool is_stumpff(Op op) { return op == Op::stumpff_0 || op == Op::stumpff_1 || op == Op::stumpff_3; }
/// Whether a processor computes it where it stands: sines and cosines are computed before, in one call.
constexpr bool is_operation(Op op) { return op != Op::constant && op != Op::input && !is_trigonometric(op); }

struct Node {
  Op op;
  bool swapped;           ///< of a sum or product: the second operand stood first where it was written
  std::uint16_t lanes;    ///< values computed at once: 1, or one for each of several equal limbs
  NodeId a, b;            ///< operands, or what Op says
  std::uint32_t section;  ///< index in Graph::sections(): the equations that made it
};

/// The operand nodes of a node, to iterate over.
class Operands {
 public:
  explicit Operands(const Node& node) : ids_{node.a, node.b}, count_(arity(node.op)) {}
  const NodeId* begin() const { return ids_; }
  const NodeId* end() const { return ids_ + count_; }

 private:
  NodeId ids_[2];
  int count_;
};

/// A value has one lane or k. An operation on a scalar and lanes takes the scalar in every lane; two operands with
/// lanes have equally many.
class Graph {
 public:
  /// Makes room for so many nodes.
  void reserve(NodeId nodes);
  /// A scalar constant. -0.0 is stored as 0.0.
  NodeId constant(double value);
  /// One constant per lane; a scalar where all are equal.
  NodeId constant(const std::vector<double>& lanes);
  NodeId input(int parameter, int entry);
  /// One entry per lane; a scalar where all are the same.
  NodeId gather(int parameter, const std::vector<int>& entries);
  /// Finds or creates the node. Throws InternalError when the operands' lanes do not fit `op`.
  NodeId node(Op op, NodeId a, NodeId b = no_node);
  /// The same for sums and products, which are one node in whichever order the operands come.
  NodeId commutative(Op op, NodeId a, NodeId b);
  NodeId lane(NodeId a, int index);
  /// Sum over the lanes of `a`, a scalar.
  NodeId lane_sum(NodeId a);
  /// The node if it exists already, no_node otherwise.
  NodeId find(Op op, NodeId a, NodeId b = no_node) const;

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  /// Whether sines and cosines of it are operations of their own: it is made of others, or too long to be printed
  /// before all statements.
  bool has_late_sine(NodeId id) const { return printed_size_[id] == too_long_for_an_angle; }
  /// The most lanes of a node.
  int max_lanes() const;
  bool is_constant(NodeId id) const { return nodes_[id].op == Op::constant; }
  /// Whether it is 0 in all lanes.
  bool is_zero(NodeId id) const { return is_constant(id) && nodes_[id].lanes == 1 && value(id) == 0.0; }
  /// Value of a scalar constant.
  double value(NodeId id) const { return pool_[nodes_[id].a].front(); }
  /// Of a constant, lane by lane.
  const std::vector<double>& lane_values(NodeId id) const { return pool_[nodes_[id].a]; }
  /// Of a gather, lane by lane.
  const std::vector<int>& entries(NodeId id) const { return entries_[nodes_[id].b]; }

  /// Opens a section of the emitted code. Values that are kept from here on belong to it. A section is one body in one
  /// sweep over the tree, or a step without a sweep, such as a factorisation.
  void begin_section(std::string title, std::string sweep = {});
  const std::vector<std::string>& sections() const { return sections_; }
  /// The sweep that a section is part of; empty for none.
  const std::string& sweep(std::uint32_t section) const { return sweeps_[section]; }

  /// A value and the section it is computed in.
  struct Kept {
    NodeId value;
    std::uint32_t section;
  };
  /// Records that the algorithm has reached the value `id`. order_as_kept() puts values in the order in which they are
  /// kept. The order in which nodes are created depends on the compiler, because C++ leaves the order of operands open.
  /// The order of kept values does not.
  void keep(NodeId id);
  const std::vector<Kept>& kept() const { return kept_; }
  /// Whether a sum or product was written with its operands in both orders before the next value was kept. Then the
  /// compiler decides which order came first.
  bool has_both_orders(NodeId id) const { return both_orders_.contains(id); }

  /// If true, b - a becomes minus the node a - b. It is false while an algorithm is traced for code, because the
  /// compiler may decide which of the two exists first.
  bool merges_reversed_differences = true;

  /// Gives a node a label. It is printed with its first one. Inputs and numbers have none, lanes of numbers may.
  void set_name(NodeId id, const std::string& name);
  /// The first label; empty for an unnamed node.
  const std::string& node_name(NodeId id) const;
  /// All labels in their order: quantities that are equal for this robot share a node.
  const std::vector<std::string>& labels(NodeId id) const;
  /// What a node without a label is called where it is printed. A hint decides nothing else: neither the order of
  /// values nor which of them have a statement.
  void set_hint(NodeId id, const std::string& name);
  const std::string& hint(NodeId id) const;

 private:
  struct Key {
    Op op;
    std::uint16_t lanes;
    NodeId a, b;
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    NodeId node = no_node;
    std::uint32_t hash = 0;  ///< of the node: most nodes that are not sought need not be looked at
  };
  NodeId intern(const Key& key);
  static std::uint32_t hash_of(const Key& key);
  /// Index in slots_ of the node, or of the free slot where it belongs.
  std::size_t slot_of(const Key& key, std::uint32_t hash) const;
  void grow_slots(std::size_t size);
  bool has_names(NodeId id) const;
  std::uint16_t result_lanes(Op op, NodeId a, NodeId b) const;

  std::vector<Node> nodes_;
  static constexpr int too_long_for_an_angle = 64;
  /// By node: how many nodes one sees where no value has a name, at most those above.
  std::vector<int> printed_size_;
  std::vector<std::vector<double>> pool_;
  std::vector<std::vector<int>> entries_;
  /// A hash table of the nodes with open addressing, which needs no memory of its own for each: with std::unordered_map
  /// generation took twice as long.
  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::unordered_map<std::string, NodeId> constants_, gathers_;  // keyed by the bytes of the lanes
  std::vector<std::string> sections_{""}, sweeps_{""};
  std::vector<Kept> kept_;
  NodeId first_since_kept_ = 0;  ///< nodes from here on were made after the last value that was kept
  std::unordered_set<NodeId> both_orders_;
  std::vector<std::vector<std::string>> labels_;  ///< by node, as far as there are any
  std::vector<std::string> hints_;                ///< the same
};

}  // namespace featherline::ir
