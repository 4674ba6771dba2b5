#pragma once

#include "catalog/functions.hpp"
#include "robot.hpp"

#include <string>
#include <vector>

/// What is emitted and in which ways it may be computed: decided once, before anything is traced, and handed on.
namespace featherline {

/// Formulations that apply to the robot, in the order of the catalogue.
using Formulations = std::vector<const catalog::Formulation*>;

/// How one function becomes code.
struct FunctionPlan {
  const catalog::FunctionSpec* spec = nullptr;
  bool dense = false;       ///< emitted with dense outputs
  bool packed = false;      ///< emitted with packed outputs, as a function of its own
  bool batch = false;       ///< batches of the dense function are emitted; they compute the packed form
  Formulations candidates;  ///< the one with the fewest flops is kept, and packed where that is asked for
  Formulations
      packed_candidates;  ///< instead of those, for packing where they are loops, which cannot be packed
  Formulations
      shorter;  ///< loops that replace unrolled code longer than --max-code, if they are shorter indeed

  bool needs_packing() const { return packed || batch; }
};

struct Plan {
  std::string name;  ///< as asked for, or the robot's own; emit::emitted_name makes a namespace of it
  std::vector<FunctionPlan> functions;  ///< in the order of the catalogue
  bool common_frames = false;           ///< some formulation works in common frames of several bodies

  /// As emitted, packed forms behind their dense ones.
  std::vector<std::string> function_names() const;
};

/// Which of the functions asked for exist for this robot, and how each may be computed. What the user named and cannot
/// have is an error, what a group brought is left out with a warning. Throws InputError on errors, and UsageError for a
/// forced formulation that does not apply to the robot.
Plan make_plan(const Robot& robot, const Options& options, Diagnostics& findings);

/// The plan of one function: `dense` and `packed` say which forms of it are emitted.
FunctionPlan plan_function(const catalog::FunctionSpec& spec, bool dense, bool packed,
                           const model::UserTree& tree, const Options& options);

}  // namespace featherline
