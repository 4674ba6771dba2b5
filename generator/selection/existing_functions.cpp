#include "selection/existing_functions.hpp"

#include "catalog/companions.hpp"
#include "catalog/functions.hpp"
#include "model/check_inertias.hpp"
#include "model/clusters.hpp"
#include "model/rotors.hpp"
#include "reference/outputs.hpp"
#include "reference/solver.hpp"
#include "selection/function_plan.hpp"

#include <Eigen/Core>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace featherline {
namespace {

using catalog::FunctionSpec;
using Names = std::vector<std::string>;

/// The functions asked for. The robot cannot have `dropped`, which are part of a group, and `refused`, which the user
/// named.
struct Division {
  Names kept, dropped, refused;

  bool loses_some() const { return !dropped.empty() || !refused.empty(); }
};

template <class Exists>
Division divide(const Names& functions, const Options& options, const Exists& exists) {
  Division division;
  for (const std::string& name : functions)
    (exists(*catalog::find(name)) ? division.kept
     : options.is_named(name)     ? division.refused
                                  : division.dropped)
        .push_back(name);
  return division;
}

/// Why functions do not exist. Their names stand between `reason` and what becomes of them.
struct Absence {
  Finding finding;
  std::string reason, remedy;
  const model::Joint* joint = nullptr;  ///< if it is the cause
  const char* left_out = " left out";
  const char* refused = " cannot be emitted";
};

Names report(const Division& division, const Absence& absence, const Asked& asked) {
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

constexpr double most_entries = 8e6;

/// Entries of the largest array of the function, or of M if the function inverts it.
double largest_array(const FunctionSpec& function, const model::Tree& tree) {
  const double nv = tree.nv;
  double entries = function.inverts_inertia ? nv * nv : nv;
  for (const catalog::Argument& output : function.outputs)
    entries = std::max(entries, static_cast<double>(output.shape.size(catalog::sizes_of(tree))));
  return entries;
}

/// The links of the bodies marked in `behind`, and of all bodies that they carry.
std::vector<std::string> links_behind(const model::Tree& tree, std::vector<bool> behind) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const int parent = tree.bodies[i].parent;
    if (parent >= 0 && behind[static_cast<std::size_t>(parent)]) behind[i] = true;
  }
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) {
    if (link.body >= 0 && behind[static_cast<std::size_t>(link.body)]) names.push_back(link.name);
  }
  return names;
}

/// By degree of freedom, whether its pivot vanishes at all of a few fixed configurations.
std::vector<bool> vanishing_everywhere(const model::UserTree& tree, double least) {
  reference::Solver<double> solver(tree);
  std::vector<bool> singular(static_cast<std::size_t>(tree.nv), true);
  std::mt19937 random(1);
  constexpr int configurations = 3;
  for (int k = 0; k < configurations; ++k) {
    const reference::State state = reference::random_state(tree, random);
    const std::vector<bool> vanishes = vanishing_pivots(solver.crba(state.q), least);
    for (std::size_t i = 0; i < singular.size(); ++i) singular[i] = singular[i] && vanishes[i];
  }
  return singular;
}

/// The bodies whose joints move no inertia, or almost none: found by the model's check, and by pivots that vanish.
std::vector<bool> bodies_without_inertia(const model::UserTree& tree, double least) {
  std::vector<bool> found(tree.bodies.size(), false);
  for (const model::MasslessJoint& joint : model::find_massless_joints(tree))
    found[static_cast<std::size_t>(joint.body)] = true;
  const std::vector<bool> singular = vanishing_everywhere(tree, least);
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Joint& joint = tree.bodies[i].joint;
    for (int k = joint.idx_v; joint.mimics < 0 && k < joint.idx_v + joint.nv; ++k)
      found[i] = found[i] || singular[static_cast<std::size_t>(k)];
  }
  return found;
}

/// `joint "a" moves without inertia (links behind it: "b")`, or the same for several joints. With `almost` it says that
/// the inertia is too little.
std::string describe(const model::Tree& tree, const std::vector<bool>& bodies, bool almost) {
  std::vector<std::string> joints;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i]) joints.push_back(tree.bodies[i].joint.name);
  }
  const bool one = joints.size() == 1;
  return (one ? "joint " : "joints ") + quoted_list(joints) + (one ? " moves " : " move ") +
         (almost ? "almost without inertia, too little for double precision" : "without inertia") +
         (one ? " (links behind it: " : " (links behind them: ") + quoted_list(links_behind(tree, bodies)) +
         ")";
}

