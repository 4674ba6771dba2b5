#include "algorithms/frame_roots.hpp"

#include "algorithms/first_derivatives.hpp"

#include <cstdint>

namespace featherline::algorithms {
namespace {

/// Nodes traced over the whole search: about a second on one core.
constexpr std::int64_t node_budget = 6'000'000;

class Search {
 public:
  explicit Search(const model::CanonicalTree& tree) : tree_(tree) {}

  FrameRoots run() {
    const Choice outer = descend(measure(with_root_bodies(ground_frame(tree_))));
    const Choice inner = descend(measure(body_frames(tree_)));
    return outer.flops < inner.flops ? outer.roots : inner.roots;
  }

 private:
  struct Choice {
    FrameRoots roots;
    int flops;
  };

  /// The frame of the first moving link instead of the world's is never worse: nothing else moves in the world. The
  /// world's would cost digits where a floating base is far from its origin, so that roots stay as they are.
  FrameRoots with_root_bodies(FrameRoots roots) const {
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (tree_.bodies[i].parent < 0) roots[i] = true;
    }
    return roots;
  }

  Choice measure(FrameRoots roots) {
    const ir::Function function = trace_rnea_derivatives_in(tree_, roots);
    budget_ -= function.graph.size();
    return {std::move(roots), ir::count_cost(function).flops};
  }

  Choice descend(Choice best) {
    for (bool improved = true; improved;) {
      improved = false;
      for (std::size_t i = 0; i < best.roots.size() && budget_ > 0; ++i) {
        if (tree_.bodies[i].parent < 0) continue;
        FrameRoots roots = best.roots;
        roots[i] = !roots[i];
        Choice choice = measure(std::move(roots));
        if (choice.flops >= best.flops) continue;
        best = std::move(choice);
        improved = true;
      }
    }
    return best;
  }

  const model::CanonicalTree& tree_;
  std::int64_t budget_ = node_budget;
};

}  // namespace

FrameRoots choose_frame_roots(const model::CanonicalTree& tree) { return Search(tree).run(); }

}  // namespace featherline::algorithms
