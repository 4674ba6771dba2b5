// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// All options of the runtime. Set them with -D, or write them into a header of your own and pass
/// -DFEATHERLINE_USER_CONFIG='"my_config.hpp"'. All emitted `.cpp` files of a robot must see the same values.
///
/// FEATHERLINE_SIMD_SINCOS   0 or 1
///     1: sines and cosines of double and float are computed for all joints at once, in SIMD lanes.
///     0: they are computed with std::sin and std::cos, one joint after the other.
///     The default is 1 for g++ and clang on x86 with SSE2 and on 64-bit ARM. It is 0 elsewhere (microcontrollers) and
///     with -ffast-math, which breaks the reduction of the argument. -funsafe-math-optimizations and
///     -fassociative-math break it, too, but no macro shows them: if you use one of them alone, set the option to 0.
///
/// FEATHERLINE_SINGLE_SINCOS   0 or 1; used if FEATHERLINE_SIMD_SINCOS is 0
///     1: sines and cosines of float are computed in single precision, without libm. The image then holds no double
///     arithmetic, and 0.5 KB of code replace the 3 KB of newlib's sinf and cosf.
///     The default is 1 for g++ and clang on 32-bit targets without SIMD lanes (microcontrollers), else 0. It works
///     with -ffast-math. If you use -funsafe-math-optimizations or -fassociative-math alone, set it to 0.
///
/// FEATHERLINE_SINCOS   not defined, or the name of a function that is called as f(n, angle, s, c)
///     Replaces both options above for double and float: by a table, a CORDIC unit or a vendor's library. `n` is an
///     int. `angle` points to n angles in radians, `s` and `c` to room for n results each. The arrays do not overlap.
///     Declare the function in the user configuration header. If you use both scalars, overload it or make it a
///     template.
///
/// FEATHERLINE_ASSERTS   0 or 1
///     1: NAME::batch stops with a message if an array is null, misaligned, or overlaps another one. Other functions
///     check nothing. The default is 0 with NDEBUG, else 1.
///
/// FEATHERLINE_ASSERT(condition, message)   not defined, or a macro to use in place of assert() of <cassert>
///
/// FEATHERLINE_BATCH_NATIVE   not defined, or 1
///     1: batches use the widest vectors that the compiler's flags allow, such as -march=native, whatever a call asks
///     for. The program then runs on such processors only. NAME_batch_*_avx2.cpp and NAME_batch_*_avx512.cpp are not
///     needed, so a third of the code remains to be compiled.
///
/// FEATHERLINE_BATCH_PLAIN   not defined, or 1
///     1: where a batch may call the plain function for one state after the other, baseline vectors do so, too.
///     `featherline check` judges these calls in this way, and lanes in AVX2 and AVX-512.
///
/// FEATHERLINE_PREPARE   0 or 1
///     0: NAME::prepare does nothing, and code holds no marks for it. The default is 1 where there is an operating
///     system, and 0 in firmware: most microcontrollers have no caches, and little stack. Outputs are read wherever it is 1; code is by g++ and clang for x86-64 and 64-bit ARM, where
///     programs are ELF files (Linux).
///
/// For every other scalar (std::complex, dual numbers, SIMD batches, AD types) the runtime calls the `sin` and `cos`
/// of the scalar's namespace. If that namespace has a `sincos(x)` that returns a pair, the runtime calls this.

///
/// Compilers of CUDA take none of these three: what they compile computes sines and cosines by
/// detail/sincos_device.hpp, on the processor, too, and holds no marks.

#include <featherline/compiler.hpp>

#ifdef FEATHERLINE_USER_CONFIG
#include FEATHERLINE_USER_CONFIG
#endif

#if FEATHERLINE_CUDA
#undef FEATHERLINE_SIMD_SINCOS
#undef FEATHERLINE_SINGLE_SINCOS
#undef FEATHERLINE_SINCOS
#undef FEATHERLINE_PREPARE
#define FEATHERLINE_SIMD_SINCOS 0
#define FEATHERLINE_SINGLE_SINCOS 0
#define FEATHERLINE_PREPARE 0
#endif

#ifndef FEATHERLINE_SIMD_SINCOS
#if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__)) && !defined(__FAST_MATH__)
#define FEATHERLINE_SIMD_SINCOS 1
#else
#define FEATHERLINE_SIMD_SINCOS 0
#endif
#endif

#ifndef FEATHERLINE_PREPARE
#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
#define FEATHERLINE_PREPARE 1
#else
#define FEATHERLINE_PREPARE 0
#endif
#endif
#if FEATHERLINE_PREPARE && defined(__GNUC__) && defined(__ELF__) && \
    (defined(__x86_64__) || defined(__aarch64__))
#define FEATHERLINE_CODE_MARKS 1
#else
#define FEATHERLINE_CODE_MARKS 0
#endif

#ifndef FEATHERLINE_SINGLE_SINCOS
#if defined(__GNUC__) && !FEATHERLINE_SIMD_SINCOS && __SIZEOF_POINTER__ == 4 && __FLT_EVAL_METHOD__ == 0
#define FEATHERLINE_SINGLE_SINCOS 1
#else
#define FEATHERLINE_SINGLE_SINCOS 0
#endif
#endif
