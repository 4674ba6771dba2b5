// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// Options of the runtime, all in this block. Set them with -D, or in a header of your own named by
/// -DFEATHERLINE_USER_CONFIG='"my_config.hpp"'. Emitted `.cpp` files of one robot must all see the same values.
///
/// FEATHERLINE_SIMD_SINCOS   0 or 1
///     1: sines and cosines of double and float are evaluated for all joints at once in SIMD lanes.
///     0: with std::sin and std::cos, one joint after the other.
///     Default: 1 for g++ and clang on x86 with SSE2 and on 64-bit ARM, 0 elsewhere (microcontrollers) and
///     under -ffast-math, which removes the rounding trick of the argument reduction. If you compile with
///     -funsafe-math-optimizations or -fassociative-math alone, set it to 0 yourself: no macro tells us.
///
/// FEATHERLINE_SINGLE_SINCOS   0 or 1, where FEATHERLINE_SIMD_SINCOS is 0
///     1: sines and cosines of float are computed in single precision, without libm: no double arithmetic gets into
///     the image of a processor that has none, and 0.5 KB replace the 3 KB of newlib's sinf and cosf.
///     Default: 1 for g++ and clang on 32-bit targets without SIMD lanes (microcontrollers), 0 elsewhere. Right with
///     -ffast-math; with -funsafe-math-optimizations or -fassociative-math alone set it to 0, as above.
///
/// FEATHERLINE_SINCOS   not defined, or the name of something callable as f(n, angle, s, c)
///     Replaces the above for double and float (a table, a CORDIC unit, a vendor's library). `n` is an int,
///     `angle` points to n angles in radians, `s` and `c` to room for n results; nothing overlaps. Declare it
///     in the user configuration header, overloaded or templated if both scalars are in use.
///
/// FEATHERLINE_ASSERTS   0 or 1
///     1: NAME::batch stops with a message (FEATHERLINE_ASSERT, by default assert() of <cassert>) on arrays that
///     are null, misaligned or overlap. Nothing else asserts. Default: 0 with NDEBUG, else 1.
///
/// FEATHERLINE_ASSERT(condition, message)   not defined, or what to do instead of assert()
///
/// Every other scalar (std::complex, dual numbers, SIMD batches, AD types) is served by the `sin` and `cos`
/// found beside its type, or by one `sincos(x)` returning a pair, if its namespace has it.

#ifdef FEATHERLINE_USER_CONFIG
#include FEATHERLINE_USER_CONFIG
#endif

#ifndef FEATHERLINE_SIMD_SINCOS
#if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__)) && !defined(__FAST_MATH__)
#define FEATHERLINE_SIMD_SINCOS 1
#else
#define FEATHERLINE_SIMD_SINCOS 0
#endif
#endif

#ifndef FEATHERLINE_SINGLE_SINCOS
#if defined(__GNUC__) && !FEATHERLINE_SIMD_SINCOS && __SIZEOF_POINTER__ == 4 && __FLT_EVAL_METHOD__ == 0
#define FEATHERLINE_SINGLE_SINCOS 1
#else
#define FEATHERLINE_SINGLE_SINCOS 0
#endif
#endif
