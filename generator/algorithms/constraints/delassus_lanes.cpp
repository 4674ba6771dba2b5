#include "algorithms/constraints/delassus_lanes.hpp"

#include "algorithms/constraints/constrained_dynamics.hpp"
#include "algorithms/dynamics/dynamics.hpp"

namespace featherline::algorithms {

LimbRows limb_rows(const Context& c, const std::vector<ConstraintMotion>& motions) {
  LimbRows rows;
  for (const ConstraintMotion& motion : motions) {
    for (int r = 0; r < motion.num_rows(); ++r) {
      rows.places.emplace_back();
      for (const int member : motion.folded().constraints)
        rows.places.back().push_back(c.full_tree().constraints.all[index(member)].first_row + r);
      rows.group.push_back(motion.folded().group);
    }
  }
  return rows;
}

void add_forces(const Context& c, const LimbRows& rows, const std::vector<Coordinates>& J,
                const Coordinates& forces, Coordinates& b) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    const bool of_trunk = c.folding().group_of_velocity[k] < 0;
    for (std::size_t r = 0; r < J.size(); ++r) {
      const Scalar force = J[r][k] * forces[r];
      b[k] += of_trunk ? ir::lane_sum(force, static_cast<int>(rows.places[r].size())) : force;
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

DelassusInLimbs::DelassusInLimbs(Context& c, const LimbInverse& inverse, LimbRows rows,
                                 const std::vector<Coordinates>& J)
    : c_(c), inverse_(inverse), rows_(std::move(rows)) {
  c_.begin_section("half of M^-1 J^T");
  for (std::size_t r = 0; r < J.size(); ++r) halves_.push_back(inverse_.half(rows_.group[r], J[r]));
  c_.begin_section("Delassus matrix");
}

Coordinates DelassusInLimbs::column(int k, int lane) const {
  const int lanes = static_cast<int>(rows_.places[index(k)].size());
  Coordinates own = halves_[index(k)].in_trunk, entries;
  for (Scalar& x : own) x = ir::lane(x, lane);
  for (std::size_t r = 0; r < halves_.size(); ++r) {
    entries.push_back(inverse_.product_in_trunk(halves_[r].in_trunk, own));
    if (rows_.group[r] == rows_.group[index(k)])
      entries.back() +=
          c_.only_lane(lane, lanes, inverse_.product_in_limb(rows_.group[r], halves_[r], halves_[index(k)]));
  }
  return entries;
}

std::vector<StoredEntry> DelassusInLimbs::entries() const {
  const int m = c_.full_tree().constraints.num_rows();
  std::vector<StoredEntry> list;
  for (int k = 0; k < static_cast<int>(halves_.size()); ++k) {
    const std::vector<int>& places = rows_.places[index(k)];
    for (std::size_t lane = 0; lane < places.size(); ++lane) {
      const Coordinates entries = column(k, static_cast<int>(lane));
      for (std::size_t r = 0; r < entries.size(); ++r) {
        if (!entries[r].is_zero())
          list.push_back({matrix_places(rows_.places[r], {places[lane]}, m), entries[r]});
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
  const std::vector<Coordinates> J = constraint_jacobian(c, constraints);
  c.output("D", DelassusInLimbs(c, inverse, limb_rows(c, constraints), J).entries());
}

namespace {

/// Solutions by the Delassus matrix of all limbs, which need no limb that can move its end in all directions.
class SolverInLimbs {
 public:
  SolverInLimbs(Context& c, const SquareMatrix& M, const std::vector<ConstraintMotion>& motions)
      : c_(c),
        inverse_(c, M),
        rows_(limb_rows(c, motions)),
        J_(constraint_jacobian(c, motions)),
        factor_(c, DelassusInLimbs(c, inverse_, rows_, J_).matrix(), active_rows(c)) {}

  const std::vector<Coordinates>& J() const { return J_; }
  /// x, and lambda by row of the folded constraints.
  ConstrainedSolution solve(Coordinates b, const Coordinates& gamma) const {
    c_.begin_section("constraint forces and accelerations");
    const Coordinates free = inverse_.solve(b);
    Coordinates right(index(c_.full_tree().constraints.num_rows()));
    for (std::size_t r = 0; r < J_.size(); ++r) {
      const Scalar x = -(gamma[r] + dot(J_[r], free));
      for (std::size_t lane = 0; lane < rows_.places[r].size(); ++lane)
        right[index(rows_.places[r][lane])] = ir::lane(x, static_cast<int>(lane));
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
    add_forces(c_, rows_, J_, solution.lambda, b);
    solution.x = inverse_.solve(b);
    return solution;
  }

 private:
  Context& c_;
  LimbInverse inverse_;
  LimbRows rows_;
  std::vector<Coordinates> J_;
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
  const auto [change, impulse] = solver.solve(c.zeros(), speeds_of_rows(solver.J(), v));
  c.output("v_after", change + v);
  c.output("impulse", row_entries(c, constraints, impulse));
}

}  // namespace featherline::algorithms
