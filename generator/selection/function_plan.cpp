#include "selection/function_plan.hpp"

#include "cost/estimate.hpp"
#include "model/build_tree.hpp"
#include "model/limbs.hpp"
#include "reference/expected.hpp"
#include "reference/expected_groups.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <random>

namespace featherline {
namespace {

using catalog::Formulation;
using catalog::FunctionSpec;

template <class Predicate>
Formulations those(const FunctionSpec& spec, const Predicate& is_one) {
  Formulations found;
  for (const Formulation& formulation : spec.formulations) {
    if (is_one(formulation)) found.push_back(&formulation);
  }
  return found;
}

/// "there is "link frames"": the formulations that can compute the function for this robot.
std::string what_there_is(const FunctionSpec& spec, const model::UserTree& tree, const Options& options) {
  std::vector<std::string> names;
  for (const Formulation* formulation :
       those(spec, [&](const Formulation& f) { return applies(f, spec, tree, options); }))
    names.push_back(formulation->name);
  return (names.size() == 1 ? "there is " : "there are ") + quoted_list(names);
}

/// Why a forced formulation cannot compute the function, and what can.
std::string refuse_formulation(const Formulation& formulation, const FunctionSpec& spec,
                               const model::UserTree& tree, const Options& options) {
  const std::string wanted = in_quotes(formulation.name);
  if (formulation.fills_lanes() && !options.lanes)
    return wanted + " computes " + spec.name +
           " in lanes, and --lanes off forbids lanes; leave one of them out";
  return wanted + " cannot compute " + spec.name + ": " + why_not(formulation, spec, tree, options) + "; " +
         what_there_is(spec, tree, options);
}

/// The tree without chosen inputs that the function does not have, and with rotors as they are traced.
model::UserTree with_inputs_of(const FunctionSpec& spec, model::UserTree tree) {
  if (spec.depends.forces != catalog::Dependence::Forces::yes) tree.chosen.forces.clear();
  if (!spec.depends.inertia) tree.chosen.payloads.clear();
  return {model::without_rotors(std::move(tree))};
}

double unrolled_limit(const FunctionSpec& function, const model::Tree& tree, bool packed) {
  return packed || !has_loops(function, tree) ? max_packed_flops : max_unrolled_flops;
}

Formulations candidates(const FunctionSpec& spec, const model::UserTree& tree, const Options& options,
                        bool packed) {
  const Formulations found = those(spec, [&](const Formulation& f) {
    return applies(f, spec, tree, options) && is_candidate(f, spec, tree, options, packed);
  });
  if (!found.empty()) return found;
  const std::string* demanded = options.demanded_formulation(spec.name);
  if (demanded == nullptr && tree.chosen.has_gears())
    throw UsageError(
        "--parameters gear: " + spec.name +
        " of this robot is too long without loops, which take no gears as inputs; ask for other functions");
  if (demanded == nullptr) throw InternalError("no formulation of " + spec.name + " applies");
  for (const Formulation& formulation : spec.formulations) {
    if (formulation.name == *demanded)
      throw UsageError("--formulation: " + refuse_formulation(formulation, spec, tree, options));
  }
  throw InternalError("there is no formulation " + *demanded + " of " + spec.name);
}

/// The coordinates of one limb.
std::vector<int> coordinates_of(const model::Folding& folding, int group, std::size_t lane) {
  std::vector<int> list;
  for (std::size_t k = 0; k < folding.velocities.size(); ++k) {
    if (folding.group_of_velocity[k] == group && lane < folding.velocities[k].size())
      list.push_back(folding.velocities[k][lane]);
  }
  return list;
}

/// The rows of constraints with an end on a body that one of these coordinates moves first.
std::vector<int> rows_on(const model::Tree& tree, const std::vector<int>& coordinates) {
  std::vector<int> rows;
  for (const model::Constraint& constraint : tree.constraints.all) {
    const auto is_on_limb = [&](int body) {
      return body >= 0 &&
             std::ranges::count(coordinates, tree.bodies[static_cast<std::size_t>(body)].joint.idx_v) > 0;
    };
    std::vector<int> bodies = each(constraint.terms, [&](const auto& term) { return term.body; });
    for (const model::Anchor& anchor : constraint.anchors) bodies.push_back(model::body_of(tree, anchor));
    if (std::ranges::none_of(bodies, is_on_limb)) continue;
    for (int r = 0; r < constraint.num_rows(); ++r) rows.push_back(constraint.first_row + r);
  }
  return rows;
}

/// Whether each limb that is computed side by side with others can move along all rows of its constraints at a random
/// state. A planar leg cannot move its foot sideways.
bool limbs_move_all_rows(const model::UserTree& tree) {
  constexpr double least_pivot = 1e-3;  // of the largest; a random state is not stretched by chance
  std::mt19937 random(1);
  const Eigen::MatrixXd J = reference::constraint_jacobian(tree, reference::random_state(tree, random).q);
  const model::Folding folding = model::fold_bodies(tree);
  for (std::size_t k = 0; k < folding.velocities.size(); ++k) {
    for (std::size_t lane = 0; lane < folding.velocities[k].size(); ++lane) {
      if (folding.group_of_velocity[k] < 0) continue;
      const std::vector<int> coordinates = coordinates_of(folding, folding.group_of_velocity[k], lane);
      const std::vector<int> rows = rows_on(tree, coordinates);
      if (rows.empty()) continue;
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J(rows, coordinates).transpose());
      qr.setThreshold(least_pivot);
      if (qr.rank() < static_cast<Eigen::Index>(rows.size())) return false;
    }
  }
  return true;
}

}  // namespace

