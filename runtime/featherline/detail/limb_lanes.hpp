// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/inertia_lanes.hpp>

/// M_ll^-1 and W = M_ll^-1 M_lt of four limbs at a time, one in each lane. Where a vector has only four numbers, limbs
/// that are inverted one after the other wait for their divisions, and each number of a row is broadcast: M of a
/// humanoid takes 960 to 1,150 ns on a Zen 3 that way.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <int count, class S>
FEATHERLINE_INLINE void store_part(const Pack<S>& x, S* to) {
  if constexpr (count >= PackOf<S>::width) {
    store_pack<S>(x, to);
  } else {
    each(Known<0>{}, Known<(count > 0 ? count : 0)>{},
         [&](auto k) FEATHERLINE_INLINE_LAMBDA { to[k] = x[+k]; });
  }
}
/// The same as clear(), for which g++ has "rep stos" where numbers are this few: 26 rows of 16 take 250 ns on a Zen 3.
template <int count, class S>
FEATHERLINE_INLINE void clear_in_vectors(S* x) {
  constexpr int width = PackOf<S>::width;
  static_assert(count % width == 0, "whole vectors");
  each(Known<0>{}, Known<count / width>{},
       [&](auto v) FEATHERLINE_INLINE_LAMBDA { store_pack<S>(Pack<S>{}, x + width * v); });
}

/// A square of four rows becomes another one's columns.
template <class S>
FEATHERLINE_INLINE void copy_transposed(const S* from, S* to, int stride) {
  Pack<S> x[4];
  load_transposed(from, stride, x);
  each(Known<0>{}, Known<4>{},
       [&](auto k) FEATHERLINE_INLINE_LAMBDA { store_pack<S>(x[k], to + stride * k); });
}

template <class Tree, class S>
class LimbLanes {
  using L = BlockLayout<Tree, S>;
  using Vector = Pack<S>;
  using Square = Vector[4];
  using Layout = LaneLayout<Tree, S>;
  static constexpr int lanes = Layout::lanes, groups = Layout::groups;
  static constexpr int size(int g) { return Layout::size(g); }
  static constexpr int above(int g) { return Layout::above(g); }

 public:
  /// W(i, t) of a limb is first[row * t + sum * i].
  template <int l>
  Factors<S> W() const {
    return {W_[l / lanes][0][0] + l % lanes, block_size * lanes, lanes};
  }

