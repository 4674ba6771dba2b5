// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/axis_tree.hpp>
#include <featherline/detail/matrix_loops.hpp>
#include <featherline/detail/pose.hpp>
#include <featherline/detail/row_vectors.hpp>
#include <featherline/prepare.hpp>

/// The columns of the regressor. Emitted code computes the motions; here ten wrenches of each body, those of unit
/// parameters, meet the axes that carry the body, several rows of the output at a time.
///
/// The emitted tree (detail/axis_tree.hpp) has two more members:
///   free_base   the first six rows are those of a floating base
///   num_bodies  bodies with columns
///   runs[]      RowRun, body by body; the last one is of a body that is not there
namespace featherline::regressor {

using kinematics::Column, kinematics::column, kinematics::cross;

/// The numbers of a body. First R (9, column-major) and p (3): the frame of its parameters in the frame that its subtree
/// of the world shares. The others are in the body's own axes:
///   3  a, the acceleration of its origin, gravity subtracted
///   9  U, row by row: a point r accelerates by a + U r
///   3  wy wz, wz wx, wx wy of its angular velocity w
///   3  its angular acceleration
///   3  Uxx - Uyy, Uzz - Uxx, Uyy - Uzz
inline constexpr int numbers_of_body = 33;

/// The wrenches of unit parameters: ten moments, of which the first four have forces, too.
template <class S>
struct Wrenches {
  static constexpr int with_force = 4, count = 10;
  S f[4 * with_force], n[4 * count];
};

/// Four numbers, of which the last is zero where there are vectors.
template <class S>
FEATHERLINE_INLINE Column<S> read_column(const S* from) {
  if constexpr (kinematics::has_vector_columns<S>)
    return Column<S>::load(from) * Column<S>(S(1.0), S(1.0), S(1.0), S(0.0));
  else
    return column<S>(from[0], from[1], from[2]);
}

/// Writes a wrench of a parameter, to the rows of a floating base, too: `rows` may be null.
template <class S>
FEATHERLINE_INLINE void put_force(const Column<S>& f, S* to, S* rows) {
  kinematics::store_column_before_others(f, to);
  if (rows != nullptr) kinematics::store_column_before_others(f, rows);
}

template <class S>
FEATHERLINE_INLINE void put_wrenches(const S* body, Wrenches<S>& to, S* rows, int nv) {
  using C = Column<S>;
  const C x = read_column(body), y = read_column(body + 3), z = read_column(body + 6),
          p = read_column(body + 9);
  const S *a = body + 12, *U = body + 15, *ww = body + 24, *wd = body + 27, *d = body + 30;
  const auto row = [&](int k) FEATHERLINE_INLINE_LAMBDA { return rows == nullptr ? rows : rows + nv * k; };
  const auto put = [&](int k, const C& f, const C& n) FEATHERLINE_INLINE_LAMBDA {
    put_force(f, to.f + 4 * k, row(k));
    put_force(C(n + cross<S>(p, f)), to.n + 4 * k, rows == nullptr ? rows : row(k) + 3);
  };
  const auto put_moment = [&](int k, const C& n) FEATHERLINE_INLINE_LAMBDA {
    if (rows != nullptr) kinematics::store_column_before_others(column<S>(S(0.0), S(0.0), S(0.0)), row(k));
    put_force(n, to.n + 4 * k, rows == nullptr ? rows : row(k) + 3);
  };
  // f = m a + U h, n = h x a + J wd + w x J w: mass, first moment, inertia.
  put(0, a[0] * x + a[1] * y + a[2] * z, column<S>(S(0.0), S(0.0), S(0.0)));
  put(1, U[0] * x + U[3] * y + U[6] * z, a[1] * z - a[2] * y);
  put(2, U[1] * x + U[4] * y + U[7] * z, a[2] * x - a[0] * z);
  put(3, U[2] * x + U[5] * y + U[8] * z, a[0] * y - a[1] * x);
  put_moment(4, wd[0] * x + (ww[1] * y - ww[2] * z));
  put_moment(5, d[0] * z + (U[7] * y - U[6] * x));
  put_moment(6, wd[1] * y + (ww[2] * z - ww[0] * x));
  put_moment(7, d[1] * y + (U[3] * x - U[5] * z));
  put_moment(8, d[2] * x + (U[2] * z - U[1] * y));
  put_moment(9, wd[2] * z + (ww[0] * x - ww[1] * y));
}

/// Ones, of which the first `begin` and those from `end` on are zeros.
template <int width, class S>
FEATHERLINE_INLINE typename detail::VectorOf<S, width>::type ones_between(int begin, int end) {
  if constexpr (width == 1) {
    return S(1.0);
  } else {
    constexpr int most = 16;
    static_assert(width <= most, "as many zeros before the ones and behind them");
    static constexpr S window[3 * most] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return detail::load_vector<width>(window + most - begin) *
           detail::load_vector<width>(window + 2 * most - end);
  }
}

/// `width` rows of a body's columns. `motions`: the axes' motions of these rows, whose six entries are nv apart: linear,
/// then angular. The first `begin` rows and those from `end` on are zeros. Products and sums are of one expression:
/// clang does not fuse others.
template <int width, class S>
FEATHERLINE_INLINE void put_rows(const S* motions, const Wrenches<S>& wrenches, int begin, int end, int nv,
                                 S* to) {
  using Rows = typename detail::VectorOf<S, width>::type;
  const Rows mask = ones_between<width, S>(begin, end);
  const auto entry = [&](int k) FEATHERLINE_INLINE_LAMBDA {
    return Rows(detail::load_vector<width>(motions + k * nv) * mask);
  };
  const Rows ux = entry(0), uy = entry(1), uz = entry(2), wx = entry(3), wy = entry(4), wz = entry(5);
  const auto put = [&](int k) FEATHERLINE_INLINE_LAMBDA {
    const S *f = wrenches.f + 4 * k, *n = wrenches.n + 4 * k;
    detail::store_vector<width>(Rows(f[0] * ux + f[1] * uy + f[2] * uz + n[0] * wx + n[1] * wy + n[2] * wz),
                                to + nv * k);
  };
  const auto put_moment = [&](int k) FEATHERLINE_INLINE_LAMBDA {
    const S* n = wrenches.n + 4 * k;
    detail::store_vector<width>(Rows(n[0] * wx + n[1] * wy + n[2] * wz), to + nv * k);
  };
  put(0), put(1), put(2), put(3);
  put_moment(4), put_moment(5), put_moment(6), put_moment(7), put_moment(8), put_moment(9);
}

/// Of a body.
template <class S>
struct BodyColumns {
  const S* motions;  ///< of all axes: six entries, nv apart
  const Wrenches<S>& wrenches;
  int nv;
  S* to;
};

/// The rows of a run, `width` at a time. The last ones begin earlier if the run has enough of them. Otherwise zeros are
/// written behind the run, or before it as far as nothing is written there: `written` rows are.
template <int width, class S>
FEATHERLINE_INLINE void put_run(const RowRun& run, int written, const BodyColumns<S>& body) {
  const int end = run.first + run.count;
  for (int k = run.first; k < end; k += width) {
    int start = k + width > end && run.count >= width ? end - width : k;
    if (start + width > body.nv) start = body.nv - width;
    if constexpr (width > 1) {
      if (start < written) return put_run<1>({run.body, k, end - k}, written, body);
    }
    const int begin = start < run.first ? run.first - start : 0, left = end - start;
    const Wrenches<S>* wrenches = &body.wrenches;
    // Or all entries are kept in vectors, in memory: 13,500 instructions for a humanoid instead of 11,500.
#if defined(__GNUC__)
    __asm__("" : "+r"(wrenches) : : "memory");
#endif
    put_rows<width>(body.motions + start, *wrenches, begin, left < width ? left : width, body.nv,
                    body.to + start);
  }
}

template <int width, class Tree, class S>
FEATHERLINE_INLINE void put_all(const Tree& tree, const S* motions, const S* bodies, S* Y, bool zeros) {
  const int nv = tree.nv, size = 10 * nv, base_rows = tree.free_base ? 6 : 0;
  int k = 0;
  for (int body = 0; body < tree.num_bodies; ++body) {
    Wrenches<S> wrenches;
    S* const to = Y + size * body;
    if (zeros) featherline::clear(to, size);
    put_wrenches(bodies + numbers_of_body * body, wrenches, tree.free_base ? to : nullptr, nv);
    int written = base_rows;
    for (; tree.runs[k].body == body; ++k) {
      put_run<width>(tree.runs[k], written, BodyColumns<S>{motions, wrenches, nv, to});
      written = tree.runs[k].first + tree.runs[k].count;
    }
  }
}

/// Writes Y, nv x 10 num_bodies, but for rows of axes that do not carry the body. `motions`: of all axes in the frames
/// that the bodies share, in six rows of nv numbers, linear and then angular. `bodies`: numbers_of_body for each. With
/// `zeros` it clears those rows, too, just before it writes to a body's columns: a humanoid's Y is longer than the first
/// level of the caches. Alone it has the registers for itself: talos_reduced takes 3.09 us, and 3.27 with the loops among
/// the straight lines.
template <class Tree, class S>
FEATHERLINE_NOINLINE void columns(const Tree& tree, const S* motions, const S* bodies, S* Y,
                                  bool zeros = false) {
  code_begins<Tree, S>();
  constexpr int nv = detail::known_nv<Tree>();
  if constexpr (nv != detail::unknown) {
    put_all<detail::RowVectors<nv, S>::width>(tree, motions, bodies, Y, zeros);
  } else if (tree.nv >= 4) {
    put_all<4>(tree, motions, bodies, Y, zeros);
  } else {
    put_all<1>(tree, motions, bodies, Y, zeros);
  }
  code_ends<Tree, S>();
}

}  // namespace featherline::regressor
