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

/// Copies a function node by node into a new graph, keeping names and sections; a pass overrides what
/// happens to a node. The skeleton all rewriting passes share.
class Rewriter {
 public:
  /// A node to visit, and the section of what it becomes.
  struct Visit {
    ir::NodeId node;
    std::uint32_t section;
  };

  /// Visits the live nodes in the order of their ids.
  explicit Rewriter(const ir::Kernel& source);
  /// Visits the nodes of `order`: all that are live, operands before users.
  Rewriter(const ir::Kernel& source, std::vector<Visit> order);
  virtual ~Rewriter() = default;

  /// The rewritten kernel. Dead nodes of the source are not visited.
  ir::Kernel run();

 protected:
  /// The new value of a live source node; operands have been rewritten already.
  virtual ir::Scalar rewrite(ir::NodeId id) { return rebuild(id); }

  /// What the stores of a source node store.
  virtual ir::Scalar stored(ir::NodeId id) { return value(id); }
  /// What a name of a source node becomes.
  virtual std::string renamed(ir::NodeId, const std::string& name) { return name; }

  /// The same operation on the rewritten operands.
  ir::Scalar rebuild(ir::NodeId id);
  const ir::Scalar& value(ir::NodeId id) const { return values_[id]; }
  const ir::Kernel& source() const { return source_; }
  ir::Graph& graph() { return result_.graph; }
  /// How many live nodes and stores use a source node.
  int uses(ir::NodeId id) const { return uses_[id]; }

 private:
  const ir::Kernel& source_;
  ir::Kernel result_;
  std::vector<ir::Scalar> values_;
  std::vector<int> uses_;
  std::vector<Visit> order_;
};

/// The one with fewer flops; the first of equals.
ir::Kernel with_fewer_flops(ir::Kernel a, ir::Kernel b);

}  // namespace featherline::passes
