// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors

#include <featherline/batch/prologue.hpp>

// The code from here to end.hpp is compiled for AVX2 with fused multiply-add.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
