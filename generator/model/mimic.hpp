#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <vector>

namespace featherline::model {

/// coordinate = multiplier * (coordinate of `driver`) + offset
struct Coupling {
  int driver = -1;  ///< joint index; -1: the joint has a coordinate of its own
  double multiplier = 1.0;
  double offset = 0.0;
};

/// The coupling of every joint to the joint at the end of its chain of <mimic>s. Errors: unknown joint, cycle,
/// and a mimic or driver that has not exactly one coordinate. Warns of <mimic> on a fixed joint and ignores it.
std::vector<Coupling> resolve_mimics(const urdf::Description& robot, Diagnostics& findings);

}  // namespace featherline::model
