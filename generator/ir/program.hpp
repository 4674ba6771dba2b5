#pragma once

#include "ir/function.hpp"

#include <vector>

namespace featherline::ir {

/// One line of emitted code: either the definition of a named value, or a store of an output entry.
struct Statement {
  ir::NodeId value = ir::no_node;
  int store = -1;  ///< index in Function::stores, or -1 for a definition
};

/// A value that crosses from one part to another through the workspace.
struct Transfer {
  ir::NodeId value = ir::no_node;
  int slot = 0;
};

/// A run of statements that becomes one internal function. A load is made where its value is first read, a save
/// where its value is defined: gathered at the ends they would be live across the part, and spilled (hyq's first derivatives:
/// 1.03x in scalars, 1.5x in AVX-512 lanes). No slot is both loaded and saved in one part.
struct Part {
  std::vector<Transfer> loads;  ///< read from the workspace
  std::vector<Statement> statements;
  std::vector<Transfer> saves;  ///< written to the workspace
};

/// A function in its final order, ready to print.
///
/// Constants and inputs have no statement. A node with `inlined` set is printed inside its only user. sin and cos
/// nodes have no statement either: `angles[k]` is the argument of all sin(x), cos(x) with x == angles[k], evaluated
/// by one call before the first part; they are printed as sn[k], cs[k].
struct Program {
  ir::Function function;
  std::vector<bool> inlined;  ///< by node
  std::vector<ir::NodeId> angles;
  std::vector<Part> parts;
  std::vector<int> cleared;  ///< outputs set to zero before the first part: their zeros are not stored
  int workspace_size = 0;    ///< scalars; 0 when there is a single part
  int statements = 0;        ///< over all parts
};

}  // namespace featherline::ir
