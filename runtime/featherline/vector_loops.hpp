// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/matrix_loops.hpp>
#include <featherline/detail/second_order_loops.hpp>

/// Loops that compute derivatives and inverses of robots that are too large to unroll. Emitted code first computes
/// the arguments: motion and composites of all degrees of freedom, or the matrices that M^-1 is multiplied with. The
/// first argument of every routine is a table of the robot's tree (AxisInfo). The innermost loops run in SIMD packs.
/// Matrices are n x n, column-major, n = Tree::nv.
namespace featherline::vector_loops {

/// Second derivatives of inverse dynamics (paper 002, Algorithm 1, lines 12 to 74). All bodies of a path are
/// expressed in one frame.
///
///   tree        nv, num_axes, max_path, coupled, axes[] (AxisInfo), multipliers[]
///   motion      detail::num_motion numbers for each of num_axes axes, component by component (detail::MotionRow)
///   operators   detail::num_operators numbers for each axis, axis by axis (detail::OperatorEntry)
///
/// It writes entries of axes that lie on one path. The others have to be zero before the call. If the tree is coupled,
/// it adds to the entries, and all of them have to be zero.
template <class Tree, class S>
void rnea_second_derivatives(const Tree& tree, const S* motion, const S* operators, S* dqdq, S* dvdv, S* dqdv,
                             S* dM_dq) {
  const detail::Tensors<S> T{{dqdq, dvdv, dqdv, dM_dq}, tree.nv};
  detail::AncestorPanel<Tree, S> panel(tree, motion);
  for (int p = 0; p < tree.num_axes; ++p) {
    if (p == 0 || tree.axes[p].first != tree.axes[p - 1].first) panel.gather(p);
    detail::write_axis(tree, panel, operators, p, T);
  }
}

/// Adds friction[k], the second derivative of the friction torque of coordinate k, to d2tau_dvdv(k, k, k).
template <class Tree, class S>
void add_friction(const Tree&, const S* friction, S*, S* dvdv, S*, S*) {
  constexpr int n = Tree::nv;
  for (int k = 0; k < n; ++k) dvdv[k + n * (k + n * k)] = dvdv[k + n * (k + n * k)] + friction[k];
}

/// Turns the second derivatives of inverse dynamics into those of forward dynamics at the same acceleration
/// (algebra::solve_second_derivatives). Inputs are M^-1, dtau_dq and dtau_dv, n x n. The four tensors are inputs and
/// outputs. dM_dq becomes d2a_dqdtau.
template <class Tree, class S>
void solve_second_derivatives(const Tree&, const S* Minv, const S* dtau_dq, const S* dtau_dv, S* dqdq,
                              S* dvdv, S* dqdv, S* dM_dq) {
  constexpr int n = Tree::nv;
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::InverseProducts<n, S> inverse(Minv);
  S x[detail::PaddedMatrix<n, S>::stride];
  algebra::solve_second_derivatives(inverse, pattern, n, dtau_dq, dtau_dv, dqdq, dvdv, dqdv, dM_dq, x);
}

/// Minv = M^-1.
template <class Tree, class S>
void minv(const Tree&, const S* M, S* Minv) {
  constexpr int n = Tree::nv;
  detail::PaddedMatrix<n, S> inverse;
  detail::invert_inertia(detail::tree_pattern<Tree>(), M, inverse);
  inverse.copy_to(Minv);
}

/// The same. Dense kernels of this name take less code than `minv`.
template <class Tree, class S>
void inverse(const Tree& tree, const S* M, S* Minv) {
  minv(tree, M, Minv);
}

/// x = Minv b.
template <class Tree, class S>
void solve(const Tree&, const S* Minv, const S* b, S* x) {
  for (int i = 0; i < Tree::nv; ++i) {
    x[i] = Minv[i] * b[0];
    for (int k = 1; k < Tree::nv; ++k) x[i] = x[i] + Minv[k * Tree::nv + i] * b[k];
  }
}

/// B = -Minv B. B has the zeros of the tree. They are not read.
template <class Tree, class S>
void negative_product(const Tree&, const S* Minv, S* B) {
  detail::PaddedMatrix<Tree::nv, S> inverse;
  inverse.assign(Minv);
  detail::negative_product(inverse, detail::tree_pattern<Tree>(), B, 0, B);
}

/// First derivatives of forward dynamics, in place of those of inverse dynamics at the same acceleration. Zeros of the
/// tree are not read.
template <class Tree, class S>
void aba_derivatives(const Tree&, const S* Minv, S* dq, S* dv) {
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::PaddedMatrix<Tree::nv, S> inverse;
  inverse.assign(Minv);
  detail::negative_product(inverse, pattern, dq, 0, dq);
  detail::negative_product(inverse, pattern, dv, 0, dv);
}

/// The same if the columns of the coordinates of a floating base are known (detail::put_base_columns()).
template <class Tree, class S>
void aba_derivatives_behind_base(const Tree&, const S* Minv, const S* base, S* dq, S* dv) {
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::PaddedMatrix<Tree::nv, S> inverse;
  inverse.assign(Minv);
  detail::negative_product(inverse, pattern, dq, detail::known_columns_dq, dq);
  detail::negative_product(inverse, pattern, dv, detail::known_columns_dv, dv);
  detail::put_base_columns<Tree::nv>(base, dq, dv);
}

/// H: second derivatives of w^T a with respect to (q, v), 2 n x 2 n. H_tau: second derivatives of lambda^T tau, with
/// lambda = M^-1 w held constant. See algebra::solve_hessian.
template <class Tree, class S>
void aba_vector_hessian(const Tree&, const S* Minv, const S* dtau_dq, const S* dtau_dv, const S* P,
                        const S* H_tau, S* H) {
  constexpr int n = Tree::nv;
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::InverseProducts<n, S> inverse(Minv);
  S x[detail::PaddedMatrix<n, S>::stride];
  algebra::solve_hessian(inverse, pattern, n, dtau_dq, dtau_dv, P, H_tau, H, x);
}

}  // namespace featherline::vector_loops
