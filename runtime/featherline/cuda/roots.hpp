// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

/// Roots and angles by what the compiler has for devices. clang alone has no arc tangent for them.
namespace featherline::cuda {

template <class S>
FEATHERLINE_INLINE S sqrt(S x) {
#if FEATHERLINE_CUDA && !defined(__clang__)
  return ::sqrt(x);
#else
  if constexpr (sizeof(S) == 4) return __builtin_sqrtf(x);
  if constexpr (sizeof(S) == 8) return __builtin_sqrt(x);
#endif
}
template <class S>
FEATHERLINE_INLINE S atan(S x) {
#if FEATHERLINE_CUDA && !defined(__clang__)
  return ::atan(x);
#else
  return static_cast<S>(__builtin_atan(static_cast<double>(x)));
#endif
}

}  // namespace featherline::cuda
