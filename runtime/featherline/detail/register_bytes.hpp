// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// An inline namespace with the name of the instruction set that the file is compiled for. The data of these functions
/// depend on the width of packs. So files that are compiled for different instruction sets must not share the
/// functions.
#if defined(__AVX512F__)
#define FEATHERLINE_REGISTERS registers_64
#elif defined(__AVX2__)
#define FEATHERLINE_REGISTERS registers_32_avx2
#elif defined(__AVX__)
#define FEATHERLINE_REGISTERS registers_32
#else
#define FEATHERLINE_REGISTERS registers_16
#endif

namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Width of the vector registers.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
