#pragma once

namespace featherline::detail {

/// Width of the vector registers the compiler may use here.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

}  // namespace featherline::detail
