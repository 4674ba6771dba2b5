#pragma once

#include "ir/kernel.hpp"

/// Passes on the signs of values; they keep the meaning as those of simplify.hpp do.
namespace featherline::passes {

/// Moves negations into subtractions and constants until they vanish where that is possible.
ir::Kernel sink_negations(const ir::Kernel& kernel);

/// Flips the sign of values whose name then loses its "neg_" (w3_y instead of neg_w3_y), if this adds no operation.
ir::Kernel prefer_positive_names(const ir::Kernel& kernel);

/// Left limbs mirror right ones, and hind limbs often front ones: their constants differ in signs. This pass computes a
/// value with the other sign in some limbs, as a frame that is a mirror image would have it. Constants are then equal in
/// all limbs, and products with signs vanish (hyq: 5 % of the flops of the first derivatives).
ir::Kernel mirror_limbs(const ir::Kernel& kernel);

}  // namespace featherline::passes
