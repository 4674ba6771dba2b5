#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/constrained_columns.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/lanes/limb_inverse.hpp"
#include "algorithms/routines/routine_calls.hpp"

#include <algorithm>

/// Constraints whose limbs have joints enough to fulfil them. With lambda_l for the rows of a limb, s for `active`,
///
///     [M_ll    s J_l^T] [ a_l      ]
///     [s J_l   s - 1  ] [-lambda_l ]
///
/// takes the place of M_ll in LimbInverse: each limb is eliminated with its rows, before the trunk. That is much shorter
/// than the Delassus matrix of all limbs, but it needs a limb that can move its end in all directions of the rows. If
/// one cannot, such as a stretched leg, an internal function computes everything by the Delassus matrix.
namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Matrix = SquareMatrix;

/// Is added to the size of rows, as a part of a free body's. All rows of a limb may be made of rounding errors.
constexpr double part_of_free_body = 1e-2;

/// The matrix above, for all limbs: rows first, then coordinates of the folded tree.
class RowsInLimbs {
 public:
  RowsInLimbs(Context& c, const std::vector<ConstraintMotion>& motions)
      : c_(c), coordinates_(limb_coordinates(c)) {
    std::vector<std::vector<int>> places;
    std::vector<int> groups;
    const model::Constraints& constraints = c.full_tree().constraints;
    for (const ConstraintMotion& motion : motions) {
      const std::vector<int>& members = motion.folded().constraints;
      const Scalar active = c.entry(active_constraints, members);
      for (int r = 0; r < motion.num_rows(); ++r) {
        places.emplace_back();
        for (const int member : members)
          places.back().push_back(coordinates_.full_size + constraints.all[index(member)].first_row + r);
        groups.push_back(motion.folded().group);
        units_.push_back({members.front(), r < motion.constraint().num_linear_rows()});
        active_.push_back(active);
      }
    }
    num_rows_ = static_cast<int>(places.size());
    coordinates_.places.insert(coordinates_.places.begin(), places.begin(), places.end());
    coordinates_.group.insert(coordinates_.group.begin(), groups.begin(), groups.end());
    coordinates_.full_size += constraints.num_rows();
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
    for (int r = 0; r < num_rows_; ++r) right.push_back(-(active_[index(r)] * gamma[index(r)]));
    right.insert(right.end(), b.begin(), b.end());
    return right;
  }
  /// lambda, and what follows it in a solution.
  std::pair<Values, Values> split(const Values& x) const {
    Values lambda(x.begin(), x.begin() + num_rows_), rest(x.begin() + num_rows_, x.end());
    for (Scalar& entry : lambda) entry = -entry;
    return {lambda, rest};
  }

