#pragma once

#include "lowered/lowered_function.hpp"
#include "model/canonical.hpp"
#include "reference/error.hpp"
#include "reference/expected.hpp"
#include "robot.hpp"
#include "selection/function_plan.hpp"
#include "support/observer.hpp"

#include <functional>
#include <optional>
#include <vector>

/// What is tried until the functions of a plan agree with the reference solver, and what is said if they do not.
namespace featherline {

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