bool fits_unrolled(const FunctionSpec& algorithm, const model::Tree& tree, double limit) {
  return std::ranges::any_of(algorithm.formulations, [&](const Formulation& f) {
    return !f.in_loops() && unrolled_flops(algorithm, f, tree) <= limit;
  });
}

bool is_forced_to_unroll(const FunctionSpec& algorithm, const Options& options) {
  const std::string* demanded = options.demanded_formulation(algorithm.name);
  return demanded != nullptr && std::ranges::any_of(algorithm.formulations, [&](const Formulation& f) {
           return f.name == *demanded && !f.in_loops();
         });
}

bool has_loops(const FunctionSpec& function, const model::Tree& tree) {
  return std::ranges::any_of(function.formulations,
                             [&](const Formulation& f) { return f.in_loops() && f.applies(tree); });
}

bool is_too_large(const FunctionSpec& function, const Formulation& formulation, const model::Tree& tree,
                  bool packed) {
  return formulation.is_unrolled() &&
         unrolled_flops(function, formulation, tree) > unrolled_limit(function, tree, packed);
}

bool is_candidate(const Formulation& formulation, const FunctionSpec& algorithm, const model::Tree& tree,
                  const Options& options, bool packed) {
  if (packed && formulation.in_loops()) return false;
  const std::string* demanded = options.demanded_formulation(algorithm.name);
  const double limit = unrolled_limit(algorithm, tree, packed);
  const bool applies_to_packed = !packed || is_forced_to_unroll(algorithm, options);
  if (demanded != nullptr && applies_to_packed) return formulation.name == *demanded;
  if (formulation.by_name_only()) return false;
  if (formulation.fills_lanes() && options.goal() == Goal::flops) return false;
  if (formulation.is_unrolled()) return unrolled_flops(algorithm, formulation, tree) <= limit;
  return options.goal() != Goal::flops || !fits_unrolled(algorithm, tree, limit);
}

/// Loops over limbs do without vectors. Axes have no such loops.
static bool needs_vectors(const Formulation& formulation, const Options& options) {
  return formulation.kind == catalog::Kind::axes_in_lanes && cost::is_cortex_m(options.estimated_target());
}

bool applies(const Formulation& formulation, const FunctionSpec& spec, const model::UserTree& tree,
             const Options& options) {
  if ((formulation.fills_lanes() && !options.lanes) || !formulation.applies(tree)) return false;
  if (needs_vectors(formulation, options)) return false;
  // Of a step on a ground M alone is inverted, so that its limbs may have redundant rows.
  const bool inverts_rows = takes_constraints(spec) && !takes_ground(spec);
  return !formulation.in_lanes() || !inverts_rows || limbs_move_all_rows(tree);
}

std::string why_not(const Formulation& formulation, const FunctionSpec& spec, const model::UserTree& user,
                    const Options& options) {
  const model::UserTree tree = with_inputs_of(spec, user);
  if (applies(formulation, spec, tree, options)) return {};
  if (formulation.fills_lanes() && !options.lanes) return "--lanes off forbids lanes";
  if (needs_vectors(formulation, options)) return "it needs a processor with vectors";
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
  plan.batch = dense && options.has_binding("batch") && has_batch_form(spec);
  for (const catalog::Argument& output : spec.outputs)
    plan.output_entries += output.shape.size(catalog::sizes_of(tree));
  // Batches of steps with contacts compute the dense form.
  const bool in_batches = options.has_binding("batch") && takes_ground(spec);
  plan.candidates = candidates(spec, tree, options, !dense || in_batches);
  const auto in_loops = [](const Formulation* formulation) { return formulation->in_loops(); };
  const bool may_call = std::ranges::any_of(plan.candidates, in_loops);
  if (plan.dense && plan.needs_packing() && may_call)
    plan.packed_candidates = candidates(spec, tree, options, true);
  if (dense && options.has_binding("cuda") && !spec.takes_link) {
    plan.device_candidates = candidates(spec, tree, options.for_devices(), false);
    const auto on_limbs = [&](const Formulation& f) {
      return f.in_lanes() && !f.by_name_only() && !spec.repeats && applies(f, spec, tree, options);
    };
    std::ranges::copy(those(spec, on_limbs), std::back_inserter(plan.device_candidates));
    std::erase_if(plan.device_candidates, in_loops);
  }
  const bool is_demanded = options.demanded_formulation(spec.name) != nullptr;
  if (options.max_code > 0 && !is_demanded && !may_call)
    plan.shorter =
        those(spec, [&](const Formulation& f) { return f.in_loops() && applies(f, spec, tree, options); });
  return plan;
}

}  // namespace featherline
