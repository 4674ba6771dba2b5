#include "cli/compare/comparison.hpp"

#include <algorithm>

namespace featherline::cli {
namespace {

bool is_chain(const model::Tree& tree) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Body& body = tree.bodies[i];
    if (body.parent != static_cast<int>(i) - 1 || body.joint.nv != 1 || body.joint.mimics >= 0) return false;
  }
  return !tree.bodies.empty();
}

/// Without inputs and drives that the paper does not have.
bool is_plain(const model::Tree& tree) {
  const auto is_free = [](const model::Body& body) {
    return body.joint.damping == 0.0 && body.joint.friction == 0.0 && body.joint.armature == 0.0;
  };
  return !tree.chosen.any() && std::all_of(tree.bodies.begin(), tree.bodies.end(), is_free);
}

/// The four rows of the paper for n joints. 16/3 n^3 + 908/3 n is a whole number for every n.
std::vector<PaperRow> stated(long n) {
  const std::vector<std::string> inverse_dynamics{"rnea"},
      equations{"mass_matrix", "coriolis_matrix", "gravity"};
  const long n2 = n * n, n3 = n2 * n;
  return {
      {"dual quaternion Newton-Euler",
       inverse_dynamics,
       "dual quaternions",
       {882 * n - 48, 0, 724 * n - 40},
       {},
       {}},
      {"Newton-Euler (Luh; Balafoutis)",
       inverse_dynamics,
       "link frames",
       {150 * n - 48, 0, 131 * n - 48},
       {},
       {}},
      {"dual quaternions, Gauss's principle",
       equations,
       "Gauss",
       {4 * n3 + 386 * n2 + 401 * n, 0, (16 * n3 + 908 * n) / 3 + 326 * n2},
       {},
       {}},
      {"Euler-Lagrange (Hollerbach)", {}, "", {412 * n - 277, 0, 320 * n - 201}, {}, {}},
  };
}

const ComparedFunction* find(const Comparison& comparison, const std::string& name) {
  const auto& functions = comparison.functions;
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

/// Nothing if the function has no such formulation that was compared.
const ComparedFormulation* find(const ComparedFunction& function, const std::string& name) {
  for (const ComparedFormulation& row : function.formulations) {
    if (row.formulation->name == name && row.is_compared()) return &row;
  }
  return nullptr;
}

/// Sums up our operations.
void add_ours(PaperRow& row, const Comparison& comparison) {
  ir::Operations written, simplified;
  for (const std::string& name : row.functions) {
    const ComparedFunction* function = find(comparison, name);
    const ComparedFormulation* ours = function == nullptr ? nullptr : find(*function, row.formulation);
    if (ours == nullptr || !ours->written) return;
    written += *ours->written;
    simplified += ours->simplified;
  }
  if (row.functions.empty()) return;
  row.written = written;
  row.simplified = simplified;
}

}  // namespace

std::vector<PaperRow> paper_rows(const Comparison& comparison, const model::Tree& tree) {
  std::vector<PaperRow> rows;
  if (!is_chain(tree) || !is_plain(tree)) return rows;
  bool any = false;
  for (PaperRow& row : stated(static_cast<long>(tree.bodies.size()))) {
    add_ours(row, comparison);
    any = any || row.written;
    rows.push_back(std::move(row));
  }
  if (!any) rows.clear();
  return rows;
}

}  // namespace featherline::cli
