// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/matrix_loops.hpp>
#include <featherline/detail/second_order_loops.hpp>
#include <featherline/prepare.hpp>

/// Loops that compute derivatives and inverses of robots that are too large to unroll. Emitted code first computes
/// the arguments: motion and composites of all degrees of freedom, or the matrices that M^-1 is multiplied with. The
/// first argument of every routine is the robot's tree (detail/axis_tree.hpp). The innermost loops run in SIMD packs.
/// Matrices are n x n, column-major, n = tree.nv.
namespace featherline::vector_loops {

/// Second derivatives of inverse dynamics (paper 002, Algorithm 1, lines 12 to 74). All bodies of a path are
/// expressed in one frame.
///
///   tree        see detail/axis_tree.hpp
///   motion      detail::num_motion numbers for each of num_axes axes, component by component (detail::MotionRow)
///   operators   detail::num_operators numbers for each axis, axis by axis (detail::OperatorEntry)
///
/// It writes entries of axes that lie on one path. The others have to be zero before the call. If the tree is coupled,
/// it adds to the entries, and all of them have to be zero.
template <class Tree, class S>
void rnea_second_derivatives(const Tree& tree, const S* motion, const S* operators, S* dqdq, S* dvdv, S* dqdv,
                             S* dM_dq) {
  code_begins<Tree, S>();
  const detail::Tensors<S> T{{dqdq, dvdv, dqdv, dM_dq}, tree.nv};
  detail::AncestorPanel<Tree, S> panel(tree, motion);
  for (int p = 0; p < tree.num_axes; ++p) {
    if (p == 0 || tree.axes[p].first != tree.axes[p - 1].first) panel.gather(p);
    detail::write_axis(tree, panel, operators, p, T);
  }
  code_ends<Tree, S>();
}

/// Adds friction[k], the second derivative of the friction torque of coordinate k, to d2tau_dvdv(k, k, k).
template <class Tree, class S>
void add_friction(const Tree& tree, const S* friction, S*, S* dvdv, S*, S*) {
  code_begins<Tree, S>();
  const int n = tree.nv;
  for (int k = 0; k < n; ++k) dvdv[k + n * (k + n * k)] = dvdv[k + n * (k + n * k)] + friction[k];
  code_ends<Tree, S>();
}

/// Turns the second derivatives of inverse dynamics into those of forward dynamics at the same acceleration
/// (algebra::solve_second_derivatives). Inputs are M^-1, dtau_dq and dtau_dv, n x n. The four tensors are inputs and
/// outputs. dM_dq becomes d2a_dqdtau.
template <class Tree, class S>
void solve_second_derivatives(const Tree& tree, const S* Minv, const S* dtau_dq, const S* dtau_dv, S* dqdq,
                              S* dvdv, S* dqdv, S* dM_dq) {
  code_begins<Tree, S>();
  constexpr int n = detail::known_nv<Tree>();
  const auto& pattern = detail::pattern_of<detail::ZerosOf::tree>(tree);
  detail::InverseProducts<Tree, S> inverse(tree.nv, Minv);
  detail::PaddedColumn<n, S> x(detail::padded<S>(tree.nv));
  algebra::solve_second_derivatives(inverse, pattern, tree.nv, dtau_dq, dtau_dv, dqdq, dvdv, dqdv, dM_dq,
                                    x.data);
  code_ends<Tree, S>();
}

/// Minv = M^-1.
template <class Tree, class S>
void minv(const Tree& tree, const S* M, S* Minv) {
  code_begins<Tree, S>();
  detail::PaddedMatrix<detail::known_nv<Tree>(), S> inverse(tree.nv);
  detail::invert_inertia(detail::pattern_of<detail::ZerosOf::factor>(tree), M, inverse);
  inverse.copy_to(Minv);
  code_ends<Tree, S>();
}

/// The same. The unrolled routine of this name takes less code than `minv`.
template <class Tree, class S>
void inverse(const Tree& tree, const S* M, S* Minv) {
  code_begins<Tree, S>();
  minv(tree, M, Minv);
  code_ends<Tree, S>();
}

/// The same. The unrolled routine of this name also writes parts of M^-1, from which products are faster. The loops
/// here leave them as they are.
template <class Tree, class S>
void inverse(const Tree& tree, const S* M, S* Minv, S*) {
  code_begins<Tree, S>();
  minv(tree, M, Minv);
  code_ends<Tree, S>();
}

/// x = Minv b.
template <class Tree, class S>
void solve(const Tree& tree, const S* Minv, const S* b, S* x) {
  code_begins<Tree, S>();
  for (int i = 0; i < tree.nv; ++i) {
    x[i] = Minv[i] * b[0];
    for (int k = 1; k < tree.nv; ++k) x[i] = x[i] + Minv[k * tree.nv + i] * b[k];
  }
  code_ends<Tree, S>();
}

/// B = -Minv B. B has the zeros of the tree. They are not read.
template <class Tree, class S>
void negative_product(const Tree& tree, const S* Minv, S* B) {
  code_begins<Tree, S>();
  detail::PaddedMatrix<detail::known_nv<Tree>(), S> inverse(tree.nv);
  inverse.assign(Minv);
  detail::negative_product(inverse, detail::pattern_of<detail::ZerosOf::tree>(tree), B, 0, B);
  code_ends<Tree, S>();
}

template <class Tree, class S>
void negative_product(const Tree& tree, const S* Minv, S*, S* B) {
  code_begins<Tree, S>();
  negative_product(tree, Minv, B);
  code_ends<Tree, S>();
}

/// First derivatives of forward dynamics, in place of those of inverse dynamics at the same acceleration. Zeros of the
/// tree are not read.
template <class Tree, class S>
void aba_derivatives(const Tree& tree, const S* Minv, S* dq, S* dv) {
  code_begins<Tree, S>();
  const auto& pattern = detail::pattern_of<detail::ZerosOf::tree>(tree);
  detail::PaddedMatrix<detail::known_nv<Tree>(), S> inverse(tree.nv);
  inverse.assign(Minv);
  detail::negative_product(inverse, pattern, dq, 0, dq);
  detail::negative_product(inverse, pattern, dv, 0, dv);
  code_ends<Tree, S>();
}

template <class Tree, class S>
void aba_derivatives(const Tree& tree, const S* Minv, S*, S* dq, S* dv) {
  code_begins<Tree, S>();
  aba_derivatives(tree, Minv, dq, dv);
  code_ends<Tree, S>();
}

/// The same if the columns of the coordinates of a floating base are known (detail::put_base_columns()).
template <class Tree, class S>
void aba_derivatives_behind_base(const Tree& tree, const S* Minv, const S* base, S* dq, S* dv) {
  code_begins<Tree, S>();
  const auto& pattern = detail::pattern_of<detail::ZerosOf::tree>(tree);
  detail::PaddedMatrix<detail::known_nv<Tree>(), S> inverse(tree.nv);
  inverse.assign(Minv);
  detail::negative_product(inverse, pattern, dq, detail::known_columns_dq, dq);
  detail::negative_product(inverse, pattern, dv, detail::known_columns_dv, dv);
  detail::put_base_columns(tree.nv, base, dq, dv);
  code_ends<Tree, S>();
}

template <class Tree, class S>
void aba_derivatives_behind_base(const Tree& tree, const S* Minv, S*, const S* base, S* dq, S* dv) {
  code_begins<Tree, S>();
  aba_derivatives_behind_base(tree, Minv, base, dq, dv);
  code_ends<Tree, S>();
}

/// H: second derivatives of w^T a with respect to (q, v), 2 n x 2 n. H_tau: second derivatives of lambda^T tau, with
/// lambda = M^-1 w held constant. See algebra::solve_hessian.
template <class Tree, class S>
void aba_vector_hessian(const Tree& tree, const S* Minv, const S* dtau_dq, const S* dtau_dv, const S* P,
                        const S* H_tau, S* H) {
  code_begins<Tree, S>();
  constexpr int n = detail::known_nv<Tree>();
  const auto& pattern = detail::pattern_of<detail::ZerosOf::tree>(tree);
  detail::InverseProducts<Tree, S> inverse(tree.nv, Minv);
  detail::PaddedColumn<n, S> x(detail::padded<S>(tree.nv));
  algebra::solve_hessian(inverse, pattern, tree.nv, dtau_dq, dtau_dv, P, H_tau, H, x.data);
  code_ends<Tree, S>();
}

}  // namespace featherline::vector_loops
