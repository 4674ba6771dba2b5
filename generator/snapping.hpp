#pragma once

#include "expr/function.hpp"
#include "model/tree.hpp"

#include <optional>

namespace featherline {

/// What the algorithms trace. Files write quarter turns as 1.57079632679, five parts in 10^12 off, and that hides zeros
/// which make up to a third of the operations (baxter's mass matrix: 894 flops, 1330 without them). So every function
/// is traced twice, with the angles as written and with exact quarter turns, and the shorter one is taken only if its
/// results are the same for all practical purposes: see agree().
struct TracingTrees {
  model::Tree exact;
  std::optional<model::Tree> snapped;  ///< absent where there is nothing to snap
};

/// Largest deviation that is taken for the sake of fewer operations, relative as everywhere: max |x - ref| /
/// max(1, max |ref|). The promise to the user is 1e-10. A badly conditioned robot goes beyond it in forward dynamics
/// (tiago: 1.4e-9) and keeps its angles as written there.
inline constexpr double allowed_deviation = 5e-11;
/// Of the Coriolis matrix, whose entries are multiplied with velocities: C v amplifies their deviation.
inline constexpr double allowed_coriolis_deviation = 1e-11;

/// Whether both functions give the same outputs within what is allowed at states of a fixed sequence: 300 for small
/// functions, fewer for large ones.
bool agree(const expr::Function& snapped, const expr::Function& exact, const model::Tree& tree);

}  // namespace featherline
