#include "report/zero_lanes.hpp"

namespace featherline::report {

using ir::NodeId;
using ir::Op;

ZeroLanes::ZeroLanes(const ir::Graph& graph) {
  zero_.reserve(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    std::vector<bool> lanes(graph[id].lanes);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      lanes[lane] = computes_zero(graph, id, static_cast<int>(lane));
    zero_.push_back(std::move(lanes));
  }
}

bool ZeroLanes::computes_zero(const ir::Graph& graph, NodeId id, int lane) const {
  const ir::Node& node = graph[id];
  switch (node.op) {
    case Op::constant:
      return graph.lane_values(id)[static_cast<std::size_t>(lane)] == 0.0;
    case Op::add:
    case Op::sub:
      return is_zero(node.a, lane) && is_zero(node.b, lane);
    case Op::mul:
      return is_zero(node.a, lane) || is_zero(node.b, lane);
    case Op::div:
    case Op::neg:
    case Op::sqrt:
      return is_zero(node.a, lane);
    case Op::lane:
      return is_zero(node.a, static_cast<int>(node.b));
    case Op::lane_sum:
      for (int k = 0; k < graph[node.a].lanes; ++k) {
        if (!is_zero(node.a, k)) return false;
      }
      return true;
    default:
      return false;
  }
}

}  // namespace featherline::report
