#include "passes/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

namespace featherline::passes {
namespace {

/// Limbs in which a value has the other sign than in the first limb, one bit a limb.
using Signs = std::uint32_t;
constexpr int most_lanes = 32;

Signs signs_of(const std::vector<double>& lanes) {
  Signs signs = 0;
  const auto first = std::ranges::find_if(lanes, [](double x) { return x != 0.0; });
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    if (lanes[k] != 0.0 && (lanes[k] < 0.0) != (*first < 0.0)) signs |= Signs{1} << k;
  }
  // A lane of zeros may have either sign: that of the first lane.
  return (signs & 1) != 0 ? ~signs & ((Signs{2} << (lanes.size() - 1)) - 1) : signs;
}

/// A sum of unknown signs and a known pattern.
struct Form {
  std::vector<NodeId> unknowns = {};  ///< sorted
  Signs signs = 0;

  auto operator<=>(const Form&) const = default;
  friend Form operator+(const Form& a, const Form& b) {
    Form sum{{}, a.signs ^ b.signs};
    std::ranges::set_symmetric_difference(a.unknowns, b.unknowns, std::back_inserter(sum.unknowns));
    return sum;
  }
};

/// The signs of all values as unknowns of linear equations over bits.
class SignEquations {
 public:
  explicit SignEquations(std::size_t num_unknowns) : known_(num_unknowns) {}

  /// In unknowns that no equation has. Equations refer to each other in chains that can be long, so the way along them
  /// has a stack of its own.
  Form form(NodeId id) {
    if (!known_[id]) return {{id}, 0};
    std::vector<NodeId> open{id};
    while (!open.empty()) {
      const NodeId last = open.back();
      const std::size_t height = open.size();
      for (const NodeId other : known_[last]->unknowns) {
        if (known_[other] && !is_settled(*known_[other])) open.push_back(other);
      }
      if (open.size() > height) continue;
      open.pop_back();
      Form settled{{}, known_[last]->signs};
      for (const NodeId other : known_[last]->unknowns)
        settled = settled + known_[other].value_or(Form{{other}, 0});
      known_[last] = std::move(settled);
    }
    return *known_[id];
  }
  /// Says that `id`, which no equation has yet, is this sum.
  void define(NodeId id, Form form) { known_[id] = std::move(form); }
  /// Says that the form is zero, if the other equations do not contradict.
  void add(Form form) {
    if (form.unknowns.empty()) return;
    const NodeId last = form.unknowns.back();
    form.unknowns.pop_back();
    known_[last] = std::move(form);
  }

 private:
  bool is_settled(const Form& form) const {
    return std::ranges::none_of(form.unknowns, [&](NodeId id) { return known_[id].has_value(); });
  }

  std::vector<std::optional<Form>> known_;
};

/// Chooses the signs with which values are computed. Mirrored limbs then have equal constants, and products with a sign
/// are left only where values enter the limbs or leave them.
class LimbSignChoice {
 public:
  /// `scaled_first`: whether products of a value with scalars have to agree in their sums before values agree with
  /// what is outside the limbs. They do where the scalars are velocities of the trunk, not where the limbs' solutions
  /// are taken from the trunk's.
  LimbSignChoice(const ir::Kernel& kernel, bool scaled_first)
      : graph_(kernel.graph),
        live_(ir::live_nodes(kernel)),
        equations_(graph_.size()),
        signs_(graph_.size(), 0) {
    fix_angles();
    each_value([&](NodeId id) { define(id); });
    each_value([&](NodeId id) { join_terms(id, false); });
    if (scaled_first) each_value([&](NodeId id) { join_terms(id, true); });
    for (const ir::Store& store : kernel.stores) wish(store.value);
    each_value([&](NodeId id) { join_borders(id); });
    grant_wishes();
    each_value([&](NodeId id) { join_terms(id, true); });
    each_value([&](NodeId id) { join_factor(id); });
    each_value([&](NodeId id) { signs_[id] = form(id).signs; });
  }
  Signs operator[](NodeId id) const { return signs_[id]; }

