#include "selection/function_plan.hpp"

#include "model/build_tree.hpp"
#include "model/clusters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace featherline {
namespace {

using catalog::FunctionSpec;

constexpr double most_entries = 8e6;

/// Entries of the largest array of the function, or of M if the function inverts it.
double largest_array(const FunctionSpec& function, const model::Tree& tree) {
  const double nv = tree.nv;
  double entries = function.inverts_inertia ? nv * nv : nv;
  for (const catalog::Argument& output : function.outputs)
    entries = std::max(entries, static_cast<double>(output.shape.size(catalog::sizes_of(tree))));
  return entries;
}

/// Throws UsageError if the user named functions that are left out.
Names kept_or_refused(const Division& division, const std::string& reason) {
  if (division.refused.empty()) return division.kept;
  throw UsageError(fmt::format("--functions: {}: {}", fmt::join(division.refused, ", "), reason));
}

/// Without functions of constraints if the robot has none. Throws UsageError if the user named them or their group; of
/// other groups they are left out silently.
Names drop_functions_without_constraints(const Names& functions, const Asked& asked) {
  if (asked.tree.constraints.num_rows() > 0) return functions;
  Division division = divide(functions, asked.options, std::not_fn(catalog::takes_constraints));
  if (asked.options.is_named(catalog::constraints.name))
    division.refused.push_back(catalog::constraints.name);
  const bool only_steps = std::ranges::all_of(division.refused, [](const std::string& name) {
    return catalog::find(name) != nullptr && catalog::takes_ground(*catalog::find(name));
  });
  return kept_or_refused(division,
                         std::string("the robot has no constraints; choose contacts with --contacts LINK") +
                             (only_steps ? "" : ", or write loops into the robot's file"));
}

/// Without derivatives with respect to parameters if none is chosen that the function depends on. The same errors.
Names drop_parameter_derivatives(const Names& functions, const Asked& asked) {
  Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return !catalog::has_parameter_derivatives(function) ||
           std::ranges::count(catalog::inputs_of(function, asked.tree), catalog::arguments::p.name,
                              &catalog::Argument::name) > 0;
  });
  const auto is_sensitivity = [](const std::string& name) {
    return catalog::has_parameter_derivatives(*catalog::find(name));
  };
  if (asked.options.is_named(catalog::sensitivities.name) &&
      !std::ranges::any_of(division.kept, is_sensitivity) && std::ranges::any_of(functions, is_sensitivity))
    division.refused.push_back(catalog::sensitivities.name);
  return kept_or_refused(division,
                         "no parameters are chosen that they depend on; choose some with --parameters, such "
                         "as armature or inertia:LINK for dynamics, placement:JOINT for frames");
}

/// Without functions that depend on placements and gears, but cannot take them, if there are some.
Names drop_functions_without_geometry(const Names& functions, const Asked& asked) {
  const Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return !asked.tree.chosen.has_geometry() ||
           function.depends.geometry != catalog::Dependence::Geometry::not_yet;
  });
  if (!division.refused.empty()) {
    const std::string& name = division.refused.front();
    const bool has_base = catalog::has_size(*catalog::find(name), catalog::num_base_parameters);
    throw UsageError("--parameters: " + name + " cannot take placements and gears as inputs" +
                     (has_base ? ": its base parameters are chosen for those of the file; ask for regressor, "
                                 "or leave out"
                               : "; leave out the function, or") +
                     " placement and gear");
  }
  return tell(division,
              {"geometry-left-out", "placements and gears cannot be inputs of these functions: ",
               "leave out placement and gear to get them"},
              asked);
}

