// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/inverse_inertia.hpp>
#include <featherline/detail/second_order_entries.hpp>

#include <initializer_list>

/// The part of derivatives and inverses that is loops instead of straight-line code where a robot is too large to
/// unroll: emitted code computes motion and composites of all degrees of freedom, or the matrices that multiply M^-1,
/// and hands them over. Indices come from a table of the robot's tree (AxisInfo), which every routine takes first; the
/// innermost loops run in SIMD packs. Matrices are n x n, column-major, n = Tree::nv.
namespace featherline::vector_loops {

/// Second derivatives of inverse dynamics (paper 002, Algorithm 1, lines 12 to 74), the bodies of a path in one frame.
///
/// `tree`: nv, num_axes, max_path, coupled, axes[] (see AxisInfo), multipliers[]. `motion`: num_motion numbers for each
/// of num_axes axes, component by component; `operators`: num_operators numbers for each axis, axis by axis (see
/// detail::MotionRow and detail::OperatorEntry). The four tensors are written whole.
template <class Tree, class S>
void rnea_second_derivatives(const Tree& tree, const S* motion, const S* operators, S* dqdq, S* dvdv, S* dqdv,
                             S* dM_dq) {
  const detail::Tensors<S> T{dqdq, dvdv, dqdv, dM_dq, tree.nv};
  T.clear();
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

/// Second derivatives of forward dynamics, in place of those of inverse dynamics at the same acceleration:
///   d2a_dqdq(:, j, k) = -M^-1 tau_qq(:, j, k) + Y_j tau_q(:, k) + Y_k tau_q(:, j), Y_j = M^-1 (dM/dq_j) M^-1,
/// and so on (derivation: generator/algorithms/forward_second_derivatives.hpp).
///
/// In: M, dtau_dq, dtau_dv, n x n. In and out: the four tensors; dM_dq becomes d2a_dqdtau.
template <class Tree, class S>
void solve_second_derivatives(const Tree&, const S* M, const S* dtau_dq, const S* dtau_dv, S* dqdq, S* dvdv,
                              S* dqdv, S* dM_dq) {
  constexpr int n = Tree::nv, n2 = n * n;
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::PaddedMatrix<n, S> inverse, Y;
  S x[detail::PaddedMatrix<n, S>::stride];
  detail::invert_inertia(pattern, M, inverse);
  // T(:, j, k) = -M^-1 T(:, j, k); the i on a path with j and k are among those with either.
  for (S* T : {dqdq, dvdv, dqdv}) {
    for (int k = 0; k < n; ++k) {
      const detail::Indices related = pattern.related(k);
      for (int m = 0; m < related.count; ++m) {
        S* column = T + n2 * k + n * related[m];
        detail::combine(inverse, column, related, x);
        for (int i = 0; i < n; ++i) column[i] = -x[i];
      }
    }
  }
  for (int j = 0; j < n; ++j) {
    S* slice = dM_dq + n2 * j;
    detail::sandwich(inverse, slice, pattern.related(j), Y);
    for (int k = 0; k < n; ++k) {
      S *jk = dqdq + n * j + n2 * k, *kj = dqdq + n * k + n2 * j, *mixed = dqdv + n * j + n2 * k;
      detail::combine(Y, dtau_dq + n * k, pattern.related(k), x);
      for (int i = 0; i < n; ++i) jk[i] = jk[i] + x[i];
      for (int i = 0; i < n; ++i) kj[i] = kj[i] + x[i];
      detail::combine(Y, dtau_dv + n * k, pattern.related(k), x);
      for (int i = 0; i < n; ++i) mixed[i] = mixed[i] + x[i];
    }
  }
  detail::swap_last_two_and_negate<n>(dM_dq);
}

/// Minv = M^-1.
template <class Tree, class S>
void minv(const Tree&, const S* M, S* Minv) {
  constexpr int n = Tree::nv;
  detail::PaddedMatrix<n, S> inverse;
  detail::invert_inertia(detail::tree_pattern<Tree>(), M, inverse);
  inverse.copy_to(Minv);
}

/// First derivatives of forward dynamics from those of inverse dynamics at the same acceleration:
///   da_dq = -M^-1 dtau_dq, da_dv = -M^-1 dtau_dv, da_dtau = M^-1.
template <class Tree, class S>
void aba_derivatives(const Tree&, const S* M, const S* dtau_dq, const S* dtau_dv, S* da_dq, S* da_dv,
                     S* da_dtau) {
  constexpr int n = Tree::nv;
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::PaddedMatrix<n, S> inverse;
  detail::invert_inertia(pattern, M, inverse);
  detail::negative_product(inverse, pattern, dtau_dq, da_dq);
  detail::negative_product(inverse, pattern, dtau_dv, da_dv);
  inverse.copy_to(da_dtau);
}

/// d(M^-1 w)/dq = -M^-1 P with P(j, k) = d(M lambda)_j / dq_k and lambda = M^-1 w held.
template <class Tree, class S>
void minv_vector_derivative(const Tree&, const S* M, const S* P, S* dMinvw_dq) {
  constexpr int n = Tree::nv;
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::PaddedMatrix<n, S> inverse;
  detail::invert_inertia(pattern, M, inverse);
  detail::negative_product(inverse, pattern, P, dMinvw_dq);
}

/// Second derivatives of w^T a with respect to (q, v), 2 n x 2 n, from H_tau, those of lambda^T tau with lambda = M^-1 w
/// (generator/algorithms/forward_second_derivatives.hpp):
///   H_qq = -H_tau_qq + Q dtau_dq + (Q dtau_dq)^T, H_qv = -H_tau_qv + Q dtau_dv, H_vv = -H_tau_vv, Q = P^T M^-1.
template <class Tree, class S>
void aba_vector_hessian(const Tree&, const S* M, const S* dtau_dq, const S* dtau_dv, const S* P,
                        const S* H_tau, S* H) {
  constexpr int n = Tree::nv, n2 = 2 * n, stride = detail::PaddedMatrix<n, S>::stride;
  const auto& pattern = detail::tree_pattern<Tree>();
  detail::PaddedMatrix<n, S> inverse, Q;
  S x[stride];
  detail::invert_inertia(pattern, M, inverse);
  for (int k = 0; k < n; ++k) {  // row k of Q
    detail::combine(inverse, P + n * k, pattern.related(k), x);
    for (int m = 0; m < n; ++m) Q.data[stride * m + k] = x[m];
  }
  Q.clear_padding();
  for (int e = 0; e < n2 * n2; ++e) H[e] = -H_tau[e];
  for (int k = 0; k < n; ++k) {
    detail::combine(Q, dtau_dq + n * k, pattern.related(k), x);
    for (int j = 0; j < n; ++j) H[n2 * k + j] = H[n2 * k + j] + x[j];
    for (int j = 0; j < n; ++j) H[n2 * j + k] = H[n2 * j + k] + x[j];
    detail::combine(Q, dtau_dv + n * k, pattern.related(k), x);
    for (int j = 0; j < n; ++j) H[n2 * (n + k) + j] = H[n2 * (n + k) + j] + x[j];
    for (int j = 0; j < n; ++j) H[n2 * j + n + k] = H[n2 * j + n + k] + x[j];
  }
}

}  // namespace featherline::vector_loops
