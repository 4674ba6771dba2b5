// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/lanes.hpp>

#include <type_traits>

/// Poses as four columns: the axes of the frame and its origin, in the world. A step from body to body combines
/// columns, so the three components of a column are computed at once.
namespace featherline::kinematics {

/// Three numbers with the operators of one. No lambdas: clang does not compile them for the processor that a batch
/// chooses.
template <class S>
struct Triple {
  S x, y, z;

  FEATHERLINE_INLINE const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  FEATHERLINE_INLINE friend Triple operator+(const Triple& a, const Triple& b) {
    return {S(a.x + b.x), S(a.y + b.y), S(a.z + b.z)};
  }
  FEATHERLINE_INLINE friend Triple operator-(const Triple& a, const Triple& b) {
    return {S(a.x - b.x), S(a.y - b.y), S(a.z - b.z)};
  }
  FEATHERLINE_INLINE friend Triple operator*(const S& a, const Triple& b) {
    return {S(a * b.x), S(a * b.y), S(a * b.z)};
  }
  FEATHERLINE_INLINE friend Triple operator*(const Triple& a, const S& b) { return b * a; }
  FEATHERLINE_INLINE friend Triple operator-(const Triple& a) { return {S(-a.x), S(-a.y), S(-a.z)}; }
};

/// A vector of four lanes, of which the last one means nothing, where there are vectors.
template <class S>
inline constexpr bool has_vector_columns = detail::LaneStorage<S, 4>::is_vector;
template <class S>
using Column = std::conditional_t<has_vector_columns<S>, Lanes<S, 4>, Triple<S>>;

template <class S>
FEATHERLINE_INLINE Column<S> column(const S& x, const S& y, const S& z) {
  if constexpr (has_vector_columns<S>)
    return {x, y, z, S(0.0)};
  else
    return {x, y, z};
}

/// Writes three numbers.
template <class S>
FEATHERLINE_INLINE void store_column(const Column<S>& x, S* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
}

/// Writes three numbers, and perhaps a fourth one that a later store replaces: one instruction instead of two.
template <class S>
FEATHERLINE_INLINE void store_column_before_others(const Column<S>& x, S* to) {
  if constexpr (has_vector_columns<S>)
    x.store(to);
  else
    store_column(x, to);
}

template <class S>
FEATHERLINE_INLINE Column<S> cross(const Column<S>& a, const Column<S>& b) {
  if constexpr (has_vector_columns<S>)
    return yzx(a * yzx(b) - yzx(a) * b);
  else
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// R_WB and p_WB of a frame B: columns 0 to 2 are its axes, column 3 is its origin.
///
/// Copies are written out, column by column. g++ 12 would copy pairs of columns at once, through memory, where a read
/// then waits for two writes: the Jacobian of ur5 took 63 ns instead of 39.
template <class S>
struct Pose {
  Column<S> x, y, z, origin;

  Pose() = default;
  FEATHERLINE_INLINE Pose(const Column<S>& to_x, const Column<S>& to_y, const Column<S>& to_z,
                          const Column<S>& at)
      : x(to_x), y(to_y), z(to_z), origin(at) {}
  FEATHERLINE_INLINE Pose(const Pose& other) : x(other.x), y(other.y), z(other.z), origin(other.origin) {}
  FEATHERLINE_INLINE Pose& operator=(const Pose& other) {
    x = other.x;
    y = other.y;
    z = other.z;
    origin = other.origin;
    return *this;
  }

  FEATHERLINE_INLINE Column<S>& operator[](int k) { return k == 0 ? x : k == 1 ? y : k == 2 ? z : origin; }
  FEATHERLINE_INLINE const Column<S>& operator[](int k) const {
    return k == 0 ? x : k == 1 ? y : k == 2 ? z : origin;
  }

  /// From R column-major, then p.
  FEATHERLINE_INLINE static Pose of(const S* e) {
    return {column<S>(e[0], e[1], e[2]), column<S>(e[3], e[4], e[5]), column<S>(e[6], e[7], e[8]),
            column<S>(e[9], e[10], e[11])};
  }
  FEATHERLINE_INLINE static Pose world() {
    const S zero(0.0), one(1.0);
    return {column<S>(one, zero, zero), column<S>(zero, one, zero), column<S>(zero, zero, one),
            column<S>(zero, zero, zero)};
  }
};

}  // namespace featherline::kinematics
