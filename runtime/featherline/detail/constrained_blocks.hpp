// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/block_inverse.hpp>
#include <featherline/detail/constrained_loops.hpp>
#include <featherline/detail/slot_rows.hpp>

/// What ConstrainedLoops does for a trunk with limbs (detail/block_inverse.hpp), of whose rows of constraints each is
/// zero but for one limb and the trunk above it. With N = J_l M_ll^-1 of a limb, and t for the trunk, a column b that
/// is zero in the other limbs has
///
///     c_t = b_t - W^T b_l.
///     c_r = k - N b_l in the rows of the limb.
///     da = -M_ll^-1 b_l in the limb, minus K_t^T c_t, minus Q c_r.
///     dlambda = -F_t^T c_t - D^-1 c_r.
///
/// K_t are the rows of the trunk in da/dtau, F_t those in dlambda/dtau. So a column of an arm takes 8 rows of n numbers
/// instead of 16, one of a leg 12 instead of 18, and M^-1 is not needed as a whole.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// By row of the constraints: the last coordinate on the way to its link, -1 if there is none.
template <int... last>
struct LastCoordinates {
  static constexpr int count = sizeof...(last);
  static constexpr int list[count] = {last...};
};

/// Rows of the constraints that a limb has, and those of others between them, which have zeros there.
template <class Ends, class Tree, class S>
struct RowsOfLimbs {
  using L = BlockLayout<Tree, S>;
  static constexpr int m = Ends::count;

  static constexpr bool is_of(int r, int l) {
    const int end = Ends::list[r];
    return end >= L::limb(l).begin && end < L::limb(l).begin + L::limb(l).count;
  }
  static constexpr int first_row(int l) {
    for (int r = 0; r < m; ++r) {
      if (is_of(r, l)) return r;
    }
    return 0;
  }
  static constexpr int row_count(int l) {
    for (int r = m; r-- > 0;) {
      if (is_of(r, l)) return r + 1 - first_row(l);
    }
    return 0;
  }
  static constexpr bool has_rows(int l) { return row_count(l) > 0; }
  static constexpr int most_rows() {
    int most = 1;
    for (int l = 0; l < L::limb_count; ++l) most = row_count(l) > most ? row_count(l) : most;
    return most;
  }
  /// Whether a row changes with coordinate k.
  static constexpr bool is_held(int k) {
    for (const int last : Ends::list) {
      if (k <= last && relations<Tree, false>.related[last][k]) return true;
    }
    return false;
  }
};

template <class Ends, bool behind_base, class Tree, class S>
class ConstrainedBlocks {
  using L = BlockLayout<Tree, S>;
  using R = RowsOfLimbs<Ends, Tree, S>;
  static constexpr int n = L::n, m = Ends::count, trunk_count = L::trunk_count;
  /// Of 16 registers, three columns and four vectors leave four for what they are multiplied with.
  static constexpr int most_sums = register_bytes == 64 ? 4 : 3;
  static constexpr int held_stride = padded<S>(R::most_rows()), c_stride = L::trunk_stride + held_stride;
  using Rows = typename L::Rows;
  using Wide = SlotRows<n, S>;
  using Held = SlotRows<m, S>;

 public:
  template <class Matrix>
  FEATHERLINE_INLINE void run(Matrix& M, const ConstrainedInputs<S>& in, const ConstrainedOutputs<S>& to) {
    read_blocks<Tree, S>(M, [&](auto* numbers) FEATHERLINE_INLINE_LAMBDA {
      BlockInverse<Tree, S> inverse(numbers, parts_);
      inverse.factor();
      inverse.keep_W();
      inverse.keep_Z_t();
    });
    invert(in);
    write_by_tau(to);
    subtract_force<first_by_q(behind_base).known>(in.force, to.da_dq);
    solve_columns(in.k_q, first_by_q(behind_base), to.da_dq, to.dlambda_dq);
    solve_columns(in.k_v, first_by_v(behind_base), to.da_dv, to.dlambda_dv);
    if constexpr (behind_base) add_base(m, n, in, to);
  }

