#pragma once

#include <featherline/detail/second_order_pairs.hpp>

/// Products of n x n matrices with the zeros of a branching tree, for vector_loops.hpp.
namespace featherline::detail {

/// By coordinate: the coordinates on one path with it, itself included. Where j and k are on no common path, M(j, k),
/// d tau_j / d q_k and T(., j, k) are zero.
template <int N>
struct Related {
  int count[N];
  int list[N][N];

  template <class Tree>
  explicit Related(const Tree& tree) {
    bool on_a_path[N][N] = {};
    for (int p = 0; p < tree.num_axes; ++p) {
      for (int t = p; t >= 0; t = tree.axes[t].parent) {
        const AxisInfo& joint = tree.axes[t];
        for (int c = 0; c < joint.count; ++c) {
          const int j = tree.axes[p].idx_v, k = tree.axes[joint.first + c].idx_v;
          on_a_path[j][k] = on_a_path[k][j] = true;
        }
      }
    }
    for (int j = 0; j < N; ++j) {
      count[j] = 0;
      for (int k = 0; k < N; ++k) {
        if (on_a_path[j][k]) list[j][count[j]++] = k;
      }
    }
  }
};

/// An N x N matrix whose columns fill whole packs.
template <int N, class S>
struct PaddedMatrix {
  static constexpr int stride = padded<S>(N);
  S data[N * stride];

  void assign(const S* A) {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < N; ++r) data[c * stride + r] = A[c * N + r];
      for (int r = N; r < stride; ++r) data[c * stride + r] = S(0);
    }
  }
};

/// `Packs` packs of sum over the listed k of A(:, k) b[k], from row `row` on.
template <int Packs, int N, class S>
inline void combine_rows(const PaddedMatrix<N, S>& A, const S* b, const int* list, int count, int row,
                         S* to) {
  constexpr int width = PackOf<S>::width, stride = PaddedMatrix<N, S>::stride;
  Pack<S> x0 = load_pack(A.data + list[0] * stride + row) * b[list[0]], x1 = x0, x2 = x0, x3 = x0;
  if constexpr (Packs > 1) {
    x1 = load_pack(A.data + list[0] * stride + row + width) * b[list[0]];
    x2 = load_pack(A.data + list[0] * stride + row + 2 * width) * b[list[0]];
    x3 = load_pack(A.data + list[0] * stride + row + 3 * width) * b[list[0]];
  }
  const int end = N > 1 ? count : 1;  // the same, but g++ 12 sees no reads beyond a list of one
  for (int m = 1; m < end; ++m) {
    const S* column = A.data + list[m] * stride + row;
    const S factor = b[list[m]];
    x0 = x0 + load_pack(column) * factor;
    if constexpr (Packs > 1) {
      x1 = x1 + load_pack(column + width) * factor;
      x2 = x2 + load_pack(column + 2 * width) * factor;
      x3 = x3 + load_pack(column + 3 * width) * factor;
    }
  }
  store_pack<S>(x0, to + row);
  if constexpr (Packs > 1) {
    store_pack<S>(x1, to + row + width);
    store_pack<S>(x2, to + row + 2 * width);
    store_pack<S>(x3, to + row + 3 * width);
  }
}

/// to = A b, for b that is zero outside the `count` >= 1 entries listed. `to` has room for whole packs.
template <int N, class S>
inline void combine(const PaddedMatrix<N, S>& A, const S* b, const int* list, int count, S* to) {
  constexpr int width = PackOf<S>::width, stride = PaddedMatrix<N, S>::stride;
  int row = 0;
  for (; row + 4 * width <= stride; row += 4 * width) combine_rows<4>(A, b, list, count, row, to);
  for (; row < stride; row += width) combine_rows<1>(A, b, list, count, row, to);
}

/// Y = A D A for symmetric A, and D with rows and columns on a path with j alone; Y is written back to D, too.
template <int N, class S>
inline void sandwich(const PaddedMatrix<N, S>& A, S* D, const Related<N>& related, int j,
                     PaddedMatrix<N, S>& Y) {
  constexpr int stride = PaddedMatrix<N, S>::stride;
  PaddedMatrix<N, S> AD;
  const int* list = related.list[j];
  const int count = related.count[j];
  for (int m = 0; m < count; ++m) combine(A, D + N * list[m], list, count, AD.data + stride * list[m]);
  for (int c = 0; c < N; ++c) {
    combine(AD, A.data + stride * c, list, count, Y.data + stride * c);
    for (int i = 0; i < N; ++i) D[N * c + i] = Y.data[stride * c + i];
  }
}

/// T(i, j, k) = -T(i, k, j).
template <int N, class S>
inline void swap_last_two_and_negate(S* T) {
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j <= k; ++j) {
      for (int i = 0; i < N; ++i) {
        S &a = T[i + N * (j + N * k)], &b = T[i + N * (k + N * j)];
        const S old = a;
        a = -b;
        b = -old;
      }
    }
  }
}

}  // namespace featherline::detail
