// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/known_indices.hpp>
#include <featherline/detail/row_vectors.hpp>
#include <featherline/prepare.hpp>

/// Sums of multiples of rows for several columns at once, in as many vectors as fit the registers.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// `count` rows. Row k is multiplied with factors[step * k + column * q] for column q.
template <class S>
struct RowTerms {
  const S* rows;
  int count;
  const S* factors;
  int step, column;
};

/// Rows of N numbers whose vectors (RowVectors) lie one behind the other. So all of them are aligned: the last one has
/// numbers of the one before it, too.
template <int N, class S>
struct SlotRows {
  using Rows = RowVectors<N, S>;
  using Vector = typename Rows::Vector;
  static constexpr int width = Rows::width, count = Rows::count, stride = Rows::stride;

  /// Where number i of the row lies, the second time if it is there twice.
  static constexpr int place(int i) {
    constexpr int last = width * (count - 1);
    return i < Rows::offset(count - 1) ? i : i - Rows::offset(count - 1) + last;
  }
  FEATHERLINE_INLINE static void assign(const S* row, S* to) {
    each(Known<0>{}, Known<count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
      Rows::store(Rows::load(row + Rows::offset(v)), to + width * v);
    });
  }
  FEATHERLINE_INLINE static void copy(const S* from, S* row) {
    each(Known<0>{}, Known<count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
      Rows::store(Rows::load(from + width * v), row + Rows::offset(v));
    });
  }

  /// to = init - a - b for so many columns, in slots or as rows that follow each other. `init` may be `to`; without it,
  /// it is zero.
  template <class Tree, int sums, bool in_slots>
  FEATHERLINE_NOINLINE static void combine(const S* init, const RowTerms<S>& a, const RowTerms<S>& b, S* to) {
    code_begins<Tree, S, false>();
    constexpr int most = registers_for_sums / sums < count ? registers_for_sums / sums : count,
                  groups = (count + most - 1) / most;
    each(Known<0>{}, Known<groups>{}, [&](auto g) FEATHERLINE_INLINE_LAMBDA {
      constexpr int first = count * g / groups;
      combine_some<sums, in_slots, first, count*(g + 1) / groups - first>(init, a, b, to);
    });
    code_ends<Tree, S>();
  }

 private:
  template <int sums, bool in_slots, int first, int vectors>
  FEATHERLINE_INLINE static void combine_some(const S* init, const RowTerms<S>& a, const RowTerms<S>& b,
                                              S* to) {
    Vector x[sums][vectors];
    const auto all = [&](const auto& visit) FEATHERLINE_INLINE_LAMBDA {
      each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
        each(Known<0>{}, Known<vectors>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA { visit(q, v); });
      });
    };
    if (init != nullptr) {
      all([&](auto q, auto v)
              FEATHERLINE_INLINE_LAMBDA { x[q][v] = Rows::load(init + stride * q + width * (first + v)); });
    } else {
      all([&](auto q, auto v) FEATHERLINE_INLINE_LAMBDA { x[q][v] = Vector{}; });
    }
    subtract<sums, first, vectors>(x, a);
    subtract<sums, first, vectors>(x, b);
    all([&](auto q, auto v) FEATHERLINE_INLINE_LAMBDA {
      constexpr int at = in_slots ? stride * q + width * (first + v) : N * q + Rows::offset(first + v);
      Rows::store(x[q][v], to + at);
    });
  }
  template <int sums, int first, int vectors>
  FEATHERLINE_INLINE static void subtract(Vector (&x)[sums][vectors], const RowTerms<S>& terms) {
    const S *rows = terms.rows + width * first, *factors = terms.factors;
    FEATHERLINE_ROLLED
    for (int k = 0; k < terms.count; ++k, rows += stride, factors += terms.step) {
      each(Known<0>{}, Known<vectors>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        auto row = Rows::load(rows + width * v);
        if constexpr (sums > 1) keep_in_register(row);
        each(Known<0>{}, Known<sums>{},
             [&](auto q) FEATHERLINE_INLINE_LAMBDA { x[q][v] -= row * factors[terms.column * q]; });
      });
    }
  }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
