#include "passes/passes.hpp"
#include "passes/rewrite.hpp"

#include <optional>

namespace featherline::passes {
namespace {

using ir::Node;
using ir::NodeId;
using ir::Op;
using ir::Scalar;

/// a*b + a*c as a * (b + c).
struct Factored {
  NodeId common, left, right;
};

class Factoring : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  Scalar rewrite(NodeId id) override {
    const Node& node = source().graph[id];
    if (node.op != Op::add && node.op != Op::sub) return rebuild(id);
    const std::optional<Factored> f = common_factor(node);
    if (!f) return rebuild(id);
    const Scalar rest =
        node.op == Op::add ? value(f->left) + value(f->right) : value(f->left) - value(f->right);
    return value(f->common) * rest;
  }

 private:
  /// Only where both products are used nowhere else: otherwise nothing is saved.
  std::optional<Factored> common_factor(const Node& node) const {
    const Node& x = source().graph[node.a];
    const Node& y = source().graph[node.b];
    if (x.op != Op::mul || y.op != Op::mul || uses(node.a) != 1 || uses(node.b) != 1) return std::nullopt;
    if (x.a == y.a) return Factored{x.a, x.b, y.b};
    if (x.a == y.b) return Factored{x.a, x.b, y.a};
    if (x.b == y.a) return Factored{x.b, x.a, y.b};
    if (x.b == y.b) return Factored{x.b, x.a, y.a};
    return std::nullopt;
  }
};

}  // namespace

ir::Kernel factor_products(const ir::Kernel& kernel) { return Factoring(kernel).run(); }

}  // namespace featherline::passes
