#pragma once

#include "cli/commands.hpp"
#include "cli/tune/tune.hpp"
#include "ir/scalar.hpp"
#include "pipeline.hpp"
#include "support/json.hpp"

#include <optional>
#include <string>
#include <vector>

/// Every formulation of every function of a plan, lowered and judged side by side.
namespace featherline::cli {

/// One formulation of a function. If it was left out, there is only the reason.
struct ComparedFormulation {
  const catalog::Formulation* formulation = nullptr;
  std::string left_out = {};     ///< why, as a clause: "it needs equal limbs"; empty if it was compared
  bool chosen = false;           ///< generate takes it
  bool in_plain_frames = false;  ///< in chosen frames it disagrees with the reference solver
  std::optional<ir::Operations> written = {};  ///< none if routines of the runtime or calls compute a part
  int flops_before = 0;                        ///< of the graph as traced, before the passes
  cost::Figures figures = {};                  ///< of the code that would be emitted
  std::optional<double> error = {};            ///< worst, against the reference solver; none with --no-verify
  std::optional<Timing> timing = {};           ///< with --measure
  LoweredFunction request = {};                ///< what would be emitted, if it is kept

  bool is_compared() const { return left_out.empty(); }
};

struct ComparedFunction {
  std::string name;  ///< as emitted: the packed form if the user asked for it alone
  const catalog::FunctionSpec* spec = nullptr;
  std::vector<ComparedFormulation> formulations = {};  ///< in the order of the catalogue

  const ComparedFormulation& chosen() const;
};

struct Comparison {
  std::vector<ComparedFunction> functions;
  ChosenTrees trees;
  std::optional<ChosenTrees> plain_trees;  ///< if some formulation needs them
  bool exact_turns = false;                ///< as LoweredRobot::exact_turns
};

/// Compares the formulations of all functions of the plan, each of which has one form. The chosen one is what
/// lower_robot() takes. All are traced on the robot and in the frames that it settled on. A formulation that disagrees
/// there is tried in plain frames. If it still disagrees, it keeps its error. `keep_code` is for measure().
Comparison compare_formulations(const Robot& robot, const Plan& plan, const Options& options,
                                const Observer& observer, bool keep_code);

/// Compiles and times all that were compared (tune/tune.hpp).
void measure(Comparison& comparison, const Robot& robot, const CommandLine& line, Progress& progress);

// A comparison as people and programs read it.

/// Text or, if --format asks for it, Markdown.
std::string comparison_text(const Comparison& comparison, const Robot& robot, const CommandLine& line);
Json comparison_json(const Comparison& comparison, const Robot& robot, const CommandLine& line);

}  // namespace featherline::cli
