// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// Numbers of the input `p` of emitted functions that belong together: p[index] ... p[index + size - 1].
struct ParameterInfo {
  const char* name;  ///< as given to --parameters: "gravity", "payload:LINK", "armature"
  int index, size;
  const char* unit;
  const double* defaults;  ///< `size` numbers: the robot as its URDF has it
};

}  // namespace featherline
