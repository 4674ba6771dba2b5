#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/routines/routine_calls.hpp"

#include <algorithm>

/// The inverse under constraints and the products with it are dense: featherline/constrained_derivatives.hpp.
/// Straight-line code computes the motion under constraints, and what these add to the columns.
namespace featherline::algorithms {
namespace {

/// 1/E on the diagonal, L below, by rows.
std::vector<StoredEntry> factor_entries(ConstrainedSolver solver, int m) {
  std::vector<StoredEntry> entries;
  int k = 0, r = 0;  // each_number() goes column by column, from the diagonal on
  solver.rows().each_number([&](const Scalar& x) {
    entries.push_back({{m * r + k}, x});
    if (++r == m) r = ++k;
  });
  return entries;
}

/// Columns of unit forces in axes of the world.
std::vector<StoredEntry> turned_units(const WorldRows& world, int m) {
  std::vector<StoredEntry> entries;
  for (int r = 0; r < m; ++r) {
    Values unit(index(m), Scalar(0.0));
    unit[index(r)] = 1.0;
    const Values column = world(unit);
    for (int s = 0; s < m; ++s) entries.push_back({{m * r + s}, column[index(s)]});
  }
  return entries;
}

/// J times the accelerations without constraints where they are known.
class KnownRows {
 public:
  explicit KnownRows(const FloatingBase& base) : columns_(base.linear_rows()) {}

  Scalar by_q(const Values& row, int k) const { return k >= 3 && k < 6 ? along(row, k - 3) : Scalar(0.0); }
  Scalar by_v(const Values& row, int k) const { return k < 3 ? along(row, k + 3) : Scalar(0.0); }

 private:
  Scalar along(const Values& row, int column) const {
    Scalar sum = 0.0;
    for (std::size_t i = 0; i < 3 && !columns_.empty(); ++i) sum += row[i] * columns_[3 * index(column) + i];
    return sum;
  }
  Values columns_;
};

/// By row: the last coordinate that it depends on.
std::vector<int> last_coordinates(const std::vector<Values>& J, const ConstraintRates& rates) {
  std::vector<int> list(J.size(), -1);
  for (const auto* rows : {&J, &rates.by_q, &rates.by_v}) {
    for (std::size_t r = 0; r < J.size(); ++r) {
      for (std::size_t k = 0; k < J[r].size(); ++k) {
        if (!(*rows)[r][k].is_zero()) list[r] = std::max(list[r], static_cast<int>(k));
      }
    }
  }
  return list;
}

/// What the columns by q and v have of the constraints.
ConstraintRates write_columns(Context& c, const KnownRows& known, const std::vector<Values>& J,
                              const Values& a, const Values& lambda) {
  const int n = c.nv(), m = static_cast<int>(lambda.size());
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), a});
  const ConstraintRates rates = constraint_rates(c, constraints, lambda);
  std::vector<StoredEntry> k_q, k_v;
  for (int r = 0; r < m; ++r) {
    for (int k = 0; k < n; ++k) {
      k_q.push_back({{m * k + r}, rates.by_q[index(r)][index(k)] + known.by_q(J[index(r)], k)});
      k_v.push_back({{m * k + r}, rates.by_v[index(r)][index(k)] + known.by_v(J[index(r)], k)});
    }
  }
  c.local("force", rates.force.column_major());
  c.local("k_q", m * n, k_q);
  c.local("k_v", m * n, k_v);
  const WorldRows world(c, constraints);
  std::vector<StoredEntry> turned;
  for (int k = 3; k < 6; ++k) {
    const Values rows = turned_rows(c, world, k, lambda);
    for (std::size_t r = 0; r < rows.size(); ++r)
      turned.push_back({{m * (k - 3) + static_cast<int>(r)}, rows[r]});
  }
  c.local("turned", 3 * m, turned);
  return rates;
}

}  // namespace

bool contacts_fit_panels(const model::Tree& tree) {
  const bool floats = has_floating_base(tree);
  if (!fits_panels(tree) || tree.clusters || tree.constraints.num_rows() == 0) return false;
  if (floats && !tree.chosen.anchors.empty()) return false;
  return std::ranges::all_of(tree.constraints.all, [&](const model::Constraint& constraint) {
    // A step of a floating base must not change any row: the routine knows these columns.
    const bool turns = constraint.is_contact() && !constraint.world_axes;
    return model::kind_of(constraint.type).ends == 1 && (!floats || turns);
  });
}

void constrained_derivatives_in_panels(Context& c) {
  const int m = c.full_tree().constraints.num_rows(), n = c.nv();
  const FreeRobot free(c, chosen_frames(c.tree()));
  const ConstrainedMotion motion(c, factor_in_section(c, free.M), free.net_torque);
  const std::vector<Values>& J = motion.J;
  c.local("M", free.M.column_major());
  c.local("acceleration", motion.a);
  std::vector<StoredEntry> rows;
  for (int r = 0; r < m; ++r) {
    for (int k = 0; k < n; ++k) rows.push_back({{n * r + k}, -J[index(r)][index(k)]});
  }
  c.local("rows", m * n, rows);
  c.local("factor", m * m, factor_entries(motion.solver, m));
  c.local("world", m * m, turned_units(motion.world, m));
  const FloatingBase base(c, c.input("v"));
  const ConstraintRates rates = write_columns(c, KnownRows(base), J, motion.a, motion.lambda);

  const bool behind_base = base.applies();
  if (behind_base && has_no_mimic(c.tree())) {
    // By the position of the base. Nothing reads or writes these columns.
    c.clear_once("da_dq", spaced_places(0, 3 * n));
    c.clear_once("dlambda_dq", spaced_places(0, 3 * m));
  } else {
    constexpr bool once = false;
    c.clear_outputs(once);
  }
  call_panel_derivatives(c, "acceleration", "da_dq", "da_dv");
  std::vector<std::string> arguments{"M", "rows", "factor", "world", "force", "k_q", "k_v", "turned"};
  if (behind_base) {
    c.local("base", base.linear_rows());
    arguments.emplace_back("base");
  }
  for (const std::string& output : c.output_names()) arguments.push_back(output);
  c.call({.routine =
              behind_base ? ir::Routine::constrained_columns_behind_base : ir::Routine::constrained_columns,
          .arguments = c.arrays(arguments),
          .axes = std::make_shared<ir::AxisTable>(axis_table(c.tree())),
          .num_points = m,
          .coordinates = last_coordinates(J, rates)});
}

}  // namespace featherline::algorithms
