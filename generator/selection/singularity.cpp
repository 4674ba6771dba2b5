#include "selection/singularity.hpp"

#include "catalog/functions.hpp"
#include "model/check_inertias.hpp"
#include "reference/outputs.hpp"
#include "reference/solver.hpp"

#include <Eigen/Core>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline {
namespace {

/// Both bounds are relative to the terms whose sum is the pivot. Measured with two wheels on one axis and a ring of
/// inertia e between them: the error of aba is 8e-17 / e, which passes 1e-10 at e = 8e-7.
constexpr double vanishing_pivot = 1e-12, least_pivot = 2e-7;

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

bool inverts_inertia(const std::string& name) {
  const catalog::FunctionSpec* function = catalog::find(name);
  return function != nullptr && function->inverts_inertia;
}

/// The functions asked for. `kept` need M alone. The others need its inverse: `dropped` are part of a group, `refused`
/// were named by the user.
struct Division {
  std::vector<std::string> kept, dropped, refused;

  bool needs_inverse() const { return !dropped.empty() || !refused.empty(); }
};

Division divide(const std::vector<std::string>& functions, const Options& options) {
  Division division;
  for (const std::string& name : functions) {
    if (!inverts_inertia(name)) {
      division.kept.push_back(name);
    } else {
      (options.is_named(name) ? division.refused : division.dropped).push_back(name);
    }
  }
  return division;
}

/// The bodies whose joints move no inertia, or almost none: found by the model's check, and by pivots that vanish.
std::vector<bool> bodies_without_inertia(const model::UserTree& tree, double least) {
  std::vector<bool> found(tree.bodies.size(), false);
  for (const model::MasslessJoint& joint : model::find_massless_joints(tree))
    found[static_cast<std::size_t>(joint.body)] = true;
  for (const int k : singular_degrees_of_freedom(tree, least)) {
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const model::Joint& joint = tree.bodies[i].joint;
      if (joint.mimics < 0 && k >= joint.idx_v && k < joint.idx_v + joint.nv) found[i] = true;
    }
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

std::vector<int> singular_degrees_of_freedom(const model::UserTree& tree, double least) {
  reference::Solver<double> solver(tree);
  std::vector<bool> singular(static_cast<std::size_t>(tree.nv), true);
  std::mt19937 random(1);
  constexpr int configurations = 3;
  for (int k = 0; k < configurations; ++k) {
    const reference::State state = reference::random_state(tree, random);
    const std::vector<bool> vanishes = vanishing_pivots(solver.crba(state.q), least);
    for (std::size_t i = 0; i < singular.size(); ++i) singular[i] = singular[i] && vanishes[i];
  }
  std::vector<int> found;
  for (int i = 0; i < tree.nv; ++i) {
    if (singular[static_cast<std::size_t>(i)]) found.push_back(i);
  }
  return found;
}

std::vector<std::string> drop_functions_without_inverse(const std::vector<std::string>& functions,
                                                        const Options& options, const model::UserTree& tree,
                                                        const std::string& file, Diagnostics& findings) {
  const Division division = divide(functions, options);
  if (!division.needs_inverse()) {
    model::warn_massless(tree, file, findings);
    return functions;
  }
  const std::vector<bool> bodies =
      bodies_without_inertia(tree, options.verify ? least_pivot : vanishing_pivot);
  const auto first = std::find(bodies.begin(), bodies.end(), true);
  if (first == bodies.end()) return functions;

  const model::Joint& joint = tree.bodies[static_cast<std::size_t>(first - bodies.begin())].joint;
  const Location where{file, joint.line, "robot/joint " + in_quotes(joint.name)};
  const bool almost = bodies != bodies_without_inertia(tree, vanishing_pivot);
  const std::string reason =
      describe(tree, bodies, almost) + (almost ? ", so the inverse of the mass matrix has too few digits: "
                                               : ", so the mass matrix has no inverse: ");
  const std::string remedy = std::string(
                                 "give a link behind the joint mass and inertia, give the joint an armature "
                                 "(--joint-dynamics), or make it fixed") +
                             (almost ? ", or take results with few digits (--no-verify)" : "");
  if (!division.dropped.empty())
    findings.warning(Finding::no_inverse, where,
                     fmt::format("{}{} left out", reason, fmt::join(division.dropped, ", ")), remedy);
  if (!division.refused.empty())
    findings.error(where, fmt::format("{}{} cannot be emitted", reason, fmt::join(division.refused, ", ")),
                   remedy);
  return division.kept;
}

std::vector<std::string> drop_functions_without_mass(const std::vector<std::string>& functions,
                                                     const Options& options, const model::UserTree& tree,
                                                     const std::string& file, Diagnostics& findings) {
  double mass = 0.0;
  for (const model::Body& body : tree.bodies) mass += body.inertia.mass;
  if (mass != 0.0) return functions;
  Division division;
  for (const std::string& name : functions) {
    const bool is_refused = options.is_named(name);
    (!catalog::find(name)->needs_mass ? division.kept
     : is_refused                     ? division.refused
                                      : division.dropped)
        .push_back(name);
  }
  const Location where{file, 0, "robot"};
  const std::string reason = "no moving link has mass, so the robot has no centre of mass: ";
  const std::string remedy = "give a link mass";
  if (!division.dropped.empty())
    findings.warning(Finding::no_mass, where,
                     fmt::format("{}{} left out", reason, fmt::join(division.dropped, ", ")), remedy);
  if (!division.refused.empty())
    findings.error(where, fmt::format("{}{} cannot be emitted", reason, fmt::join(division.refused, ", ")),
                   remedy);
  return division.kept;
}

}  // namespace featherline
