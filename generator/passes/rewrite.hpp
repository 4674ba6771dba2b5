#pragma once

#include "ir/kernel.hpp"

#include <string>
#include <vector>

namespace featherline::passes {

/// Copies a function node by node into a new graph, keeping names and sections; a pass overrides what
/// happens to a node. The skeleton all rewriting passes share.
class Rewriter {
 public:
  /// A node to visit, and the section of what it becomes.
  struct Visit {
    ir::NodeId node;
    std::uint32_t section;
  };

  /// Visits the live nodes in the order of their ids.
  explicit Rewriter(const ir::Kernel& source);
  /// Visits the nodes of `order`: all that are live, operands before users.
  Rewriter(const ir::Kernel& source, std::vector<Visit> order);
  virtual ~Rewriter() = default;

  /// The rewritten kernel. Dead nodes of the source are not visited.
  ir::Kernel run();

 protected:
  /// The new value of a live source node; operands have been rewritten already.
  virtual ir::Scalar rewrite(ir::NodeId id) { return rebuild(id); }

  /// What the stores of a source node store.
  virtual ir::Scalar stored(ir::NodeId id) { return value(id); }
  /// What a name of a source node becomes.
  virtual std::string renamed(ir::NodeId, const std::string& name) { return name; }

  /// The same operation on the rewritten operands.
  ir::Scalar rebuild(ir::NodeId id);
  const ir::Scalar& value(ir::NodeId id) const { return values_[id]; }
  const ir::Kernel& source() const { return source_; }
  ir::Graph& graph() { return result_.graph; }
  /// How many live nodes and stores use a source node.
  int uses(ir::NodeId id) const { return uses_[id]; }

 private:
  const ir::Kernel& source_;
  ir::Kernel result_;
  std::vector<ir::Scalar> values_;
  std::vector<int> uses_;
  std::vector<Visit> order_;
};

/// The one with fewer flops; the first of equals.
ir::Kernel with_fewer_flops(ir::Kernel a, ir::Kernel b);

}  // namespace featherline::passes
