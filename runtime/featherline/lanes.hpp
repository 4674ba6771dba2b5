// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/pivot.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

/// Equal limbs of a robot can be computed at once. A value of emitted code then holds one number for each of k limbs.
///
/// The numbers are a vector type of g++ or clang if the scalar is double or float. Its size is a power of two: lanes
/// that no limb needs hold what the last limb has, so they make no other exceptions and no other slow numbers. The
/// numbers are an array for any other scalar or compiler, and on ARM without vector registers. All functions are
/// inlined, because a program may hold sources that were compiled for different registers.
namespace featherline {

/// The type of a number that differs between limbs, where limbs are computed one after the other. S is made from it.
template <class S>
struct LimbNumberOf {
  using type = double;
};
template <>
struct LimbNumberOf<float> {
  using type = float;
};
template <class S>
using LimbNumber = typename LimbNumberOf<S>::type;

namespace detail {

#if defined(__GNUC__)
#define FEATHERLINE_LANES_INLINE [[gnu::always_inline]] inline FEATHERLINE_FUNCTION
#else
#define FEATHERLINE_LANES_INLINE inline
#endif

/// k numbers with the operators of one.
template <class S, int k>
struct LaneArray {
  S lanes[k];
  FEATHERLINE_LANES_INLINE const S& operator[](int i) const { return lanes[i]; }
  FEATHERLINE_LANES_INLINE S& operator[](int i) { return lanes[i]; }
};

// Lists of operations, not loops: g++ 12 -O2 keeps short loops, and with them the arrays in memory. A batch of hyq's
// `rnea` then took 300 ns a state instead of 56. One list with the operation as a lambda takes 219.
template <int k>
using EachLane = std::make_integer_sequence<int, k>;

template <class S, int k, int... i>
FEATHERLINE_LANES_INLINE void add(LaneArray<S, k>& y, const LaneArray<S, k>& a, const LaneArray<S, k>& b,
                                  std::integer_sequence<int, i...>) {
  (static_cast<void>(y.lanes[i] = a.lanes[i] + b.lanes[i]), ...);
}
template <class S, int k, int... i>
FEATHERLINE_LANES_INLINE void subtract(LaneArray<S, k>& y, const LaneArray<S, k>& a, const LaneArray<S, k>& b,
                                       std::integer_sequence<int, i...>) {
  (static_cast<void>(y.lanes[i] = a.lanes[i] - b.lanes[i]), ...);
}
template <class S, int k, int... i>
FEATHERLINE_LANES_INLINE void multiply(LaneArray<S, k>& y, const LaneArray<S, k>& a, const LaneArray<S, k>& b,
                                       std::integer_sequence<int, i...>) {
  (static_cast<void>(y.lanes[i] = a.lanes[i] * b.lanes[i]), ...);
}
template <class S, int k, int... i>
FEATHERLINE_LANES_INLINE void divide(LaneArray<S, k>& y, const LaneArray<S, k>& a, const LaneArray<S, k>& b,
                                     std::integer_sequence<int, i...>) {
  (static_cast<void>(y.lanes[i] = a.lanes[i] / b.lanes[i]), ...);
}
template <class S, int k, int... i>
FEATHERLINE_LANES_INLINE void negate(LaneArray<S, k>& y, const LaneArray<S, k>& a,
                                     std::integer_sequence<int, i...>) {
  (static_cast<void>(y.lanes[i] = -a.lanes[i]), ...);
}

template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator+(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  LaneArray<S, k> y;
  add(y, a, b, EachLane<k>{});
  return y;
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator-(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  LaneArray<S, k> y;
  subtract(y, a, b, EachLane<k>{});
  return y;
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator*(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  LaneArray<S, k> y;
  multiply(y, a, b, EachLane<k>{});
  return y;
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator/(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  LaneArray<S, k> y;
  divide(y, a, b, EachLane<k>{});
  return y;
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator-(const LaneArray<S, k>& a) {
  LaneArray<S, k> y;
  negate(y, a, EachLane<k>{});
  return y;
}

FEATHERLINE_FUNCTION constexpr int power_of_two_above(int k) {
  int n = 1;
  while (n < k) n *= 2;
  return n;
}

/// The type that holds k numbers of type S, and how many it has room for.
template <class S, int k>
struct LaneStorage {
  using type = LaneArray<S, k>;
  static constexpr int width = k;
  static constexpr bool is_vector = false;
};
#if defined(__GNUC__) && (!defined(__arm__) || defined(__ARM_NEON)) && !FEATHERLINE_CUDA
template <class S, int k>
struct LaneVector {
  static constexpr int width = power_of_two_above(k);
  typedef S type __attribute__((vector_size(width * sizeof(S))));
  static constexpr bool is_vector = true;
};
template <int k>
struct LaneStorage<double, k> : LaneVector<double, k> {};
template <int k>
struct LaneStorage<float, k> : LaneVector<float, k> {};
#endif

#if defined(__has_builtin) && !FEATHERLINE_CUDA
#if __has_builtin(__builtin_shufflevector)
#define FEATHERLINE_HAS_SHUFFLES 1
#endif
#endif

/// Four rows of four become the columns.
template <class Storage>
FEATHERLINE_LANES_INLINE void transpose_lanes(Storage& a, Storage& b, Storage& c, Storage& d) {
  Storage* rows[] = {&a, &b, &c, &d};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      const auto x = (*rows[i])[j];
      (*rows[i])[j] = (*rows[j])[i];
      (*rows[j])[i] = x;
    }
  }
}
#ifdef FEATHERLINE_HAS_SHUFFLES
/// Two steps of four shuffles are what processors have instructions for.
template <class V>
FEATHERLINE_LANES_INLINE void shuffle_transposed(V& a, V& b, V& c, V& d) {
  const V even_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6),
          odd_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7),
          even_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
          odd_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5);
  b = __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5);
  c = __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7);
  d = __builtin_shufflevector(odd_ab, odd_cd, 2, 3, 6, 7);
}
#endif
/// The same for rows that are vectors of the compiler.
template <class Vector>
FEATHERLINE_LANES_INLINE void transpose_square(Vector (&x)[4]) {
#ifdef FEATHERLINE_HAS_SHUFFLES
  shuffle_transposed(x[0], x[1], x[2], x[3]);
#else
  transpose_lanes(x[0], x[1], x[2], x[3]);
#endif
}
/// The columns of four rows in memory, of which halves are loaded: that leaves one step of shuffles.
template <class Vector, class S>
FEATHERLINE_LANES_INLINE void load_transposed(const S* from, std::ptrdiff_t stride, Vector (&x)[4]) {
#ifdef FEATHERLINE_HAS_SHUFFLES
  typedef S Half __attribute__((vector_size(2 * sizeof(S)), aligned(alignof(S)), may_alias));
  const auto load = [&](int row, int column) FEATHERLINE_INLINE_LAMBDA {
    const auto& upper = *reinterpret_cast<const Half*>(from + stride * row + column);
    const auto& lower = *reinterpret_cast<const Half*>(from + stride * (row + 2) + column);
    return Vector(__builtin_shufflevector(upper, lower, 0, 1, 2, 3));
  };
  for (int k = 0; k < 4; k += 2) {
    const Vector even = load(0, k), odd = load(1, k);
    x[k] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    x[k + 1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  }
#else
  for (int k = 0; k < 4; ++k) std::memcpy(&x[k], from + stride * k, sizeof x[k]);
  transpose_lanes(x[0], x[1], x[2], x[3]);
#endif
}
// No function takes or returns a vector by value: g++ warns that its calls depend on the registers compiled for.

/// The value in each lane. From a list, g++ 12 makes one instruction; from a loop, three.
template <class Storage, class S, int... i>
FEATHERLINE_LANES_INLINE void set_all(Storage& y, const S& value, std::integer_sequence<int, i...>) {
  y = Storage{(static_cast<void>(i), value)...};
}

/// f(x[0]), f(x[1]), ...: k numbers, the last one also for each lane without a limb.
template <int k, class Storage, class From, class Function, int... i>
FEATHERLINE_LANES_INLINE void set_each(Storage& y, const From& x, const Function& f,
                                       std::integer_sequence<int, i...>) {
  y = Storage{f(x[i < k ? i : k - 1])...};
}

template <class S, int k, class Storage>
FEATHERLINE_LANES_INLINE S sum_lanes(const Storage& x);

/// The half with the higher lanes is added to the lower half, as far as it has limbs.
template <class S, int k, class Storage, int... i>
FEATHERLINE_LANES_INLINE S sum_halves(const Storage& x, std::integer_sequence<int, i...>) {
  constexpr int half = sizeof...(i);
  using Half = typename LaneStorage<S, half>::type;
  if constexpr (k == 2 * half) return sum_lanes<S, half>(Half{x[i]...} + Half{x[half + i]...});
  if constexpr (k < 2 * half)
    return sum_lanes<S, half>(Half{(half + i < k ? S(x[i] + x[(half + i) % k]) : S(x[i]))...});
}
/// The sum of the first k numbers. Adding halves takes the fewest instructions in vector registers.
template <class S, int k, class Storage>
FEATHERLINE_LANES_INLINE S sum_lanes(const Storage& x) {
  if constexpr (k == 1) return x[0];
  if constexpr (k == 2) return x[0] + x[1];
  if constexpr (k > 2)
    return sum_halves<S, k>(x, std::make_integer_sequence<int, power_of_two_above(k) / 2>{});
}

}  // namespace detail

