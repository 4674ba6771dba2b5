// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/constrained_blocks.hpp>
#include <featherline/detail/constrained_rows.hpp>
#include <featherline/unrolled_inverse.hpp>

/// Derivatives of dynamics under m rows of constraints. Emitted code computes the inputs (detail::ConstrainedInputs),
/// and says of each row which coordinate is the last one on the way to its link. da_dq and da_dv hold the derivatives
/// of inverse dynamics. Zeros of the tree are not read.
namespace featherline::constrained_derivatives {

template <class Ends, bool behind_base, class Tree, class S, class Matrix>
FEATHERLINE_INLINE void solve(const Tree& tree, Matrix& M, const detail::ConstrainedInputs<S>& in,
                              const detail::ConstrainedOutputs<S>& to) {
  constexpr int m = Ends::count;
  if constexpr (detail::has_blocks<Tree, S>() && !Tree::coupled) {
    detail::ConstrainedBlocks<Ends, behind_base, Tree, S> blocks;
    blocks.run(M, in, to);
  } else {
    // Emitted code writes and clears M for this inverse, which takes loops where nothing else fits.
    unrolled_inverse::inverse(tree, M, to.da_dtau);
    if constexpr (unrolled_inverse::is_unrolled<Tree, S>()) {
      detail::ConstrainedRows<m, Tree, S> rows;
      rows.run(in, to, behind_base);
    } else {
      detail::ConstrainedLoops<m, Tree, S> loops(tree, m);
      loops.run(in, to, behind_base);
    }
  }
}

/// `ends`: by row.
template <int m, int... ends, class Tree, class Matrix, class S>
void columns(const Tree& tree, Matrix&& M, const S* rows, const S* factor, const S* world, const S* force,
             const S* k_q, const S* k_v, const S* turned, S* da_dq, S* da_dv, S* da_dtau, S* dlambda_dq,
             S* dlambda_dv, S* dlambda_dtau) {
  code_begins<Tree, S>();
  solve<detail::LastCoordinates<ends...>, false, Tree, S>(
      tree, M, {rows, factor, world, force, k_q, k_v, turned, nullptr},
      {da_dq, da_dv, da_dtau, dlambda_dq, dlambda_dv, dlambda_dtau});
  code_ends<Tree, S>();
}
/// The same for a floating base.
template <int m, int... ends, class Tree, class Matrix, class S>
void columns_behind_base(const Tree& tree, Matrix&& M, const S* rows, const S* factor, const S* world,
                         const S* force, const S* k_q, const S* k_v, const S* turned, const S* base, S* da_dq,
                         S* da_dv, S* da_dtau, S* dlambda_dq, S* dlambda_dv, S* dlambda_dtau) {
  code_begins<Tree, S>();
  solve<detail::LastCoordinates<ends...>, true, Tree, S>(
      tree, M, {rows, factor, world, force, k_q, k_v, turned, base},
      {da_dq, da_dv, da_dtau, dlambda_dq, dlambda_dv, dlambda_dtau});
  code_ends<Tree, S>();
}

}  // namespace featherline::constrained_derivatives
