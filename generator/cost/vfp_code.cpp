#include "cost/vfp_code.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace featherline::cost {
namespace {

using ir::no_node;
using ir::Node;
using ir::NodeId;
using ir::Op;

bool is_sum(Op op) { return op == Op::add || op == Op::sub; }

/// Whether an instruction can carry the constant: +-n/16 2^e with n = 16 ... 31 and e = -3 ... 4.
bool is_immediate(double value) {
  int exponent = 0;
  const double mantissa = 32.0 * std::frexp(std::fabs(static_cast<float>(value)), &exponent);
  return mantissa != 0.0 && mantissa == std::floor(mantissa) && exponent >= -2 && exponent <= 5;
}

/// Finds the products that a compiler fuses with sums. All users of such a product are sums in the same part that have
/// no product yet, or signs that lead to such sums (g++, tree-ssa-math-opts.cc).
class Fusion {
 public:
  explicit Fusion(const ir::Kernel& kernel)
      : graph_(kernel.graph),
        kernel_(kernel),
        part_(graph_.size(), -1),
        is_stored_(graph_.size(), false),
        product_(graph_.size(), no_node),
        vanishes_(graph_.size(), false) {
    find_parts();
    list_users();
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (part_[id] >= 0 && graph_[id].op == Op::mul && !is_stored_[id]) fuse(id);
    }
  }

  /// The product that the instruction of the sum `id` also computes, or no_node.
  NodeId product(NodeId id) const { return product_[id]; }
  /// Whether every user of `id` computes it in its own instruction.
  bool vanishes(NodeId id) const { return vanishes_[id]; }
  /// Whether the sign `id` becomes part of the multiplication that it is applied to.
  bool is_signed_product(NodeId id) const {
    const NodeId product = graph_[id].a;
    return graph_[id].op == Op::neg && graph_[product].op == Op::mul && has_one_user(product);
  }

 private:
  bool is_defined_here(NodeId id) const {
    return id != no_node && ir::is_operation(graph_[id].op) && kernel_.inlined[id];
  }

  void enter(NodeId id, int part) {
    part_[id] = part;
    for (const NodeId operand : ir::Operands(graph_[id])) {
      if (is_defined_here(operand)) enter(operand, part);
    }
  }

  void find_parts() {
    const std::vector<const ir::StraightLine*> lines = kernel_.straight_lines();
    for (std::size_t k = 0; k < lines.size(); ++k) {
      for (const ir::Statement& s : lines[k]->statements) {
        if (s.store < 0 || is_defined_here(s.value)) enter(s.value, static_cast<int>(k));
      }
      for (const ir::Transfer& save : lines[k]->saves) is_stored_[save.value] = true;
    }
    for (const ir::Store& store : kernel_.stores) is_stored_[store.value] = true;
  }

  void list_users() {
    first_user_.assign(graph_.size() + 1, 0);
    for (const bool count : {true, false}) {
      for (NodeId id = 0; id < graph_.size(); ++id) {
        if (part_[id] < 0) continue;
        const Node& node = graph_[id];
        for (const NodeId operand : ir::Operands(node)) {
          if (count) {
            ++first_user_[operand + 1];
          } else {
            users_[next_[operand]++] = id;
          }
          if (node.a == node.b) break;  // x * x is one user of x
        }
      }
      if (!count) return;
      for (std::size_t i = 1; i < first_user_.size(); ++i) first_user_[i] += first_user_[i - 1];
      next_ = first_user_;
      users_.resize(first_user_.back());
    }
  }

  bool has_one_user(NodeId id) const {
    return first_user_[id + 1] - first_user_[id] == 1 && !is_stored_[id] &&
           part_[users_[first_user_[id]]] == part_[id];
  }

  /// The sum that can take in `product` through its user `user`, or no_node.
  NodeId summing_user(NodeId user, NodeId product) const {
    if (graph_[user].op == Op::neg && has_one_user(user)) user = users_[first_user_[user]];
    const Node& node = graph_[user];
    const bool can_take = is_sum(node.op) && node.a != node.b && product_[user] == no_node;
    return can_take && part_[user] == part_[product] ? user : no_node;
  }

  void fuse(NodeId id) {
    const std::size_t first = first_user_[id], last = first_user_[id + 1];
    if (first == last) return;
    for (std::size_t i = first; i < last; ++i) {
      if (summing_user(users_[i], id) == no_node) return;
    }
    for (std::size_t i = first; i < last; ++i) product_[summing_user(users_[i], id)] = id;
    vanishes_[id] = true;
  }

  const ir::Graph& graph_;
  const ir::Kernel& kernel_;
  std::vector<int> part_;  ///< the part that computes a node, or -1
  std::vector<bool> is_stored_;
  std::vector<std::size_t> first_user_, next_;
  std::vector<NodeId> users_;
  std::vector<NodeId> product_;
  std::vector<bool> vanishes_;
};

