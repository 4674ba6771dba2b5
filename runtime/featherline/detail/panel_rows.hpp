// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/second_order.hpp>
#include <featherline/compiler.hpp>
#include <featherline/detail/pack.hpp>
#include <featherline/detail/tree_storage.hpp>
#include <featherline/lanes.hpp>

#include <type_traits>
#include <utility>
#ifdef __AVX512VL__
#include <immintrin.h>
#endif

/// Arrays with a row for each component and a column for each slot, read and written four or eight slots at a time.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define FEATHERLINE_JOINS_LANES 1
inline constexpr bool joins_lanes = true;
#endif
#endif
#ifndef FEATHERLINE_JOINS_LANES
inline constexpr bool joins_lanes = false;
#endif

/// How many slots are computed at once: eight where a register holds as many numbers and the tree has so many slots
/// that few rows stay half empty. First derivatives with eight instead of four: panda (8 slots) 714 instead of 586 ns,
/// baxter (15) 1,334 instead of 1,179, hyq (18) 702 instead of 653, talos_reduced (38) 1,580 instead of 2,300. A tree
/// that is read has one width, the wider one.
template <class Tree, class S>
constexpr int width_of_rows() {
  constexpr bool holds_eight = joins_lanes && PackOf<S>::width >= 8;
  if constexpr (holds_eight && is_known_tree<Tree>) {
    return Tree::max_places > 24 ? 8 : 4;
  } else {
    return holds_eight ? 8 : 4;
  }
}
template <class Tree, class S>
inline constexpr int row_width = width_of_rows<Tree, S>();
/// Tables begin with a cache line, so that no row of four lies in two lines: the humanoid's first derivatives then take
/// 2.4 us instead of 2.8.
inline constexpr int cache_line = 64;
/// x, y and z of a vector, or four numbers of a slot.
template <class S>
using Four = Lanes<S, 4>;

/// The type of the constants in tables. Functions of float read them as float, so that no double gets into an image.
template <class S>
using TableReal = std::conditional_t<std::is_same_v<S, float>, float, double>;

/// x rounded up to whole rows of so many slots.
template <int width>
constexpr int whole_rows(int x) {
  return (x + width - 1) / width * width;
}
/// The same and `rows` more of them; `unknown` if x is.
template <int width>
constexpr int whole_rows_and(int x, int rows) {
  return x == unknown ? unknown : whole_rows<width>(x) + rows * width;
}

/// Constants from a table.
template <class S, int width>
inline Lanes<S, width> constants(const TableReal<S>* x) {
  if constexpr (std::is_same_v<S, TableReal<S>>) {
    return Lanes<S, width>::load(x);
  } else {
    static_assert(width == 4);
    return {S(x[0]), S(x[1]), S(x[2]), S(x[3])};
  }
}

/// a x b of vectors whose x, y and z are lanes.
template <class S>
inline Four<S> cross_xyz(const Four<S>& a, const Four<S>& b) {
  return yzx(a * yzx(b) - yzx(a) * b);
}
/// A motion whose vectors have x, y and z in lanes.
template <class S>
struct XyzMotion {
  Four<S> w, u;

  static XyzMotion load(const S* from) { return {Four<S>::load(from), Four<S>::load(from + 4)}; }
  void store(S* to) const {
    w.store(to);
    u.store(to + 4);
  }
  friend XyzMotion operator+(const XyzMotion& a, const XyzMotion& b) { return {a.w + b.w, a.u + b.u}; }
  friend XyzMotion operator*(const XyzMotion& a, const S& b) { return {a.w * b, a.u * b}; }
  friend XyzMotion cross(const XyzMotion& a, const XyzMotion& b) {
    return {cross_xyz<S>(a.w, b.w), cross_xyz<S>(a.w, b.u) + cross_xyz<S>(a.u, b.w)};
  }
};

/// `count` numbers in registers, a multiple of four.
template <class S, int count>
class Sum {
  using Fours = std::make_integer_sequence<int, count / 4>;

