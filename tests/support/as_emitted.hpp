#pragma once

#include "pipeline.hpp"
#include "verified_lowering.hpp"

#include <vector>

namespace featherline::test {

/// The programs that emit_robot() prints: traced, chosen, simplified, scheduled and judged as it does.
inline std::vector<emit::FunctionRequest> lower_as_emitted(const Robot& robot, const EmitOptions& options) {
  return lower_verified(robot, options, {}).functions;
}

}  // namespace featherline::test
