#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/constraints/delassus_lanes.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/lanes/limb_inverse.hpp"
#include "algorithms/routines/routine_calls.hpp"

#include <algorithm>

/// Constraints whose limbs have joints enough to fulfil them. With lambda_l for the rows of a limb, s for `active`,
///
///     [M_ll    s J_l^T] [ a_l      ]
///     [s J_l   s - 1  ] [-lambda_l ]
///
/// takes the place of M_ll in LimbInverse: each limb is eliminated with its rows, before the trunk. That is much
/// shorter than the Delassus matrix of all limbs, but it needs a limb that can move its end in all directions of the
/// rows. If one cannot, such as a stretched leg, an internal function computes everything by the Delassus matrix.
namespace featherline::algorithms {
namespace {

/// Is added to the size of rows, as a part of a free body's. All rows of a limb may be made of rounding errors.
constexpr double part_of_free_body = 1e-2;

/// The matrix above, for all limbs: rows first, then coordinates of the folded tree.
class RowsInLimbs {
 public:
  RowsInLimbs(Context& c, const std::vector<ConstraintMotion>& motions)
      : c_(c), coordinates_(limb_coordinates(c)) {
    for (const ConstraintMotion& motion : motions) {
      const std::vector<int>& members = motion.folded().constraints;
      active_.insert(active_.end(), index(motion.num_rows()), c.entry(active_constraints, members));
      for (int r = 0; r < motion.num_rows(); ++r)
        units_.push_back({members.front(), r < motion.constraint().num_linear_rows()});
    }
    LimbRows rows = limb_rows(c, motions);
    num_rows_ = static_cast<int>(rows.places.size());
    for (std::vector<int>& places : rows.places) {
      for (int& place : places) place += coordinates_.full_size;
    }
    coordinates_.places.insert(coordinates_.places.begin(), rows.places.begin(), rows.places.end());
    coordinates_.group.insert(coordinates_.group.begin(), rows.group.begin(), rows.group.end());
    coordinates_.full_size += c.full_tree().constraints.num_rows();
  }

  int num_rows() const { return num_rows_; }
  const LimbCoordinates& coordinates() const { return coordinates_; }

  Matrix matrix(const Matrix& M, const std::vector<Values>& J) const {
    Matrix K(num_rows_ + M.size());
    for (int k = 0; k < M.size(); ++k) {
      for (int i = 0; i < M.size(); ++i) K(num_rows_ + i, num_rows_ + k) = M(i, k);
      for (int r = 0; r < num_rows_; ++r)
        K(r, num_rows_ + k) = K(num_rows_ + k, r) = active_[index(r)] * J[index(r)][index(k)];
    }
    for (int r = 0; r < num_rows_; ++r) K(r, r) = active_[index(r)] - Scalar(1.0);
    return K;
  }
  Values right_side(const Values& b, const Values& gamma) const {
    Values right;
    for (std::size_t r = 0; r < gamma.size(); ++r) right.push_back(-(active_[r] * gamma[r]));
    right.insert(right.end(), b.begin(), b.end());
    return right;
  }
  /// lambda, and what follows it in a solution.
  std::pair<Values, Values> split(const Values& x) const {
    const auto end = x.begin() + num_rows_;
    return {-Values(x.begin(), end), Values(end, x.end())};
  }

  /// By row, how stretched the limb is (most_stretch in featherline/pivot.hpp): the diagonal entries of
  /// D_l = J_l M_ll^-1 J_l^T in the rows of one unit, times the diagonal entry of D_l^-1 of the row. Pivots do not show
  /// it: those of two rows may each be the root of what is left.
  void write_stretch(const LimbInverse& inverse, const Matrix& M, const std::vector<Values>& J) {
    const model::FreeBodyRows of_free_body = model::free_body_rows(c_.full_tree());
    const Values entries = diagonal(M, J);
    std::vector<StoredEntry> stretch;
    int size = 0;
    for (int r = 0; r < num_rows_; ++r) {
      const Unit& unit = units_[index(r)];
      Scalar sum = active_[index(r)] *
                   Scalar(part_of_free_body * (unit.linear ? of_free_body.linear : of_free_body.turning));
      for (int k = 0; k < num_rows_; ++k) {
        if (units_[index(k)] == unit) sum += entries[index(k)];
      }
      const auto lanes = static_cast<int>(coordinates_.places[index(r)].size());
      stretch.push_back({spaced_places(size, lanes), -(sum * inverse.inverse_in_limb(r))});
      size += lanes;
    }
    c_.local("stretched", size, stretch);
  }

 private:
  /// By row: the diagonal of s J_l M_ll^-1 J_l^T s. The factor of K has the factors of all M_ll in it, so that these
  /// are no operations.
  Values diagonal(const Matrix& M, const std::vector<Values>& J) const {
    std::map<int, std::vector<int>> limbs;  // the coordinates of the folded tree, by group
    for (int i = 0; i < M.size(); ++i) limbs[coordinates_.group[index(num_rows_ + i)]].push_back(i);
    Values entries;
    for (int r = 0; r < num_rows_; ++r) {
      const std::vector<int>& limb = limbs.at(coordinates_.group[index(r)]);
      Values row = each(limb, [&](const int i) { return active_[index(r)] * J[index(r)][index(i)]; });
      const SparseFactor factor(block(M, limb));
      const Values half = factor.half(row);
      entries.push_back(factor.product(half, half));
    }
    return entries;
  }

