// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// What emitted code asks of the compiler beyond C++17; empty where it has no word for it.
///
/// FEATHERLINE_RESTRICT   on a pointer parameter: inputs and outputs do not overlap, as every emitted
///                        function demands, so a store never forces an input to be read again.
/// FEATHERLINE_NOINLINE   on a part of a long function: compile time is superlinear in function length, and
///                        inlining would put the parts together again.

#if defined(__GNUC__)
#define FEATHERLINE_RESTRICT __restrict__
#define FEATHERLINE_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define FEATHERLINE_RESTRICT __restrict
#define FEATHERLINE_NOINLINE __declspec(noinline)
#else
#define FEATHERLINE_RESTRICT
#define FEATHERLINE_NOINLINE
#endif
