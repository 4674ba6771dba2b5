// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

// Some code must be compiled for the processor of the whole program: the standard library, and the inline functions of
// the runtime that other files use, too. So a batch file includes that code first and then switches to a wider
// instruction set. If this code were compiled for the wider set, the linker could keep that copy for the whole program.
// The program would then stop on a processor that lacks the set.
#include <featherline/batch.hpp>
#include <featherline/batch/job.hpp>
#include <featherline/compiler.hpp>
#include <featherline/config.hpp>
#include <featherline/contact_derivatives.hpp>
#include <featherline/contact_step.hpp>
#include <featherline/joint_info.hpp>
#include <featherline/packed.hpp>
#include <featherline/pivot.hpp>
#include <featherline/reference_frame.hpp>
#include <featherline/sincos.hpp>
#include <featherline/stumpff.hpp>
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

// If the processor has fused multiply-add, g++ uses it for a * b + c. clang does so only within one expression unless
// it is told otherwise. The operators of lanes are functions, so they are not one expression.
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
