#pragma once

#include "ir/kernel.hpp"
#include "support/observer.hpp"

#include <vector>

/// Passes rewrite kernels. A pass keeps the meaning: for the same inputs the outputs are the same, up to rounding.
namespace featherline::passes {

/// Puts the nodes in the order in which the algorithm kept them (ir::Graph::keep). The order in which they were
/// created depends on the compiler of the generator, because C++ leaves the order of operands open. After this pass
/// nothing depends on it.
ir::Kernel in_order(const ir::Kernel& kernel);

/// Drops every node that no store needs. Renumbers the others and keeps their order.
ir::Kernel remove_dead_code(const ir::Kernel& kernel);

/// Replaces constants that are within rounding of a number with few digits: 5.499822000000001 becomes 5.499822. Drops
/// dead nodes, too.
ir::Kernel round_constants(const ir::Kernel& kernel);

/// Turns a*b + a*c into a*(b + c) if the products have no other use. This saves a multiplication.
ir::Kernel factor_products(const ir::Kernel& kernel);

/// Moves negations into subtractions and constants until they vanish where that is possible.
ir::Kernel sink_negations(const ir::Kernel& kernel);

/// Flips the sign of values whose name then loses its "neg_" (w3_y instead of neg_w3_y), if this adds no operation.
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
  /// Largest number of operations in a part, stores included. Parts keep compile time low, which grows faster than the
  /// length of a function. Code of quadruped runs as fast as with parts of 1000 statements or faster (aba_derivatives
  /// 3.5 us instead of 3.9, second order 4.37 us in both cases).
  int max_operations = 3500;
  int max_inline_operations = 6;
  int max_stored_zeros = 100;  ///< an output with more zeros is cleared first
};
/// Turns the graph into steps. Decides which values are inlined, where values are stored, the parts, and the slots of
/// the workspace. A value is stored as soon as it exists: derivatives take twice as long if all stores are at the
/// end. Values stay in the order of their nodes, link by link: inverse dynamics is 1.4 times as fast as in
/// depth-first order from the outputs.
ir::Kernel schedule(ir::Kernel kernel, const ScheduleOptions& options = {});

}  // namespace featherline::passes
