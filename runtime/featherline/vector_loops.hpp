#pragma once

#include <featherline/detail/pack.hpp>
#include <featherline/detail/second_order_pairs.hpp>
#include <featherline/detail/small_matrix.hpp>

#include <initializer_list>

/// The part of second-order derivatives that is loops instead of straight-line code where a robot is too large to
/// unroll: emitted code computes motion and composites of all degrees of freedom, link by link, and hands them over.
/// Indices come from a table of the robot's tree (AxisInfo); the innermost loop runs over ancestors, in SIMD packs.
namespace featherline::vector_loops {

/// Second derivatives of inverse dynamics (paper 002, Algorithm 1, lines 12 to 74), the bodies of a path in one frame.
///
/// `tree`: nv, num_axes, max_path, coupled, axes[] (see AxisInfo), multipliers[]. `motion`: num_motion numbers for each
/// of num_axes axes, component by component; `operators`: num_operators numbers for each axis, axis by axis (see MotionRow and
/// OperatorEntry). The four tensors are written whole.
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
/// In: Minv, dtau_dq, dtau_dv, n x n. In and out: the four tensors; dM_dq becomes d2a_dqdtau.
template <class Tree, class S>
void solve_second_derivatives(const Tree& tree, const S* Minv, const S* dtau_dq, const S* dtau_dv, S* dqdq,
                              S* dvdv, S* dqdv, S* dM_dq) {
  constexpr int n = Tree::nv, n2 = n * n;
  const detail::Related<n> related(tree);
  detail::PaddedMatrix<n, S> inverse, Y;
  S x[detail::PaddedMatrix<n, S>::stride];
  inverse.assign(Minv);
  // T(:, j, k) = -M^-1 T(:, j, k); the i on a path with j and k are among those with either.
  for (S* T : {dqdq, dvdv, dqdv}) {
    for (int k = 0; k < n; ++k) {
      for (int m = 0; m < related.count[k]; ++m) {
        S* column = T + n2 * k + n * related.list[k][m];
        detail::combine(inverse, column, related.list[k], related.count[k], x);
        for (int i = 0; i < n; ++i) column[i] = -x[i];
      }
    }
  }
  for (int j = 0; j < n; ++j) {
    S* slice = dM_dq + n2 * j;
    detail::sandwich(inverse, slice, related, j, Y);
    for (int k = 0; k < n; ++k) {
      S *jk = dqdq + n * j + n2 * k, *kj = dqdq + n * k + n2 * j, *mixed = dqdv + n * j + n2 * k;
      detail::combine(Y, dtau_dq + n * k, related.list[k], related.count[k], x);
      for (int i = 0; i < n; ++i) jk[i] = jk[i] + x[i];
      for (int i = 0; i < n; ++i) kj[i] = kj[i] + x[i];
      detail::combine(Y, dtau_dv + n * k, related.list[k], related.count[k], x);
      for (int i = 0; i < n; ++i) mixed[i] = mixed[i] + x[i];
    }
  }
  detail::swap_last_two_and_negate<n>(dM_dq);
}

}  // namespace featherline::vector_loops
