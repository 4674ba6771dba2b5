#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <optional>
#include <vector>

namespace featherline::model {

/// The links and joints of a Description as a rooted tree of indices.
struct Topology {
  int root = -1;                   ///< link without a parent joint
  std::vector<int> parent, child;  ///< per joint: its links
  std::vector<int> order;  ///< all joints, fixed ones too: depth first, siblings in byte order of joint name
};

/// Nothing where the joints do not form one tree over all links; the findings then say why.
std::optional<Topology> find_topology(const urdf::Description& robot, Diagnostics& findings);

}  // namespace featherline::model
