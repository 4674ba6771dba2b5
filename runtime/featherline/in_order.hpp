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
/// second pass stays.
///
/// On x86-64, g++ copies a register that a fused multiply-add overwrites, though others are free: renaming registers
/// saves 1 to 4 % of the instructions of every function. And it packs numbers that are stored side by side into
/// vectors, results and the workspace of long functions among them. They wait for each other in registers, and are
/// spilled. So packing is switched off where a function is long (FEATHERLINE_LONG_CODE). Zen 3, ns, on a loaded
/// machine:
///
///                                without | renaming | and no packing
///   panda rnea_derivatives       649 | 643 | 576
///   panda regressor              971 | 961 | 730
///   talos_reduced aba            1271 | 1228 | 1081
///   hyq minv, which is short     272 | 266 | 295: sincos() reads angles as vectors that were written one by one
///
/// hyq `aba_derivatives`, whose four limbs are vectors already, would grow by 3 % and gain nothing: functions of four
/// lanes count as short.
///
/// Versions of g++ before 12 would forget other options of the command line at these pragmas.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#if defined(__arm__)
#pragma GCC optimize("no-schedule-insns")
#elif defined(__x86_64__) && defined(__OPTIMIZE__)
#pragma GCC optimize("rename-registers")
#ifdef FEATHERLINE_LONG_CODE
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#endif
#endif
