#pragma once

#include "ir/function.hpp"

#include <vector>

namespace featherline::passes {

/// Copies a function node by node into a new graph, keeping order, names and sections; a pass overrides what
/// happens to a node. The skeleton all rewriting passes share.
class Rewriter {
 public:
  explicit Rewriter(const ir::Function& source);
  virtual ~Rewriter() = default;

  /// The rewritten function. Dead nodes of the source are not visited.
  ir::Function run();

 protected:
  /// The new value of a live source node; operands have been rewritten already.
  virtual ir::Scalar rewrite(ir::NodeId id) { return rebuild(id); }

  /// The same operation on the rewritten operands.
  ir::Scalar rebuild(ir::NodeId id);
  const ir::Scalar& value(ir::NodeId id) const { return values_[id]; }
  const ir::Function& source() const { return source_; }
  ir::Graph& graph() { return result_.graph; }
  /// How many live nodes and stores use a source node.
  int uses(ir::NodeId id) const { return uses_[id]; }

 private:
  void enter_section(std::uint32_t section);

  const ir::Function& source_;
  ir::Function result_;
  std::vector<ir::Scalar> values_;
  std::vector<int> uses_;
  std::uint32_t section_ = 0;
};

/// How many live nodes and stores use each node.
std::vector<int> count_uses(const ir::Function& function);

}  // namespace featherline::passes
