// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

// Everything that must be compiled for the processor of the whole program, and not for the wider one that a
// batch file asks for afterwards: the standard library, and the runtime's inline functions that other files
// have, too. Were they compiled for the wider one, the linker could keep that copy for the program, which then
// stops on a processor that lacks it.
#include <featherline/batch.hpp>
#include <featherline/batch/job.hpp>
#include <featherline/compiler.hpp>
#include <featherline/config.hpp>
#include <featherline/joint_info.hpp>
#include <featherline/packed.hpp>
#include <featherline/reference_frame.hpp>
#include <featherline/sincos.hpp>
#include <featherline/version.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#ifndef __GNUC__
#error "featherline: batches need the vector extensions of g++ or clang; leave the NAME_batch_*.cpp files out"
#endif

// g++ contracts a * b + c to fused multiply-add where the processor has it; clang only within one expression
// unless it is told to, and the operators of lanes are functions.
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
