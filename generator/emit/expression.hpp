#pragma once

#include "ir/program.hpp"

#include <set>
#include <string>
#include <vector>

namespace featherline::emit {

/// What a piece of emitted code refers to besides its own values: decides which parameters it takes.
struct Usage {
  std::set<int> inputs;  ///< parameter indices
  std::set<int> outputs;
  bool sines = false;      ///< sn
  bool cosines = false;    ///< cs
  bool workspace = false;  ///< ws
  bool sqrt = false;
  std::set<ir::NodeId> values;  ///< mentioned by name

  void merge(const Usage& other);
};

/// The name of every value that has a statement, and of sines and cosines with a label, by node; empty for the others.
/// Labelled values keep their label, the rest are t1, t2, ... in the order of their definitions. None equals a parameter
/// or a name of the scope.
std::vector<std::string> value_names(const ir::Program& program);

/// Turns values of one program into C++ expressions of scalar type S, tree by tree as scheduled: parentheses
/// are left out only where C++ groups the same way.
class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(const ir::Program& program);

  /// The operation that defines `id`, even if it has a name. Everything it mentions is added to `usage`.
  std::string definition(ir::NodeId id, Usage& usage) const;
  /// What a user of `id` writes: its name, a literal, q[2], or its definition if it is inlined.
  std::string value(ir::NodeId id, Usage& usage) const;
  /// "&s_elbow = sn[1], &c_elbow = cs[1]": the names of those sines and cosines of angle k that `usage` mentions.
  std::string angle_names(std::size_t k, const Usage& usage) const;
  /// The argument of angle k, spelled out down to the inputs: nothing is defined yet where it is evaluated.
  std::string angle(std::size_t k, Usage& usage) const;

  const std::string& name(ir::NodeId id) const { return names_[id]; }

 private:
  /// Text with its binding strength: 1 additive, 2 multiplicative, 3 unary minus, 4 indivisible.
  struct Text {
    std::string text;
    int strength;
  };
  Text print(ir::NodeId id, bool expand, bool expand_all, Usage& usage) const;
  Text print_operation(ir::NodeId id, bool expand_all, Usage& usage) const;
  Text print_binary(ir::NodeId id, bool expand_all, Usage& usage) const;
  std::string print_input(ir::NodeId id, Usage& usage) const;
  std::string print_trigonometric(ir::NodeId id, Usage& usage) const;
  std::string array_entry(ir::NodeId id) const;

  const ir::Program& program_;
  std::vector<std::string> names_;
};

}  // namespace featherline::emit
