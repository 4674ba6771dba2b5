#pragma once

#include "algorithms/common_frames.hpp"

namespace featherline::algorithms {

/// The bodies to give a frame of their own, by the flops of rnea_derivatives: coordinate descent from "one frame" and
/// from "every body its own", each body toggled in turn. Nothing matters more: ur5 takes 2,421 flops in the frame of the
/// ground, 947 in the chosen ones. The effort is bounded by the nodes traced, so that the result is the same on every
/// machine; very long chains keep body frames.
FrameRoots choose_frame_roots(const model::CanonicalTree& tree);

}  // namespace featherline::algorithms