/// Why a robot has no steps with contacts: the words stand before what becomes of them. Empty: it has them.
std::string no_contact_steps(const model::Tree& tree) {
  const auto& all = tree.constraints.all;
  if (tree.integrator != model::Integrator::semi_implicit)
    return "it is semi-implicit; leave out --integrator rk4";
  if (tree.constraints.count() > ir::most_contact_points)
    return fmt::format("the robot has {} constraints, and a step has {} contact points at most", all.size(),
                       ir::most_contact_points);
  const auto& joints = tree.constraints.joints;
  if (std::ssize(joints) > ir::most_contact_joints)
    return fmt::format("{} joints have what --contact-joints names, and a step has room for {}; leave it out",
                       joints.size(), ir::most_contact_joints);
  const auto is_friction = [](const model::JointInput& x) {
    return x.number->which == &model::Joint::friction;
  };
  if (std::ranges::any_of(tree.chosen.joints, is_friction) &&
      std::ranges::any_of(joints, [](const auto& joint) { return joint.friction > 0.0; }))
    return "friction of --contact-joints is a number of the robot; leave it out, or the parameter friction";
  const auto other = std::ranges::find_if_not(all, model::may_open, &model::Constraint::type);
  if (other == all.end()) return "";
  const model::ConstraintKind& kind = model::kind_of(other->type);
  return fmt::format("it takes contact points and spheres alone, and {} is {}; {}", in_quotes(other->name),
                     kind.name,
                     other->line == 0 ? "write LINK or LINK:sphere=RADIUS in --contacts"
                     : kind.ends != 1 ? "eliminate the loop (--eliminate), or leave out the functions"
                                      : "leave out the functions");
}

/// Without derivatives of steps with contacts where joints are among these. Throws UsageError as below.
Names drop_derivatives_of_joints(const Names& functions, const Asked& asked) {
  const Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return asked.tree.constraints.joints.empty() || !catalog::takes_ground(function) ||
           catalog::gives_status(function);
  });
  if (!division.refused.empty())
    throw UsageError(
        fmt::format("--contact-joints: limits and friction of joints have no derivatives; leave out {}, or "
                    "--contact-joints",
                    fmt::join(division.refused, ", ")));
  return division.kept;
}

/// Without steps with contacts where the robot has other constraints than points. Throws UsageError if the user named
/// them; of their group they are left out silently.
Names drop_contact_steps(const Names& functions, const Asked& asked) {
  const std::string reason = no_contact_steps(asked.tree);
  if (reason.empty()) return functions;
  return kept_or_refused(divide(functions, asked.options, std::not_fn(catalog::takes_ground)), reason);
}

/// Without functions that hold contacts where one is a sphere: they do not know the ground's normal. The same errors.
Names drop_held_spheres(const Names& functions, const Asked& asked) {
  const auto& all = asked.tree.constraints.all;
  const auto sphere = std::ranges::find(all, model::ConstraintType::contact_sphere, &model::Constraint::type);
  if (sphere == all.end()) return functions;
  const Division division = divide(functions, asked.options, [](const FunctionSpec& function) {
    return !catalog::takes_constraints(function) || catalog::takes_ground(function);
  });
  return kept_or_refused(
      division, fmt::format("contact {} is a sphere, and only steps know the ground that it touches; ask for "
                            "contact_step, or write {}:point",
                            in_quotes(sphere->name), sphere->name));
}

/// Without functions of all joints if these are the robot's own. Throws UsageError if the user named them.
Names drop_functions_of_all_joints(const Names& functions, const Asked& asked) {
  if (asked.tree.clusters) return functions;
  return kept_or_refused(divide(functions, asked.options, std::not_fn(catalog::is_of_all_joints)),
                         "no loop of the robot is eliminated; name one with --eliminate");
}

/// Without functions that depend on external forces, but cannot take them, if there are some.
Names drop_functions_without_forces(const Names& functions, const Asked& asked) {
  const Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return asked.tree.chosen.forces.empty() ||
           function.depends.forces != catalog::Dependence::Forces::not_yet;
  });
  if (!division.refused.empty())
    throw UsageError("--external-forces: " + division.refused.front() +
                     " cannot take external forces: their second derivatives are not implemented; leave out "
                     "the function or the forces");
  refuse_unused_choices(division.kept, division.dropped, asked);
  return tell(division,
              {"forces-left-out", "second derivatives of external forces are not implemented: ",
               "leave out --external-forces to get them"},
              asked);
}

}  // namespace

