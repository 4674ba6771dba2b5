// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors

// Ends the section that begin_avx2.hpp or begin_avx512.hpp began.
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
