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
  const long n2 = n * n, n3 = n2 * n;
  return {
      {"dual quaternion Newton-Euler", {"rnea"}, "dual quaternions", {882 * n - 48, 0, 724 * n - 40}},
      {"Newton-Euler (Luh; Balafoutis)", {"rnea"}, "link frames", {150 * n - 48, 0, 131 * n - 48}},
      {"dual quaternions, Gauss's principle",
       {"mass_matrix", "coriolis_matrix", "gravity"},
       "Gauss",
       {4 * n3 + 386 * n2 + 401 * n, 0, (16 * n3 + 908 * n) / 3 + 326 * n2}},
      {"Euler-Lagrange (Hollerbach)", {}, "", {412 * n - 277, 0, 320 * n - 201}},
  };
}

/// Nullptr if the formulation of the function was not compared.
const ComparedFormulation* find(const Comparison& comparison, const std::string& function,
                                const std::string& formulation) {
  for (const ComparedFunction& compared : comparison.functions) {
    if (compared.name != function) continue;
    for (const ComparedFormulation& row : compared.formulations)
      if (row.formulation->name == formulation && row.is_compared()) return &row;
  }
  return nullptr;
}

/// Sums up our operations.
void add_ours(PaperRow& row, const Comparison& comparison) {
  ir::Operations written, simplified;
  for (const std::string& name : row.functions) {
    const ComparedFormulation* ours = find(comparison, name, row.formulation);
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
  if (!is_chain(tree) || !is_plain(tree)) return {};
  std::vector<PaperRow> rows = stated(static_cast<long>(tree.bodies.size()));
  for (PaperRow& row : rows) add_ours(row, comparison);
  const bool any = std::any_of(rows.begin(), rows.end(), [](const PaperRow& row) { return row.written; });
  return any ? rows : std::vector<PaperRow>{};
}

}  // namespace featherline::cli
