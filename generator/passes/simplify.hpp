#pragma once

#include "ir/kernel.hpp"
#include "support/observer.hpp"

#include <vector>

/// Passes on whole graphs. Each keeps the function's meaning: same inputs, same outputs, to rounding.
namespace featherline::passes {

/// Puts the nodes in the order in which the algorithm kept them (ir::Graph::keep). C++ leaves the order of operands open,
/// so they were created in an order that depends on the compiler of the generator; from here on all is the same.
ir::Kernel in_order(const ir::Kernel& kernel);

/// Drops every node no store needs; ids are renumbered, order kept.
ir::Kernel remove_dead_code(const ir::Kernel& kernel);

/// Constants within rounding of a number with few digits become that number: 5.499822, not 5.499822000000001. Drops dead
/// nodes, too.
ir::Kernel round_constants(const ir::Kernel& kernel);

/// Turns a*b + a*c into a*(b + c) where both products have no other use. One multiplication less each.
ir::Kernel factor_products(const ir::Kernel& kernel);

/// Graph in, graph out, same meaning.
struct Pass {
  const char* name;
  ir::Kernel (*run)(const ir::Kernel&);
};

/// The simplifying passes in the order they run.
const std::vector<Pass>& simplifying_passes();

/// All of them, one after the other.
ir::Kernel simplify(ir::Kernel kernel, const Observer& observer = {});

}  // namespace featherline::passes
