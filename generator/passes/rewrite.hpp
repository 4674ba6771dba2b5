#pragma once

#include "expr/function.hpp"

#include <vector>

namespace featherline::passes {

/// Copies a function node by node into a new graph, keeping order, names and sections; a pass overrides what
/// happens to a node. The skeleton all rewriting passes share.
class Rewriter {
 public:
  explicit Rewriter(const expr::Function& source);
  virtual ~Rewriter() = default;

  /// The rewritten function. Dead nodes of the source are not visited.
  expr::Function run();

 protected:
  /// The new value of a live source node; operands have been rewritten already.
  virtual expr::Scalar rewrite(expr::NodeId id) { return rebuild(id); }

  /// The same operation on the rewritten operands.
  expr::Scalar rebuild(expr::NodeId id);
  const expr::Scalar& value(expr::NodeId id) const { return values_[id]; }
  const expr::Function& source() const { return source_; }
  expr::Graph& graph() { return result_.graph; }
  /// How many live nodes and stores use a source node.
  int uses(expr::NodeId id) const { return uses_[id]; }

 private:
  void enter_section(std::uint32_t section);

  const expr::Function& source_;
  expr::Function result_;
  std::vector<expr::Scalar> values_;
  std::vector<int> uses_;
  std::uint32_t section_ = 0;
};

/// How many live nodes and stores use each node.
std::vector<int> count_uses(const expr::Function& function);

}  // namespace featherline::passes