/// Without functions that invert M if M is singular in every configuration. Causes are a joint that moves no inertia, a
/// mimic with multiplier 0, and a point mass on its own axis. Such robots have inverse dynamics but no forward dynamics.
/// Messages name the joints and the links behind them. If no function inverts M, joints without inertia get the warning
/// of model::warn_massless.
Names drop_functions_without_inverse(const Names& functions, const Asked& asked) {
  const model::UserTree& tree = asked.tree;
  const Division division = divide(functions, asked.options,
                                   [](const FunctionSpec& function) { return !function.inverts_inertia; });
  if (!division.loses_some()) {
    model::warn_massless(tree, asked.findings);
    return functions;
  }
  // With --no-verify, results may have few digits.
  const std::vector<bool> bodies =
      bodies_without_inertia(tree, asked.options.verify ? least_verified_pivot : vanishing_pivot);
  const auto first = std::find(bodies.begin(), bodies.end(), true);
  if (first == bodies.end()) return functions;
  const bool almost = bodies != bodies_without_inertia(tree, vanishing_pivot);
  const std::string remedy =
      "give a link behind the joint mass and inertia, give the joint an armature (--joint-dynamics), or make "
      "it fixed";
  return report(
      division,
      {"no-inverse",
       describe(tree, bodies, almost) + (almost ? ", so the inverse of the mass matrix has too few digits: "
                                                : ", so the mass matrix has no inverse: "),
       remedy + (almost ? ", or take results with few digits (--no-verify)" : ""),
       &tree.bodies[static_cast<std::size_t>(first - bodies.begin())].joint},
      asked);
}

/// Without functions of constraints if the robot has none. Throws UsageError if the user named them or their group; of
/// other groups they are left out silently.
Names drop_functions_without_constraints(const Names& functions, const Asked& asked) {
  if (asked.tree.constraints.num_rows() > 0) return functions;
  Division division = divide(functions, asked.options, [](const FunctionSpec& function) {
    return !catalog::takes_constraints(function);
  });
  if (asked.options.is_named(catalog::constraints.name))
    division.refused.push_back(catalog::constraints.name);
  if (division.refused.empty()) return division.kept;
  throw UsageError(
      fmt::format("--functions: {}: the robot has no constraints; choose contacts with --contacts LINK, or "
                  "write loops into the robot's file",
                  fmt::join(division.refused, ", ")));
}

/// Without derivatives with respect to parameters if none is chosen that the function depends on. The same errors.
Names drop_parameter_derivatives(const Names& functions, const Asked& asked) {
  Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return !catalog::has_parameter_derivatives(function) ||
           std::ranges::count(catalog::inputs_of(function, asked.tree), catalog::arguments::p.name,
                              &catalog::Argument::name) > 0;
  });
  if (asked.options.is_named(catalog::sensitivities.name))
    division.refused.push_back(catalog::sensitivities.name);
  if (division.refused.empty() || division.kept.size() == functions.size()) return division.kept;
  throw UsageError(
      fmt::format("--functions: {}: no parameters are chosen that dynamics depends on; choose some "
                  "with --parameters, such as armature or inertia:LINK",
                  fmt::join(division.refused, ", ")));
}

/// Without functions that depend on placements and gears, but cannot take them, if there are some.
Names drop_functions_without_geometry(const Names& functions, const Asked& asked) {
  const Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return !asked.tree.chosen.has_geometry() ||
           function.depends.geometry != catalog::Dependence::Geometry::not_yet;
  });
  if (!division.refused.empty())
    throw UsageError(
        "--parameters: " + division.refused.front() +
        " cannot take placements and gears as inputs; leave out the function, or placement and gear");
  return report(division,
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
  Names others;
  for (const model::Constraint& constraint : all) {
    if (!model::may_open(constraint.type))
      others.push_back(in_quotes(constraint.name) + " is " + model::kind_of(constraint.type).name);
  }
  return others.empty()
             ? ""
             : fmt::format(
                   "it takes contact points and spheres alone, and {}; choose them with --contacts LINK",
                   fmt::join(others, ", "));
}

/// Without steps with contacts where the robot has other constraints than points. Throws UsageError if the user named them;
/// of their group they are left out silently.
Names drop_contact_steps(const Names& functions, const Asked& asked) {
  const std::string reason = no_contact_steps(asked.tree);
  if (reason.empty()) return functions;
  const Division division = divide(functions, asked.options, [](const FunctionSpec& function) {
    return !catalog::takes_ground(function);
  });
  if (!division.refused.empty())
    throw UsageError(fmt::format("--functions: {}: {}", fmt::join(division.refused, ", "), reason));
  return division.kept;
}

