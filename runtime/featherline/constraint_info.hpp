// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// A constraint of the robot: a contact that was chosen when the code was generated, or a loop or wheel of the URDF.
struct ConstraintInfo {
  const char* name;
  const char* type;  ///< "contact_point", "loop_axis", ...
  int first_row;     ///< of its rows in lambda and in the Delassus matrix
  int num_rows;
  int first_residual;  ///< of its rows in the residual; -1 for contacts, which have none
  int normal_row;      ///< in lambda, below zero where it pulls at the ground; -1 where there is none
};

}  // namespace featherline