  Context& c_;
  LimbCoordinates coordinates_;
  Values active_;  ///< by row
  struct Unit {
    int constraint;  ///< of the first limb
    bool linear;
    bool operator==(const Unit&) const = default;
  };
  std::vector<Unit> units_;  ///< by row: equal for rows of one constraint that have one unit
  int num_rows_ = 0;
};

void call_if_stretched(Context& c, ir::Kernel other) {
  other.name = "stretched";
  ir::Call call{.body = std::make_shared<const ir::Kernel>(std::move(other)),
                .condition = c.array("stretched")};
  for (const auto* buffers : {&call.body->inputs, &call.body->outputs}) {
    for (const ir::Buffer& buffer : *buffers) call.arguments.push_back(c.array(buffer.name));
  }
  call.first.assign(call.arguments.size(), 0);
  c.call(std::move(call));
}

using Outputs = std::map<std::string, std::vector<StoredEntry>>;

/// Each column is solved for once for all limbs that it has a column in.
Outputs solved(Context& c, const RowsInLimbs& rows, const LimbInverse& inverse,
               const std::vector<ConstraintMotion>& constraints,
               const std::vector<DerivativeColumn>& columns) {
  const int n = c.full_tree().nv, m = c.full_tree().constraints.num_rows();
  const WorldRows folded_world(c, constraints), full_world(c);
  Outputs outputs;
  for (const DerivativeColumn& column : columns) {
    if (column.is_zero()) continue;
    const Values right = rows.right_side(column.b, column.gamma);
    const int group = c.folding().group_of_velocity[index(column.coordinate)];
    const bool of_trunk = group < 0;
    // Of limbs, x is by coordinate of the full tree, and then by row of all constraints.
    Values x = of_trunk ? inverse.solve(right) : inverse.solve_for_limbs(group, right);
    const auto first = x.begin() + (of_trunk ? 0 : n), end = first + (of_trunk ? rows.num_rows() : m);
    Values lambda = (of_trunk ? folded_world : full_world)(-Values(first, end));
    for (std::size_t r = 0; of_trunk && r < column.turned.size(); ++r) lambda[r] += column.turned[r];
    std::ranges::copy(lambda, first);
    for (int k = 0; k < static_cast<int>(x.size()); ++k) {
      if (x[index(k)].is_zero()) continue;
      c.keep(x[index(k)]);
      std::vector<int> places = of_trunk ? rows.coordinates().places[index(k)] : std::vector<int>{k};
      const bool is_row = places.front() >= n;
      for (int& place : places) place -= is_row ? n : 0;
      outputs[(is_row ? "dlambda" : "da") + column.by].push_back(
          {matrix_places(places, c.folding().velocities[index(column.coordinate)], is_row ? m : n),
           x[index(k)]});
    }
  }
  return outputs;
}

}  // namespace

bool limbs_fulfil_constraints(const model::Tree& tree) {
  const model::Folding folding = model::fold_bodies(tree);
  const auto constraints = fold_constraints(tree, folding);
  if (!folding.has_lanes() || !constraints || constraints->empty()) return false;
  std::map<int, int> freedom;  // by group
  for (const int group : folding.group_of_velocity) ++freedom[group];
  for (const FoldedConstraint& constraint : *constraints) {
    if (constraint.group < 0) return false;
    freedom[constraint.group] -= tree.constraints.all[index(constraint.constraints.front())].num_rows();
    if (freedom[constraint.group] < 0) return false;
  }
  return true;
}

void constrained_dynamics_in_lanes(Context& c) {
  const Matrix M = joint_space_inertia(c);
  const Values b = net_torque(c, c.input("v"), c.input("tau"));
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), {}});
  const std::vector<Values> J = constraint_jacobian(c, constraints);
  RowsInLimbs rows(c, constraints);
  const LimbInverse inverse(c, rows.matrix(M, J), rows.coordinates());
  c.begin_section("constraint forces and accelerations");
  const auto [lambda, a] =
      rows.split(inverse.solve(rows.right_side(b, constraint_accelerations(constraints))));
  rows.write_stretch(inverse, M, J);
  c.output("a", a);
  c.output("lambda", row_entries(c, constraints, lambda));
  call_if_stretched(c, c.by_other(constrained_dynamics_by_limbs));
}

void impulse_dynamics_in_lanes(Context& c) {
  const Matrix M = joint_space_inertia(c);
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {});
  const std::vector<Values> J = constraint_jacobian(c, constraints);
  RowsInLimbs rows(c, constraints);
  const LimbInverse inverse(c, rows.matrix(M, J), rows.coordinates());
  c.begin_section("impulses and velocities");
  const Values& v = c.input("v");
  auto [impulse, change] = rows.split(inverse.solve(rows.right_side(c.zeros(), speeds_of_rows(J, v))));
  rows.write_stretch(inverse, M, J);
  c.output("v_after", std::move(change) + v);
  c.output("impulse", row_entries(c, constraints, impulse));
  call_if_stretched(c, c.by_other(impulse_dynamics_by_limbs));
}

void constrained_derivatives_in_lanes(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const FreeRobot free(c, own_frames);
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), {}});
  RowsInLimbs rows(c, constraints);
  const std::vector<Values> J = constraint_jacobian(c, constraints);
  const LimbInverse inverse(c, rows.matrix(free.M, J), rows.coordinates());
  c.begin_section("constraint forces and accelerations");
  const auto [lambda, a] =
      rows.split(inverse.solve(rows.right_side(free.net_torque, constraint_accelerations(constraints))));

  const std::vector<DerivativeColumn> right_sides = derivative_columns(c, own_frames, a, lambda);
  c.begin_section("columns of the derivatives");
  Outputs outputs = solved(c, rows, inverse, constraints, right_sides);
  rows.write_stretch(inverse, free.M, J);
  for (const std::string& output : c.output_names()) c.output(output, outputs[output]);
  call_if_stretched(
      c, c.unfolded().by_other(contacts_fit_panels(c.full_tree()) ? constrained_derivatives_in_panels
                                                                  : constrained_derivatives_by_columns));
}

}  // namespace featherline::algorithms
