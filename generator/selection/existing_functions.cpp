#include "selection/existing_functions.hpp"

#include "catalog/functions.hpp"
#include "model/check_inertias.hpp"
#include "reference/outputs.hpp"
#include "reference/solver.hpp"
#include "selection/dependence.hpp"
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
  Location where;
  std::string reason, remedy;
  const char* left_out = " left out";
  const char* refused = " cannot be emitted";
};

Names report(const Division& division, const Absence& absence, Diagnostics& findings) {
  const auto message = [&](const Names& names, const char* what) {
    return fmt::format("{}{}{}", absence.reason, fmt::join(names, ", "), what);
  };
  if (!division.dropped.empty())
    findings.warning(absence.finding, absence.where, message(division.dropped, absence.left_out),
                     absence.remedy);
  if (!division.refused.empty())
    findings.error(absence.where, message(division.refused, absence.refused), absence.remedy);
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

}  // namespace

Names drop_oversized(const Names& functions, const Options& options, const model::Tree& tree,
                     const std::string& file, Diagnostics& findings) {
  Division division = divide(functions, options, [&](const FunctionSpec& function) {
    return largest_array(function, tree) <= most_entries;
  });
  if (division.kept.empty()) {
    division.refused.insert(division.refused.end(), division.dropped.begin(), division.dropped.end());
    division.dropped.clear();
  }
  const std::string reason = fmt::format(
      "the robot has {} degrees of freedom; arrays of more than 8 million entries would be needed for ",
      tree.nv);
  return report(division,
                {Finding::large_left_out,
                 {file, 0, "robot"},
                 reason,
                 "ask for other functions (--functions rnea), or make joints fixed (--lock)",
                 ": left out",
                 ""},
                findings);
}

namespace {

/// For each degree of freedom, whether its pivot vanishes. A negative pivot does not vanish. It can come from inertias
/// that --allow accepts.
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

}  // namespace

Names drop_functions_without_inverse(const Names& functions, const Options& options,
                                     const model::UserTree& tree, double least_pivot, const std::string& file,
                                     Diagnostics& findings) {
  const Division division =
      divide(functions, options, [](const FunctionSpec& function) { return !function.inverts_inertia; });
  if (!division.loses_some()) {
    model::warn_massless(tree, file, findings);
    return functions;
  }
  const std::vector<bool> bodies = bodies_without_inertia(tree, least_pivot);
  const auto first = std::find(bodies.begin(), bodies.end(), true);
  if (first == bodies.end()) return functions;
  const model::Joint& joint = tree.bodies[static_cast<std::size_t>(first - bodies.begin())].joint;
  const bool almost = bodies != bodies_without_inertia(tree, vanishing_pivot);
  const std::string remedy =
      "give a link behind the joint mass and inertia, give the joint an armature (--joint-dynamics), or make "
      "it fixed";
  return report(
      division,
      {Finding::no_inverse,
       {file, joint.line, "robot/joint " + in_quotes(joint.name)},
       describe(tree, bodies, almost) + (almost ? ", so the inverse of the mass matrix has too few digits: "
                                                : ", so the mass matrix has no inverse: "),
       remedy + (almost ? ", or take results with few digits (--no-verify)" : "")},
      findings);
}

Names drop_functions_without_mass(const Names& functions, const Options& options, const model::UserTree& tree,
                                  const std::string& file, Diagnostics& findings) {
  double mass = 0.0;
  for (const model::Body& body : tree.bodies) mass += body.inertia.mass;
  const Division division = divide(
      functions, options, [&](const FunctionSpec& function) { return mass != 0.0 || !function.needs_mass; });
  return report(division,
                {Finding::no_mass,
                 {file, 0, "robot"},
                 "no moving link has mass, so the robot has no centre of mass: ",
                 "give a link mass"},
                findings);
}

Names drop_functions_without_constraints(const Names& functions, const Options& options,
                                         const model::UserTree& tree) {
  if (tree.constraints.num_rows() > 0) return functions;
  Division division = divide(
      functions, options, [](const FunctionSpec& function) { return !catalog::takes_constraints(function); });
  if (options.is_named(catalog::constraints.name)) division.refused.push_back(catalog::constraints.name);
  if (division.refused.empty()) return division.kept;
  throw UsageError(fmt::format(
      "--functions: {}: the robot has no constraints; choose contacts with --contacts LINK, or add "
      "<featherline_constraint> elements to the URDF",
      fmt::join(division.refused, ", ")));
}

namespace {

/// The algorithm that a function needs unrolled. Null if the function may also use loops.
const FunctionSpec* find_unrolled_only(const std::string& function, bool batch) {
  for (const FunctionSpec& algorithm : catalog::functions()) {
    if (packed_name(algorithm) == function || (batch && algorithm.name == function)) return &algorithm;
  }
  return nullptr;
}

}  // namespace

Names drop_unrolled_only(const Names& functions, const Options& options, const model::Tree& tree,
                         const std::string& file, Diagnostics& findings) {
  Names kept;
  for (const std::string& name : functions) {
    const FunctionSpec* algorithm = find_unrolled_only(name, options.has_binding("batch"));
    if (algorithm == nullptr || fits_unrolled(*algorithm, tree, max_packed_flops) ||
        is_forced_to_unroll(*algorithm, options)) {
      kept.push_back(name);
      continue;
    }
    const std::string reason = "this robot is too large to unroll " + in_quotes(algorithm->name) +
                               ", whose loops have neither packed form nor batches";
    const std::string remedy = "use the dense " + in_quotes(algorithm->name) +
                               " without --batch, or force straight-line code with --formulation \"" +
                               algorithm->name + "=" + algorithm->formulations.front().name + "\"";
    if (options.is_named(name)) {
      findings.error({file, 0, ""}, in_quotes(name) + " cannot be emitted: " + reason, remedy);
    } else {
      findings.warning(Finding::large_left_out, {file, 0, ""}, in_quotes(name) + " left out: " + reason,
                       remedy);
    }
  }
  return kept;
}

Names drop_functions_without_forces(const Names& functions, const Options& options,
                                    const model::UserTree& tree, const std::string& file,
                                    Diagnostics& findings) {
  const Division division = divide(functions, options, [&](const FunctionSpec& function) {
    return tree.chosen.forces.empty() || function.depends.forces != catalog::Dependence::Forces::not_yet;
  });
  if (!division.refused.empty())
    throw UsageError("--external-forces: " + division.refused.front() +
                     " cannot take external forces: their second derivatives are not implemented; leave out "
                     "the function or the forces");
  refuse_unused_choices(division.kept, division.dropped, options, tree);
  return report(division,
                {Finding::forces_left_out,
                 {file, 0, "robot"},
                 "second derivatives of external forces are not implemented: ",
                 "leave out --external-forces to get them"},
                findings);
}

}  // namespace featherline