/// One number for each of k limbs. Operations work lane by lane. A scalar operand has the same value in all lanes.
template <class S, int k>
class Lanes {
 public:
  Lanes() = default;
  FEATHERLINE_LANES_INLINE Lanes(const S& value) {  // NOLINT: a scalar goes with lanes
    detail::set_all(x_, value, AllLanes{});
  }
  /// One number for each lane.
  template <class... Rest>
  FEATHERLINE_LANES_INLINE Lanes(const S& first, const S& second, const Rest&... rest)
      : x_{first, second, S(rest)...} {
    static_assert(sizeof...(rest) + 2 == k, "one number for each lane");
    for (int i = k; i < Shape::width; ++i) x_[i] = x_[k - 1];
  }

  /// Reads k numbers that are contiguous in memory.
  FEATHERLINE_LANES_INLINE static Lanes load(const S* from) {
    Lanes y;
    if constexpr (Shape::is_vector && Shape::width == k)
      std::memcpy(&y.x_, from, sizeof y.x_);
    else
      detail::set_each<k>(
          y.x_, from, [](const S& x) { return x; }, AllLanes{});
    return y;
  }
  FEATHERLINE_LANES_INLINE void store(S* to) const {
    if constexpr (Shape::is_vector) {
      std::memcpy(to, &x_, k * sizeof(S));
    } else {
      for (int i = 0; i < k; ++i) to[i] = x_[i];
    }
  }

