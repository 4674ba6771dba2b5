// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// The tree that emitted code declares for featherline/vector_loops.hpp, unrolled_inverse.hpp and step_derivatives.hpp:
/// a struct with these static members. regressor.hpp names those that it needs besides.
///
///   nv, num_axes          number of coordinates, of axes
///   max_path              axes on the longest path from the root
///   coupled               joints share coordinates
///   axes[]                AxisInfo, parents before children
///   multipliers<Real>[]   by axis: that of a coupled mimic joint, otherwise 1
namespace featherline {

/// The place of a degree of freedom in the tree. The axes of one joint follow each other. Parents come before children.
struct AxisInfo {
  int idx_v;         ///< its coordinate
  int parent;        ///< any axis of the next joint towards the root, -1 at the root
  int first, count;  ///< the axes of its joint
};

/// Of a body of the regressor: rows that follow each other, of axes that carry it.
struct RowRun {
  int body, first, count;
};

}  // namespace featherline
