// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

#include <cstdint>

namespace featherline::cuda {

/// Entry k of a state where states are the innermost dimension. The product of two words is one instruction. It is
/// in assembler because compilers would otherwise compute all products at the beginning, and spill them.
template <class S>
struct Column {
  S* first;
  std::uint32_t stride;
  FEATHERLINE_INLINE S& operator[](int k) const {
#ifdef __CUDA_ARCH__
    std::uint64_t offset;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(offset) : "r"(k), "r"(stride));
    return first[offset];
#else
    return first[static_cast<std::uint64_t>(static_cast<std::uint32_t>(k)) * stride];
#endif
  }
};

}  // namespace featherline::cuda
