#pragma once

#include "emit/emit.hpp"

#include <vector>

namespace featherline::emit {

/// Estimated bytes of code and constants of all functions in one image, without the C library. It differs from the
/// sum over the functions: tables and the walk to a link count once, and so does sincos on Cortex-M, which no
/// function includes.
int image_bytes(const Request& request, const std::vector<FunctionFacts>& facts);

}  // namespace featherline::emit
