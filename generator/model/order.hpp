#pragma once

#include "support/diagnostic.hpp"
#include "model/topology.hpp"

#include <optional>
#include <string>
#include <vector>

namespace featherline::model {

/// Moving joints (indices into Description::joints) in the order of q: depth first, or as `joint_order` names
/// them; `base_joint`, the name of the floating base's joint, may stand first there. Nothing on error.
std::optional<std::vector<int>> order_joints(const urdf::Description& robot, const Topology& topology,
                                             const std::optional<std::vector<std::string>>& joint_order,
                                             const std::string& base_joint, Diagnostics& findings);

}  // namespace featherline::model
