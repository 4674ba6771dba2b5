#include "selection/constraints.hpp"

#include "catalog/functions.hpp"
#include "reference/constraint_rows.hpp"
#include "reference/outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>

namespace featherline {
namespace {

bool take_constraints(const std::vector<std::string>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const std::string& name) {
    return catalog::takes_constraints(*catalog::find(name));
  });
}

/// For each row, whether it depends on rows before it: its part across them is rounding.
std::vector<bool> dependent_rows(const Eigen::MatrixXd& J) {
  constexpr double rounding = 1e-9;
  std::vector<Eigen::VectorXd> across;  // unit vectors
  std::vector<bool> depends;
  for (Eigen::Index row = 0; row < J.rows(); ++row) {
    Eigen::VectorXd rest = J.row(row).transpose();
    const double length = rest.norm();
    for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left of the first
      for (const Eigen::VectorXd& unit : across) rest -= unit.dot(rest) * unit;
    }
    depends.push_back(!(rest.norm() > rounding * length));
    if (!depends.back()) across.push_back(rest.normalized());
  }
  return depends;
}

}  // namespace

std::vector<std::string> drop_functions_without_constraints(const std::vector<std::string>& functions,
                                                            const Options& options,
                                                            const model::UserTree& tree) {
  if (tree.constraints.num_rows() > 0) return functions;
  std::vector<std::string> kept, refused;
  for (const std::string& name : functions) {
    if (!catalog::takes_constraints(*catalog::find(name)))
      kept.push_back(name);
    else if (options.is_named(name))
      refused.push_back(name);
  }
  if (options.is_named(catalog::constraints.name)) refused.push_back(catalog::constraints.name);
  if (refused.empty()) return kept;
  throw UsageError(fmt::format(
      "--functions: {}: the robot has no constraints; choose contacts with --contacts LINK, or add "
      "<featherline_constraint> elements to the URDF",
      fmt::join(refused, ", ")));
}

void refuse_unused_constraints(const std::vector<std::string>& functions, const Options& options,
                               const model::UserTree& tree, const std::string& file, Diagnostics& findings) {
  if (take_constraints(functions)) return;
  const bool is_stabilised = options.kp != 0.0 || options.kd != 0.0;
  if (!options.contacts.empty() || is_stabilised)
    throw UsageError(
        fmt::format("{}: none of the functions {} depends on it; leave it out, or add the group constraints "
                    "to --functions",
                    options.contacts.empty() ? "--stabilisation" : "--contacts", fmt::join(functions, ", ")));
  if (tree.constraints.count() == 0) return;
  const std::size_t shown = std::min<std::size_t>(functions.size(), 3);
  const std::string others =
      functions.size() > shown ? fmt::format(" and {} others", functions.size() - shown) : "";
  const bool is_one = tree.constraints.count() == 1;
  findings.warning(
      {file, tree.constraints.all.front().line, "robot"},
      fmt::format("{} of the URDF {} no effect: {}{} {} computed without {}",
                  is_one ? "the <featherline_constraint>"
                         : fmt::format("the {} <featherline_constraint>", tree.constraints.count()),
                  is_one ? "has" : "have",
                  fmt::join(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                  others, functions.size() == 1 ? "is" : "are", is_one ? "it" : "them"),
      "add constrained dynamics, e.g. --functions dynamics,constraints");
}

void warn_of_dependent_rows(const std::vector<std::string>& functions, const model::UserTree& tree,
                            const std::string& file, Diagnostics& findings) {
  const model::Constraints& constraints = tree.constraints;
  if (constraints.count() == 0 || !take_constraints(functions)) return;
  std::mt19937 random(1);
  const std::vector<bool> depends =
      dependent_rows(reference::constraint_jacobian(tree, reference::random_state(tree, random).q));
  const auto lost = std::count(depends.begin(), depends.end(), true);
  if (lost == 0) return;
  std::vector<std::string> names;
  int line = 0;
  for (const model::Constraint& constraint : constraints.all) {
    const auto first = depends.begin() + constraint.first_row;
    if (std::count(first, first + constraint.num_rows(), true) == 0) continue;
    names.push_back(quoted(constraint.name));
    if (line == 0) line = constraint.line;
  }
  findings.warning(
      {file, line, "robot"},
      fmt::format("the constraints have {} rows on {} degrees of freedom, and {} of rank at a random state: "
                  "rows of {} depend on rows before them",
                  constraints.num_rows(), tree.nv, constraints.num_rows() - lost, fmt::join(names, ", ")),
      "accelerations are right if the constraints do not contradict each other; forces in these rows are not "
      "determined");
}

}  // namespace featherline
