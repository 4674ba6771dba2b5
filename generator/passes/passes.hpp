#pragma once

#include "ir/program.hpp"
#include "support/observer.hpp"

#include <vector>

/// Each pass keeps the function's meaning: same inputs, same outputs, to rounding.
namespace featherline::passes {

/// Puts the nodes in the order in which the algorithm kept them (ir::Graph::keep). C++ leaves the order of operands open,
/// so they were created in an order that depends on the compiler of the generator; from here on all is the same.
ir::Function in_order(const ir::Function& function);

/// Drops every node no store needs; ids are renumbered, order kept.
ir::Function remove_dead_code(const ir::Function& function);

/// Constants within rounding of a number with few digits become that number: 5.499822, not 5.499822000000001. Drops dead
/// nodes, too.
ir::Function round_constants(const ir::Function& function);

/// Turns a*b + a*c into a*(b + c) where both products have no other use. One multiplication less each.
ir::Function factor_products(const ir::Function& function);

/// Moves negations into subtractions and constants until they vanish where that is possible.
ir::Function sink_negations(const ir::Function& function);

/// Turns the signs of values where a name loses its "neg_" by that and no operation is added: w3_y instead of neg_w3_y.
ir::Function prefer_positive_names(const ir::Function& function);

/// Graph in, graph out, same meaning.
struct Pass {
  const char* name;
  ir::Function (*run)(const ir::Function&);
};

/// The simplifying passes in the order they run.
const std::vector<Pass>& simplifying_passes();

/// All of them, one after the other.
ir::Function simplify(ir::Function function, const Observer& observer = {});

struct ScheduleOptions {
  int max_statements = 1000;  ///< per part; compile time is superlinear in function length
  int max_inline_operations = 6;
  int max_stored_zeros = 100;  ///< per output; one with more is cleared by a loop first
};
/// Decides what is printed where: inlining, store positions (as soon as the value exists: storing at the end
/// loses 2x on derivatives), parts and workspace slots. Order is creation order, link by link: 1.4x faster than
/// depth first from the outputs on inverse dynamics.
ir::Program schedule(ir::Function function, const ScheduleOptions& options = {});

}  // namespace featherline::passes
