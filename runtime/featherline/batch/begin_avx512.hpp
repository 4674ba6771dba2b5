// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors

#include <featherline/batch/prologue.hpp>

// The code from here to end.hpp is compiled for AVX-512.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored \
    "-Wpragma-clang-attribute"  // a second section of a file may declare nothing new
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"))), \
                             apply_to = function)
#pragma clang diagnostic pop
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl")
#endif
