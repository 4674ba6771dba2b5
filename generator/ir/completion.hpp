#pragma once

#include <string>
#include <vector>

namespace featherline::ir {

/// One degree of freedom in the table that loops over the tree read (featherline::AxisInfo of the runtime).
struct TreeAxis {
  int idx_v = 0;
  int parent = -1;           ///< any axis of the next joint towards the root
  int first = 0, count = 1;  ///< the axes of its joint
  double multiplier = 1.0;   ///< of a coupled mimic joint
};

/// How runtime loops make a function's results from what its straight-line part computes, where the results are too
/// many to unroll. Function::outputs are then arrays local to the emitted function.
struct Completion {
  /// A routine of featherline::vector_loops. It takes the tree, the arrays named here, and all results.
  struct Call {
    std::string routine;
    std::vector<std::string> arrays;
  };
  std::vector<Call> calls;
  std::vector<TreeAxis> axes;
  int nv = 0;
  int max_path = 0;       ///< axes from the root to the furthest leaf
  bool coupled = false;   ///< joints share coordinates
  int flops = 0;          ///< of the loops
  int code_bytes = 0;     ///< of the loops, on x86-64
  int stack_entries = 0;  ///< scalars in the loops' own arrays
};

}  // namespace featherline::ir