 private:
  static constexpr int parts_of(int count) { return (count + most_sums - 1) / most_sums; }
  /// visit(sums, k) for the k below `count`, as many at once as fit, in parts that differ by one at most.
  template <int count, int begin = 0, class Visit>
  FEATHERLINE_INLINE static void each_part(const Visit& visit) {
    if constexpr (begin < count) {
      constexpr int left = count - begin, sums = (left + parts_of(left) - 1) / parts_of(left);
      visit(Known<sums>{}, begin);
      each_part<count, begin + sums>(visit);
    }
  }

  /// K_t, F_t, and behind them Q^T and D^-1 by rows of the constraints.
  FEATHERLINE_INLINE void invert(const ConstrainedInputs<S>& in) {
    each(Known<0>{}, Known<trunk_count>{},
         [&](auto t) FEATHERLINE_INLINE_LAMBDA { Wide::assign(parts_.Z_t[t], K_[t]); });
    S(*Q)[Wide::stride] = K_ + trunk_count;
    S(*D)[Held::stride] = F_ + trunk_count;
    for (int r = 0; r < m; ++r) Held::assign(in.world + m * r, D[r]);
    multiply_rows(in, Q);
    FEATHERLINE_ROLLED
    for (int r = 0; r < m; ++r) {
      each(Known<0>{}, Known<trunk_count>{},
           [&](auto t) FEATHERLINE_INLINE_LAMBDA { P_t_[t][r] = Q[r][Wide::place(L::trunk(t))]; });
    }
    solve_held<Wide>(in.factor, Q);
    solve_held<Held>(in.factor, D);
    each_part<trunk_count>([&](auto sums, int t) FEATHERLINE_INLINE_LAMBDA {
      combine<Wide, sums, true>(K_[t], {Q[0], m, P_t_[t], 1, m}, none(), K_[t]);
      combine<Held, sums, true>(nullptr, {D[0], m, P_t_[t], 1, m}, none(), F_[t]);
    });
  }
  /// Unrolled code for more rows would not keep them in registers.
  static constexpr bool fits_registers = m <= (register_bytes == 64 ? 24 : 12);
  /// rows = D^-1 rows, a vector of all of them at a time.
  template <class Slots>
  FEATHERLINE_NOINLINE static void solve_held(const S* factor, S (*rows)[Slots::stride]) {
    code_begins<Tree, S>();
    if constexpr (fits_registers) {
      solve_in_registers<Slots>(factor, rows);
    } else {
      solve_rows(
          m, factor,
          [&](int r, int begin, int end, const S* l, int stride) FEATHERLINE_INLINE_LAMBDA {
            Slots::template combine<Tree, 1, true>(rows[r],
                                                   {rows[begin], end - begin, l + stride * begin, stride, 0},
                                                   {rows[r], 0, l, 0, 0}, rows[r]);
          },
          [&](int r, const S& factor_of_row) FEATHERLINE_INLINE_LAMBDA {
            for (int i = 0; i < Slots::stride; ++i) rows[r][i] = rows[r][i] * factor_of_row;
          });
    }
    code_ends<Tree, S>();
  }
  template <class Slots>
  FEATHERLINE_INLINE static void solve_in_registers(const S* factor, S (*rows)[Slots::stride]) {
    FEATHERLINE_ROLLED
    for (int at = 0; at < Slots::stride; at += Slots::width) {
      typename Slots::Vector x[m];
      each(Known<0>{}, Known<m>{},
           [&](auto r) FEATHERLINE_INLINE_LAMBDA { x[r] = Slots::Rows::load(rows[r] + at); });
      each(Known<0>{}, Known<m>{}, [&](auto j) FEATHERLINE_INLINE_LAMBDA {
        each(Known<j + 1>{}, Known<m>{},
             [&](auto r) FEATHERLINE_INLINE_LAMBDA { x[r] -= x[j] * factor[m * r + j]; });
      });
      each(Known<0>{}, Known<m>{}, [&](auto r) FEATHERLINE_INLINE_LAMBDA { x[r] *= factor[(m + 1) * r]; });
      each_downwards(Known<m - 1>{}, Known<-1>{}, [&](auto j) FEATHERLINE_INLINE_LAMBDA {
        Slots::Rows::store(x[j], rows[j] + at);
        each(Known<0>{}, Known<j>{},
             [&](auto r) FEATHERLINE_INLINE_LAMBDA { x[r] -= x[j] * factor[m * j + r]; });
      });
    }
  }
  /// P = M^-1 J^T = [N in the limb] - Z_t^T (-J_t + J_l W). Stores N, too.
  FEATHERLINE_INLINE void multiply_rows(const ConstrainedInputs<S>& in, S (*P)[Wide::stride]) {
    alignas(register_bytes) S G[m][L::trunk_stride];
    clear<m * Wide::stride>(P[0]);
    clear<L::limb_rows * held_stride>(N_[0]);
    FEATHERLINE_ROLLED
    for (int r = 0; r < m; ++r) {
      typename L::TrunkRow g;
      L::template load_trunk<trunk_count>(in.rows + n * r, g);
      L::store_trunk(g, G[r]);
    }
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      constexpr int first = R::first_row(l), end = first + R::row_count(l);
      if constexpr (R::has_rows(l)) {
        FEATHERLINE_ROLLED
        for (int r = first; r < end; ++r) reduce_row<l>(in.rows + n * r, r, G[r], P[r]);
      }
    });
    each_part<m>([&](auto sums, int r) FEATHERLINE_INLINE_LAMBDA {
      combine<Wide, sums, true>(P[r], {K_[0], trunk_count, G[r], 1, L::trunk_stride}, none(), P[r]);
    });
  }
  template <int l>
  FEATHERLINE_INLINE void reduce_row(const S* row, int r, S* G, S* P) {
    constexpr int begin = L::limb(l).begin, blocks = L::vectors_of(L::limb(l).above);
    typename Rows::Vector own[Rows::count] = {};
    typename L::TrunkRow g = {};
    FEATHERLINE_ROLLED
    for (int i = 0; i < L::limb(l).count; ++i) {
      const int at_row = L::rows_before(l) + i;
      each(Known<0>{}, Known<blocks>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        g[v] -= load_block(parts_.W[at_row] + L::width * v) * row[begin + i];
      });
      L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
        own[v] -= Rows::load(parts_.own[at_row] + at) * row[begin + i];
      });
    }
    L::template each_own<l>([&](auto v, int) FEATHERLINE_INLINE_LAMBDA { add(own[v], P + Rows::width * v); });
    each(Known<0>{}, Known<blocks>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
      store_block<S>(g[v] + load_block(G + L::width * v), G + L::width * v);
    });
    each(Known<0>{}, Known<L::limb(l).count>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      N_[L::rows_before(l) + i][r - R::first_row(l)] = P[Wide::place(begin + i)];
    });
  }

  FEATHERLINE_INLINE void write_by_tau(const ConstrainedOutputs<S>& to) {
    each(Known<0>{}, Known<trunk_count>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
      Wide::copy(K_[t], to.da_dtau + n * L::trunk(t));
      Held::copy(F_[t], to.dlambda_dtau + m * L::trunk(t));
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      clear<L::limb(l).count * Wide::stride>(own_[0]);
      each(Known<0>{}, Known<L::limb(l).count>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
        constexpr int row = L::rows_before(l) + i;
        L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
          Rows::store(Rows::load(parts_.own[row] + at), own_[i] + Rows::width * v);
        });
        for (int t = 0; t < L::limb(l).above; ++t) c_[i][t] = parts_.W[row][t];
        for (int r = 0; r < R::row_count(l); ++r) c_[i][L::trunk_stride + r] = N_[row][r];
      });
      solve_limb<l>(to.da_dtau, to.dlambda_dtau);
    });
  }
  /// Of the columns of a limb, from own_ and c_.
  template <int l>
  FEATHERLINE_INLINE void solve_limb(S* da, S* dlambda) const {
    each_part<L::limb(l).count>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
      const int j = L::limb(l).begin + i;
      const auto solve = [&](auto by, const auto& matrix, const S* init, S* to) FEATHERLINE_INLINE_LAMBDA {
        combine<decltype(by), sums, false>(
            init, {matrix[0], L::limb(l).above, c_[i], 1, c_stride},
            {matrix[trunk_count + R::first_row(l)], R::row_count(l), c_[i] + L::trunk_stride, 1, c_stride},
            to);
      };
      solve(Wide{}, K_, own_[i], da + n * j);
      solve(Held{}, F_, nullptr, dlambda + m * j);
    });
  }

  static constexpr bool is_held_from(int k, int first) { return k >= first && R::is_held(k); }
  /// Whole columns of those that rows change with, in vectors. Entries that nobody wrote take part and are not read:
  /// only a signalling NaN among them would be noticed, by the flag FE_INVALID.
  template <int first>
  FEATHERLINE_INLINE static void subtract_force(const S* force, S* da_dq) {
    each<is_held_from>(
        Known<0>{}, Known<n>{},
        [&](auto j) FEATHERLINE_INLINE_LAMBDA {
          RowSums<n, S, 1> x;
          x.clear();
          x.template add<0>(da_dq + n * j);
          x.template subtract<0>(force + n * j);
          x.template store<0>(da_dq + n * j);
        },
        Known<first>{});
  }

  /// da takes the place of b.
  FEATHERLINE_NOINLINE void solve_columns(const S* k, FirstColumns first, S* da, S* dlambda) {
    code_begins<Tree, S>();
    each_few<3>(first.begin, first.known, [&](auto sums, int j) FEATHERLINE_INLINE_LAMBDA {
      combine<Wide, sums, false>(nullptr, {K_[trunk_count], m, k + m * j, 1, m}, none(), da + n * j);
      combine<Held, sums, false>(nullptr, {F_[trunk_count], m, k + m * j, 1, m}, none(), dlambda + m * j);
    });
    each<L::begins_run>(Known<0>{}, Known<trunk_count>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
      constexpr int begin = L::trunk(t), end = begin + L::length_of_run(t);
      each_few<3>(begin < first.known ? first.known : begin, end,
                  [&](auto sums, int j)
                      FEATHERLINE_INLINE_LAMBDA { solve_trunk<t, sums>(j, k, da, dlambda); });
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      clear<L::limb(l).count * Wide::stride>(own_[0]);
      each_part<L::limb(l).count>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
        const int j = L::limb(l).begin + i;
        const S* b = da + n * j;
        reduce_trunk<L::limb(l).above, sums>(b, c_[i], c_stride,
                                             [&](auto visit) FEATHERLINE_INLINE_LAMBDA { visit(l); });
        reduce_own<l, sums, false>(b, own_[i]);
        if constexpr (R::has_rows(l)) {
          reduce_held<l, sums>(b, c_[i] + L::trunk_stride, c_stride);
          each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
            S* rows = c_[i + q] + L::trunk_stride;
            for (int r = 0; r < R::row_count(l); ++r)
              rows[r] = rows[r] + k[m * (j + q) + R::first_row(l) + r];
          });
        }
      });
      solve_limb<l>(da, dlambda);
    });
    code_ends<Tree, S>();
  }
  static constexpr bool is_below(int l, int t) { return L::limb(l).above > t; }

  template <int t, int sums>
  FEATHERLINE_INLINE void solve_trunk(int j, const S* k, S* da, S* dlambda) {
    const S* b = da + n * j;
    alignas(register_bytes) S trunk[sums * L::trunk_stride], rows[sums * m], held_rows[sums * held_stride];
    const auto each_below = [&](const auto& visit) FEATHERLINE_INLINE_LAMBDA {
      each<is_below>(Known<0>{}, Known<L::limb_count>{}, visit, Known<t>{});
    };
    reduce_trunk<trunk_count, sums>(b, trunk, L::trunk_stride, each_below);
    clear<sums * Wide::stride>(own_[0]);
    for (int r = 0; r < sums * m; ++r) rows[r] = k[m * j + r];
    each_below([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      reduce_own<l, sums, true>(b, own_[0]);
      if constexpr (R::has_rows(l)) {
        reduce_held<l, sums>(b, held_rows, held_stride);
        each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
          for (int r = 0; r < R::row_count(l); ++r)
            rows[m * q + R::first_row(l) + r] =
                rows[m * q + R::first_row(l) + r] + held_rows[held_stride * q + r];
        });
      }
    });
    combine<Wide, sums, false>(own_[0], {K_[0], trunk_count, trunk, 1, L::trunk_stride},
                               {K_[trunk_count], m, rows, 1, m}, da + n * j);
    combine<Held, sums, false>(nullptr, {F_[0], trunk_count, trunk, 1, L::trunk_stride},
                               {F_[trunk_count], m, rows, 1, m}, dlambda + m * j);
  }

  /// c_t: b_t - W^T b_l of some limbs.
  template <int above, int sums, class EachLimb>
  FEATHERLINE_INLINE void reduce_trunk(const S* b, S* c, int stride, const EachLimb& each_limb) const {
    typename L::TrunkRow x[sums] = {};
    each(Known<0>{}, Known<sums>{},
         [&](auto q) FEATHERLINE_INLINE_LAMBDA { L::template load_trunk<above>(b + n * q, x[q]); });
    each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA { add_trunk<l, sums>(b, x); });
    each(Known<0>{}, Known<sums>{},
         [&](auto q) FEATHERLINE_INLINE_LAMBDA { L::store_trunk(x[q], c + stride * q); });
  }
  template <int l, int sums>
  FEATHERLINE_INLINE void add_trunk(const S* b, typename L::TrunkRow (&x)[sums]) const {
    constexpr int first = L::rows_before(l), begin = L::limb(l).begin;
    each(Known<0>{}, Known<L::vectors_of(L::limb(l).above)>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
      FEATHERLINE_ROLLED
      for (int i = 0; i < L::limb(l).count; ++i) {
        auto W = load_block(parts_.W[first + i] + L::width * v);
        keep_in_register(W);
        each(Known<0>{}, Known<sums>{},
             [&](auto q) FEATHERLINE_INLINE_LAMBDA { x[q][v] -= W * b[n * q + begin + i]; });
      }
    });
  }
  /// -M_ll^-1 b_l, in slots of whole rows.
  template <int l, int sums, bool adds>
  FEATHERLINE_INLINE void reduce_own(const S* b, S* own) const {
    typename Rows::Vector x[sums][Rows::count] = {};
    FEATHERLINE_ROLLED
    for (int i = 0; i < L::limb(l).count; ++i) {
      L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
        auto row = Rows::load(parts_.own[L::rows_before(l) + i] + at);
        keep_in_register(row);
        each(Known<0>{}, Known<sums>{},
             [&](auto q) FEATHERLINE_INLINE_LAMBDA { x[q][v] -= row * b[n * q + L::limb(l).begin + i]; });
      });
    }
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      L::template each_own<l>([&](auto v, int) FEATHERLINE_INLINE_LAMBDA {
        S* slot = own + Wide::stride * q + Rows::width * v;
        adds ? add(x[q][v], slot) : Rows::store(x[q][v], slot);
      });
    });
  }
  /// -N b_l in the rows of the limb.
  template <int l, int sums>
  FEATHERLINE_INLINE void reduce_held(const S* b, S* c, int stride) const {
    using Vectors = RowVectors<held_stride, S>;
    typename Vectors::Vector x[sums][Vectors::count] = {};
    FEATHERLINE_ROLLED
    for (int i = 0; i < L::limb(l).count; ++i) {
      each(Known<0>{}, Known<Vectors::count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        auto N = Vectors::load(N_[L::rows_before(l) + i] + Vectors::offset(v));
        keep_in_register(N);
        each(Known<0>{}, Known<sums>{},
             [&](auto q) FEATHERLINE_INLINE_LAMBDA { x[q][v] -= N * b[n * q + L::limb(l).begin + i]; });
      });
    }
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      each(Known<0>{}, Known<Vectors::count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        Vectors::store(x[q][v], c + stride * q + Vectors::offset(v));
      });
    });
  }

  FEATHERLINE_INLINE static void add(const typename Rows::Vector& x, S* slot) {
    Rows::store(x + Rows::load(slot), slot);
  }
  FEATHERLINE_INLINE RowTerms<S> none() const { return {K_[0], 0, K_[0], 0, 0}; }
  template <class Slots, int sums, bool in_slots>
  FEATHERLINE_INLINE static void combine(const S* init, const RowTerms<S>& a, const RowTerms<S>& b, S* to) {
    Slots::template combine<Tree, sums, in_slots>(init, a, b, to);
  }

  BlockParts<Tree, S> parts_;
  alignas(64) S K_[trunk_count + m][Wide::stride];          ///< behind K_t: Q^T
  alignas(64) S F_[trunk_count + m][Held::stride];          ///< behind F_t: D^-1, in axes of the world
  alignas(64) S own_[block_size][Wide::stride];             ///< of the limb's rows, zero elsewhere
  alignas(register_bytes) S N_[L::limb_rows][held_stride];  ///< by coordinate of a limb
  alignas(64) S c_[block_size][c_stride];                   ///< c_t, c_r of columns of a limb
  S P_t_[trunk_count][m];                                   ///< rows of the trunk of M^-1 J^T
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
