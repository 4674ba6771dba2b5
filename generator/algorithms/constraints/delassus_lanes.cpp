#include "algorithms/constraints/delassus_lanes.hpp"

#include "algorithms/constraints/constrained_dynamics.hpp"
#include "algorithms/dynamics/dynamics.hpp"

namespace featherline::algorithms {

void add_forces(const Context& c, const LimbRows& rows, const std::vector<Coordinates>& J,
                const Coordinates& forces, Coordinates& b) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    const bool of_trunk = c.folding().group_of_velocity[k] < 0;
    for (std::size_t r = 0; r < J.size(); ++r) {
      const Scalar force = J[r][k] * forces[r];
      b[k] += of_trunk ? ir::lane_sum(force, rows.lanes(r)) : force;
    }
  }
}

std::vector<StoredEntry> row_entries(Context& c, const std::vector<ConstraintMotion>& motions,
                                     const Coordinates& x) {
  const LimbRows rows = limb_rows(c, motions);
  std::vector<StoredEntry> entries;
  for (const Scalar& entry : c.keep(WorldRows(c, motions)(x)))
    entries.push_back({rows.places[entries.size()], entry});
  return entries;
}

DelassusInLimbs::DelassusInLimbs(Context& c, const LimbInverse& inverse, const LinkRows& links, LimbRows rows)
    : c_(c), inverse_(inverse), links_(links), rows_(std::move(rows)) {
  c_.begin_section("half of M^-1 J^T");
  for (std::size_t r = 0; r < links.J.size(); ++r)
    halves_.push_back(inverse_.half(links.rows.group[r], links.J[r]));
  c_.begin_section("Delassus matrix");
}

Coordinates DelassusInLimbs::column(int k, int lane) const {
  Coordinates own = halves_[index(k)].in_trunk, entries;
  for (Scalar& x : own) x = ir::lane(x, lane);
  const int group = links_.rows.group[index(k)];
  for (std::size_t r = 0; r < halves_.size(); ++r) {
    entries.push_back(inverse_.product_in_trunk(halves_[r].in_trunk, own));
    if (links_.rows.group[r] == group)
      entries.back() += c_.only_lane(lane, links_.rows.lanes(index(k)),
                                     inverse_.product_in_limb(group, halves_[r], halves_[index(k)]));
  }
  return entries;
}

std::vector<StoredEntry> DelassusInLimbs::entries() const {
  const int m = c_.full_tree().constraints.num_rows();
  std::vector<StoredEntry> list;
  for (std::size_t k = 0; k < rows_.places.size(); ++k) {
    Coordinates unit(rows_.places.size());
    unit[k] = 1.0;
    const Coordinates parts = links_.of_links(unit);
    for (int lane = 0; lane < rows_.lanes(k); ++lane) {
      Coordinates of_links(parts.size());
      for (std::size_t j = 0; j < parts.size(); ++j) {
        if (!parts[j].is_zero())
          add_multiple(of_links, ir::lane(parts[j], lane), column(static_cast<int>(j), lane));
      }
      const Coordinates entries = links_.of_constraints(c_.keep(of_links));
      const std::vector<int> place = {rows_.places[k][index(lane)]};
      for (std::size_t r = 0; r <= k; ++r) {
        if (entries[r].is_zero()) continue;
        list.push_back({matrix_places(rows_.places[r], place, m), entries[r]});
        if (r < k) list.push_back({matrix_places(place, rows_.places[r], m), entries[r]});
      }
    }
  }
  return list;
}

SquareMatrix DelassusInLimbs::matrix() const {
  SquareMatrix D(c_.full_tree().constraints.num_rows());
  for (const auto& [places, value] : entries()) {
    for (std::size_t lane = 0; lane < places.size(); ++lane)
      D.data()[places[lane]] = ir::lane(value, static_cast<int>(lane));
  }
  return D;
}

void delassus_in_lanes(Context& c) {
  const LimbInverse inverse(c, joint_space_inertia(c));
  const auto constraints = constraint_motions(c, {}, RowAxes::of_world);
  c.output("D", DelassusInLimbs(c, inverse, LinkRows(c, constraints), limb_rows(c, constraints)).entries());
}

namespace {

/// Solutions by the Delassus matrix of all limbs, which need no limb that can move its end in all directions.
class SolverInLimbs {
 public:
  SolverInLimbs(Context& c, const SquareMatrix& M, const std::vector<ConstraintMotion>& motions)
      : c_(c),
        inverse_(c, M),
        rows_(limb_rows(c, motions)),
        links_(c, motions),
        factor_(c, DelassusInLimbs(c, inverse_, links_, rows_).matrix(), active_rows(c)) {}

  const LinkRows& links() const { return links_; }
  /// x, and lambda by row of the folded constraints.
  ConstrainedSolution solve(Coordinates b, const Coordinates& gamma) const {
    c_.begin_section("constraint forces and accelerations");
    const Coordinates free = links_.speeds(inverse_.solve(b));
    Coordinates right(index(c_.full_tree().constraints.num_rows()));
    for (std::size_t r = 0; r < free.size(); ++r) {
      for (int lane = 0; lane < rows_.lanes(r); ++lane)
        right[index(rows_.places[r][index(lane)])] = ir::lane(-(gamma[r] + free[r]), lane);
    }
    const Coordinates lambda = c_.keep(factor_.solve(right));
    ConstrainedSolution solution;
    for (const std::vector<int>& places : rows_.places) {
      const int lanes = static_cast<int>(places.size());
      Scalar x;
      for (int lane = 0; lane < lanes; ++lane)
        x += c_.only_lane(lane, lanes, lambda[index(places[index(lane)])]);
      solution.lambda.push_back(x);
    }
    c_.keep(solution.lambda);
    add_forces(c_, links_.rows, links_.J, links_.of_links(solution.lambda), b);
    solution.x = inverse_.solve(b);
    return solution;
  }

 private:
  Context& c_;
  LimbInverse inverse_;
  LimbRows rows_;
  LinkRows links_;
  ConstraintFactor factor_;
};

}  // namespace

void constrained_dynamics_by_limbs(Context& c) {
  const SquareMatrix M = joint_space_inertia(c);
  const Coordinates b = net_torque(c, c.input("v"), c.input("tau"));
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), {}});
  const auto [a, lambda] = SolverInLimbs(c, M, constraints).solve(b, constraint_accelerations(constraints));
  c.output("a", c.keep(a));
  c.output("lambda", row_entries(c, constraints, lambda));
}

void impulse_dynamics_by_limbs(Context& c) {
  const SquareMatrix M = joint_space_inertia(c);
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {});
  const SolverInLimbs solver(c, M, constraints);
  const Coordinates& v = c.input("v");
  const auto [change, impulse] = solver.solve(c.zeros(), solver.links().speeds(v));
  c.output("v_after", change + v);
  c.output("impulse", row_entries(c, constraints, impulse));
}

}  // namespace featherline::algorithms