  FEATHERLINE_LANES_INLINE S operator[](int lane) const { return x_[lane]; }

  FEATHERLINE_LANES_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return held(a.x_ + b.x_);
  }
  FEATHERLINE_LANES_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return held(a.x_ - b.x_);
  }
  FEATHERLINE_LANES_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return held(a.x_ * b.x_);
  }
  FEATHERLINE_LANES_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return held(a.x_ / b.x_);
  }
  FEATHERLINE_LANES_INLINE friend Lanes operator-(const Lanes& a) { return held(-a.x_); }

  FEATHERLINE_LANES_INLINE friend Lanes sqrt(const Lanes& a) {
    Lanes y;
    const auto root = [](const S& x) {
      using std::sqrt;
      return S(sqrt(x));
    };
    detail::set_each<k>(y.x_, a.x_, root, AllLanes{});
    return y;
  }
  FEATHERLINE_LANES_INLINE friend Lanes atan(const Lanes& a) {
    Lanes y;
    const auto angle = [](const S& x) {
      using std::atan;
      return S(atan(x));
    };
    detail::set_each<k>(y.x_, a.x_, angle, AllLanes{});
    return y;
  }
  FEATHERLINE_LANES_INLINE friend Lanes pivot_inverse(const Lanes& a, const Lanes& b) {
    S inverse[k];
    for (int i = 0; i < k; ++i) {
      using featherline::pivot_inverse;
      inverse[i] = pivot_inverse(S(a.x_[i]), S(b.x_[i]));
    }
    return load(inverse);
  }
  /// Four rows of four numbers become the columns.
  FEATHERLINE_LANES_INLINE friend void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
    static_assert(k == 4, "rows and columns are equally many");
#ifdef FEATHERLINE_HAS_SHUFFLES
    if constexpr (Shape::is_vector) return detail::shuffle_transposed(a.x_, b.x_, c.x_, d.x_);
