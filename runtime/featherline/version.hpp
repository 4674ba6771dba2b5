// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// The version of the runtime and of the product. The build reads these three lines; change the version nowhere else.
/// Emitted code does not compile with a runtime that it was not generated for.
#define FEATHERLINE_VERSION_MAJOR 0
#define FEATHERLINE_VERSION_MINOR 1
#define FEATHERLINE_VERSION_PATCH 0

namespace featherline {

struct Version {
  int major_number, minor_number, patch_number;
};

inline constexpr Version runtime_version{FEATHERLINE_VERSION_MAJOR, FEATHERLINE_VERSION_MINOR,
                                         FEATHERLINE_VERSION_PATCH};

/// True if code emitted by generator `major.minor` can be compiled with this runtime. While the major number is 0, a
/// minor step may change the interface of the runtime, so both numbers must agree.
constexpr bool runtime_matches(int major, int minor) {
  return runtime_version.major_number == major &&
         (major > 0 ? runtime_version.minor_number >= minor : runtime_version.minor_number == minor);
}

}  // namespace featherline
