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
  using Rows = typename L::Rows;
  using Wide = SlotRows<n, S>;
  using Held = SlotRows<m, S>;

  // For each coordinate of a limb, a row of M_ll^-1, one of W, and one of N^T lie one behind the other. So a column is
  // reduced to -M_ll^-1 b_l, c_t and c_r in one pass over b_l. On a Zen 3, the columns by q of simple_humanoid take
  // 1,340 ns that way, and 1,540 ns in three passes of six or seven rounds each. Limbs of the same form share the code.

  /// `own`: vectors of a whole row that the limb has part of.
  template <int count_, int above_, int own, int rows_>
  struct Form {
    static constexpr int count = count_, above = above_, own_vectors = own, rows = rows_;
    static constexpr int trunk_vectors = L::vectors_of(above), trunk_place = Rows::width * own,
                         held_place = trunk_place + L::width * trunk_vectors,
                         held_vectors = (rows + PackOf<S>::width - 1) / PackOf<S>::width,
                         size = padded<S>(held_place + PackOf<S>::width * held_vectors);
    using Reduced = SlotRows<size, S>;
    static_assert(Reduced::stride == size, "whole vectors");
  };
  struct Place {
    S* reduced;  ///< joined rows
    int begin, first_row;
    int first_own;  ///< where its own vectors begin in slots
  };
  static constexpr int first_own(int l) {
    int v = 0;
    while (!L::is_own(v, l)) ++v;
    return v;
  }
  static constexpr int num_own(int l) {
    int v = first_own(l);
    while (v < Rows::count && L::is_own(v, l)) ++v;
    return v - first_own(l);
  }
  template <int l>
  using FormOf = Form<L::limb(l).count, L::limb(l).above, num_own(l), R::row_count(l)>;
  static constexpr int longest_reduced =
      padded<S>(2 * block_size + 2 * Rows::width + L::trunk_stride + padded<S>(R::most_rows()));
  template <int l>
  Place place_of() {
    return {reduced_[L::rows_before(l)], L::limb(l).begin, R::first_row(l), Rows::width * first_own(l)};
  }
  template <int count, class Visit>
  FEATHERLINE_INLINE static void each_of(const Visit& visit) {
    each(Known<0>{}, Known<count>{}, visit);
  }

 public:
  template <class Matrix>
  FEATHERLINE_INLINE void run(Matrix& M, const ConstrainedInputs<S>& in, const ConstrainedOutputs<S>& to) {
    read_blocks<Tree, S>(M, [&](auto* numbers) FEATHERLINE_INLINE_LAMBDA {
      BlockInverse<Tree, S> inverse(numbers, parts_);
      inverse.factor();
      inverse.keep_W();
      inverse.keep_Z_t();
    });
    clear_in_vectors<most_sums * Wide::stride>(own_[0]);
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA { join_rows<l>(); });
    invert(in);
    write_by_tau(to);
    subtract_force<first_by_q(behind_base).known>(in.force, to.da_dq);
    constexpr FirstColumns by_q = first_by_q(behind_base), by_v = first_by_v(behind_base);
    solve_columns<by_q.begin, by_q.known>(in.k_q, to.da_dq, to.dlambda_dq);
    solve_columns<by_v.begin, by_v.known>(in.k_v, to.da_dv, to.dlambda_dv);
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
  template <int l>
  FEATHERLINE_INLINE void join_rows() {
    using F = FormOf<l>;
    static_assert(F::size <= longest_reduced, "room");
    FEATHERLINE_ROLLED
    for (int i = 0; i < F::count; ++i) {
      const int row = L::rows_before(l) + i;
      S* to = place_of<l>().reduced + F::size * i;
      L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
        Rows::store(Rows::load(parts_.own[row] + at), to + Rows::width * (v - first_own(l)));
      });
      each_of<F::trunk_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
        store_block<S>(load_block(parts_.W[row] + L::width * v), to + F::trunk_place + L::width * v);
      });
      clear<F::size - F::held_place>(to + F::held_place);
    }
  }

  /// P = M^-1 J^T = [N in the limb] - Z_t^T (-J_t + J_l W). Stores N, too.
  FEATHERLINE_INLINE void multiply_rows(const ConstrainedInputs<S>& in, S (*P)[Wide::stride]) {
    alignas(register_bytes) S G[m][L::trunk_stride];
    clear<m * Wide::stride>(P[0]);
    FEATHERLINE_ROLLED
    for (int r = 0; r < m; ++r) {
      typename L::TrunkRow g;
      L::template load_trunk<trunk_count>(in.rows + n * r, g);
      L::store_trunk(g, G[r]);
    }
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      using F = FormOf<l>;
      each_part<F::rows>([&](auto sums, int r) FEATHERLINE_INLINE_LAMBDA {
        reduce_rows<F, sums>(place_of<l>(), in.rows, R::first_row(l) + r, G, P);
      });
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA { keep_N<l>(P); });
    each_part<m>([&](auto sums, int r) FEATHERLINE_INLINE_LAMBDA {
      combine<Wide, sums, true>(P[r], {K_[0], trunk_count, G[r], 1, L::trunk_stride}, none(), P[r]);
    });
  }
  template <class F, int sums>
  FEATHERLINE_NOINLINE void reduce_rows(const Place& at, const S* rows, int r, S (*G)[L::trunk_stride],
                                        S (*P)[Wide::stride]) {
    code_begins<Tree, S, false>();
    reduce<F, sums>(at, rows + n * r, [&](auto q, auto v) FEATHERLINE_INLINE_LAMBDA {
      return load_block(G[r + q] + L::width * v);
    });
    each_of<sums>([&](auto q) FEATHERLINE_INLINE_LAMBDA {
      add_own<F>(at, c_ + F::size * q, P[r + q]);
      end_column<F>(c_ + F::size * q, G[r + q]);
    });
    code_ends<Tree, S>();
  }
  /// Not before all rows are reduced: the processor would wait for numbers that it reads by vectors.
  template <int l>
  FEATHERLINE_INLINE void keep_N(const S (*P)[Wide::stride]) {
    using F = FormOf<l>;
    for (int r = 0; r < F::rows; ++r) {
      FEATHERLINE_ROLLED
      for (int i = 0; i < F::count; ++i) {
        place_of<l>().reduced[F::size * i + F::held_place + r] =
            P[R::first_row(l) + r][Wide::place(L::limb(l).begin + i)];
      }
    }
  }
  /// c_ = [0, c_t, 0] - [M_ll^-1, W, N^T]^T b_l of columns from b on. trunk(column, v) is a vector of c_t.
  template <class F, int sums, class Trunk>
  FEATHERLINE_INLINE void reduce(const Place& at, const S* b, const Trunk& trunk) {
    each_of<sums>([&](auto q) FEATHERLINE_INLINE_LAMBDA {
      S* c = c_ + F::size * q;
      each_of<F::own_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
        Rows::store(typename Rows::Vector{}, c + Rows::width * v);
      });
      each_of<F::trunk_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
        store_block<S>(trunk(q, v), c + F::trunk_place + L::width * v);
      });
      clear<F::size - F::held_place>(c + F::held_place);
    });
    combine<typename F::Reduced, sums, true>(c_, {at.reduced, F::count, b + at.begin, 1, n}, none(), c_);
  }
  template <class F>
  FEATHERLINE_INLINE static void end_column(const S* c, S* trunk) {
    each_of<F::trunk_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
      store_block<S>(load_block(c + F::trunk_place + L::width * v), trunk + L::width * v);
    });
  }
  template <class F>
  FEATHERLINE_INLINE static void add_own(const Place& at, const S* c, S* slots) {
    each_of<F::own_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
      S* slot = slots + at.first_own + Rows::width * v;
      Rows::store(Rows::load(slot) + Rows::load(c + Rows::width * v), slot);
    });
  }

  FEATHERLINE_INLINE void write_by_tau(const ConstrainedOutputs<S>& to) {
    each_of<trunk_count>([&](auto t) FEATHERLINE_INLINE_LAMBDA {
      Wide::copy(K_[t], to.da_dtau + n * L::trunk(t));
      Held::copy(F_[t], to.dlambda_dtau + m * L::trunk(t));
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      using F = FormOf<l>;
      each_part<F::count>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
        const Place at = place_of<l>();
        solve_limb<F, sums>(at, at.reduced + F::size * i, at.begin + i, to.da_dtau, to.dlambda_dtau);
      });
    });
  }
  /// Of columns of a limb from j on that are reduced.
  template <class F, int sums>
  FEATHERLINE_NOINLINE void solve_limb(const Place& at, const S* c, int j, S* da, S* dlambda) {
    code_begins<Tree, S, false>();
    each_of<sums>([&](auto q) FEATHERLINE_INLINE_LAMBDA { add_own<F>(at, c + F::size * q, own_[q]); });
    const auto solve = [&](auto by, const auto& matrix, const S* init, S* to) FEATHERLINE_INLINE_LAMBDA {
      combine<decltype(by), sums, false>(
          init, {matrix[0], F::above, c + F::trunk_place, 1, F::size},
          {matrix[trunk_count + at.first_row], F::rows, c + F::held_place, 1, F::size}, to);
    };
    solve(Wide{}, K_, own_[0], da + n * j);
    solve(Held{}, F_, nullptr, dlambda + m * j);
    clear_own<F, sums>(at);
    code_ends<Tree, S>();
  }
  template <class F, int sums>
  FEATHERLINE_INLINE void clear_own(const Place& at) {
    each_of<sums>([&](auto q) FEATHERLINE_INLINE_LAMBDA {
      each_of<F::own_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
        Rows::store(typename Rows::Vector{}, own_[q] + at.first_own + Rows::width * v);
      });
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
  template <int first, int known>
  FEATHERLINE_NOINLINE void solve_columns(const S* k, S* da, S* dlambda) {
    code_begins<Tree, S>();
    each_part<known - first>([&](auto sums, int j) FEATHERLINE_INLINE_LAMBDA {
      const S* rows = k + m * (first + j);
      combine<Wide, sums, false>(nullptr, {K_[trunk_count], m, rows, 1, m}, none(), da + n * (first + j));
      combine<Held, sums, false>(nullptr, {F_[trunk_count], m, rows, 1, m}, none(),
                                 dlambda + m * (first + j));
    });
    each<L::begins_run>(Known<0>{}, Known<trunk_count>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
      constexpr int end = L::trunk(t) + L::length_of_run(t),
                    begin = L::trunk(t) < known ? known : L::trunk(t);
      each_part<end - begin>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
        solve_trunk<t, sums>(begin + i, k, da, dlambda);
      });
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      using F = FormOf<l>;
      each_part<F::count>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
        const Place at = place_of<l>();
        reduce_limb<F, sums>(at, k + m * (at.begin + i) + at.first_row, da + n * (at.begin + i));
        solve_limb<F, sums>(at, c_, at.begin + i, da, dlambda);
      });
    });
    code_ends<Tree, S>();
  }
  template <class F, int sums>
  FEATHERLINE_NOINLINE void reduce_limb(const Place& at, const S* k, const S* b) {
    code_begins<Tree, S, false>();
    typename L::TrunkRow trunk[sums];
    each_of<sums>([&](auto q)
                      FEATHERLINE_INLINE_LAMBDA { L::template load_trunk<F::above>(b + n * q, trunk[q]); });
    reduce<F, sums>(at, b, [&](auto q, auto v) FEATHERLINE_INLINE_LAMBDA { return trunk[q][v]; });
    each_of<sums>(
        [&](auto q) FEATHERLINE_INLINE_LAMBDA { add_rows<F>(k + m * q, c_ + F::size * q + F::held_place); });
    code_ends<Tree, S>();
  }
  /// c += k by vectors, because vectors are read where c was written by vectors.
  template <class F>
  FEATHERLINE_INLINE static void add_rows(const S* k, S* c) {
    constexpr int width = PackOf<S>::width;
    each_of<F::held_vectors>([&](auto v) FEATHERLINE_INLINE_LAMBDA {
      Pack<S> x = {};
      each_of<(F::rows - width * v < width ? F::rows - width * v : width)>(
          [&](auto r) FEATHERLINE_INLINE_LAMBDA { x[+r] = k[width * v + r]; });
      store_pack<S>(load_pack(c + width * v) + x, c + width * v);
    });
  }

  static constexpr bool is_below(int l, int t) { return L::limb(l).above > t; }
  static constexpr bool is_run_held(int t) {
    for (int k = L::trunk(t); k < L::trunk(t) + L::length_of_run(t); ++k) {
      if (R::is_held(k)) return true;
    }
    return false;
  }
  template <int t, int sums>
  FEATHERLINE_INLINE void solve_trunk(int j, const S* k, S* da, S* dlambda) {
    const S* b = da + n * j;
    alignas(register_bytes) S trunk[sums][L::trunk_stride];
    S rows[sums * m];
    each_of<sums>([&](auto q) FEATHERLINE_INLINE_LAMBDA {
      typename L::TrunkRow x;
      L::template load_trunk<trunk_count>(b + n * q, x);
      L::store_trunk(x, trunk[q]);
    });
    for (int r = 0; r < sums * m; ++r) rows[r] = k[m * j + r];
    const auto each_below = [&](const auto& visit) FEATHERLINE_INLINE_LAMBDA {
      each<is_below>(Known<0>{}, Known<L::limb_count>{}, visit, Known<t>{});
    };
    each_below([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      reduce_trunk<FormOf<l>, sums>(place_of<l>(), b, trunk, rows);
    });
    constexpr int num_rows = is_run_held(t) ? m : 0;
    combine<Wide, sums, false>(own_[0], {K_[0], trunk_count, trunk[0], 1, L::trunk_stride},
                               {K_[trunk_count], num_rows, rows, 1, m}, da + n * j);
    combine<Held, sums, false>(nullptr, {F_[0], trunk_count, trunk[0], 1, L::trunk_stride},
                               {F_[trunk_count], num_rows, rows, 1, m}, dlambda + m * j);
    each_below([&](auto l) FEATHERLINE_INLINE_LAMBDA { clear_own<FormOf<l>, sums>(place_of<l>()); });
  }
  /// What columns of the trunk have of a limb.
  template <class F, int sums>
  FEATHERLINE_NOINLINE void reduce_trunk(const Place& at, const S* b, S (*trunk)[L::trunk_stride], S* rows) {
    code_begins<Tree, S, false>();
    reduce<F, sums>(
        at, b, [&](auto q, auto v) FEATHERLINE_INLINE_LAMBDA { return load_block(trunk[q] + L::width * v); });
    each_of<sums>([&](auto q) FEATHERLINE_INLINE_LAMBDA {
      const S* c = c_ + F::size * q;
      end_column<F>(c, trunk[q]);
      add_own<F>(at, c, own_[q]);
      for (int r = 0; r < F::rows; ++r) {
        S& row = rows[m * q + at.first_row + r];
        row = row + c[F::held_place + r];
      }
    });
    code_ends<Tree, S>();
  }

  FEATHERLINE_INLINE RowTerms<S> none() const { return {K_[0], 0, K_[0], 0, 0}; }
  template <class Slots, int sums, bool in_slots>
  FEATHERLINE_INLINE static void combine(const S* init, const RowTerms<S>& a, const RowTerms<S>& b, S* to) {
    Slots::template combine<Tree, sums, in_slots>(init, a, b, to);
  }

  BlockParts<Tree, S> parts_;
  alignas(64) S K_[trunk_count + m][Wide::stride];        ///< behind K_t: Q^T
  alignas(64) S F_[trunk_count + m][Held::stride];        ///< behind F_t: D^-1, in axes of the world
  alignas(64) S own_[most_sums][Wide::stride];            ///< -M_ll^-1 b_l of columns, in slots of whole rows
  alignas(64) S reduced_[L::limb_rows][longest_reduced];  ///< rows of M_ll^-1, W and N^T, joined
  alignas(64) S c_[most_sums * longest_reduced];          ///< of columns: -M_ll^-1 b_l, c_t, c_r
  S P_t_[trunk_count][m];                                 ///< rows of the trunk of M^-1 J^T
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
