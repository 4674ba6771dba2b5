#pragma once

#include "emit/emit.hpp"

#include <vector>

namespace featherline::emit {

/// Estimated bytes of code and constants that all functions put into one image. It is less than their sum where they
/// share tables and the walk over them, more where they share sincos, which on Cortex-M no function counts as its own.
/// Without what the C library adds.
int image_bytes(const Request& request, const std::vector<FunctionFacts>& facts);

}  // namespace featherline::emit
