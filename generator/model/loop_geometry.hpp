#pragma once

#include "description/description.hpp"
#include "model/clusters.hpp"
#include "model/tree.hpp"

#include <string>
#include <vector>

namespace featherline::model {

/// How two joints of a loop follow from its others: a PlanarLoop, or two sums where the loop is a parallelogram, whose
/// bars turn by the same angles. Or why they cannot.
struct LoopGeometry {
  std::vector<ClusterStep> steps;
  std::string problem, remedy;
};

/// `taken`: by body, whether the joint follows from another loop. The joints that follow are the two last ones of the
/// others, counted outward from the body where both ends of the loop meet, then in joint order; not those that `read`
/// names independent.
LoopGeometry loop_geometry(const UserTree& tree, const Constraint& loop, const description::Constraint& read,
                           const std::vector<bool>& taken);

}  // namespace featherline::model