 private:
  template <class F>
  void each_value(const F& f) {
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (live_[id]) f(id);
    }
  }
  bool has_signs(NodeId id) const { return graph_[id].lanes > 1 && !graph_.is_constant(id); }
  Form form(NodeId id) { return has_signs(id) ? equations_.form(id) : Form{}; }
  void want_equal(NodeId a, NodeId b, Signs signs = 0) {
    equations_.add(form(a) + form(b) + Form{{}, signs});
  }

  /// What functions are not odd of has no signs: the angles of sines, which are computed before everything else, and
  /// what roots, late sines and pivots are computed from, as far as it is by limb.
  void fix_angles() {
    std::vector<bool> in_angle(graph_.size(), false), in_late(graph_.size(), false);
    for (NodeId id = graph_.size(); id-- > 0;) {
      if (!live_[id]) continue;
      const Op op = graph_[id].op;
      const bool is_late = is_late_trigonometric(op) || is_stumpff(op) || op == Op::sqrt || op == Op::atan ||
                           (op == Op::pivot_inverse && has_signs(id));
      for (const NodeId operand : ir::Operands(graph_[id])) {
        if (in_angle[id] || is_trigonometric(op)) in_angle[operand] = true;
        if ((in_late[id] || is_late) && has_signs(operand)) in_late[operand] = true;
      }
      if (has_signs(id) && (in_angle[id] || in_late[id] || is_late)) equations_.define(id, {});
    }
  }

  /// What a product or quotient has no choice about.
  void define(NodeId id) {
    const Node& node = graph_[id];
    if (form(id).unknowns != std::vector<NodeId>{id}) return;
    if (node.op == Op::neg) equations_.define(id, form(node.a));
    if ((node.op == Op::mul && !graph_.is_constant(node.a)) || node.op == Op::div)
      equations_.define(id, form(node.a) + form(node.b));
  }

  /// Terms of a sum have its signs; a product with signs alone vanishes.
  void join_terms(NodeId id, bool scaled) {
    const Node& node = graph_[id];
    if (is_sum(node.op) && has_signs(id)) {
      for (const NodeId term : ir::Operands(node)) {
        if (has_signs(term) && is_scaled(term) == scaled) want_equal(id, term);
      }
    }
    if (has_constant_factor(id) &&
        std::ranges::all_of(graph_.lane_values(node.a), [](double x) { return std::abs(x) == 1.0; }))
      join_factor(id);
  }

  /// Makes the constants of c * x equal in all limbs.
  void join_factor(NodeId id) {
    if (has_constant_factor(id)) want_equal(id, graph_[id].b, signs_of(graph_.lane_values(graph_[id].a)));
  }
  bool has_constant_factor(NodeId id) const {
    return has_signs(id) && graph_[id].op == Op::mul && graph_.is_constant(graph_[id].a);
  }

  /// Whether it is a product with a scalar that is not known.
  bool is_scaled(NodeId id) const {
    const Node& node = graph_[id];
    if (node.op != Op::mul) return false;
    return (graph_[node.a].lanes == 1 && !graph_.is_constant(node.a)) || graph_[node.b].lanes == 1;
  }

  /// Scalars, inputs, sines and sums over limbs are as they are.
  void join_borders(NodeId id) {
    const Node& node = graph_[id];
    if (node.op == Op::lane_sum) wish(node.a);
    if (node.op == Op::gather || is_trigonometric(node.op)) wish(id);
    if (!is_sum(node.op)) return;
    for (const NodeId term : ir::Operands(node)) {
      if (!has_signs(term) && !graph_.is_constant(term)) wish(id);
    }
  }

  /// The value should have no signs.
  void wish(NodeId id) {
    if (Form wanted = form(id); !wanted.unknowns.empty()) ++wishes_[std::move(wanted)];
  }
  /// The wishes of most values first.
  void grant_wishes() {
    std::vector<std::pair<Form, int>> list(wishes_.begin(), wishes_.end());
    std::ranges::stable_sort(list, std::greater(), &std::pair<Form, int>::second);
    for (const auto& [wish, count] : list) {
      Form wanted{{}, wish.signs};
      for (const NodeId unknown : wish.unknowns) wanted = wanted + equations_.form(unknown);
      equations_.add(std::move(wanted));
    }
  }

  const ir::Graph& graph_;
  std::vector<bool> live_;
  SignEquations equations_;
  std::map<Form, int> wishes_;  ///< forms that should be zero, and how many values wish it
  std::vector<Signs> signs_;
};

