// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_first.hpp>
#include <featherline/detail/panel_hessian.hpp>
#include <featherline/detail/panel_second.hpp>
#include <featherline/prepare.hpp>

/// Derivatives of robots that are too large to unroll, in panels: four or eight degrees of freedom at a time, one
/// in each lane. The code is short, so that it stays in the instruction cache: straight-line code beyond 32 KB runs as
/// fast as it is fetched. Emitted code computes sines, cosines and the placements of rare joints. Everything else
/// happens here, from a table of the robot (detail/panel_tree.hpp), the first argument of every routine. Matrices are n
/// x n, column-major, n = tree.nv. Routines write the entries that may differ from zero, and leave all others. If
/// coupled joints share coordinates, routines add instead, to matrices that hold zeros first.
namespace featherline::panels {

/// First derivatives of inverse dynamics (paper 000, Algorithm 1), without friction. See detail::PanelInputs for
/// `joints`.
template <class Tree, class S>
void rnea_derivatives(const Tree& tree, const S* v, const S* a, const S* joints, S* dtau_dq, S* dtau_dv) {
  code_begins<Tree, S>();
  detail::PanelMotion<Tree, S, detail::row_width<Tree, S>> motion(tree);
  motion.compute({tree, v, a, joints});
  detail::FirstOrderPanels<Tree, S> panels(motion);
  panels.compute_forces();
  panels.write(dtau_dq, dtau_dv);
  code_ends<Tree, S>();
}

/// Adds d(k) to A(k, k) for all coordinates k.
template <class Tree, class S>
void add_to_diagonal(const Tree& tree, const S* d, S* A) {
  for (int k = 0; k < tree.nv; ++k) A[k * (tree.nv + 1)] = A[k * (tree.nv + 1)] + d[k];
}

/// Second derivatives of inverse dynamics (paper 002, Algorithm 1), without friction.
template <class Tree, class S>
void rnea_second_derivatives(const Tree& tree, const S* v, const S* a, const S* joints, S* dqdq, S* dvdv,
                             S* dqdv, S* dM_dq) {
  code_begins<Tree, S>();
  detail::PanelMotion<Tree, S, 4> motion(tree);
  motion.compute({tree, v, a, joints});
  if (tree.floating) motion.put_axes_of_base();
  detail::SecondOrderPanels<Tree, S> panels(motion, {dqdq, dvdv, dqdv, dM_dq});
  panels.compute_operators();
  panels.write();
  code_ends<Tree, S>();
}

/// Calls write(panels) with the panels of derivatives contracted with w.
template <class Tree, class S, class Write>
void with_hessian_panels(const Tree& tree, const S* v, const S* a, const S* w, const S* joints,
                         const Write& write) {
  detail::PanelMotion<Tree, S, 4> motion(tree);
  motion.compute_bodies({tree, v, a, joints});
  detail::HessianPanels<Tree, S> panels(motion, w);
  panels.compute_bodies();
  motion.add_subtrees();
  panels.compute_rates();
  write(panels);
}

/// Second derivatives of w^T tau with respect to (q, v), 2 n x 2 n, without friction.
template <class Tree, class S>
void rnea_vector_hessian(const Tree& tree, const S* v, const S* a, const S* w, const S* joints, S* H) {
  code_begins<Tree, S>();
  with_hessian_panels(tree, v, a, w, joints, [&](const auto& panels) { panels.write_hessian(H); });
  code_ends<Tree, S>();
}

/// d (M w)/dq. v and a are zeros.
template <class Tree, class S>
void mass_matrix_vector_derivative(const Tree& tree, const S* v, const S* a, const S* w, const S* joints,
                                   S* dMw_dq) {
  code_begins<Tree, S>();
  with_hessian_panels(tree, v, a, w, joints,
                      [&](const auto& panels) { panels.write_mass_matrix_derivative(dMw_dq); });
  code_ends<Tree, S>();
}

/// Adds w(k) d(k) to the second derivative of H with respect to v(k).
template <class Tree, class S>
void add_to_hessian(const Tree& tree, const S* d, const S* w, S* H) {
  const int n = tree.nv;
  for (int k = 0; k < n; ++k) H[(n + k) * (2 * n + 1)] = H[(n + k) * (2 * n + 1)] + w[k] * d[k];
}

/// Adds d(k) to T(k, k, k) for all coordinates k.
template <class Tree, class S>
void add_to_cube_diagonal(const Tree& tree, const S* d, S* T) {
  const int n = tree.nv, step = n * n + n + 1;
  for (int k = 0; k < n; ++k) T[k * step] = T[k * step] + d[k];
}

/// Brings the large arrays of the table into the caches, for prepare::F.
template <class Tree, class S>
void touch_table() {
  using Real = detail::TableReal<S>;
  const auto& placements = Tree::template placements<Real>;
  const auto& inertias = Tree::template inertias<Real>;
  touch<sizeof placements / sizeof(Real)>(&placements[0][0]);
  touch<sizeof inertias / sizeof(Real)>(&inertias[0][0]);
}

}  // namespace featherline::panels
