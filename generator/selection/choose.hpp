#pragma once

#include "catalog/functions.hpp"
#include "ir/kernel.hpp"
#include "lowered/lowered_function.hpp"
#include "model/canonical.hpp"
#include "model/limbs.hpp"
#include "options.hpp"
#include "reference/expected.hpp"
#include "robot.hpp"
#include "selection/function_plan.hpp"
#include "support/observer.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

/// What formulations are traced on, and how those of one function compare with each other.
namespace featherline {

/// The trees that candidates are traced on.
struct ChosenTrees {
  model::CanonicalTree tree;
  std::optional<model::FoldedTree> folded;  ///< for formulations in lanes, if the plan has any
};

/// The tree that algorithms trace: canonical frames and regrouped inertias. With `common_frames` it also chooses the
/// common frames of bodies, which takes time.
model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer = {}, int jobs = 1);

/// The same with the folded tree that the plan needs. Frames of equal limbs are chosen together.
ChosenTrees trees_in_chosen_frames(const model::UserTree& user, const Plan& plan,
                                   const Observer& observer = {}, int jobs = 1);
/// In frames that are not chosen to make equations short. They are for functions that disagree with the reference in
/// the chosen frames.
ChosenTrees trees_in_plain_frames(const model::UserTree& user, bool lanes);

/// Runs a formulation of the function on symbols.
ir::Kernel trace(const catalog::FunctionSpec& function, const catalog::Formulation& formulation,
                 const ChosenTrees& trees);

/// If some graph had more nodes than this, no further formulation is unrolled. Each would take seconds and hundreds of
/// megabytes.
inline constexpr ir::NodeId large_graph = 1'000'000;

/// Simplification is taken to leave at least this share of the flops.
inline constexpr double simplification = 0.5;

/// A formulation as simplified, and as it would be emitted.
struct Traced {
  const catalog::Formulation* formulation;
  ir::Kernel graph;
  std::optional<ir::Kernel> program = {};  ///< only where the choice needs it
  double predicted_cost = 0;               ///< of Options::goal()
  int code_bytes = 0;                      ///< only where the choice needs it
};

/// What is known of a formulation that was scheduled.
struct Stack {
  const catalog::Formulation* formulation;
  int bytes;
  double predicted_cost;
  bool fits() const;
};

/// The choice for one function: what it is made from, and what was found on the way.
struct Choosing {
  const FunctionPlan& plan;
  const ChosenTrees& trees;
  const Options& options;
  const Observer& observer;
  bool has_large_graph = false;  ///< so nothing more is unrolled
  std::vector<Stack> stacks = {};

  const catalog::FunctionSpec& function() const { return *plan.spec; }
  bool can_be_traced(const catalog::Formulation& formulation) const;
};

ir::Kernel trace(const Choosing& choosing, const catalog::Formulation& formulation);
Traced simplified(Choosing& choosing, const catalog::Formulation& formulation, ir::Kernel graph);

/// The program of the dense form.
ir::Kernel dense_program(const Choosing& choosing, const ir::Kernel& graph);

/// Sets what a candidate costs, and keeps its stack. It is scheduled if the goal is not flops alone, or if the stack
/// has to be known.
void set_cost(Choosing& choosing, Traced& candidate, bool needs_stack = false);

/// The best formulation that does not need much stack, else the one that needs least; nothing if `program` needs no
/// more. What the choice left out is traced, too, until a formulation fits; arrays of loops are on the stack, so they
/// come last.
std::optional<Leaner> leaner_than(const ir::Kernel& program, Choosing& choosing);

/// Keeps the best of several formulations, and says which ones need not be looked at. Of equals it keeps the first.
class Best {
 public:
  explicit Best(const Options& options) : options_(options) {}

  /// Whether a formulation of so many flops can be better, as far as that is known before it is traced.
  bool admits(double unrolled_flops) const;
  /// Whether a kernel can be better, once its flops have shrunk to `share`.
  bool admits(const ir::Kernel& kernel, double share = 1.0) const;
  void add(const Traced& candidate);
  const std::optional<Traced>& kept() const { return kept_; }

 private:
  bool is_better(const Traced& a, const Traced& b) const;
  /// Whether --max-code allows it.
  bool fits(const Traced& traced) const;

  const Options& options_;
  std::optional<Traced> kept_;
  double fewest_flops_ = std::numeric_limits<double>::infinity();  ///< of code without calls
};

/// The best of all candidates, and the best of those that can be packed, if the plan needs one.
struct Rivals {
  Best all, packable;
  bool to_pack;

  Rivals(const Options& options, bool pack) : all(options), packable(options), to_pack(pack) {}
  /// Whether the formulation can be better than one of them, by what is known about it.
  template <class... Known>
  bool admit(const catalog::Formulation& formulation, const Known&... known) const {
    return all.admits(known...) || (to_pack && !formulation.in_loops() && packable.admits(known...));
  }
  void add(const Traced& candidate);
};

/// The candidates in the order in which they are traced. Limb lanes come first: they take no time, and mostly show that
/// everything else is hopeless. So do loops if unrolled code would be long.
Formulations in_tracing_order(const Choosing& choosing, Formulations candidates);

// What is tried until the functions of a plan agree with the reference solver, and what is said if they do not.

enum class Turns { exact, as_written };
/// The best of a function's candidates, or each of them by itself.
enum class Candidates { best, each };
/// Which functions have to agree, or else none of them is taken.
enum class Together {
  all,        ///< functions of two slightly different robots would not be inverses of each other
  with_link,  ///< functions that take a link walk the tree by the same steps
  none,
};

struct Attempt {
  Turns turns;
  model::Frames frames;
  Candidates candidates;
  Together together;
};

/// A function as lowered in an attempt, and its worst error.
struct Outcome {
  const FunctionPlan* function = nullptr;
  LoweredForms forms = {};
  const Attempt* attempt = nullptr;
  reference::OutputError worst = {};
  std::optional<reference::OutputError> first_disagreement = {};  ///< of the robot as written
  bool is_settled = false;

  bool agrees() const { return attempt != nullptr && worst.relative <= reference::promised_error; }
};

/// The plan itself, or one plan for each of its candidates, if it has several.
std::vector<FunctionPlan> plans_of(const Attempt& attempt, const FunctionPlan& plan);

/// The functions that are not settled: in the order of the catalogue if `ordered`. Otherwise those with the most
/// outputs come first, so that none of the long ones is left for the end: on two threads a humanoid's functions then
/// take 0.59 of the time of one thread, instead of 0.65.
std::vector<std::size_t> open_functions(const Plan& plan, const std::vector<Outcome>& outcomes, bool ordered);

/// Takes what agrees, alone or together.
void settle(const Attempt& attempt, const Plan& plan, std::vector<Outcome>& outcomes);

/// Throws InputError with one error about all outcomes that are not settled, by their first disagreements. If one joint
/// causes them, the error is at that joint. A joint is the cause if the first of the functions agrees once the joint is
/// fixed: `agrees` says whether it does on a tree. If the robot is too large to try every joint, or no single joint is
/// the cause, the error names the joint of the worst entry instead.
[[noreturn]] void refuse_disagreement(const Robot& robot, const std::vector<Outcome>& outcomes,
                                      const model::BuildOptions& options,
                                      const std::function<bool(const model::UserTree&)>& agrees,
                                      const Observer& observer);

}  // namespace featherline
