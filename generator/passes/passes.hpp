#pragma once

#include "ir/kernel.hpp"
#include "support/observer.hpp"

#include <vector>

/// Each pass keeps the function's meaning: same inputs, same outputs, to rounding.
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

/// Moves negations into subtractions and constants until they vanish where that is possible.
ir::Kernel sink_negations(const ir::Kernel& kernel);

/// Turns the signs of values where a name loses its "neg_" by that and no operation is added: w3_y instead of neg_w3_y.
ir::Kernel prefer_positive_names(const ir::Kernel& kernel);

/// Graph in, graph out, same meaning.
struct Pass {
  const char* name;
  ir::Kernel (*run)(const ir::Kernel&);
};

/// The simplifying passes in the order they run.
const std::vector<Pass>& simplifying_passes();

/// All of them, one after the other.
ir::Kernel simplify(ir::Kernel kernel, const Observer& observer = {});

struct ScheduleOptions {
  /// Per part, stores included; compile time is superlinear in function length. Parts of quadruped then take as long as or
  /// less time than those of 1000 statements had (aba_derivatives 3.5 us instead of 3.9, second order 4.37 in both).
  int max_operations = 3500;
  int max_inline_operations = 6;
  int max_stored_zeros = 100;  ///< per output; one with more is cleared by a loop first
};
/// Decides what is printed where: inlining, store positions (as soon as the value exists: storing at the end
/// loses 2x on derivatives), parts and workspace slots. Order is creation order, link by link: 1.4x faster than
/// depth first from the outputs on inverse dynamics.
ir::Kernel schedule(ir::Kernel kernel, const ScheduleOptions& options = {});

}  // namespace featherline::passes
