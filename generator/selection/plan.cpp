#include "selection/plan.hpp"

#include "emit/emit.hpp"
#include "selection/output_size.hpp"
#include "selection/singularity.hpp"
#include "selection/size_policy.hpp"

#include <algorithm>

namespace featherline {
namespace {

using algorithms::Algorithm;
using algorithms::Formulation;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_only_identifier_characters(const std::string& name) {
  return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
         std::string::npos;
}

/// Says when namespace and files do not get the name that was asked for: a warning for --name, a note for the name of
/// the URDF where the reader would not expect it. (That "my-arm" becomes my_arm is expected; the report shows it.)
void tell_renaming(const std::string& wanted, bool asked, const std::string& file, Diagnostics& findings) {
  const std::string used = emit::emitted_name(wanted);
  if (used == wanted) return;
  const std::string message = (asked ? "--name " : "the robot's name ") + quoted(wanted) +
                              " cannot name a C++ namespace; " + quoted(used) +
                              " is used for it and for the files";
  if (asked) {
    findings.warning(
        {file, 0, ""}, message,
        "choose a --name of letters, digits and single underscores that begins with a letter and that "
        "neither C++ nor its libraries use");
  } else if (!wanted.empty() && has_only_identifier_characters(wanted)) {
    findings.note({file, 0, ""}, message, "choose another one with --name");
  }
}

/// A C header of that name would be found instead of the system's by everybody who has its folder in the path.
void check_c_header(const std::string& name) {
  if (!emit::hides_system_header(name)) return;
  throw UsageError("--c-api: " + name + ".h would hide the system header <" + name +
                   ".h>; choose another --name");
}

std::string choose_name(const Robot& robot, const Options& options, Diagnostics& findings) {
  const bool asked = !options.name.empty();
  const std::string& wanted = asked ? options.name : robot.description.name;
  if (options.c_interface) check_c_header(emit::emitted_name(wanted));
  tell_renaming(wanted, asked, robot.description.file, findings);
  return wanted;
}

/// Those of the functions asked for that can be had.
std::vector<std::string> existing_functions(const Robot& robot, const Options& options,
                                            Diagnostics& findings) {
  const std::string& file = robot.description.file;
  refuse_oversized_outputs(options.functions, robot.tree, file, findings);
  stop_on_errors(findings);
  const std::vector<std::string> invertible =
      drop_functions_without_inverse(options, robot.tree, file, findings);
  std::vector<std::string> kept = drop_unrolled_only(invertible, options, robot.tree, file, findings);
  stop_on_errors(findings);
  return kept;
}

Formulations candidates(const Algorithm& algorithm, const model::Tree& tree, const Options& options,
                        bool packed) {
  Formulations found;
  for (const Formulation& formulation : algorithm.formulations) {
    const bool applies = !formulation.applies || formulation.applies(tree);
    if (applies && is_candidate(formulation, algorithm, tree, options.formulations, packed))
      found.push_back(&formulation);
  }
  if (!found.empty()) return found;
  const auto forced = options.formulations.find(algorithm.name);
  if (forced == options.formulations.end())
    throw InternalError("no formulation of " + algorithm.name + " applies");
  throw UsageError("--formulation: \"" + forced->second + "\" cannot compute " + algorithm.name +
                   " for this robot; leave it out, and the cheapest that can is taken");
}

Formulations loops(const Algorithm& algorithm, const model::Tree& tree) {
  Formulations found;
  for (const Formulation& formulation : algorithm.formulations) {
    if (formulation.in_loops && (!formulation.applies || formulation.applies(tree)))
      found.push_back(&formulation);
  }
  return found;
}

/// Whether it may be computed in common frames. Choosing those takes a while.
bool works_in_common_frames(const Algorithm& algorithm) {
  return algorithm.group == "derivatives" || algorithm.group == "second-order" ||
         algorithm.name == "coriolis_matrix";
}

}  // namespace

std::vector<std::string> Plan::function_names() const {
  std::vector<std::string> names;
  for (const FunctionPlan& function : functions) {
    if (function.dense) names.push_back(function.algorithm->name);
    if (function.packed) names.push_back(packed_name(*function.algorithm));
  }
  return names;
}

FunctionPlan plan_function(const Algorithm& algorithm, bool dense, bool packed, const model::Tree& tree,
                           const Options& options) {
  FunctionPlan plan;
  plan.algorithm = &algorithm;
  plan.walks_tree = algorithm.formulations.empty();
  plan.dense = dense;
  plan.packed = packed;
  if (plan.walks_tree) return plan;
  plan.batch = dense && options.batch && has_packed_form(algorithm);
  plan.candidates = candidates(algorithm, tree, options, !dense);
  if (plan.needs_packing() && plan.candidates.front()->in_loops)
    plan.packed_candidates = candidates(algorithm, tree, options, true);
  const bool is_forced = options.formulations.count(algorithm.name) > 0;
  if (options.max_code > 0 && !is_forced) plan.shorter = loops(algorithm, tree);
  return plan;
}

Plan make_plan(const Robot& robot, const Options& options, Diagnostics& findings) {
  Plan plan;
  plan.name = choose_name(robot, options, findings);
  const std::vector<std::string> names = existing_functions(robot, options, findings);
  for (const Algorithm& algorithm : algorithms::registry()) {
    const bool dense = contains(names, algorithm.name);
    const bool packed = has_packed_form(algorithm) && contains(names, packed_name(algorithm));
    if (!dense && !packed) continue;
    plan.functions.push_back(plan_function(algorithm, dense, packed, robot.tree, options));
    plan.common_frames = plan.common_frames || works_in_common_frames(algorithm);
  }
  return plan;
}

}  // namespace featherline
