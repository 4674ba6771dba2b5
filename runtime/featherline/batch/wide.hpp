// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/blocks.hpp>

namespace featherline::batch {

/// run_blocks() under a name that dispatch.hpp knows. It is instantiated only in the file of its instruction set.
template <class Isa, class T, class Kernel>
void run_wide(const Kernel& kernel, const Job<T>& job, std::ptrdiff_t first, std::ptrdiff_t last) {
  run_blocks<Isa>(kernel, job, first, last);
}

}  // namespace featherline::batch
