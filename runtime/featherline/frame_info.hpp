// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// A frame that was chosen when the code was generated.
struct FrameInfo {
  const char* name;
  int link;       ///< that it is placed in: the value of NAME::Link
  int first_row;  ///< of its rows in velocities, accelerations and Jacobians
  int num_rows;   ///< 6: linear, then angular; 3: linear alone
};

}  // namespace featherline
