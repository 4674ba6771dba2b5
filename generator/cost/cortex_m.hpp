#pragma once

#include "ir/kernel.hpp"

/// Code and stack of a program in float on a Cortex-M with a floating-point unit, as g++ -O2 makes them.
///
/// Three steps: translate_to_vfp() says which instructions there are, give_registers() which values find no register,
/// and the tables in cortex_m.cpp how many bytes that is. The first two follow what g++ does; the bytes are fitted.
namespace featherline::cost {

/// Of the entry function and its parts, with their literals, without what functions share.
int cortex_m_code_bytes(const ir::Kernel& kernel);

/// From the entry function's frame down, with the deepest of what it calls: parts, sincos.
int cortex_m_stack_bytes(const ir::Kernel& kernel);

/// Of sincos with its reduction of large angles: once in an image, and the stack of a call.
inline constexpr int cortex_m_sincos_code = 648, cortex_m_sincos_stack = 96;

}  // namespace featherline::cost