/// Translates one part.
class Translator {
 public:
  Translator(const ir::Kernel& kernel, const Fusion& fusion, const ir::StraightLine& part)
      : kernel_(kernel), graph_(kernel.graph), fusion_(fusion) {
    for (const ir::Transfer& load : part.loads) loads_[load.value] = load.slot;
    for (const ir::Transfer& save : part.saves) saves_[save.value] = save.slot;
    for (const ir::Statement& s : part.statements) translate(s);
    code_.pointers = static_cast<int>(arrays_.size());
    code_.late_pointers = code_.pointers - static_cast<int>(arrays_.count({Array::sines, 0})) -
                          static_cast<int>(arrays_.count({Array::cosines, 0}));
  }

  VfpCode take() { return std::move(code_); }

 private:
  enum class Array { input, output, sines, cosines, workspace };

  void translate(const ir::Statement& s) {
    if (s.store >= 0) {
      const ir::Store& store = kernel_.stores[static_cast<std::size_t>(s.store)];
      arrays_.insert({Array::output, static_cast<std::uint32_t>(store.buffer)});
      if (graph_.is_constant(store.value)) {
        add_store({}, store.entry);
        --code_.stores, ++code_.constant_stores;
      } else {
        add_store({value(store.value)}, store.entry);
      }
      return;
    }
    const int defined = compute(s.value);
    const auto save = saves_.find(s.value);
    if (save == saves_.end() || defined < 0) return;
    arrays_.insert({Array::workspace, 0});
    add_store({defined}, save->second);
  }

  void add_store(std::vector<int> reads, int entry) {
    ++code_.stores;
    const bool far = entry >= first_far_entry;
    if (far) ++code_.far;
    code_.instructions.push_back({std::move(reads), -1, far});
  }

  int add_value(NodeId id, VfpValue made, std::vector<int> reads = {}) {
    const int number = static_cast<int>(code_.values.size());
    code_.values.push_back(made);
    code_.instructions.push_back({std::move(reads), number, false});
    values_[id] = number;
    return number;
  }

  int load(NodeId id, Origin origin, Array array, std::uint32_t parameter, int entry) {
    ++code_.loads;
    arrays_.insert({array, parameter});
    const bool far = entry >= first_far_entry;
    if (far) ++code_.far;
    return add_value(id, {origin, far});
  }

  int load_constant(NodeId id) {
    const bool immediate = is_immediate(graph_.value(id));
    ++(immediate ? code_.immediates : code_.literals);
    return add_value(id, {immediate ? Origin::immediate : Origin::literal});
  }

  /// The number of `id` in code_.values. If it is not there yet, it is loaded or computed now. -1 for a product that
  /// vanishes.
  int value(NodeId id) {
    const auto known = values_.find(id);
    if (known != values_.end()) return known->second;
    const Node& node = graph_[id];
    switch (node.op) {
      case Op::constant:
        return load_constant(id);
      case Op::input:
        return load(id, Origin::input, Array::input, node.a, static_cast<int>(node.b));
      case Op::sin:
        return load(id, Origin::sine_or_cosine, Array::sines, 0, 0);
      case Op::cos:
        return load(id, Origin::sine_or_cosine, Array::cosines, 0, 0);
      default:
        break;
    }
    if (kernel_.inlined[id]) return compute(id);
    const auto slot = loads_.find(id);
    return load(id, Origin::workspace, Array::workspace, 0, slot == loads_.end() ? 0 : slot->second);
  }

  void read(NodeId id, std::vector<int>& reads) {
    const int number = value(id);
    if (number >= 0) reads.push_back(number);
  }

  int compute(NodeId id) {
    const Node& node = graph_[id];
    if (fusion_.vanishes(id) || (node.op == Op::neg && fusion_.vanishes(node.a))) return values_[id] = -1;
    if (fusion_.is_signed_product(id)) return values_[id] = value(node.a);
    std::vector<int> reads;
    const NodeId product = fusion_.product(id);
    for (const NodeId operand : ir::Operands(node)) {
      const bool is_product =
          product != no_node &&
          (operand == product || (graph_[operand].op == Op::neg && graph_[operand].a == product));
      if (is_product) {
        read(graph_[product].a, reads);
        read(graph_[product].b, reads);
      } else {
        read(operand, reads);
      }
    }
    ++code_.arithmetic;
    if (product != no_node) ++code_.fused;
    return add_value(id, {}, std::move(reads));
  }

  const ir::Kernel& kernel_;
  const ir::Graph& graph_;
  const Fusion& fusion_;
  VfpCode code_;
  std::map<NodeId, int> values_, loads_, saves_;
  std::set<std::pair<Array, std::uint32_t>> arrays_;
};

}  // namespace

std::vector<VfpCode> translate_to_vfp(const ir::Kernel& kernel) {
  const Fusion fusion(kernel);
  std::vector<VfpCode> parts;
  for (const ir::StraightLine* line : kernel.straight_lines())
    parts.push_back(Translator(kernel, fusion, *line).take());
  return parts;
}

}  // namespace featherline::cost
