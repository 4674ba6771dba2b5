#pragma once

#include "ir/graph.hpp"

#include <vector>

namespace featherline::report {

/// Which values of a graph are zero whatever the inputs are, lane by lane. Passes fold such scalars to the constant. In
/// lanes of equal limbs they stay: a product with {1, 0, 0, 0} puts one limb's value into a matrix whose other entries
/// are zero.
class ZeroLanes {
 public:
  explicit ZeroLanes(const ir::Graph& graph);

  /// A scalar is the same in every lane.
  bool is_zero(ir::NodeId id, int lane) const {
    const std::vector<bool>& lanes = zero_[id];
    return lanes[lanes.size() == 1 ? 0 : static_cast<std::size_t>(lane)];
  }

 private:
  bool computes_zero(const ir::Graph& graph, ir::NodeId id, int lane) const;

  std::vector<std::vector<bool>> zero_;  ///< by node and lane
};

}  // namespace featherline::report