  /// Stores rows of M_ll^-1 and of W^T, and subtracts M_tl W from M_tt.
  template <class Own, class Rows>
  FEATHERLINE_INLINE void reduce(S* M, Own& own, Rows& rows) {
    each(Known<0>{}, Known<groups>{}, [&](auto g) FEATHERLINE_INLINE_LAMBDA {
      Inverse<size(g)> N;
      invert<g>(M, N);
      store_inverse<g>(N, own);
      each<begins_run>(
          Known<0>{}, Known<above(g)>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA { solve<g, t>(M, N, rows); },
          g);
      subtract_products<g>(M);
    });
    mirror(M);
  }
  /// Rows of W.
  template <class Rows>
  FEATHERLINE_INLINE void store_W(Rows& rows) const {
    each(Known<0>{}, Known<groups>{}, [&](auto g) FEATHERLINE_INLINE_LAMBDA {
      FEATHERLINE_ROLLED
      for (int t = 0; t < above(g); t += lanes) {
        each(Known<0>{}, Known<size(g)>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
          Square x = {load_pack(W_[g][t][i]), load_pack(W_[g][t + 1][i]), load_pack(W_[g][t + 2][i]),
                      load_pack(W_[g][t + 3][i])};
          transpose_square(x);
          each_lane<g>([&](auto lane, auto l) FEATHERLINE_INLINE_LAMBDA {
            if constexpr (i < L::limb(l).count) store_pack<S>(x[lane], rows[L::rows_before(l) + i] + t);
          });
        });
      }
    });
  }

 private:
  template <int c>
  struct Inverse {
    Vector x[c][c];
  };

  /// Whether other limbs of the group hang on coordinate t of the trunk than on the one before it.
  static constexpr bool begins_run(int t, int g) {
    if (t == 0) return true;
    for (int l = lanes * g; l < L::limb_count && l < lanes * (g + 1); ++l) {
      if (L::limb(l).above == t) return true;
    }
    return false;
  }
  static constexpr int end_of_run(int t, int g) {
    int end = t + 1;
    while (end < above(g) && !begins_run(end, g)) ++end;
    return end;
  }
  /// visit(lane, limb) for the limbs of group g.
  template <int g, class Visit>
  FEATHERLINE_INLINE static void each_lane(const Visit& visit) {
    constexpr int end = L::limb_count - lanes * g < lanes ? L::limb_count - lanes * g : lanes;
    each(Known<0>{}, Known<end>{},
         [&](auto lane) FEATHERLINE_INLINE_LAMBDA { visit(lane, Known<lanes * g + lane>{}); });
  }

  /// N = M_ll^-1 = L^-T D^-1 L^-1. Limbs that are shorter than the longest have ones on the diagonal.
  template <int g>
  FEATHERLINE_INLINE static void invert(const S* M, Inverse<size(g)>& N) {
    constexpr int c = size(g);
    Vector L_[c][c], inverse_D[c];
    each(Known<0>{}, Known<c>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      constexpr int row = Layout::in_limb(g, i, 0);
      each(Known<0>{}, Known<i + 1>{},
           [&](auto j) FEATHERLINE_INLINE_LAMBDA { N.x[i][j] = load_pack(M + row + lanes * j); });
    });
    each(Known<0>{}, Known<c>{}, [&](auto j) FEATHERLINE_INLINE_LAMBDA {
      each(Known<j>{}, Known<c>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
        each(Known<0>{}, j, [&](auto k) FEATHERLINE_INLINE_LAMBDA { N.x[i][j] -= N.x[i][k] * L_[j][k]; });
      });
      inverse_D[j] = S(1.0) / N.x[j][j];
      each(Known<j + 1>{}, Known<c>{},
           [&](auto i) FEATHERLINE_INLINE_LAMBDA { L_[i][j] = N.x[i][j] * inverse_D[j]; });
    });
    each(Known<0>{}, Known<c>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      each(Known<0>{}, i, [&](auto j) FEATHERLINE_INLINE_LAMBDA {
        L_[i][j] = -L_[i][j];  // from now on L^-1
        each(Known<j + 1>{}, i, [&](auto k) FEATHERLINE_INLINE_LAMBDA { L_[i][j] -= L_[i][k] * L_[k][j]; });
        N.x[i][j] = L_[i][j] * inverse_D[i];
      });
      N.x[i][i] = inverse_D[i];
    });
    each(Known<0>{}, Known<c>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      each(Known<0>{}, Known<i + 1>{}, [&](auto j) FEATHERLINE_INLINE_LAMBDA {
        each(Known<i + 1>{}, Known<c>{},
             [&](auto k) FEATHERLINE_INLINE_LAMBDA { N.x[i][j] += L_[k][i] * N.x[k][j]; });
        N.x[j][i] = N.x[i][j];
      });
    });
  }
  template <int g, class Own>
  FEATHERLINE_INLINE static void store_inverse(const Inverse<size(g)>& N, Own& own) {
    each(Known<0>{}, Known<size(g)>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      each_lane<g>([&](auto, auto l) FEATHERLINE_INLINE_LAMBDA {
        if constexpr (i < L::limb(l).count) clear_in_vectors<L::own_stride>(own[L::rows_before(l) + i]);
      });
      each_square<g>([&](auto J) FEATHERLINE_INLINE_LAMBDA {
        Square x = {};
        each_of<g, J>([&](auto k, auto j) FEATHERLINE_INLINE_LAMBDA { x[k] = N.x[i][j]; });
        transpose_square(x);
        each_lane<g>([&](auto lane, auto l) FEATHERLINE_INLINE_LAMBDA {
          constexpr Limb limb = L::limb(l);
          if constexpr (i < limb.count)
            store_part<limb.count - lanes * J>(
                x[lane], own[L::rows_before(l) + i] + limb.begin - L::own_begin(l) + lanes * J);
        });
      });
    });
  }
  /// Coordinates of a limb come in parts of four.
  template <int g, class Visit>
  FEATHERLINE_INLINE static void each_square(const Visit& visit) {
    each(Known<0>{}, Known<(size(g) + lanes - 1) / lanes>{}, visit);
  }
  template <int g, int J, class Visit>
  FEATHERLINE_INLINE static void each_of(const Visit& visit) {
    constexpr int end = size(g) - lanes * J < lanes ? size(g) - lanes * J : lanes;
    each(Known<0>{}, Known<end>{},
         [&](auto k) FEATHERLINE_INLINE_LAMBDA { visit(k, Known<lanes * J + k>{}); });
  }

  /// Columns of W from t on that the same limbs have.
  template <int g, int first, class Rows>
  FEATHERLINE_INLINE void solve(const S* M, const Inverse<size(g)>& N, Rows& rows) {
    FEATHERLINE_ROLLED
    for (int t = first; t < end_of_run(first, g); ++t) {
      Vector m[size(g)];
      load_trunk<g>(M, t, m);
      each_square<g>([&](auto J) FEATHERLINE_INLINE_LAMBDA {
        Square x = {};
        each_of<g, J>([&](auto k, auto i) FEATHERLINE_INLINE_LAMBDA {
          each(Known<0>{}, Known<size(g)>{},
               [&](auto j) FEATHERLINE_INLINE_LAMBDA { x[k] += N.x[i][j] * m[j]; });
          store_pack<S>(x[k], W_[g][t][i]);
        });
        transpose_square(x);
        each_lane<g>([&](auto lane, auto l) FEATHERLINE_INLINE_LAMBDA {
          constexpr Limb limb = L::limb(l);
          if constexpr (first < limb.above)
            store_part<limb.count - lanes * J>(x[lane], rows[t] + limb.begin + lanes * J);
        });
      });
    }
  }
  template <int g>
  FEATHERLINE_INLINE static void load_trunk(const S* M, int t, Vector (&m)[size(g)]) {
    constexpr int first = Layout::in_trunk(g, 0, 0), row = lanes * size(g);
    each(Known<0>{}, Known<size(g)>{},
         [&](auto j) FEATHERLINE_INLINE_LAMBDA { m[j] = load_pack(M + first + row * t + lanes * j); });
  }
  template <int g>
  FEATHERLINE_INLINE void subtract_products(S* M) {
    for (int t = above(g); t % lanes != 0; ++t) clear<size(g) * lanes>(W_[g][t][0]);
    FEATHERLINE_ROLLED
    for (int t = 0; t < above(g); ++t) {
      Vector m[size(g)];
      load_trunk<g>(M, t, m);
      S* trunk = M + L::trunk_stride * t;
      FEATHERLINE_ROLLED
      for (int u = 0; u <= t; u += lanes) {
        Square x = {};
        each(Known<0>{}, Known<size(g)>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
          each(Known<0>{}, Known<lanes>{},
               [&](auto k) FEATHERLINE_INLINE_LAMBDA { x[k] += m[i] * load_pack(W_[g][u + k][i]); });
        });
        transpose_square(x);
        store_pack<S>(load_pack(trunk + u) - ((x[0] + x[1]) + (x[2] + x[3])), trunk + u);
      }
    }
  }

  /// The lower triangle above the diagonal, in squares.
  FEATHERLINE_INLINE static void mirror(S* M) {
    constexpr int n = L::trunk_stride;
    for (int t = lanes; t < n; t += lanes) {
      for (int u = 0; u < t; u += lanes) copy_transposed(M + n * t + u, M + n * u + t, n);
    }
  }

  alignas(register_bytes) S W_[groups][L::trunk_stride][block_size][lanes];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
