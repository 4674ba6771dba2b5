// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <cmath>
#include <cstring>
#include <utility>

/// Equal limbs of a robot can be computed at once. A value of emitted code then holds one number for each of k limbs.
///
/// The numbers are a vector type of g++ or clang if the scalar is double or float. Its size is a power of two: lanes
/// that no limb needs hold what the last limb has, so they make no other exceptions and no other slow numbers. The
/// numbers are an array for any other scalar or compiler, and on ARM without vector registers. All functions are
/// inlined, because a program may hold sources that were compiled for different registers.
namespace featherline {
namespace detail {

#if defined(__GNUC__)
#define FEATHERLINE_LANES_INLINE [[gnu::always_inline]] inline
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

template <class S, int k, class Operation>
FEATHERLINE_LANES_INLINE LaneArray<S, k> each_lane(const Operation& operation) {
  LaneArray<S, k> y;
  for (int i = 0; i < k; ++i) y[i] = operation(i);
  return y;
}

template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator+(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  return each_lane<S, k>([&](int i) { return S(a[i] + b[i]); });
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator-(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  return each_lane<S, k>([&](int i) { return S(a[i] - b[i]); });
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator*(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  return each_lane<S, k>([&](int i) { return S(a[i] * b[i]); });
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator/(const LaneArray<S, k>& a, const LaneArray<S, k>& b) {
  return each_lane<S, k>([&](int i) { return S(a[i] / b[i]); });
}
template <class S, int k>
FEATHERLINE_LANES_INLINE LaneArray<S, k> operator-(const LaneArray<S, k>& a) {
  return each_lane<S, k>([&](int i) { return S(-a[i]); });
}

constexpr int power_of_two_above(int k) {
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
#if defined(__GNUC__) && (!defined(__arm__) || defined(__ARM_NEON))
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
  /// The sum over the lanes: (x0 + x2) + (x1 + x3) for four of them, (x0 + x2) + x1 for three.
  FEATHERLINE_LANES_INLINE friend S lane_sum(const Lanes& a) { return detail::sum_lanes<S, k>(a.x_); }

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

#undef FEATHERLINE_LANES_INLINE

}  // namespace featherline
