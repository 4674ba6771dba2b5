#pragma once

#include "description/description.hpp"
#include "support/diagnostic.hpp"

#include <optional>
#include <string>
#include <vector>

/// Which joint hangs on which, in what order they stand in q, and which drives which.
namespace featherline::model {

/// The links and joints of a Description as a rooted tree of indices.
struct Topology {
  int root = -1;                   ///< link without a parent joint
  std::vector<int> parent, child;  ///< per joint: its links
  std::vector<int> order;  ///< all joints, fixed ones too: depth first, siblings in byte order of joint name
};

/// Nothing where the joints do not form one tree over all links; the findings then say why.
std::optional<Topology> find_topology(const description::Description& robot, Diagnostics& findings);

/// Moving joints (indices into Description::joints) in the order of q: depth first, or as `joint_order` names
/// them; `base_joint`, the name of the floating base's joint, may stand first there. Nothing on error.
std::optional<std::vector<int>> order_joints(const description::Description& robot, const Topology& topology,
                                             const std::optional<std::vector<std::string>>& joint_order,
                                             const std::string& base_joint, Diagnostics& findings);

/// coordinate = multiplier * (coordinate of `driver`) + offset
struct Coupling {
  int driver = -1;  ///< joint index; -1: the joint has a coordinate of its own
  double multiplier = 1.0;
  double offset = 0.0;
};

/// The coupling of every joint to the joint at the end of its chain of <mimic>s. Errors: unknown joint, cycle,
/// and a mimic or driver that has not exactly one coordinate. Warns of <mimic> on a fixed joint and ignores it.
std::vector<Coupling> resolve_mimics(const description::Description& robot, Diagnostics& findings);

}  // namespace featherline::model
