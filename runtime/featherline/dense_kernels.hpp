// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/dense_second_order.hpp>
#include <featherline/vector_loops.hpp>

/// M^-1 and products with it in straight-line vector code. It does what the routines of vector_loops.hpp with the same
/// names do, about three times as fast, in more code. The compiler unrolls it over the robot's tree.
namespace featherline::dense_kernels {

/// Scalars without vectors use the loops, and so do robots with more coordinates, or more pairs of them on one path. At
/// 1,100 pairs (a humanoid of 50 coordinates with hands) kernels take 35 KB, a chain of 64 would take 160 KB.
inline constexpr int most_coordinates = 64, most_related_pairs = 1300;

template <class Tree, class S>
constexpr bool is_unrolled() {
  if constexpr (detail::PackOf<S>::width < 2 || Tree::nv < 2 || Tree::nv > most_coordinates) {
    return false;
  } else if constexpr (detail::is_known_tree<Tree>) {
    return detail::num_related_pairs<Tree>() <= most_related_pairs;
  } else {
    return true;
  }
}

/// Steps up to which M^-1 is unrolled (detail::unrolled_steps()). Legs of a quadruped then take 200 ns instead of 290
/// with AVX2, and 15 KB instead of 7. Longer functions gain less than they lose in the instruction cache.
inline constexpr int max_unrolled_alone = 500, max_unrolled_in_parts = 150;

/// Minv = M^-1.
template <class Tree, class S>
void minv(const Tree& tree, const S* M, S* Minv) {
  if constexpr (is_unrolled<Tree, S>()) {
    constexpr int n = Tree::nv;
    detail::AlignedRows<n, S> inverse;
    detail::dense_inverse<Tree, max_unrolled_alone>(M, inverse, detail::CopyTo<n, S>{Minv});
  } else {
    vector_loops::minv(tree, M, Minv);
  }
}

/// First derivatives of forward dynamics from those of inverse dynamics at the same acceleration.
template <class Tree, class S>
void aba_derivatives(const Tree& tree, const S* M, const S* dtau_dq, const S* dtau_dv, S* da_dq, S* da_dv,
                     S* da_dtau) {
  if constexpr (is_unrolled<Tree, S>()) {
    constexpr int n = Tree::nv;
    detail::AlignedRows<n, S> inverse;
    detail::dense_inverse<Tree, max_unrolled_in_parts>(M, inverse, detail::CopyTo<n, S>{da_dtau});
    detail::negative_dense_product<Tree>(inverse, dtau_dq, da_dq);
    detail::negative_dense_product<Tree>(inverse, dtau_dv, da_dv);
  } else {
    vector_loops::aba_derivatives(tree, M, dtau_dq, dtau_dv, da_dq, da_dv, da_dtau);
  }
}

/// d(M^-1 w)/dq = -M^-1 P.
template <class Tree, class S>
void minv_vector_derivative(const Tree& tree, const S* M, const S* P, S* dMinvw_dq) {
  if constexpr (is_unrolled<Tree, S>()) {
    detail::AlignedRows<Tree::nv, S> inverse;
    detail::dense_inverse<Tree, max_unrolled_in_parts>(M, inverse, detail::NoCopy<S>{});
    detail::negative_dense_product<Tree>(inverse, P, dMinvw_dq);
  } else {
    vector_loops::minv_vector_derivative(tree, M, P, dMinvw_dq);
  }
}

/// H from H_tau (algebra::solve_hessian).
template <class Tree, class S>
void aba_vector_hessian(const Tree& tree, const S* M, const S* dtau_dq, const S* dtau_dv, const S* P,
                        const S* H_tau, S* H) {
  if constexpr (is_unrolled<Tree, S>()) {
    constexpr int n = Tree::nv;
    detail::AlignedRows<n, S> rows;
    S qq[n * n], qv[n * n];
    detail::dense_inverse<Tree, max_unrolled_in_parts>(M, rows, detail::NoCopy<S>{});
    detail::negative_dense_product<Tree>(rows, P, qq);
    detail::transpose<n>(qq, rows);  // now -Q by columns
    detail::negative_dense_product<Tree>(rows, dtau_dq, qq);
    detail::negative_dense_product<Tree>(rows, dtau_dv, qv);
    detail::add_blocks<n>(H_tau, qq, qv, H);
  } else {
    vector_loops::aba_vector_hessian(tree, M, dtau_dq, dtau_dv, P, H_tau, H);
  }
}

/// The second derivatives of forward dynamics from those of inverse dynamics (algebra::solve_second_derivatives).
template <class Tree, class S>
void solve_second_derivatives(const Tree& tree, const S* M, const S* dtau_dq, const S* dtau_dv, S* dqdq,
                              S* dvdv, S* dqdv, S* dM_dq) {
  if constexpr (is_unrolled<Tree, S>()) {
    detail::SecondOrderSolution<Tree, S>(M, dtau_dq, dtau_dv).solve(dqdq, dvdv, dqdv, dM_dq);
  } else {
    vector_loops::solve_second_derivatives(tree, M, dtau_dq, dtau_dv, dqdq, dvdv, dqdv, dM_dq);
  }
}

}  // namespace featherline::dense_kernels
