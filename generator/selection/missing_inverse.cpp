#include "catalog/functions.hpp"
#include "model/build_tree.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "selection/function_plan.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace featherline {
namespace {

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
  const auto first = std::ranges::find(bodies, true);
  if (first == bodies.end()) return functions;
  const bool almost = bodies != bodies_without_inertia(tree, vanishing_pivot);
  const std::string remedy =
      "give a link behind the joint mass and inertia, give the joint an armature (--joint-dynamics), or make "
      "it fixed";
  return tell(
      division,
      {"no-inverse",
       describe(tree, bodies, almost) + (almost ? ", so the inverse of the mass matrix has too few digits: "
                                                : ", so the mass matrix has no inverse: "),
       remedy + (almost ? ", or take results with few digits (--no-verify)" : ""),
       &tree.bodies[static_cast<std::size_t>(first - bodies.begin())].joint},
      asked);
}

}  // namespace featherline