#endif
    detail::transpose_lanes(a.x_, b.x_, c.x_, d.x_);
  }
  /// The components y, z, x of a vector that has x, y, z and another number in four lanes.
  FEATHERLINE_LANES_INLINE friend Lanes yzx(const Lanes& a) {
    static_assert(k == 4, "a vector and one more number");
#ifdef FEATHERLINE_HAS_SHUFFLES
    if constexpr (Shape::is_vector) return held(__builtin_shufflevector(a.x_, a.x_, 1, 2, 0, 3));
#endif
    return {a[1], a[2], a[0], a[3]};
  }
  /// The sum over the lanes: (x0 + x2) + (x1 + x3) for four of them, (x0 + x2) + x1 for three.
  FEATHERLINE_LANES_INLINE friend S lane_sum(const Lanes& a) { return detail::sum_lanes<S, k>(a.x_); }

  /// The numbers as they are stored: a vector type or detail::LaneArray.
  FEATHERLINE_LANES_INLINE const auto& vector() const { return x_; }

 private:
  using Shape = detail::LaneStorage<S, k>;
  using Storage = typename Shape::type;
  using AllLanes = std::make_integer_sequence<int, Shape::width>;
  FEATHERLINE_LANES_INLINE static Lanes held(const Storage& x) {
    Lanes y;
    y.x_ = x;
    return y;
  }

  Storage x_;
};

namespace detail {

/// Writes lane l of a and b to to[l stride] and to[l stride + 1]. Pairs are stored at once: a store of one number takes
/// as long as one of two.
template <class S, int k>
FEATHERLINE_LANES_INLINE void scatter_pair(S* to, std::ptrdiff_t stride, const Lanes<S, k>& a,
                                           const Lanes<S, k>& b) {
  for (int l = 0; l < k; ++l) {
    to[l * stride] = a[l];
    to[l * stride + 1] = b[l];
  }
}

#if defined(FEATHERLINE_HAS_SHUFFLES) && (defined(__x86_64__) || defined(__aarch64__))
template <class V, class S>
FEATHERLINE_LANES_INLINE void store_vector(S* to, const V& x) {
  std::memcpy(to, &x, sizeof x);
}
FEATHERLINE_LANES_INLINE void scatter_pair(double* to, std::ptrdiff_t stride, const Lanes<double, 4>& a,
                                           const Lanes<double, 4>& b) {
  const auto even = __builtin_shufflevector(a.vector(), b.vector(), 0, 4, 2, 6);
  const auto odd = __builtin_shufflevector(a.vector(), b.vector(), 1, 5, 3, 7);
  store_vector(to, __builtin_shufflevector(even, even, 0, 1));
  store_vector(to + stride, __builtin_shufflevector(odd, odd, 0, 1));
  store_vector(to + 2 * stride, __builtin_shufflevector(even, even, 2, 3));
  store_vector(to + 3 * stride, __builtin_shufflevector(odd, odd, 2, 3));
}
/// Three rows of four limbs, one limb behind the other, are twelve consecutive numbers.
FEATHERLINE_LANES_INLINE void store_triples(double* to, const Lanes<double, 4>& a, const Lanes<double, 4>& b,
                                            const Lanes<double, 4>& c) {
  const auto ab = __builtin_shufflevector(a.vector(), b.vector(), 0, 4, 2, 6);
  const auto bc = __builtin_shufflevector(b.vector(), c.vector(), 1, 5, 3, 7);
  const auto ca = __builtin_shufflevector(c.vector(), a.vector(), 0, 5, 2, 7);
  store_vector(to, __builtin_shufflevector(ab, ca, 0, 1, 4, 5));
  store_vector(to + 4, __builtin_shufflevector(bc, ab, 0, 1, 6, 7));
  store_vector(to + 8, __builtin_shufflevector(ca, bc, 2, 3, 6, 7));
}
/// The same of four values, whose rows are stored at once.
FEATHERLINE_LANES_INLINE void scatter_four(double* to, std::ptrdiff_t stride, const Lanes<double, 4>& a,
                                           const Lanes<double, 4>& b, const Lanes<double, 4>& c,
                                           const Lanes<double, 4>& d) {
  Lanes<double, 4> first = a, second = b, third = c, fourth = d;
  transpose(first, second, third, fourth);
  first.store(to);
  second.store(to + stride);
  third.store(to + 2 * stride);
  fourth.store(to + 3 * stride);
}
#if defined(__AVX512F__)
/// Of eight lanes: 16 instructions in the place of 48.
FEATHERLINE_LANES_INLINE void scatter_four(double* to, std::ptrdiff_t stride, const Lanes<double, 8>& a,
                                           const Lanes<double, 8>& b, const Lanes<double, 8>& c,
                                           const Lanes<double, 8>& d) {
  const auto put = [&](int lane, const auto& ab, const auto& cd) FEATHERLINE_INLINE_LAMBDA {
    const auto low = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 2, 3, 10, 11),
               high = __builtin_shufflevector(ab, cd, 4, 5, 12, 13, 6, 7, 14, 15);
    store_vector(to + lane * stride, __builtin_shufflevector(low, low, 0, 1, 2, 3));
    store_vector(to + (lane + 2) * stride, __builtin_shufflevector(low, low, 4, 5, 6, 7));
    store_vector(to + (lane + 4) * stride, __builtin_shufflevector(high, high, 0, 1, 2, 3));
    store_vector(to + (lane + 6) * stride, __builtin_shufflevector(high, high, 4, 5, 6, 7));
  };
  put(0, __builtin_shufflevector(a.vector(), b.vector(), 0, 8, 2, 10, 4, 12, 6, 14),
      __builtin_shufflevector(c.vector(), d.vector(), 0, 8, 2, 10, 4, 12, 6, 14));
  put(1, __builtin_shufflevector(a.vector(), b.vector(), 1, 9, 3, 11, 5, 13, 7, 15),
      __builtin_shufflevector(c.vector(), d.vector(), 1, 9, 3, 11, 5, 13, 7, 15));
}
#endif
FEATHERLINE_LANES_INLINE void scatter_pair(double* to, std::ptrdiff_t stride, const Lanes<double, 2>& a,
                                           const Lanes<double, 2>& b) {
  store_vector(to, __builtin_shufflevector(a.vector(), b.vector(), 0, 2));
  store_vector(to + stride, __builtin_shufflevector(a.vector(), b.vector(), 1, 3));
}
#endif

