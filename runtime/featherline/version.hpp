// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// The version of the runtime. Emitted code refuses a runtime it was not generated for, and the build reads
/// the product's version from these three lines: this is the only place to change it.
#define FEATHERLINE_VERSION_MAJOR 0
#define FEATHERLINE_VERSION_MINOR 1
#define FEATHERLINE_VERSION_PATCH 0

namespace featherline {

struct Version {
  int major_number, minor_number, patch_number;
};

inline constexpr Version runtime_version{FEATHERLINE_VERSION_MAJOR, FEATHERLINE_VERSION_MINOR,
                                         FEATHERLINE_VERSION_PATCH};

/// True when code emitted by generator `major.minor` may be compiled against this runtime. While the major
/// number is 0 a minor step may change the runtime's interface, so both numbers have to agree.
constexpr bool runtime_matches(int major, int minor) {
  return runtime_version.major_number == major &&
         (major > 0 ? runtime_version.minor_number >= minor : runtime_version.minor_number == minor);
}

}  // namespace featherline
