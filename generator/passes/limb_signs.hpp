#pragma once

#include "ir/kernel.hpp"

namespace featherline::passes {

/// Left limbs mirror right ones, and hind limbs often front ones: their constants differ in signs. This pass computes a
/// value with the other sign in some limbs, as a frame that is a mirror image would have it. Constants are then equal in
/// all limbs, and products with signs vanish (hyq: 5 % of the flops of the first derivatives).
ir::Kernel mirror_limbs(const ir::Kernel& kernel);

}  // namespace featherline::passes
