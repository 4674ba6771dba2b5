#pragma once

#include "ir/kernel.hpp"

#include <string>
#include <vector>

namespace featherline::emit {

/// What the values of a kernel are called, by node.
struct ValueNames {
  /// Of every value that has a statement, of sines and cosines with a label, and of numbers that differ between lanes;
  /// empty for the others. None equals a parameter or a name of the scope.
  std::vector<std::string> names;
  /// Numbers that differ between lanes, in the order in which they are declared.
  std::vector<ir::NodeId> lane_numbers;
};

/// A value is called by the first of these that it has:
///  - its label, or its hint;
///  - the entry it is stored in: tau_3 is tau[3];
///  - what it is minus: neg_w3_y;
///  - what alone is made of it: n6_x_part, or J5_part where it serves several entries of J5;
///  - t1, t2, ... in the order of the definitions.
ValueNames value_names(const ir::Kernel& kernel);

/// Other quantities that a value is equal to: "also w3_z, neg_w4_y"; empty for none.
std::string other_names(const ir::Graph& graph, ir::NodeId id);

/// "S", or "L4" for four lanes: an alias that the function declares (kernel_printer.cpp).
inline std::string value_type(int lanes) { return lanes == 1 ? "S" : "L" + std::to_string(lanes); }

}  // namespace featherline::emit
