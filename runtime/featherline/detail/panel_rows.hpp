// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/second_order.hpp>
#include <featherline/compiler.hpp>
#include <featherline/detail/tree_storage.hpp>
#include <featherline/lanes.hpp>

#include <type_traits>

/// Arrays with a row for each component and a column for each slot, read and written four slots at a time.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

inline constexpr int row_width = 4;
/// Tables begin with a cache line, so that no row of four lies in two lines: the humanoid's first derivatives then take
/// 2.4 us instead of 2.8.
inline constexpr int cache_line = 64;
/// The same quantity of four slots that follow each other.
template <class S>
using Row = Lanes<S, row_width>;

/// The type of the constants in tables. Functions of float read them as float, so that no double gets into an image.
template <class S>
using TableReal = std::conditional_t<std::is_same_v<S, float>, float, double>;

/// x rounded up to whole rows.
constexpr int whole_rows(int x) { return (x + row_width - 1) / row_width * row_width; }

/// Four constants of a table.
template <class S>
inline Row<S> constants(const TableReal<S>* x) {
  if constexpr (std::is_same_v<S, TableReal<S>>) {
    return Row<S>::load(x);
  } else {
    return Row<S>(S(x[0]), S(x[1]), S(x[2]), S(x[3]));
  }
}

/// a x b of vectors whose x, y and z are lanes.
template <class S>
inline Row<S> cross_xyz(const Row<S>& a, const Row<S>& b) {
  return yzx(a * yzx(b) - yzx(a) * b);
}
/// A motion whose vectors have x, y and z in lanes.
template <class S>
struct XyzMotion {
  Row<S> w, u;

  static XyzMotion load(const S* from) { return {Row<S>::load(from), Row<S>::load(from + row_width)}; }
  void store(S* to) const {
    w.store(to);
    u.store(to + row_width);
  }
  friend XyzMotion operator+(const XyzMotion& a, const XyzMotion& b) { return {a.w + b.w, a.u + b.u}; }
  friend XyzMotion operator*(const XyzMotion& a, const S& b) { return {a.w * b, a.u * b}; }
  friend XyzMotion cross(const XyzMotion& a, const XyzMotion& b) {
    return {cross_xyz(a.w, b.w), cross_xyz(a.w, b.u) + cross_xyz(a.u, b.w)};
  }
};

/// Adds `count` numbers, a multiple of four.
template <int count, class S>
inline void add_row(const S* from, S* to) {
  algebra::for_each_index<count / row_width>([&](auto block) {
    constexpr int c = decltype(block)::value * row_width;
    (Row<S>::load(to + c) + Row<S>::load(from + c)).store(to + c);
  });
}

/// Numbers of four slots, of which each has them in memory one after the other, as rows.
template <class S, int stride>
inline void load_slots(const S (*from)[stride], int entry, Row<S>& w, Row<S>& x, Row<S>& y, Row<S>& z) {
  w = Row<S>::load(from[0] + entry);
  x = Row<S>::load(from[1] + entry);
  y = Row<S>::load(from[2] + entry);
  z = Row<S>::load(from[3] + entry);
  transpose(w, x, y, z);
}
template <class S, int stride>
inline void store_slots(Row<S> w, Row<S> x, Row<S> y, Row<S> z, int entry, S (*to)[stride]) {
  transpose(w, x, y, z);
  w.store(to[0] + entry);
  x.store(to[1] + entry);
  y.store(to[2] + entry);
  z.store(to[3] + entry);
}

/// x rounded up to whole rows, and `rows` more of them; `unknown` if x is.
constexpr int whole_rows_and(int x, int rows) {
  return x == unknown ? unknown : whole_rows(x) + rows * row_width;
}

/// `rows` quantities of all slots. A row may be read from any slot on, so there are columns behind the last slot.
template <class S, int rows, int max_slots>
class SlotTable : Extent<whole_rows_and(max_slots, 1)> {
  static constexpr int known = whole_rows_and(max_slots, 1);
  using Stride = Extent<known>;

 public:
  explicit SlotTable(int slots) : Stride(whole_rows_and(slots, 1)), x_(rows * Stride::value) {}

  void clear(int begin, int end) {
    for (int row = 0; row < rows; ++row) {
      for (int k = begin; k < end; ++k) row_at(row)[k] = S(0.0);
    }
  }

  // T is S for one slot, Row<S> for four.
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
  void put(int row, int slot, const Row<S>& y) { y.store(row_at(row) + slot); }
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
