// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_first.hpp>

/// Derivatives of robots that are too large to unroll, in panels: four degrees of freedom at a time, one in each lane.
/// The code is short, so that it stays in the instruction cache: straight-line code beyond 32 KB runs as fast as it is
/// fetched. Emitted code computes sines, cosines and the placements of rare joints. Everything else happens here, from a
/// table of the robot (detail/panel_tree.hpp), the first argument of every routine. Matrices are n x n, column-major,
/// n = Tree::nv. Routines write the entries that may differ from zero, and leave all others.
namespace featherline::panels {

/// First derivatives of inverse dynamics (paper 000, Algorithm 1), without friction. See detail::PanelInputs for
/// `joints`.
template <class Tree, class S>
void rnea_derivatives(const Tree&, const S* v, const S* a, const S* joints, S* dtau_dq, S* dtau_dv) {
  detail::PanelMotion<Tree, S> motion;
  motion.compute({v, a, joints});
  detail::FirstOrderPanels<Tree, S> panels(motion);
  panels.compute_forces();
  panels.write(dtau_dq, dtau_dv);
}

/// Adds d(k) to A(k, k) for all coordinates k.
template <class Tree, class S>
void add_to_diagonal(const Tree&, const S* d, S* A) {
  for (int k = 0; k < Tree::nv; ++k) A[k * (Tree::nv + 1)] = A[k * (Tree::nv + 1)] + d[k];
}

}  // namespace featherline::panels