  /// By row, how stretched the limb is (most_stretch in featherline/pivot.hpp): the diagonal entries of J_l M_ll^-1 J_l^T
  /// in the rows of one unit, beside the pivot of the row. Pivots are minus those of this matrix, and -1 in rows that are
  /// not active. Pivots beside each other do not show it: where all are small, they are rounding errors of large entries.
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
      stretch.push_back({{}, -(sum * inverse.inverse_pivot(r))});
      for (std::size_t lane = 0; lane < coordinates_.places[index(r)].size(); ++lane)
        stretch.back().places.push_back(size++);
    }
    c_.local("stretched", size, stretch);
  }

  void write_lambda(const std::string& output, const Values& lambda) {
    std::vector<StoredEntry> entries;
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      entries.push_back({coordinates_.places[r], lambda[r]});
      for (int& place : entries.back().places) place -= c_.full_tree().nv;
      c_.keep(lambda[r]);
    }
    c_.output(output, entries);
  }

 private:
  /// By row: the diagonal of s J_l M_ll^-1 J_l^T s. The factor of K has the factors of all M_ll in it, so that these are
  /// no operations.
  Values diagonal(const Matrix& M, const std::vector<Values>& J) const {
    std::map<int, std::vector<int>> limbs;  // the coordinates of the folded tree, by group
    for (int i = 0; i < M.size(); ++i) limbs[coordinates_.group[index(num_rows_ + i)]].push_back(i);
    Values entries;
    for (int r = 0; r < num_rows_; ++r) {
      const std::vector<int>& limb = limbs.at(coordinates_.group[index(r)]);
      Matrix M_ll(static_cast<int>(limb.size()));
      Values row;
      for (std::size_t i = 0; i < limb.size(); ++i) {
        row.push_back(active_[index(r)] * J[index(r)][index(limb[i])]);
        for (std::size_t k = 0; k < limb.size(); ++k)
          M_ll(static_cast<int>(i), static_cast<int>(k)) = M(limb[i], limb[k]);
      }
      const SparseFactor factor(M_ll);
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

void call_if_stretched(Context& c, void (*algorithm)(Context&)) {
  ir::Call call;
  call.body = c.by_other("stretched", algorithm);
  for (const ir::Buffer& input : call.body->inputs) call.arguments.push_back(c.array(input.name));
  for (const ir::Buffer& output : call.body->outputs) call.arguments.push_back(c.array(output.name));
  call.first.assign(call.arguments.size(), 0);
  call.condition = c.array("stretched");
  c.call(std::move(call));
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
  rows.write_lambda("lambda", WorldRows(c, constraints)(lambda));
  call_if_stretched(c, constrained_dynamics_by_factor);
}

namespace {

/// Writes columns of the derivatives: each is solved once for all limbs that it has a column in.
class ColumnsInLimbs {
 public:
  ColumnsInLimbs(Context& c, const RowsInLimbs& rows, const LimbInverse& inverse,
                 const std::vector<ConstraintMotion>& constraints)
      : c_(c), rows_(rows), inverse_(inverse), folded_world_(c, constraints), full_world_(c) {}

  void add(const DerivativeColumn& column) {
    if (column.is_zero()) return;
    const Values right = rows_.right_side(column.b, column.gamma);
    const int group = c_.folding().group_of_velocity[index(column.coordinate)];
    if (group < 0)
      add_of_trunk(column, inverse_.solve(right));
    else
      add_of_limbs(column, inverse_.solve_for_limbs(group, right));
  }
  void write() {
    for (const std::string& output : c_.output_names()) c_.output(output, entries_[output]);
  }

 private:
  /// The coordinates of the full tree that it is about, one a limb.
  const std::vector<int>& coordinates_of(const DerivativeColumn& column) const {
    return c_.folding().velocities[index(column.coordinate)];
  }
  void add_of_trunk(const DerivativeColumn& column, const Values& solution) {
    auto [lambda, a] = rows_.split(solution);
    lambda = folded_world_(lambda);
    for (std::size_t r = 0; r < column.turned.size(); ++r) lambda[r] += column.turned[r];
    const std::vector<std::vector<int>>& places = rows_.coordinates().places;
    for (std::size_t r = 0; r < lambda.size(); ++r) put("dlambda", column, places[r], lambda[r]);
    for (std::size_t i = 0; i < a.size(); ++i) put("da", column, places[lambda.size() + i], a[i]);
  }
  /// `solution` is by coordinate of the full tree, and then by row of all constraints.
  void add_of_limbs(const DerivativeColumn& column, const Values& solution) {
    const int n = c_.full_tree().nv;
    Values lambda(solution.begin() + n, solution.end());
    for (Scalar& entry : lambda) entry = -entry;
    lambda = full_world_(lambda);
    for (int i = 0; i < n; ++i) put("da", column, {i}, solution[index(i)]);
    for (std::size_t r = 0; r < lambda.size(); ++r)
      put("dlambda", column, {n + static_cast<int>(r)}, lambda[r]);
  }
  /// Either the rows or the coordinates of the column are one a lane.
  void put(const char* quantity, const DerivativeColumn& column, const std::vector<int>& rows,
           const Scalar& value) {
    if (value.is_zero()) return;
    c_.keep(value);
    const int n = c_.full_tree().nv, m = c_.full_tree().constraints.num_rows();
    StoredEntry entry{{}, value};
    for (const int k : coordinates_of(column)) {
      for (const int row : rows) entry.places.push_back(row < n ? row + n * k : row - n + m * k);
    }
    entries_[column.output(quantity)].push_back(entry);
  }

  Context& c_;
  const RowsInLimbs& rows_;
  const LimbInverse& inverse_;
  WorldRows folded_world_, full_world_;
  std::map<std::string, std::vector<StoredEntry>> entries_;
};

}  // namespace

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
  ColumnsInLimbs columns(c, rows, inverse, constraints);
  for (const DerivativeColumn& column : right_sides) columns.add(column);
  rows.write_stretch(inverse, free.M, J);
  columns.write();
  call_if_stretched(c, constrained_derivatives_by_columns);
}

}  // namespace featherline::algorithms
