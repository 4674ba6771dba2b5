#pragma once

#include "ir/kernel.hpp"

/// Passes on the signs of values; they keep the meaning as those of simplify.hpp do.
namespace featherline::passes {

/// Moves negations into subtractions and constants until they vanish where that is possible.
ir::Kernel sink_negations(const ir::Kernel& kernel);

/// Flips the sign of values whose name then loses its "neg_" (w3_y instead of neg_w3_y), if this adds no operation.
ir::Kernel prefer_positive_names(const ir::Kernel& kernel);

}  // namespace featherline::passes