 public:
  FEATHERLINE_INLINE explicit Sum(const S* from) { load(from, Fours{}); }
  /// Adds the sum to numbers, which are the sum then.
  FEATHERLINE_INLINE void add_to(S* to) { add_to(to, Fours{}); }

 private:
  template <int... k>
  FEATHERLINE_INLINE void load(const S* from, std::integer_sequence<int, k...>) {
    ((x_[k] = Four<S>::load(from + 4 * k)), ...);
  }
  template <int... k>
  FEATHERLINE_INLINE void add_to(S* to, std::integer_sequence<int, k...>) {
    ((x_[k] = Four<S>::load(to + 4 * k) + x_[k]), ...);
    (x_[k].store(to + 4 * k), ...);
  }

  Four<S> x_[count / 4];
};

/// Numbers of four slots, of which each has them in memory one after the other, as rows.
template <class S, int stride>
FEATHERLINE_INLINE void load_slots(const S (*from)[stride], int entry, Four<S>& w, Four<S>& x, Four<S>& y,
                                   Four<S>& z) {
  w = Four<S>::load(from[0] + entry);
  x = Four<S>::load(from[1] + entry);
  y = Four<S>::load(from[2] + entry);
  z = Four<S>::load(from[3] + entry);
  transpose(w, x, y, z);
}
template <class S, int stride>
FEATHERLINE_INLINE void store_slots(const Four<S>& w, const Four<S>& x, const Four<S>& y, const Four<S>& z,
                                    int entry, S (*to)[stride]) {
  Four<S> a = w, b = x, c = y, d = z;
  transpose(a, b, c, d);
  a.store(to[0] + entry);
  b.store(to[1] + entry);
  c.store(to[2] + entry);
  d.store(to[3] + entry);
}

/// The first `count` numbers of a row, at least one.
template <class S>
FEATHERLINE_INLINE void store_first(const Four<S>& x, int count, S* to) {
  if (count >= 4) return x.store(to);
  to[0] = x[0];
  if (count > 1) to[1] = x[1];
  if (count > 2) to[2] = x[2];
}

#ifdef FEATHERLINE_JOINS_LANES
template <class S>
using Eight = Lanes<S, 8>;

/// A row of eight is two fours.
template <class S>
FEATHERLINE_INLINE Eight<S> join(const Four<S>& low, const Four<S>& high) {
  const auto x = __builtin_shufflevector(low.vector(), high.vector(), 0, 1, 2, 3, 4, 5, 6, 7);
  return Eight<S>::load(reinterpret_cast<const S*>(&x));
}
template <class S>
struct Halves {
  Four<S> low, high;
};
template <class S>
FEATHERLINE_INLINE Halves<S> split(const Eight<S>& row) {
  const auto low = __builtin_shufflevector(row.vector(), row.vector(), 0, 1, 2, 3),
             high = __builtin_shufflevector(row.vector(), row.vector(), 4, 5, 6, 7);
  return {Four<S>::load(reinterpret_cast<const S*>(&low)), Four<S>::load(reinterpret_cast<const S*>(&high))};
}

template <class S, int stride>
FEATHERLINE_INLINE void load_slots(const S (*from)[stride], int entry, Eight<S>& w, Eight<S>& x, Eight<S>& y,
                                   Eight<S>& z) {
  Four<S> a[4], b[4];
  load_slots(from, entry, a[0], a[1], a[2], a[3]);
  load_slots(from + 4, entry, b[0], b[1], b[2], b[3]);
  w = join(a[0], b[0]);
  x = join(a[1], b[1]);
  y = join(a[2], b[2]);
  z = join(a[3], b[3]);
}
template <class S, int stride>
FEATHERLINE_INLINE void store_slots(const Eight<S>& w, const Eight<S>& x, const Eight<S>& y,
                                    const Eight<S>& z, int entry, S (*to)[stride]) {
  const Halves<S> a = split(w), b = split(x), c = split(y), d = split(z);
  store_slots(a.low, b.low, c.low, d.low, entry, to);
  store_slots(a.high, b.high, c.high, d.high, entry, to + 4);
}

