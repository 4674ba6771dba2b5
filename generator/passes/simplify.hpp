#pragma once

#include "ir/kernel.hpp"
#include "passes/schedule.hpp"
#include "support/observer.hpp"

#include <string>
#include <vector>

/// Passes rewrite kernels. A pass keeps the meaning: for the same inputs the outputs are the same, up to rounding.
namespace featherline::passes {

/// Puts the nodes in the order in which the algorithm kept them (ir::Graph::keep). The order in which they were created
/// depends on the compiler of the generator, because C++ leaves the order of operands open. After this pass nothing
/// depends on it.
ir::Kernel order_as_kept(const ir::Kernel& kernel);

/// Drops every node that no store needs. Renumbers the others and keeps their order.
ir::Kernel remove_dead_code(const ir::Kernel& kernel);

/// Replaces constants that are within rounding of a number with few digits: 5.499822000000001 becomes 5.499822. Drops
/// dead nodes, too.
ir::Kernel round_constants(const ir::Kernel& kernel);

/// Turns a*b + a*c into a*(b + c) if the products have no other use. This saves a multiplication.
ir::Kernel factor_products(const ir::Kernel& kernel);

/// Takes the sine of an angle from lanes, where another value has it in one.
ir::Kernel share_sines(const ir::Kernel& kernel);

/// Moves negations into subtractions and constants until they vanish where that is possible.
ir::Kernel sink_negations(const ir::Kernel& kernel);

/// Flips the sign of values whose name then loses its "neg_" (w3_y instead of neg_w3_y), if this adds no operation.
ir::Kernel prefer_positive_names(const ir::Kernel& kernel);

/// Left limbs mirror right ones, and hind limbs often front ones: their constants differ in signs. This pass computes a
/// value with the other sign in some limbs, as a frame that is a mirror image would have it. Constants are then equal
/// in all limbs, and products with signs vanish (hyq: 5 % of the flops of the first derivatives).
ir::Kernel mirror_limbs(const ir::Kernel& kernel);

/// Graph in, graph out, same meaning.
struct Pass {
  const char* name;
  ir::Kernel (*run)(const ir::Kernel&);
};

/// The simplifying passes in the order they run.
const std::vector<Pass>& simplifying_passes();

/// All of them, one after the other, for a kernel and for what its calls run.
ir::Kernel simplify(ir::Kernel kernel, const Observer& observer = {});

/// Positive names, then the schedule, for a simplified kernel and for what its calls run.
ir::Kernel make_program(ir::Kernel kernel, const ScheduleOptions& options, const Observer& observer = {});

/// The stages of both for --dump-after: "graph", the passes, "positive-names", "program".
std::vector<std::string> stage_names();

/// dense[dense_index] = packed[packed_index], or minus that.
struct PackedEntry {
  int dense_index = 0;
  int packed_index = 0;
  bool negated = false;
};

/// A kernel whose outputs hold each distinct structural non-zero once, and where those go in the dense arrays.
struct PackedKernel {
  ir::Kernel kernel;
  std::vector<std::vector<PackedEntry>>
      maps;  ///< by output, in the order of the dense index; zeros are absent
};

/// Packs every output of `kernel`. Entries that are equal, or opposite, share a packed entry; packed entries are in
/// the order their values are computed.
PackedKernel pack(const ir::Kernel& kernel);

}  // namespace featherline::passes
