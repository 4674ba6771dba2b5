#pragma once

#include "cli/options.hpp"
#include "pipeline.hpp"

namespace featherline::cli {

/// Throws InputError naming every function whose estimate exceeds --max-stack or --max-code, and all of them where
/// together they exceed --max-image.
void check_budgets(const Options& options, const Emission& emission);

}  // namespace featherline::cli