class Mirroring : public Rewriter {
 public:
  Mirroring(const ir::Kernel& kernel, bool scaled_first) : Rewriter(kernel), signs_(kernel, scaled_first) {
    for (const ir::Store& store : kernel.stores) stored_[store.value] = {};
  }

  ir::Kernel run() {
    ir::Kernel kernel = Rewriter::run();
    kernel.mirrored = mirrored_;
    return kernel;
  }

 protected:
  Scalar rewrite(NodeId id) override {
    const Scalar mirrored = with_own_signs(id);
    // What is stored is made here, in the order of the algorithm.
    if (const auto found = stored_.find(id); found != stored_.end())
      found->second = times_signs(mirrored, signs_[id], lanes_of(id));
    return mirrored;
  }
  Scalar stored(NodeId id) override { return stored_.at(id); }
  std::string renamed(NodeId id, const std::string& name) override {
    if (signs_[id] == 0 || source().graph.is_constant(id)) return name;
    const bool is_negative = name.starts_with("neg_");
    const std::string mirrored = "mir_" + (is_negative ? name.substr(4) : name);
    std::vector<int> lanes;
    for (int k = 0; k < lanes_of(id); ++k) {
      if ((signs_[id] >> k & 1) != 0) lanes.push_back(k);
    }
    mirrored_[mirrored] = lanes;
    return is_negative ? "neg_" + mirrored : mirrored;
  }

 private:
  int lanes_of(NodeId id) const { return source().graph[id].lanes; }

  Scalar with_own_signs(NodeId id) {
    const Node& node = source().graph[id];
    const int lanes = lanes_of(id);
    switch (node.op) {
      case Op::add:
      case Op::sub: {
        if (lanes == 1) return rebuild(id);
        const Scalar b = with_signs(node.b, signs_[id], lanes), a = with_signs(node.a, signs_[id], lanes);
        return apply(node.op, a, b);
      }
      case Op::mul:
        if (!source().graph.is_constant(node.a) || lanes == 1) return rebuild(id);
        return times_signs(value(node.a), signs_[id] ^ signs_[node.b], lanes) * value(node.b);
      case Op::gather:
      case Op::sin:
      case Op::cos:
        return times_signs(rebuild(id), signs_[id], lanes);
      case Op::lane:
        return (signs_[node.a] >> node.b & 1) != 0 ? -rebuild(id) : rebuild(id);
      case Op::lane_sum:
        return lane_sum(with_signs(node.a, 0, lanes_of(node.a)), lanes_of(node.a));
      default:
        return rebuild(id);
    }
  }
  Scalar times_signs(const Scalar& x, Signs signs, int lanes) {
    if (signs == 0) return x;
    std::vector<double> factors;
    for (int k = 0; k < lanes; ++k) factors.push_back((signs >> k & 1) != 0 ? -1.0 : 1.0);
    return lane_numbers(graph(), factors) * x;
  }
  /// The value of a node with the signs that its user has. In a product, the factor with more uses takes them: its
  /// other products probably need it with these signs, too.
  Scalar with_signs(NodeId id, Signs signs, int lanes) {
    const Signs missing = signs ^ signs_[id];
    const Node& node = source().graph[id];
    if (missing == 0 || node.op != Op::mul || uses(id) > 1 || source().graph.is_constant(node.a))
      return times_signs(value(id), missing, lanes);
    const bool first = uses(node.a) > uses(node.b);
    return times_signs(value(first ? node.a : node.b), missing, lanes) * value(first ? node.b : node.a);
  }

  LimbSignChoice signs_;
  std::map<NodeId, Scalar> stored_;
  std::map<std::string, std::vector<int>> mirrored_;
};

}  // namespace

ir::Kernel mirror_limbs(const ir::Kernel& kernel) {
  const int lanes = kernel.graph.max_lanes();
  if (lanes == 1 || lanes > most_lanes) return kernel;
  ir::Kernel best = kernel;
  for (const bool scaled_first : {true, false})
    best = with_fewer_flops(std::move(best), Mirroring(kernel, scaled_first).run());
  return best;
}

}  // namespace featherline::passes
