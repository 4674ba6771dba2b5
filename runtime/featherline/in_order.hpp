// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// Emitted source files include this header first. Do not include it in other sources: it changes their compiler
/// options.
///
/// Emitted code is in an order that keeps few values alive. On 32-bit ARM, g++ reorders the instructions before it
/// assigns registers, and then has too few of them:
///
///                                code [bytes]     stack frame [bytes]
///                                without | with this header
///   quadruped, coriolis_matrix   20,400 | 17,500  568 | 360
///   humanoid, mass_matrix                         344 | 88
///
/// So this header switches off the first reordering. g++ reorders once more after it has assigned registers, and this
/// second pass stays. Versions of g++ before 12 would forget other options of the command line at this pragma.
#if defined(__GNUC__) && !defined(__clang__) && defined(__arm__)
#if __GNUC__ >= 12
#pragma GCC optimize("no-schedule-insns")
#endif
#endif
