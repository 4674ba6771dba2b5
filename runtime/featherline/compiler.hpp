// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// Extensions of the compiler that emitted code uses. A macro is empty if the compiler does not have the extension.
///
///  FEATHERLINE_CUDA       1 where a compiler of CUDA reads the text, for a device or for the processor beside it.
///  FEATHERLINE_FUNCTION   stands on every function that devices run, too: on all emitted ones that C++ callers may
///                         instantiate, and on what they call. The two macros for inlining below include it.
///  FEATHERLINE_RESTRICT   stands on pointer parameters. It tells the compiler that inputs and outputs do not
///                         overlap, so a store does not force it to read inputs again. Every emitted function
///                         demands this of its callers.
///  FEATHERLINE_INLINE     stands on functions that only make sense as a part of their caller: their arguments are
///                         registers, or constants of the robot.
///  FEATHERLINE_NOINLINE   stands on the parts of a long function. Long functions are split because compile time grows
///                         faster than their length. Inlining would join the parts again.
///  FEATHERLINE_FLATTEN    stands on functions that inline all their calls. Otherwise -O2 passes SIMD values in
///                         memory.
///  FEATHERLINE_INLINE_LAMBDA  stands before the body of a lambda that is inlined wherever it is called: clang leaves
///                         calls that are more than one deep.
///  FEATHERLINE_ROLLED     stands before a loop over rows that are long already. clang 14 unrolls it otherwise: M^-1 of
///                         38 coordinates then takes 6 % longer and three times the code.

#if defined(__CUDACC__) || defined(__CUDA__)
#define FEATHERLINE_CUDA 1
#if defined(__clang__)  // it calls functions that nvcc inlines, with arguments in memory
#define FEATHERLINE_FUNCTION __attribute__((host)) __attribute__((device)) __attribute__((always_inline))
#else
#define FEATHERLINE_FUNCTION __attribute__((host)) __attribute__((device))
#endif
#else
#define FEATHERLINE_CUDA 0
#define FEATHERLINE_FUNCTION
#endif

#if defined(__clang__)
#define FEATHERLINE_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define FEATHERLINE_ROLLED
#endif

#if defined(__GNUC__)
#define FEATHERLINE_RESTRICT __restrict__
#define FEATHERLINE_INLINE __attribute__((always_inline)) inline FEATHERLINE_FUNCTION
#define FEATHERLINE_NOINLINE __attribute__((noinline)) FEATHERLINE_FUNCTION
#define FEATHERLINE_FLATTEN __attribute__((flatten))
#define FEATHERLINE_INLINE_LAMBDA __attribute__((always_inline))
#elif defined(_MSC_VER)
#define FEATHERLINE_RESTRICT __restrict
#define FEATHERLINE_INLINE __forceinline
#define FEATHERLINE_NOINLINE __declspec(noinline)
#define FEATHERLINE_FLATTEN
#define FEATHERLINE_INLINE_LAMBDA
#else
#define FEATHERLINE_RESTRICT
#define FEATHERLINE_INLINE inline
#define FEATHERLINE_NOINLINE
#define FEATHERLINE_FLATTEN
#define FEATHERLINE_INLINE_LAMBDA
#endif
