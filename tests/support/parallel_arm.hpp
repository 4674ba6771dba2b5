#pragma once

#include "description/description.hpp"

#include <cstdint>
#include <vector>

namespace featherline::test {

/// Serial arms whose joint axes are parallel but for a tilt, the way rounded angles leave them.
struct ParallelArm {
  std::uint64_t seed = 0;
  int joints = 4;
  /// [rad] between each axis and the next, about a random direction normal to it. 0: exactly parallel, with the same
  /// lengths, masses and directions as with any other tilt.
  double tilt = 0.0;
  /// Axes along y and origins turned by rpy="half_turn 0 0", as people write half turns; 0: axes along z, no half
  /// turns.
  double half_turn = 0.0;
  double prismatic = 0.0;  ///< probability that a joint slides along its axis instead of turning about it
};

description::Description parallel_arm(const ParallelArm& options);

/// Half turns as files have them.
inline const std::vector<double> rounded_half_turns{3.14, 3.141, 3.1416, 3.14159, 3.141592, 3.1415926};

}  // namespace featherline::test