template <class S>
FEATHERLINE_INLINE void store_first(const Eight<S>& x, int count, S* to) {
  const Halves<S> halves = split(x);
  if (count >= 8) return x.store(to);
  store_first(halves.low, count, to);
  if (count > 4) store_first(halves.high, count - 4, to + 4);
}
#endif
#undef FEATHERLINE_JOINS_LANES
#ifdef __AVX512VL__
FEATHERLINE_INLINE __mmask8 first_lanes(int count) {
  return static_cast<__mmask8>((1u << (count < 8 ? count : 8)) - 1u);
}
// Of rows of four, stores without masks are faster: second derivatives of talos_reduced take 14.0 us instead of 16.2.
FEATHERLINE_INLINE void store_first(const Lanes<double, 8>& x, int count, double* to) {
  _mm512_mask_storeu_pd(to, first_lanes(count), x.vector());
}
FEATHERLINE_INLINE void store_first(const Lanes<float, 8>& x, int count, float* to) {
  _mm256_mask_storeu_ps(to, first_lanes(count), x.vector());
}
#endif

/// `rows` quantities of all slots. A row may be read from any slot on, so there are columns behind the last slot.
template <class S, int width, int rows, int max_slots>
class SlotTable : Extent<whole_rows_and<width>(max_slots, 1)> {
  static constexpr int known = whole_rows_and<width>(max_slots, 1);
  using Stride = Extent<known>;

 public:
  explicit SlotTable(int slots) : Stride(whole_rows_and<width>(slots, 1)), x_(rows * Stride::value) {}

  void clear(int begin, int end) {
    for (int row = 0; row < rows; ++row) {
      for (int k = begin; k < end; ++k) row_at(row)[k] = S(0.0);
    }
  }

  // T is S for one slot, lanes for several.
  template <class T>
  T number(int row, int slot) const {
    if constexpr (std::is_same_v<T, S>) {
      return at(row, slot);
    } else {
      return T::load(row_at(row) + slot);
    }
  }
  template <class T>
  algebra::Vector3<T> vector(int row, int slot) const {
    return {number<T>(row, slot), number<T>(row + 1, slot), number<T>(row + 2, slot)};
  }
  template <class T>
  algebra::Motion<T> motion(int row, int slot) const {
    return {vector<T>(row, slot), vector<T>(row + 3, slot)};
  }
  template <class T>
  algebra::Force<T> force(int row, int slot) const {
    return {vector<T>(row, slot), vector<T>(row + 3, slot)};
  }

  void put(int row, int slot, const S& y) { at(row, slot) = y; }
  template <int lanes>
  void put(int row, int slot, const Lanes<S, lanes>& y) {
    y.store(row_at(row) + slot);
  }
  template <class T>
  void put(int row, int slot, const algebra::Vector3<T>& y) {
    put(row, slot, y.x);
    put(row + 1, slot, y.y);
    put(row + 2, slot, y.z);
  }
  template <class T>
  void put(int row, int slot, const algebra::Motion<T>& y) {
    put(row, slot, y.w);
    put(row + 3, slot, y.u);
  }
  template <class T>
  void put(int row, int slot, const algebra::Force<T>& y) {
    put(row, slot, y.n);
    put(row + 3, slot, y.f);
  }

 private:
  // An array of rows, if their length is known: the compiler sees then that two rows do not overlap. In one array, code
  // of second derivatives would be 1 % longer.
  using Storage =
      std::conditional_t<known == unknown, Room<S, unknown>, Room<S[known == unknown ? 1 : known], rows>>;

  S* row_at(int row) {
    if constexpr (known == unknown) {
      return x_.data + row * Stride::value;
    } else {
      return x_.data[row];
    }
  }
  const S* row_at(int row) const { return const_cast<SlotTable&>(*this).row_at(row); }
  // Not row_at(row)[slot], for the same reason.
  S& at(int row, int slot) {
    if constexpr (known == unknown) {
      return row_at(row)[slot];
    } else {
      return x_.data[row][slot];
    }
  }
  S at(int row, int slot) const {
    if constexpr (known == unknown) {
      return row_at(row)[slot];
    } else {
      return x_.data[row][slot];
    }
  }

  alignas(cache_line) Storage x_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
