// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/block_product.hpp>
#include <featherline/detail/dense_second_order.hpp>
#include <featherline/prepare.hpp>
#include <featherline/vector_loops.hpp>

/// M^-1 and products with it in straight-line vector code. It does what the routines of vector_loops.hpp with the same
/// names do, about three times as fast, in more code. The compiler unrolls it over the robot's tree
/// (detail/axis_tree.hpp), which it has to know: how many registers a row fills, and which of them hold zeros, are
/// template arguments.
///
/// M^-1 of a trunk with limbs is computed by dense blocks (detail/block_inverse.hpp). Where a vector has eight numbers,
/// this is even twice as fast. Where it has four (double with AVX), four limbs are computed in its lanes
/// (detail/limb_lanes.hpp).
namespace featherline::unrolled_inverse {

/// Scalars without vectors use the loops, and so do robots with more coordinates, or more pairs of them on one path. At
/// 1,100 pairs (a humanoid of 50 coordinates with hands) unrolled code takes 35 KB, a chain of 64 would take 160 KB.
inline constexpr int most_coordinates = 64, most_related_pairs = 1300;

template <class Tree, class S>
constexpr bool is_unrolled() {
  if constexpr (detail::PackOf<S>::width < 2 || Tree::nv < 2 || Tree::nv > most_coordinates) {
    return false;
  } else {
    return detail::num_related_pairs<Tree>() <= most_related_pairs;
  }
}

/// Steps up to which M^-1 is unrolled (detail::unrolled_steps()). Legs of a quadruped then take 200 ns instead of 290
/// with AVX2, and 15 KB instead of 7. Longer functions gain less than they lose in the instruction cache.
inline constexpr int max_unrolled_alone = 500, max_unrolled_in_parts = 150;

/// M of a function that only inverts it.
template <class Tree, class S>
using Inertia = std::conditional_t<detail::has_lanes_of_limbs<Tree, S>(), detail::InertiaInLanes<Tree, S>,
                                   S[Tree::nv * Tree::nv]>;

/// Makes those entries of M zero that the functions below read although the tree makes them zero. What they do with
/// blocks reads few of them, or none.
template <class Tree, class S>
FEATHERLINE_INLINE void clear_inertia(const Tree&, detail::InertiaInLanes<Tree, S>& M) {
  M.clear();
}
template <class Tree, class S>
FEATHERLINE_INLINE void clear_inertia(const Tree&, S* M) {
  if constexpr (detail::has_blocks<Tree, S>()) {
    detail::clear_beside_blocks<Tree>(M);
  } else {
    clear<Tree::nv * Tree::nv>(M);
  }
}

/// Minv = M^-1.
template <class Tree, class Matrix, class S>
void minv(const Tree& tree, Matrix&& M, S* Minv) {
  code_begins<Tree, S>();
  if constexpr (detail::has_blocks<Tree, S>()) {
    detail::BlockParts<Tree, S> parts;
    detail::invert_by_blocks<Tree, false>(M, Minv, parts);
  } else if constexpr (is_unrolled<Tree, S>()) {
    detail::AlignedRows<Tree::nv, S> inverse;
    detail::dense_inverse<Tree, max_unrolled_alone>(M, inverse, detail::CopyTo<Tree::nv, S>{Minv});
  } else {
    vector_loops::minv(tree, M, Minv);
  }
  code_ends<Tree, S>();
}

/// The same in less code, for functions in which M^-1 is one part of many.
template <class Tree, class Matrix, class S>
void inverse(const Tree& tree, Matrix&& M, S* Minv) {
  code_begins<Tree, S>();
  if constexpr (detail::has_blocks<Tree, S>()) {
    minv(tree, M, Minv);
  } else if constexpr (is_unrolled<Tree, S>()) {
    detail::AlignedRows<Tree::nv, S> inverse;
    detail::dense_inverse<Tree, max_unrolled_in_parts>(M, inverse, detail::CopyTo<Tree::nv, S>{Minv});
  } else {
    vector_loops::inverse(tree, M, Minv);
  }
  code_ends<Tree, S>();
}

/// The same, which also writes the parts of M^-1 that products of trunks with limbs use.
template <class Tree, class Matrix, class S>
void inverse(const Tree& tree, Matrix&& M, S* Minv, S* parts) {
  code_begins<Tree, S>();
  if constexpr (detail::has_blocks<Tree, S>()) {
    detail::invert_by_blocks<Tree, true>(M, Minv, detail::block_parts<Tree>(parts));
  } else {
    inverse(tree, M, Minv);
  }
  code_ends<Tree, S>();
}

/// x = Minv b.
template <class Tree, class S>
void solve(const Tree& tree, const S* Minv, const S* b, S* x) {
  code_begins<Tree, S>();
  if constexpr (is_unrolled<Tree, S>()) {
    detail::dense_solution<Tree>(Minv, b, x);
  } else {
    vector_loops::solve(tree, Minv, b, x);
  }
  code_ends<Tree, S>();
}

/// B = -Minv B. B has the zeros of the tree. They are not read.
template <class Tree, class S>
void negative_product(const Tree& tree, const S* Minv, S* B) {
  code_begins<Tree, S>();
  if constexpr (is_unrolled<Tree, S>()) {
    detail::AlignedRows<Tree::nv, S> inverse;
    inverse.assign(Minv);
    detail::negative_dense_product<Tree>(inverse, B, 0, B);
  } else {
    vector_loops::negative_product(tree, Minv, B);
  }
  code_ends<Tree, S>();
}

/// The same from the parts of M^-1.
template <class Tree, class S>
void negative_product(const Tree& tree, const S* Minv, S* parts, S* B) {
  code_begins<Tree, S>();
  if constexpr (detail::has_blocks<Tree, S>()) {
    detail::negative_block_product(detail::block_parts<Tree>(parts), B, 0, B);
  } else {
    negative_product(tree, Minv, B);
  }
  code_ends<Tree, S>();
}

/// First derivatives of forward dynamics, in place of those of inverse dynamics at the same acceleration. Zeros of the
/// tree are not read.
template <class Tree, class S>
void aba_derivatives(const Tree& tree, const S* Minv, S* dq, S* dv) {
  code_begins<Tree, S>();
  if constexpr (is_unrolled<Tree, S>()) {
    detail::AlignedRows<Tree::nv, S> inverse;
    inverse.assign(Minv);
    detail::negative_dense_product<Tree>(inverse, dq, 0, dq);
    detail::negative_dense_product<Tree>(inverse, dv, 0, dv);
  } else {
    vector_loops::aba_derivatives(tree, Minv, dq, dv);
  }
  code_ends<Tree, S>();
}

/// The same from the parts of M^-1.
template <class Tree, class S>
void aba_derivatives(const Tree& tree, const S* Minv, S* parts, S* dq, S* dv) {
  code_begins<Tree, S>();
  if constexpr (detail::has_blocks<Tree, S>()) {
    detail::negative_block_product(detail::block_parts<Tree>(parts), dq, 0, dq);
    detail::negative_block_product(detail::block_parts<Tree>(parts), dv, 0, dv);
  } else {
    aba_derivatives(tree, Minv, dq, dv);
  }
  code_ends<Tree, S>();
}

/// The same if the columns of the coordinates of a floating base are known (detail::put_base_columns()).
template <class Tree, class S>
void aba_derivatives_behind_base(const Tree& tree, const S* Minv, const S* base, S* dq, S* dv) {
  code_begins<Tree, S>();
  if constexpr (is_unrolled<Tree, S>()) {
    detail::AlignedRows<Tree::nv, S> inverse;
    inverse.assign(Minv);
    detail::negative_dense_product<Tree>(inverse, dq, detail::known_columns_dq, dq);
    detail::negative_dense_product<Tree>(inverse, dv, detail::known_columns_dv, dv);
    detail::put_base_columns(Tree::nv, base, dq, dv);
  } else {
    vector_loops::aba_derivatives_behind_base(tree, Minv, base, dq, dv);
  }
  code_ends<Tree, S>();
}

/// The same from the parts of M^-1.
template <class Tree, class S>
void aba_derivatives_behind_base(const Tree& tree, const S* Minv, S* parts, const S* base, S* dq, S* dv) {
  code_begins<Tree, S>();
  if constexpr (detail::has_blocks<Tree, S>()) {
    detail::negative_block_product(detail::block_parts<Tree>(parts), dq, detail::known_columns_dq, dq);
    detail::negative_block_product(detail::block_parts<Tree>(parts), dv, detail::known_columns_dv, dv);
    detail::put_base_columns(Tree::nv, base, dq, dv);
  } else {
    aba_derivatives_behind_base(tree, Minv, base, dq, dv);
  }
  code_ends<Tree, S>();
}

/// H from H_tau (algebra::solve_hessian).
template <class Tree, class S>
void aba_vector_hessian(const Tree& tree, const S* Minv, const S* dtau_dq, const S* dtau_dv, const S* P,
                        const S* H_tau, S* H) {
  code_begins<Tree, S>();
  if constexpr (is_unrolled<Tree, S>()) {
    constexpr int n = Tree::nv;
    detail::AlignedRows<n, S> rows;
    S qq[n * n], qv[n * n];
    rows.assign(Minv);
    detail::negative_dense_product<Tree>(rows, P, 0, qq);
    detail::transpose<n>(qq, rows);  // now -Q by columns
    detail::negative_dense_product<Tree>(rows, dtau_dq, 0, qq);
    detail::negative_dense_product<Tree>(rows, dtau_dv, 0, qv);
    detail::add_blocks<n>(H_tau, qq, qv, H);
  } else {
    vector_loops::aba_vector_hessian(tree, Minv, dtau_dq, dtau_dv, P, H_tau, H);
  }
  code_ends<Tree, S>();
}

/// The second derivatives of forward dynamics from those of inverse dynamics (algebra::solve_second_derivatives).
template <class Tree, class S>
void solve_second_derivatives(const Tree& tree, const S* Minv, const S* dtau_dq, const S* dtau_dv, S* dqdq,
                              S* dvdv, S* dqdv, S* dM_dq) {
  code_begins<Tree, S>();
  if constexpr (is_unrolled<Tree, S>()) {
    detail::SecondOrderSolution<Tree, S>(Minv, dtau_dq, dtau_dv).solve(dqdq, dvdv, dqdv, dM_dq);
  } else {
    vector_loops::solve_second_derivatives(tree, Minv, dtau_dq, dtau_dv, dqdq, dvdv, dqdv, dM_dq);
  }
  code_ends<Tree, S>();
}

}  // namespace featherline::unrolled_inverse