template <class S, int k>
FEATHERLINE_LANES_INLINE void store_triples(S* to, const Lanes<S, k>& a, const Lanes<S, k>& b,
                                            const Lanes<S, k>& c) {
  for (int l = 0; l < k; ++l) {
    to[3 * l] = a[l];
    to[3 * l + 1] = b[l];
    to[3 * l + 2] = c[l];
  }
}
template <class S, int k>
FEATHERLINE_LANES_INLINE void scatter_four(S* to, std::ptrdiff_t stride, const Lanes<S, k>& a,
                                           const Lanes<S, k>& b, const Lanes<S, k>& c, const Lanes<S, k>& d) {
  scatter_pair(to, stride, a, b);
  scatter_pair(to + 2, stride, c, d);
}

}  // namespace detail

/// Writes lane l of value r to to[r + l stride]: the rows of a column, for each limb.
template <class S, int k>
FEATHERLINE_LANES_INLINE void scatter(S* to, std::ptrdiff_t stride, const Lanes<S, k>& a) {
  for (int l = 0; l < k; ++l) to[l * stride] = a[l];
}
template <class S, int k>
FEATHERLINE_LANES_INLINE void scatter(S* to, std::ptrdiff_t stride, const Lanes<S, k>& a,
                                      const Lanes<S, k>& b) {
  detail::scatter_pair(to, stride, a, b);
}
template <class S, int k>
FEATHERLINE_LANES_INLINE void scatter(S* to, std::ptrdiff_t stride, const Lanes<S, k>& a,
                                      const Lanes<S, k>& b, const Lanes<S, k>& c) {
  if (stride == 3) return detail::store_triples(to, a, b, c);
  detail::scatter_pair(to, stride, a, b);
  scatter(to + 2, stride, c);
}
template <class S, int k, class... More>
FEATHERLINE_LANES_INLINE void scatter(S* to, std::ptrdiff_t stride, const Lanes<S, k>& a,
                                      const Lanes<S, k>& b, const Lanes<S, k>& c, const Lanes<S, k>& d,
                                      const More&... more) {
  detail::scatter_four(to, stride, a, b, c, d);
  if constexpr (sizeof...(more) > 0) scatter(to + 4, stride, more...);
}

#undef FEATHERLINE_LANES_INLINE
#undef FEATHERLINE_HAS_SHUFFLES

}  // namespace featherline
