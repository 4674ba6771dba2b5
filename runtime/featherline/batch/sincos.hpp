// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/lanes.hpp>

/// Sines and cosines of lanes. featherline::sincos() finds this function next to the scalar's type. The reduction and
/// the coefficients are those of detail/sincos_lanes.hpp, but the terms are added one after the other (Horner). There
/// are many angles at once, so the number of operations counts and latency does not.
namespace featherline::batch {

/// As many doubles as the vector of L has room for. This is so for float, too, because float is computed in double.
template <class L>
struct Angles {
  static constexpr int size = static_cast<int>(sizeof(L) / sizeof(double));
  typedef double Real __attribute__((vector_size(sizeof(L))));
  typedef float Single __attribute__((vector_size(sizeof(L) / 2)));
  typedef std::int64_t Bits __attribute__((vector_size(sizeof(L))));
};

template <class L, class T>
[[gnu::always_inline]] inline typename Angles<L>::Real load_angles(const T* from) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return load_vector<typename Angles<L>::Real>(from);
  } else {
    const auto x = load_vector<typename Angles<L>::Single>(from);
    return __builtin_convertvector(x, typename Angles<L>::Real);
  }
}

template <class L, class T>
[[gnu::always_inline]] inline void store_results(const typename Angles<L>::Real& x, T* to) {
  if constexpr (sizeof(T) == sizeof(double)) {
    store_vector(x, to);
  } else {
    store_vector(__builtin_convertvector(x, typename Angles<L>::Single), to);
  }
}

/// Adding this to the multiple of pi/2 leaves 2^20 + k in the low bits, where k is the nearest whole number. So bits
/// above the 21st say that |k| > 2^20.
inline constexpr double shift = 0x1.8p52 + 0x1p20;
inline constexpr std::int64_t shift_bits = 0x4338000000000000;

/// One vector of angles. Returns a number with more than 21 bits for an angle that is too large for the reduction
/// (1.6e6), infinite or not a number. The results of those lanes mean nothing.
template <class L, class T>
[[gnu::always_inline]] inline typename Angles<L>::Bits sincos_vector(const T* angle, T* s, T* c) {
  using Real = typename Angles<L>::Real;
  using Bits = typename Angles<L>::Bits;
  const Real x = load_angles<L>(angle);
  const Real shifted = x * 0x1.45f306dc9c883p-1 + shift;  // the nearest k is in the low bits
  const Bits k = reinterpret_cast<Bits>(shifted);
  const Real multiple = shifted - shift;
  Real r = x - multiple * 0x1.921fb544p+0;
  r = r - multiple * 0x1.0b4611a6p-34;
  r = r - multiple * 0x1.3198a2e037073p-69;

  const Real z = r * r;
  Real p = 0x1.5d8fd1b31b27ap-33 * z - 0x1.ae5e5a91bcae8p-26;
  p = p * z + 0x1.71de3567d3c03p-19;
  p = p * z - 0x1.a01a019bfdefcp-13;
  p = p * z + 0x1.111111110f7d0p-7;
  p = p * z - 0x1.5555555555548p-3;
  const Real sine = (r * z) * p + r;
  Real h = -0x1.8fa49ba0e7fdap-37 * z + 0x1.1ee9d7b865e17p-29;
  h = h * z - 0x1.27e4f7eacaaefp-22;
  h = h * z + 0x1.a01a019c84590p-16;
  h = h * z - 0x1.6c16c16c14f92p-10;
  h = h * z + 0x1.555555555554bp-5;
  h = h * z - 0.5;
  const Real cosine = h * z + 1.0;

  // With s and c of r, quadrant k = 0, 1, 2, 3 has the sine s, c, -s, -c and the cosine c, -s, -c, s. `sign` negates
  // both in the quadrants 2 and 3.
  const Bits odd = (k & 1) != 0;
  const Bits sign = (k << 62) & INT64_MIN;
  const Real s_value = odd ? cosine : sine;
  const Real c_value = odd ? -sine : cosine;
  store_results<L>(reinterpret_cast<Real>(reinterpret_cast<Bits>(s_value) ^ sign), s);
  store_results<L>(reinterpret_cast<Real>(reinterpret_cast<Bits>(c_value) ^ sign), c);
  return k ^ shift_bits;
}

/// Whether any lane has more than 21 bits.
template <class L>
[[gnu::always_inline]] inline bool any_far(const typename Angles<L>::Bits& numbers) {
  std::int64_t lanes[Angles<L>::size];
  std::memcpy(lanes, &numbers, sizeof lanes);
  std::int64_t all = 0;
  for (int i = 0; i < Angles<L>::size; ++i) all |= lanes[i];
  return (all >> 21) != 0;
}

/// Angles that are too large for the reduction. libm computes them.
template <class L, class T>
[[gnu::noinline, gnu::cold]] void sincos_far(int n, const T* angle, T* s, T* c) {
  for (int i = 0; i < n; ++i) {
    if (std::fabs(angle[i]) <= static_cast<T>(1e6)) continue;
    s[i] = std::sin(angle[i]);
    c[i] = std::cos(angle[i]);
  }
}

/// featherline::sincos() calls this function for this scalar; see there.
template <class Isa, class T, int bytes>
[[gnu::noinline]] void sincos_array(int n, const StateLanes<Isa, T, bytes>* angles,
                                    StateLanes<Isa, T, bytes>* sines, StateLanes<Isa, T, bytes>* cosines) {
  using L = StateLanes<Isa, T, bytes>;
  const int count = n * L::size;
  const T* angle = reinterpret_cast<const T*>(angles);
  T* s = reinterpret_cast<T*>(sines);
  T* c = reinterpret_cast<T*>(cosines);
#if defined(FEATHERLINE_SINCOS)
  FEATHERLINE_SINCOS(count, angle, s, c);
#else
  typename Angles<L>::Bits far{};
  for (int i = 0; i < count; i += Angles<L>::size) far |= sincos_vector<L>(angle + i, s + i, c + i);
  if (__builtin_expect(any_far<L>(far), 0)) sincos_far<L>(count, angle, s, c);
#endif
}

/// The series in all lanes (Horner); those where it is too short are computed alone.
template <int k, class L>
[[gnu::always_inline]] inline L stumpff(const L& x) {
  using featherline::detail::stumpff_term;
  constexpr double terms[] = {stumpff_term<k>(6), stumpff_term<k>(5), stumpff_term<k>(4), stumpff_term<k>(3),
                              stumpff_term<k>(2), stumpff_term<k>(1), stumpff_term<k>(0)};
  L y(stumpff_term<k>(7));
#pragma GCC unroll 7
  for (const double term : terms) y = y * x + L(term);
  const auto is_short = x.x <= L(featherline::detail::longest_series).x;
  for (int i = 0; i < L::size; ++i) {
    if (__builtin_expect(!is_short[i], 0)) y.x[i] = featherline::detail::stumpff_far(x.x[i], k);
  }
  return y;
}
template <class Isa, class T, int bytes>
[[gnu::always_inline]] inline StateLanes<Isa, T, bytes> stumpff_0(const StateLanes<Isa, T, bytes>& x) {
  return stumpff<0>(x);
}
template <class Isa, class T, int bytes>
[[gnu::always_inline]] inline StateLanes<Isa, T, bytes> stumpff_1(const StateLanes<Isa, T, bytes>& x) {
  return stumpff<1>(x);
}
template <class Isa, class T, int bytes>
[[gnu::always_inline]] inline StateLanes<Isa, T, bytes> stumpff_3(const StateLanes<Isa, T, bytes>& x) {
  return stumpff<3>(x);
}

}  // namespace featherline::batch
