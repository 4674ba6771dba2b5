// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/held_rows.hpp>
#include <featherline/unrolled_inverse.hpp>

/// Derivatives of inverse dynamics under m rows of constraints. Emitted code computes the inputs (detail::HeldInputs).
namespace featherline::constrained_inverse {

/// `free`: the coordinates without motors.
template <int m, int... free, class Tree, class S>
void columns(const Tree& tree, const S* rows, const S* forces, const S* residual, const S* shift,
             const S* b_q, const S* b_v, const S* b_a, S* dtau_dq, S* dtau_dv, S* dtau_da, S* dlambda_dq,
             S* dlambda_dv, S* dlambda_da) {
  code_begins<Tree, S>();
  static constexpr int coordinates[] = {free...};
  const detail::HeldInputs<S> in{rows, forces, residual, shift, {b_q, b_v, b_a}};
  const detail::HeldOutputs<S> to{{dtau_dq, dtau_dv, dtau_da}, {dlambda_dq, dlambda_dv, dlambda_da}};
  if constexpr (unrolled_inverse::is_unrolled<Tree, S>()) {
    detail::HeldRows<m, static_cast<int>(sizeof...(free)), Tree, S>().run(coordinates, in, to);
  } else {
    S reach[sizeof...(free) * Tree::nv];
    detail::held_loops(m, tree.nv, static_cast<int>(sizeof...(free)), coordinates, in, to, reach);
  }
  code_ends<Tree, S>();
}

}  // namespace featherline::constrained_inverse
