#pragma once

#include "ir/kernel.hpp"

/// Estimates of code and stack of a kernel in float, for g++ -O2 on a Cortex-M with a floating-point unit.
///
/// There are three steps. translate_to_vfp() lists the instructions. give_registers() finds the values that get no
/// register. The tables in cortex_m.cpp turn both into bytes. The first two steps imitate g++. The tables are fitted.
namespace featherline::cost {

/// Bytes of the entry function, its parts and their literals. Code that functions share is not included.
int cortex_m_code_bytes(const ir::Kernel& kernel);

/// Stack of the entry function and of the deepest function that it calls (a part, or sincos).
int cortex_m_stack_bytes(const ir::Kernel& kernel);

/// Code and stack of sincos, including its reduction of large angles. An image has sincos once.
inline constexpr int cortex_m_sincos_code = 648, cortex_m_sincos_stack = 96;

}  // namespace featherline::cost
