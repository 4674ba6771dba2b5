// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda/job.hpp>
#include <featherline/cuda/threads.hpp>

#include <cstdint>

#if !FEATHERLINE_CUDA
#include <featherline/lanes.hpp>
#include <featherline/sincos.hpp>

#include <utility>
#endif

/// Equal limbs on neighbouring threads: a thread computes its own limb, and what all limbs share. Sums over the limbs,
/// and values of another limb, go through shuffles. Threads that no limb needs do what that of the last limb does. What
/// all limbs share is computed by the same operations in each thread, so all store the same bits.
///
/// Compiled for the processor, the same text computes all limbs of a state in featherline::Lanes.
namespace featherline::cuda {

#if FEATHERLINE_CUDA

template <class S, int k>
using Limbs = S;

/// Which of k limbs this thread has.
template <int k>
FEATHERLINE_INLINE int limb() {
#ifdef __CUDA_ARCH__
  const int place = thread_in_block() % threads_for(k);
  return threads_for(k) == k || place < k ? place : k - 1;
#else
  return 0;
#endif
}

/// x of the thread whose number in the warp has the bits of `flipped` the other way.
template <class S>
FEATHERLINE_INLINE S shuffle_flipped(const S& x, int flipped) {
#ifdef __CUDA_ARCH__
  return shuffled(x, [=](std::int32_t word) { return shuffle_word_flipped(word, flipped); });
#else
  return x;
#endif
}

template <int k, class S>
FEATHERLINE_INLINE S limb_sum(const S& x) {
#ifdef __CUDA_ARCH__
  S sum = threads_for(k) == k || thread_in_block() % threads_for(k) < k ? x : S(0);
  for (int half = threads_for(k) / 2; half > 0; half /= 2) sum = sum + shuffle_flipped(sum, half);
  return sum;
#else
  return x;
#endif
}

template <int k, class S>
FEATHERLINE_INLINE S limb_value(const S& x, int of) {
#ifdef __CUDA_ARCH__
  const int first = thread_in_block() % warp - thread_in_block() % threads_for(k);
  return shuffled(x, [=](std::int32_t word) { return shuffle_word(word, first + of); });
#else
  return x;
#endif
}

template <class S>
FEATHERLINE_INLINE S choose_limb(int, const S& x) {
  return x;
}
template <class S, class... More>
FEATHERLINE_INLINE S choose_limb(int limb, const S& x, const More&... more) {
  const S other = choose_limb(limb - 1, more...);
  return limb == 0 ? x : other;
}
/// A number for each limb.
template <class S, class... More>
FEATHERLINE_INLINE S by_limb(const S& x, const More&... more) {
  return choose_limb(limb<1 + sizeof...(more)>(), x, more...);
}

/// Entry `entry` of the array for the first limb; that of each further limb stands `stride` behind.
template <class S, int k, class In>
FEATHERLINE_INLINE S limb_entries(const In& array, int entry, int stride) {
  return array[entry + stride * limb<k>()];
}
template <int k, class Out, class S>
FEATHERLINE_INLINE void put(const Out& array, int entry, int stride, const S& x) {
  array[entry + stride * limb<k>()] = x;
}

#else

template <class S, int k>
using Limbs = Lanes<S, k>;

template <int k, class S>
S limb_sum(const Lanes<S, k>& x) {
  return lane_sum(x);
}
template <int k, class S>
S limb_value(const Lanes<S, k>& x, int of) {
  return x[of];
}
template <class S, class... More>
Lanes<S, 1 + sizeof...(More)> by_limb(const S& x, const More&... more) {
  return {x, more...};
}
template <class S, int k, class In>
Lanes<S, k> limb_entries(const In& array, int entry, int stride) {
  S values[k];
  for (int limb = 0; limb < k; ++limb) values[limb] = array[entry + stride * limb];
  return Lanes<S, k>::load(values);
}
template <int k, class Out, class S>
void put(const Out& array, int entry, int stride, const Lanes<S, k>& x) {
  for (int limb = 0; limb < k; ++limb) array[entry + stride * limb] = x[limb];
}
template <class S, int k>
void sincos(const Lanes<S, k>& angle, Lanes<S, k>& s, Lanes<S, k>& c) {
  S angles[k], sines[k], cosines[k];
  angle.store(angles);
  featherline::sincos<k>(angles, sines, cosines);
  s = Lanes<S, k>::load(sines);
  c = Lanes<S, k>::load(cosines);
}

#endif

}  // namespace featherline::cuda
