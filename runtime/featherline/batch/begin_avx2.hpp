// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors

#include <featherline/batch/prologue.hpp>

// The code from here to end.hpp is compiled for AVX2 with fused multiply-add.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored \
    "-Wpragma-clang-attribute"  // a second section of a file may declare nothing new
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#pragma clang diagnostic pop
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
