#include "emit/value_names.hpp"

#include "emit/identifiers.hpp"
#include "support/index.hpp"

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace featherline::emit {
namespace {

using ir::NodeId;
using ir::Op;

constexpr std::string_view negative = "neg_", mirrored = "mir_", part = "_part";

std::string minus(const std::string& name) {
  return name.starts_with(negative) ? name.substr(negative.size()) : std::string(negative) + name;
}

/// Without signs, and without "_part", "_part_2": parts of a part are parts of the whole.
std::string whole(std::string_view name) {
  for (const std::string_view sign : {negative, mirrored}) {
    if (name.starts_with(sign)) name.remove_prefix(sign.size());
  }
  return std::string(name.substr(0, name.find(part)));
}

/// Whether it ends in a number behind a bar.
bool is_numbered(const std::string& name) {
  const std::size_t bar = name.rfind('_');
  return bar != name.npos && bar > 0 && bar + 1 < name.size() &&
         name.find_first_not_of("0123456789", bar + 1) == name.npos;
}

/// The quantity of a body that an entry belongs to: J5 of J5_xy, S3 of S3w_x; empty for other values.
std::string quantity_of_body(const std::string& entry) {
  std::string name = whole(entry);
  while (is_numbered(name)) name.resize(name.rfind('_'));  // J5_xy_2 is another J5_xy
  const std::size_t bar = name.rfind('_');
  if (bar == name.npos || bar == 0 || name.find_first_not_of("xyz", bar + 1) != name.npos) return "";
  name.resize(bar);
  if (name.size() > 2 && std::string_view("wunfK").find(name.back()) != std::string_view::npos)
    name.pop_back();
  return name;
}

class ValueNamer {
 public:
  explicit ValueNamer(const ir::Kernel& kernel) : kernel_(kernel), graph_(kernel.graph) {
    result_.names.resize(graph_.size());
    reserve_names();
    find_defined();
  }

  ValueNames run() {
    for (const NodeId id : defined_) take(id, graph_.node_name(id));
    for (const NodeId id : defined_) take(id, graph_.hint(id));
    if (!kernel_.has_limb_loops()) name_lane_numbers();
    by_entries();
    by_negatives();
    as_parts();
    for (const NodeId id : defined_) {
      if (name(id).empty()) name(id) = namer_.take_temporary();
    }
    return std::move(result_);
  }

 private:
  std::string& name(NodeId id) { return result_.names[id]; }

  void take(NodeId id, const std::string& wanted) {
    if (name(id).empty() && !wanted.empty()) name(id) = namer_.take(wanted);
  }

  void reserve_names() {
    for (const char* taken :
         {"S", "sn", "cs", "ws", "angle", "Link", "limb", "number", "Number", "limb_numbers", "zeros"})
      namer_.reserve(taken);
    for (const std::string& taken : header_constants()) namer_.reserve(taken);
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (graph_[id].lanes > 1) namer_.reserve(value_type(graph_[id].lanes));
    }
    for (const ir::Buffer& p : kernel_.inputs) namer_.reserve(p.name);
    for (int k = 0; k < kernel_.num_outputs_and_locals(); ++k)
      namer_.reserve(kernel_.output_or_local(k).name);
  }

  void find_defined() {
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (ir::is_trigonometric(graph_[id].op) && !graph_.node_name(id).empty()) defined_.push_back(id);
    }
    has_statement_.assign(graph_.size(), false);
    for (const ir::StraightLine* line : kernel_.straight_lines())
      statements_.insert(statements_.end(), line->statements.begin(), line->statements.end());
    for (const ir::Statement& s : statements_) {
      if (s.store >= 0) continue;
      defined_.push_back(s.value);
      has_statement_[s.value] = true;
    }
  }

  /// By its label or hint; otherwise as minus or twice another one; otherwise lanes_1, lanes_2, ...
  void name_lane_numbers() {
    const std::vector<bool> live = ir::live_nodes(kernel_);
    std::map<std::vector<double>, std::string> known;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (!live[id] || !graph_.is_constant(id) || graph_[id].lanes == 1) continue;
      result_.lane_numbers.push_back(id);
      take(id, graph_.node_name(id));
      take(id, graph_.hint(id));
      if (!name(id).empty()) known.emplace(graph_.lane_values(id), name(id));
    }
    for (const NodeId id : result_.lane_numbers) {
      for (const auto& [factor, prefix] : {std::pair(-1.0, ""), {0.5, "twice_"}, {-0.5, "twice_"}}) {
        std::vector<double> lanes = graph_.lane_values(id);
        for (double& lane : lanes) lane *= factor;
        const auto found = known.find(lanes);
        if (found == known.end()) continue;
        const std::string base = factor < 0.0 ? minus(found->second) : found->second;
        take(id, prefix + base);
      }
      take(id, "lanes_" + std::to_string(++unknown_numbers_));
    }
  }

  std::string entry_name(const ir::Store& store) const {
    return kernel_.output_or_local(store.buffer).name + "_" + std::to_string(store.entry);
  }

  void by_entries() {
    for (const ir::Store& store : kernel_.stores) {
      const NodeId id = store.value;
      if (has_statement_[id])
        take(id, entry_name(store));
      else if (graph_[id].op == Op::neg && has_statement_[graph_[id].a])
        take(graph_[id].a, minus(entry_name(store)));
    }
  }

  void by_negatives() {
    for (const NodeId id : defined_) {
      if (graph_[id].op != Op::neg) continue;
      const NodeId operand = graph_[id].a;
      if (!name(operand).empty()) take(id, minus(name(operand)));
      if (has_statement_[operand] && !name(id).empty()) take(operand, minus(name(id)));
    }
  }

  /// What mentions a value: a name without signs, and the quantity of a body. Of several users,
  /// what all have in common.
  struct User {
    std::string whole, quantity;
  };

  /// Adds `user` to the users of each value with a statement that the expression of `id` mentions.
  void add_user(NodeId id, const User& user) {
    const ir::Node& node = graph_[id];
    if (ir::is_trigonometric(node.op)) return;
    for (const NodeId operand : ir::Operands(node)) {
      if (!has_statement_[operand]) {
        add_user(operand, user);
        continue;
      }
      User& common = users_.try_emplace(operand, user).first->second;
      if (common.whole != user.whole) common.whole.clear();
      if (common.quantity != user.quantity) common.quantity.clear();
    }
  }
  void add_user(NodeId id, const std::string& name) { add_user(id, {whole(name), quantity_of_body(name)}); }

  /// What all users of a value are, from the last definition to the first.
  void as_parts() {
    for (const ir::Statement& s : statements_) {
      if (s.store >= 0 && !has_statement_[s.value])
        add_user(s.value, entry_name(kernel_.stores[index(s.store)]));
    }
    std::map<NodeId, std::string> wanted;
    for (auto s = statements_.rbegin(); s != statements_.rend(); ++s) {
      const NodeId id = s->value;
      if (s->store >= 0) continue;
      std::string known = name(id);
      if (known.empty()) {
        const User& users = users_[id];
        const std::string& base = users.whole.empty() ? users.quantity : users.whole;
        if (!base.empty()) known = wanted[id] = base + std::string(part);
      }
      add_user(id, known);
    }
    for (const NodeId id : defined_) {
      if (const auto found = wanted.find(id); found != wanted.end()) take(id, found->second);
    }
  }

  const ir::Kernel& kernel_;
  const ir::Graph& graph_;
  Namer namer_{"value"};
  ValueNames result_;
  std::vector<ir::Statement> statements_;
  std::vector<NodeId> defined_;  ///< in the order of their statements
  std::vector<bool> has_statement_;
  std::unordered_map<NodeId, User> users_;  ///< by value
  int unknown_numbers_ = 0;
};

}  // namespace

ValueNames value_names(const ir::Kernel& kernel) { return ValueNamer(kernel).run(); }

std::string other_names(const ir::Graph& graph, NodeId id) {
  constexpr std::size_t most = 2;
  const std::vector<std::string>& labels = graph.labels(id);
  std::string text;
  for (std::size_t k = 1; k < labels.size() && k <= most; ++k)
    text += (k == 1 ? "also " : ", ") + identifier(labels[k], "value");
  return text + (labels.size() > most + 1 ? ", ..." : "");
}

}  // namespace featherline::emit
