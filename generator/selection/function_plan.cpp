#include "selection/function_plan.hpp"

#include "emit/emit.hpp"
#include "emit/identifiers.hpp"
#include "selection/constraint_checks.hpp"
#include "selection/dependence.hpp"
#include "selection/existing_functions.hpp"
#include "selection/quarter_turns.hpp"

#include <algorithm>

namespace featherline {
namespace {

using catalog::Formulation;
using catalog::FunctionSpec;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_only_identifier_characters(const std::string& name) {
  return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
         std::string::npos;
}

/// Tells the user if the namespace and the files get another name than the one asked for. It is a warning if the name
/// came from --name. It is a note if it came from the URDF and the change is not expected. (That "my-arm" becomes
/// my_arm is expected; the report shows it.)
void tell_renaming(const std::string& wanted, bool asked, const std::string& file, Diagnostics& findings) {
  const std::string used = emit::emitted_name(wanted);
  if (used == wanted) return;
  const std::string message = (asked ? "--name " : "the robot's name ") + in_quotes(wanted) +
                              " cannot name a C++ namespace; " + in_quotes(used) +
                              " is used for it and for the files";
  if (asked) {
    findings.warning(
        Finding::renamed, {file, 0, ""}, message,
        "choose a --name of letters, digits and single underscores that begins with a letter and that "
        "neither C++ nor its libraries use");
  } else if (!wanted.empty() && has_only_identifier_characters(wanted)) {
    findings.note({file, 0, ""}, message, "choose another one with --name");
  }
}

/// A C header of that name would hide the system's header for everybody who has its folder in the include path.
void check_c_header(const std::string& name) {
  if (!emit::hides_system_header(name)) return;
  throw UsageError("--c-api: " + name + ".h would hide the system header <" + name +
                   ".h>; choose another --name");
}

std::string choose_name(const Robot& robot, const Options& options, Diagnostics& findings) {
  const bool asked = !options.name.empty();
  const std::string& wanted = asked ? options.name : robot.description.name;
  if (options.has_binding("c-api")) check_c_header(emit::emitted_name(wanted));
  tell_renaming(wanted, asked, robot.description.file, findings);
  return wanted;
}

/// The functions asked for that can be emitted for this robot.
std::vector<std::string> existing_functions(const Robot& robot, const Options& options,
                                            Diagnostics& findings) {
  const std::string& file = robot.description.file;
  const std::vector<std::string> fitting =
      drop_oversized(options.functions, options, robot.tree, file, findings);
  stop_on_errors(findings);
  // With --no-verify, results may have few digits.
  const double least_pivot = options.verify ? least_verified_pivot : vanishing_pivot;
  const std::vector<std::string> invertible = drop_functions_without_constraints(
      drop_functions_without_inverse(fitting, options, robot.tree, least_pivot, file, findings), options,
      robot.tree);
  const std::vector<std::string> massive =
      drop_functions_without_mass(invertible, options, robot.tree, file, findings);
  const std::vector<std::string> kept = drop_unrolled_only(massive, options, robot.tree, file, findings);
  stop_on_errors(findings);
  check_constraints(kept, options, robot.tree, file, findings);
  return drop_functions_without_forces(kept, options, robot.tree, file, findings);
}

/// "there is "link frames"": the formulations that can compute the function for this robot.
std::string what_there_is(const FunctionSpec& spec, const model::UserTree& tree, const Options& options) {
  std::string names;
  int count = 0;
  for (const Formulation& formulation : spec.formulations) {
    if (!applies(formulation, spec, tree, options)) continue;
    names += (count++ > 0 ? ", " : "") + in_quotes(formulation.name);
  }
  return (count == 1 ? "there is " : "there are ") + names;
}

/// Why a forced formulation cannot compute the function, and what can.
std::string refuse_formulation(const Formulation& formulation, const FunctionSpec& spec,
                               const model::UserTree& tree, const Options& options) {
  const std::string wanted = in_quotes(formulation.name);
  if (formulation.in_lanes() && !options.lanes)
    return wanted + " computes " + spec.name +
           " in lanes, and --lanes off forbids lanes; leave one of them out";
  return wanted + " cannot compute " + spec.name + ": " + why_not(formulation, spec, tree, options) + "; " +
         what_there_is(spec, tree, options);
}

/// The tree without chosen inputs that the function does not have.
model::UserTree with_inputs_of(const FunctionSpec& spec, model::UserTree tree) {
  if (spec.depends.forces != catalog::Dependence::Forces::yes) tree.chosen.forces.clear();
  if (!spec.depends.inertia) tree.chosen.payloads.clear();
  return tree;
}

}  // namespace

bool fits_unrolled(const FunctionSpec& algorithm, const model::Tree& tree, double limit) {
  return std::any_of(algorithm.formulations.begin(), algorithm.formulations.end(), [&](const Formulation& f) {
    return !f.in_loops() && unrolled_flops(algorithm, f, tree) <= limit;
  });
}

bool is_forced_to_unroll(const FunctionSpec& algorithm, const Options& options) {
  const std::string* demanded = options.demanded_formulation(algorithm.name);
  return demanded != nullptr &&
         std::any_of(algorithm.formulations.begin(), algorithm.formulations.end(),
                     [&](const Formulation& f) { return f.name == *demanded && !f.in_loops(); });
}

bool is_too_large(const FunctionSpec& function, const Formulation& formulation, const model::Tree& tree,
                  bool packed) {
  return !formulation.in_loops() &&
         unrolled_flops(function, formulation, tree) > (packed ? max_packed_flops : max_unrolled_flops);
}

bool is_candidate(const Formulation& formulation, const FunctionSpec& algorithm, const model::Tree& tree,
                  const Options& options, bool packed) {
  if (packed && formulation.in_loops()) return false;
  const std::string* demanded = options.demanded_formulation(algorithm.name);
  const double limit = packed ? max_packed_flops : max_unrolled_flops;
  const bool applies_to_packed = !packed || is_forced_to_unroll(algorithm, options);
  if (demanded != nullptr && applies_to_packed) return formulation.name == *demanded;
  if (formulation.by_name_only()) return false;
  if (formulation.in_lanes() && options.goal() == Goal::flops) return false;
  if (!formulation.in_loops()) return unrolled_flops(algorithm, formulation, tree) <= limit;
  return options.goal() != Goal::flops || !fits_unrolled(algorithm, tree, limit);
}

namespace {

Formulations candidates(const FunctionSpec& spec, const model::UserTree& tree, const Options& options,
                        bool packed) {
  Formulations found;
  for (const Formulation& formulation : spec.formulations) {
    if (applies(formulation, spec, tree, options) && is_candidate(formulation, spec, tree, options, packed))
      found.push_back(&formulation);
  }
  if (!found.empty()) return found;
  const std::string* demanded = options.demanded_formulation(spec.name);
  if (demanded == nullptr) throw InternalError("no formulation of " + spec.name + " applies");
  for (const Formulation& formulation : spec.formulations) {
    if (formulation.name == *demanded)
      throw UsageError("--formulation: " + refuse_formulation(formulation, spec, tree, options));
  }
  throw InternalError("there is no formulation " + *demanded + " of " + spec.name);
}

Formulations loops(const FunctionSpec& spec, const model::UserTree& tree, const Options& options) {
  Formulations found;
  for (const Formulation& formulation : spec.formulations) {
    if (formulation.in_loops() && applies(formulation, spec, tree, options)) found.push_back(&formulation);
  }
  return found;
}

}  // namespace

bool applies(const Formulation& formulation, const FunctionSpec& spec, const model::UserTree& tree,
             const Options& options) {
  if (formulation.in_lanes() && !options.lanes) return false;
  if (!formulation.applies(tree)) return false;
  return !formulation.in_lanes() || !takes_constraints(spec) || limbs_move_all_rows(tree);
}

std::string why_not(const Formulation& formulation, const FunctionSpec& spec, const model::UserTree& user,
                    const Options& options) {
  const model::UserTree tree = with_inputs_of(spec, user);
  if (applies(formulation, spec, tree, options)) return {};
  if (formulation.in_lanes() && !options.lanes) return "--lanes off forbids lanes";
  const std::string unmet = formulation.unmet_requirement(tree);
  return unmet.empty() ? std::string("it needs ") + formulation.also.words : unmet;
}

FunctionPlan plan_function(const FunctionSpec& spec, bool dense, bool packed, const model::UserTree& user,
                           const Options& options) {
  const model::UserTree tree = with_inputs_of(spec, user);
  FunctionPlan plan;
  plan.spec = &spec;
  plan.dense = dense;
  plan.packed = packed;
  plan.batch = dense && options.has_binding("batch") && has_packed_form(spec);
  plan.candidates = candidates(spec, tree, options, !dense);
  const auto in_loops = [](const Formulation* formulation) { return formulation->in_loops(); };
  const bool may_call = std::any_of(plan.candidates.begin(), plan.candidates.end(), in_loops);
  if (plan.dense && plan.needs_packing() && may_call)
    plan.packed_candidates = candidates(spec, tree, options, true);
  const bool is_demanded = options.demanded_formulation(spec.name) != nullptr;
  if (options.max_code > 0 && !is_demanded && !may_call) plan.shorter = loops(spec, tree, options);
  return plan;
}

Plan make_plan(const Robot& robot, const Options& options, Diagnostics& findings) {
  Plan plan;
  plan.name = choose_name(robot, options, findings);
  const std::vector<std::string> names = existing_functions(robot, options, findings);
  for (const FunctionSpec& entry : catalog::functions()) {
    const FunctionSpec& spec = catalog::with_chosen_parts(entry, robot.tree);
    const bool dense = contains(names, spec.name);
    const bool packed = has_packed_form(spec) && contains(names, packed_name(spec));
    if (!dense && !packed) continue;
    plan.functions.push_back(plan_function(spec, dense, packed, robot.tree, options));
    plan.common_frames = plan.common_frames || spec.uses_common_frames;
    const FunctionPlan& function = plan.functions.back();
    for (const Formulations* list : {&function.candidates, &function.packed_candidates, &function.shorter}) {
      for (const Formulation* formulation : *list) plan.lanes = plan.lanes || formulation->in_lanes();
    }
  }
  plan.exact_turns = may_snap_quarter_turns(robot);
  return plan;
}

}  // namespace featherline
