#pragma once

#include "description/description.hpp"
#include "support/diagnostic.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// Which joint hangs on which, in what order they stand in q, and which drives which.
namespace featherline::model {

/// The indices of links or joints by name, for many look-ups. It is looked up only, never walked.
class NameIndex {
 public:
  template <class Part>
  explicit NameIndex(const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) index_.emplace(parts[i].name, static_cast<int>(i));
  }
  /// -1 where nothing has that name.
  int find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> index_;
};

/// For one look-up: -1 where no part has that name.
template <class Part>
int find_named(const std::vector<Part>& parts, const std::string& name) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

using Indices = std::vector<std::size_t>;

/// The links and joints of a Description as a rooted tree of indices.
struct Topology {
  std::size_t root = 0;   ///< link without a parent joint
  Indices parent, child;  ///< per joint: its links
  Indices order;          ///< all joints, fixed ones too: depth first, siblings by name or as written
};

/// The joints have to form one tree over all links, as description::check() sees to it.
Topology find_topology(const description::Description& robot);

/// Moving joints (indices into Description::joints) in the order of q: depth first, or as `joint_order` names
/// them; `base_joint`, the name of the floating base's joint, may stand first there. Nothing on error.
std::optional<Indices> order_joints(const description::Description& robot, const Topology& topology,
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