Names drop_oversized(const Names& functions, const Asked& asked) {
  Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return largest_array(function, asked.tree) <= most_entries;
  });
  if (division.kept.empty()) {
    division.refused.insert(division.refused.end(), division.dropped.begin(), division.dropped.end());
    division.dropped.clear();
  }
  const std::string reason = fmt::format(
      "the robot has {} degrees of freedom; arrays of more than 8 million entries would be needed for ",
      asked.tree.nv);
  return tell(
      division,
      {"large-left-out", reason, "ask for other functions (--functions rnea), or make joints fixed (--lock)",
       nullptr, ": left out", ""},
      asked);
}

Names drop_functions_without_mass(const Names& functions, const Asked& asked) {
  double mass = 0.0;
  for (const model::Body& body : asked.tree.bodies) mass += body.inertia.mass;
  const Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return mass != 0.0 || !function.needs_mass;
  });
  return tell(
      division,
      {"no-mass", "no moving link has mass, so the robot has no centre of mass: ", "give a link mass"},
      asked);
}

Names drop_unrolled_only(const Names& functions, const Asked& asked) {
  const Options& options = asked.options;
  const Location where{asked.file, 0, ""};
  Names kept;
  for (const std::string& name : functions) {
    const FunctionSpec& function = *catalog::find(name);
    const bool fits_loops = has_loops(function, asked.tree);
    const bool may_be_loops = fits_loops && name == function.name && !options.has_binding("batch");
    if (may_be_loops || fits_unrolled(function, asked.tree, max_packed_flops) ||
        is_forced_to_unroll(function, options)) {
      kept.push_back(name);
      continue;
    }
    const std::string reason =
        "this robot is too large to unroll " + in_quotes(function.name) +
        (fits_loops ? ", whose loops have neither packed form nor batches" : ", and no loops fit it");
    const std::string remedy = (fits_loops ? "use the dense " + in_quotes(function.name) + " without --batch"
                                           : "choose another --joint-dynamics") +
                               ", or force straight-line code with --formulation \"" + function.name + "=" +
                               function.formulations.front().name + "\"";
    if (options.is_named(name))
      asked.findings.error(where, in_quotes(name) + " cannot be emitted: " + reason, remedy);
    else
      asked.findings.warning("large-left-out", where, in_quotes(name) + " left out: " + reason, remedy);
  }
  return kept;
}

Names existing_functions(const Robot& robot, const Options& options, Diagnostics& findings) {
  const Asked asked{options, robot.tree, robot.description.file, findings};
  const Names& functions = options.functions;
  const bool derivatives = options.with_derivatives || options.has_binding("casadi");
  Names names = drop_oversized(derivatives ? catalog::with_companions(functions) : functions, asked);
  stop_on_errors(findings);
  names = drop_functions_of_all_joints(names, asked);
  names = drop_functions_without_inverse(names, asked);
  names = drop_functions_without_constraints(names, asked);
  names = drop_parameter_derivatives(names, asked);
  names = drop_functions_without_geometry(names, asked);
  names = drop_contact_steps(names, asked);
  names = drop_derivatives_of_joints(names, asked);
  names = drop_held_spheres(names, asked);
  names = drop_functions_without_mass(names, asked);
  const model::UserTree traced{model::without_rotors(robot.tree)};
  names = drop_unrolled_only(names, {options, traced, asked.file, findings});
  stop_on_errors(findings);
  check_constraints(names, asked);
  return drop_functions_without_forces(names, asked);
}

Names tell(const Division& division, const Absence& absence, const Asked& asked) {
  const auto message = [&](const Names& names, const char* what) {
    return fmt::format("{}{}{}", absence.reason, fmt::join(names, ", "), what);
  };
  Location where{asked.file, 0, "robot"};
  if (absence.joint != nullptr)
    where = {absence.joint->file, absence.joint->line, "robot/joint " + in_quotes(absence.joint->name)};
  if (!division.dropped.empty())
    asked.findings.warning(absence.finding, where, message(division.dropped, absence.left_out),
                           absence.remedy);
  if (!division.refused.empty())
    asked.findings.error(where, message(division.refused, absence.refused), absence.remedy);
  return division.kept;
}

}  // namespace featherline