/// Without functions that hold contacts where one is a sphere: they do not know the ground's normal. The same errors.
Names drop_held_spheres(const Names& functions, const Asked& asked) {
  const auto& all = asked.tree.constraints.all;
  const auto sphere = std::ranges::find(all, model::ConstraintType::contact_sphere, &model::Constraint::type);
  if (sphere == all.end()) return functions;
  const Division division = divide(functions, asked.options, [](const FunctionSpec& function) {
    return !catalog::takes_constraints(function) || catalog::has_size(function, catalog::num_status_entries);
  });
  if (!division.refused.empty())
    throw UsageError(
        fmt::format("--functions: {}: contact {} is a sphere, and only steps know the ground that it "
                    "touches; ask for contact_step, or write {}:point",
                    fmt::join(division.refused, ", "), in_quotes(sphere->name), sphere->name));
  return division.kept;
}

/// Which functions a robot with eliminated loops does not have.
Names drop_functions_of_trees(const Names& functions, const Asked& asked) {
  const auto& clusters = asked.tree.clusters;
  if (!clusters) {
    const Division division = divide(functions, asked.options, [](const FunctionSpec& function) {
      return !catalog::is_of_all_joints(function);
    });
    if (division.refused.empty()) return division.kept;
    throw UsageError(
        fmt::format("--functions: {}: no loop of the robot is eliminated; name one with --eliminate",
                    fmt::join(division.refused, ", ")));
  }
  const auto is_left_out = [&](const FunctionSpec& function) {
    const bool walks_tree = function.takes_link || catalog::takes_constraints(function) ||
                            catalog::takes_ground(function) || function.repeats ||
                            function.group.name == catalog::products.name ||
                            function.group.name == catalog::rates.name ||
                            catalog::has_size(function, catalog::num_base_parameters) ||
                            (function.group.name == catalog::steps.name && function.name != "step");
    const bool has_derivatives = function.group.order == 2 || function.name == "frame_velocity_derivatives" ||
                                 function.name == "frame_acceleration_derivatives";
    return walks_tree || (has_derivatives && !clusters->is_linear());
  };
  const Division division =
      divide(functions, asked.options, [&](const FunctionSpec& function) { return !is_left_out(function); });
  return report(division,
                {"loops-eliminated", "robots of which loops are eliminated do not have ",
                 "ask for other functions, or leave the loop as a constraint (eliminate=\"false\")", nullptr,
                 ": left out", ""},
                asked);
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
  return report(division,
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
  return report(
      division,
      {"large-left-out", reason, "ask for other functions (--functions rnea), or make joints fixed (--lock)",
       nullptr, ": left out", ""},
      asked);
}

std::vector<bool> vanishing_pivots(Eigen::MatrixXd M, double least) {
  Eigen::VectorXd terms = M.diagonal().cwiseAbs();
  std::vector<bool> vanishes(static_cast<std::size_t>(M.rows()), false);
  for (Eigen::Index k = M.rows(); k-- > 0;) {
    if (!(std::abs(M(k, k)) > least * terms[k])) {
      vanishes[static_cast<std::size_t>(k)] = true;
      continue;
    }
    const Eigen::VectorXd l = M.row(k).head(k).transpose() / M(k, k);
    terms.head(k) += std::abs(M(k, k)) * l.cwiseAbs2();
    M.topLeftCorner(k, k) -= M(k, k) * l * l.transpose();
  }
  return vanishes;
}

Names drop_functions_without_mass(const Names& functions, const Asked& asked) {
  double mass = 0.0;
  for (const model::Body& body : asked.tree.bodies) mass += body.inertia.mass;
  const Division division = divide(functions, asked.options, [&](const FunctionSpec& function) {
    return mass != 0.0 || !function.needs_mass;
  });
  return report(
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
  names = drop_functions_of_trees(names, asked);
  stop_on_errors(findings);
  names = drop_functions_without_inverse(names, asked);
  names = drop_functions_without_constraints(names, asked);
  names = drop_parameter_derivatives(names, asked);
  names = drop_functions_without_geometry(names, asked);
  names = drop_contact_steps(names, asked);
  names = drop_held_spheres(names, asked);
  names = drop_functions_without_mass(names, asked);
  const model::UserTree traced{model::without_rotors(robot.tree)};
  names = drop_unrolled_only(names, {options, traced, asked.file, findings});
  stop_on_errors(findings);
  check_constraints(names, asked);
  return drop_functions_without_forces(names, asked);
}

}  // namespace featherline
