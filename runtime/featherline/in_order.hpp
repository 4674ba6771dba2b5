// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// For emitted source files, as their first include; not for yours, whose options it would change, too.
///
/// Emitted code is one long stretch of arithmetic, already in an order that keeps few values alive. On 32-bit ARM g++
/// first spreads it for the pipeline and then finds too few registers: quadruped's coriolis_matrix takes 20,400 bytes of
/// code and a frame of 568, in order 17,500 and 360; humanoid's mass_matrix 344 and 88. The instructions are scheduled
/// once more when they have registers, so that only this first pass is left out. Older than 12, g++ would forget other
/// options of the command line here.
#if defined(__GNUC__) && !defined(__clang__) && defined(__arm__)
#if __GNUC__ >= 12
#pragma GCC optimize("no-schedule-insns")
#endif
#endif
