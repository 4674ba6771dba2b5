// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// In which axes, and about which point, a Jacobian gives a link's spatial velocity [linear; angular].
enum class ReferenceFrame {
  local_world_aligned,  ///< velocity of the link frame's origin, in world axes
  local,                ///< velocity of the link frame's origin, in the link's axes
  world,                ///< velocity of the body point that coincides with the world's origin, in world axes
};

}  // namespace featherline
