// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/job.hpp>
#include <featherline/lanes.hpp>
#include <featherline/pivot.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// The scalar of a batch. It holds as many states as fit into a vector, one in each lane. This header is included
/// after begin_*.hpp has chosen the instruction set. Everything in it is a template over the tag of that set.
namespace featherline::batch {

template <class Isa, class T, int bytes = Isa::bytes>
struct StateLanes {
  static constexpr int size = bytes / static_cast<int>(sizeof(T));
  typedef T Vector __attribute__((vector_size(bytes)));

  Vector x;

  StateLanes() = default;
  /// The same number in all lanes. It subtracts zero because that keeps -0.0, which adding zero does not. It costs
  /// nothing.
  [[gnu::always_inline]] explicit StateLanes(double value) : x(static_cast<T>(value) - Vector{}) {}
  [[gnu::always_inline]] explicit StateLanes(const Vector& value) : x(value) {}

  [[gnu::always_inline]] friend StateLanes operator+(const StateLanes& a, const StateLanes& b) {
    return StateLanes(a.x + b.x);
  }
  [[gnu::always_inline]] friend StateLanes operator-(const StateLanes& a, const StateLanes& b) {
    return StateLanes(a.x - b.x);
  }
  [[gnu::always_inline]] friend StateLanes operator*(const StateLanes& a, const StateLanes& b) {
    return StateLanes(a.x * b.x);
  }
  [[gnu::always_inline]] friend StateLanes operator/(const StateLanes& a, const StateLanes& b) {
    return StateLanes(a.x / b.x);
  }
  [[gnu::always_inline]] friend StateLanes operator-(const StateLanes& a) { return StateLanes(-a.x); }
  [[gnu::always_inline]] StateLanes& operator+=(const StateLanes& b) { return x += b.x, *this; }

  // Computed lane by lane, because neither compiler has a vector operation for them. Only joint friction and steps of
  // quaternions take square roots, only differences of quaternions arc tangents.
  friend StateLanes sqrt(const StateLanes& a) {
    StateLanes root;
    for (int k = 0; k < size; ++k) root.x[k] = std::sqrt(a.x[k]);
    return root;
  }
  friend StateLanes atan(const StateLanes& a) {
    StateLanes angle;
    for (int k = 0; k < size; ++k) angle.x[k] = std::atan(a.x[k]);
    return angle;
  }
  friend bool is_bent(const StateLanes& stretch) {
    bool all = true;
    for (int k = 0; k < size; ++k) all = featherline::is_bent(stretch.x[k]) && all;
    return all;
  }
  friend StateLanes pivot_inverse(const StateLanes& a, const StateLanes& b) {
    StateLanes inverse;
    for (int k = 0; k < size; ++k) inverse.x[k] = featherline::pivot_inverse(a.x[k], b.x[k]);
    return inverse;
  }
};

/// Loads and stores whole vectors at addresses that need no alignment.
template <class Vector, class T>
[[gnu::always_inline]] inline Vector load_vector(const T* from) {
  Vector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <class Vector, class T>
[[gnu::always_inline]] inline void store_vector(const Vector& x, T* to) {
  std::memcpy(to, &x, sizeof x);
}

}  // namespace featherline::batch

template <class Isa, class T, int bytes>
struct featherline::LimbNumberOf<featherline::batch::StateLanes<Isa, T, bytes>> {
  using type = T;
};
