#include "algorithms/constrained_dynamics.hpp"

#include "algorithms/constraint_solver.hpp"
#include "algorithms/first_derivatives.hpp"
#include "algorithms/floating_base.hpp"
#include "algorithms/forward_dynamics.hpp"
#include "algorithms/limb_inverse.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/tree_axes.hpp"

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

using Values = Coordinates<Scalar>;
using Matrix = SquareMatrix<Scalar>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// A limb counts as stretched where a pivot of its rows is below this part of another one. What is lost then is this
/// part of the digits.
constexpr double least_ratio = 1e-4;

/// The matrix above, for all limbs: rows first, then coordinates of the folded tree.
class RowsInLimbs {
 public:
  RowsInLimbs(Context<Scalar>& c, const std::vector<ConstraintMotion>& motions)
      : c_(c), coordinates_(limb_coordinates(c)) {
    std::vector<std::vector<int>> places;
    std::vector<int> groups;
    const model::Constraints& constraints = c.full_tree().constraints;
    for (const ConstraintMotion& motion : motions) {
      const std::vector<int>& members = motion.folded().constraints;
      active_.push_back(c.entry(active_constraints, members));
      for (int r = 0; r < motion.num_rows(); ++r) {
        places.emplace_back();
        for (const int member : members)
          places.back().push_back(coordinates_.full_size + constraints.all[index(member)].first_row + r);
        groups.push_back(group_of(motion));
        units_.push_back(2 * static_cast<int>(active_.size()) + r / 3);
        of_row_.push_back(active_.back());
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
        K(r, num_rows_ + k) = K(num_rows_ + k, r) = of_row_[index(r)] * J[index(r)][index(k)];
    }
    for (int r = 0; r < num_rows_; ++r) K(r, r) = of_row_[index(r)] - Scalar(1.0);
    return K;
  }
  Values right_side(const Values& b, const Values& gamma) const {
    Values right;
    for (int r = 0; r < num_rows_; ++r) right.push_back(-(of_row_[index(r)] * gamma[index(r)]));
    right.insert(right.end(), b.begin(), b.end());
    return right;
  }
  /// lambda, and what follows it in a solution.
  std::pair<Values, Values> split(const Values& x) const {
    Values lambda(x.begin(), x.begin() + num_rows_), rest(x.begin() + num_rows_, x.end());
    for (Scalar& entry : lambda) entry = -entry;
    return {lambda, rest};
  }

  /// Entries that are above zero where a limb is stretched.
  void write_limits(const LimbInverse& inverse) {
    std::vector<StoredEntry> limits;
    int size = 0;
    for (int r = 0; r < num_rows_; ++r) {
      for (int k = 0; k < num_rows_; ++k) {
        if (r == k || units_[index(r)] != units_[index(k)]) continue;
        // Pivots are minus those of the Delassus matrix.
        const Scalar limit =
            of_row_[index(r)] * (inverse.inverse_pivot(k) - inverse.inverse_pivot(r) * Scalar(least_ratio));
        StoredEntry entry{{}, limit};
        for (std::size_t lane = 0; lane < coordinates_.places[index(r)].size(); ++lane)
          entry.places.push_back(size++);
        limits.push_back(std::move(entry));
      }
    }
    c_.local("stretched", std::max(1, size), limits);
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
  /// Of the limbs that carry the constraint.
  int group_of(const ConstraintMotion& motion) const {
    for (const int body : motion.folded().bodies) {
      if (body >= 0 && c_.lanes(body) > 1) return coordinates_.group[index(c_.joint(body).idx_v)];
    }
    return -1;
  }

  Context<Scalar>& c_;
  LimbCoordinates coordinates_;
  Values active_, of_row_;  ///< of the constraints, and of their rows
  std::vector<int> units_;  ///< by row: equal for rows of one constraint and one unit
  int num_rows_ = 0;
};

void call_if_stretched(Context<Scalar>& c, void (*algorithm)(Context<Scalar>&)) {
  ir::Call call;
  call.body = c.by_other("stretched", algorithm);
  call.routine = call.body->name;
  for (const ir::Buffer& input : call.body->inputs) call.arguments.push_back(input.name);
  for (const ir::Buffer& output : call.body->outputs) call.arguments.push_back(output.name);
  call.first.assign(call.arguments.size(), 0);
  call.condition = "stretched";
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
    int group = -1;
    for (const int body : constraint.bodies) {
      if (body >= 0 && folding.bodies[index(body)].lanes() > 1)
        group = folding.group_of_velocity[index(folding.bodies[index(body)].idx_v)];
    }
    if (group < 0) return false;
    const model::Constraint& first = tree.constraints.all[index(constraint.constraints.front())];
    if (first.num_rows() == 1) return false;  // no other row tells whether the limb can move along it
    freedom[group] -= first.num_rows();
    if (freedom[group] < 0) return false;
  }
  return true;
}

void constrained_dynamics_in_lanes(Context<Scalar>& c) {
  const Matrix M = joint_space_inertia(c);
  const Values b = net_torque(c, c.input("v"), c.input("tau"));
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), {}});
  const std::vector<Values> J = constraint_jacobian(c, constraints);
  RowsInLimbs rows(c, constraints);
  const LimbInverse inverse(c, rows.matrix(M, J), rows.coordinates());
  c.begin_section("constraint forces and accelerations");
  const auto [lambda, a] =
      rows.split(inverse.solve(rows.right_side(b, constraint_accelerations(constraints))));
  rows.write_limits(inverse);
  c.output("a", a);
  rows.write_lambda("lambda", WorldRows(c, constraints)(lambda));
  call_if_stretched(c, constrained_dynamics_by_factor);
}

namespace {

/// Writes columns of the derivatives: each is solved once for all limbs that it has a column in.
class ColumnsInLimbs {
 public:
  ColumnsInLimbs(Context<Scalar>& c, const RowsInLimbs& rows, const LimbInverse& inverse,
                 const std::vector<ConstraintMotion>& constraints)
      : c_(c), rows_(rows), inverse_(inverse), folded_world_(c, constraints), full_world_(c) {}

  /// The column of a coordinate of the folded tree. `gamma` is by row, `turned` what lambda gets besides.
  void add(char x, int coordinate, const Values& b, const Values& gamma, const Values& turned) {
    const auto zero = [](const Scalar& entry) { return entry.is_zero(); };
    if (std::all_of(b.begin(), b.end(), zero) && std::all_of(gamma.begin(), gamma.end(), zero) &&
        turned.empty())
      return;
    const Values right = rows_.right_side(b, gamma);
    const int group = c_.folding().group_of_velocity[index(coordinate)];
    if (group < 0)
      add_of_trunk(x, c_.folding().velocities[index(coordinate)].front(), inverse_.solve(right), turned);
    else
      add_of_limbs(x, c_.folding().velocities[index(coordinate)], inverse_.solve_for_limbs(group, right));
  }
  void write() {
    for (const std::string& output : c_.output_names()) c_.output(output, entries_[output]);
  }

 private:
  void add_of_trunk(char x, int column, const Values& solution, const Values& turned) {
    auto [lambda, a] = rows_.split(solution);
    lambda = folded_world_(lambda);
    for (std::size_t r = 0; r < turned.size(); ++r) lambda[r] += turned[r];
    const std::vector<std::vector<int>>& places = rows_.coordinates().places;
    for (std::size_t r = 0; r < lambda.size(); ++r) put("dlambda", x, places[r], {column}, lambda[r]);
    for (std::size_t i = 0; i < a.size(); ++i) put("da", x, places[lambda.size() + i], {column}, a[i]);
  }
  /// `solution` is by coordinate of the full tree, and then by row of all constraints.
  void add_of_limbs(char x, const std::vector<int>& columns, const Values& solution) {
    const int n = c_.full_tree().nv;
    Values lambda(solution.begin() + n, solution.end());
    for (Scalar& entry : lambda) entry = -entry;
    lambda = full_world_(lambda);
    for (int i = 0; i < n; ++i) put("da", x, {i}, columns, solution[index(i)]);
    for (std::size_t r = 0; r < lambda.size(); ++r)
      put("dlambda", x, {n + static_cast<int>(r)}, columns, lambda[r]);
  }
  /// One of `rows` and `columns` has an entry for each lane.
  void put(const char* quantity, char x, const std::vector<int>& rows, const std::vector<int>& columns,
           const Scalar& value) {
    if (value.is_zero()) return;
    c_.keep(value);
    const int n = c_.full_tree().nv, m = c_.full_tree().constraints.num_rows();
    StoredEntry entry{{}, value};
    for (const int column : columns) {
      for (const int row : rows) entry.places.push_back(row < n ? row + n * column : row - n + m * column);
    }
    entries_[std::string(quantity) + (x == 'q' ? "_dq" : x == 'v' ? "_dv" : "_dtau")].push_back(entry);
  }

  Context<Scalar>& c_;
  const RowsInLimbs& rows_;
  const LimbInverse& inverse_;
  WorldRows folded_world_, full_world_;
  std::map<std::string, std::vector<StoredEntry>> entries_;
};

Values column_of(const std::vector<Values>& rows, int k) {
  Values column;
  for (const Values& row : rows) column.push_back(row[index(k)]);
  return column;
}
Values negative_column(const Matrix& A, int k) {
  Values column = A.column(k);
  for (Scalar& x : column) x = -x;
  return column;
}

}  // namespace

void constrained_derivatives_in_lanes(Context<Scalar>& c) {
  const Values& v = c.input("v");
  const OwnFrames own_frames = chosen_frames(c.tree());
  const FirstDerivatives<Scalar> at_rest = first_derivatives(c, v, c.zeros(), own_frames);
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {v, {}});
  RowsInLimbs rows(c, constraints);
  const LimbInverse inverse(c, rows.matrix(at_rest.M, constraint_jacobian(c, constraints)),
                            rows.coordinates());
  c.begin_section("constraint forces and accelerations");
  Values net = c.input("tau");
  for (std::size_t k = 0; k < net.size(); ++k) net[k] -= at_rest.tau[k];
  const auto [lambda, a] =
      rows.split(inverse.solve(rows.right_side(net, constraint_accelerations(constraints))));

  FirstDerivatives<Scalar> id = first_derivatives(c, v, a, own_frames);
  std::vector<Values> k_q, k_v;
  Matrix force(c.nv());
  auto first = lambda.begin();
  for (const ConstraintMotion& motion : constraint_motions(c, {v, a})) {
    const auto [by_q, by_v] = motion.derivatives();
    k_q.insert(k_q.end(), by_q.begin(), by_q.end());
    k_v.insert(k_v.end(), by_v.begin(), by_v.end());
    motion.add_force_derivative(Values(first, first + motion.num_rows()), force);
    first += motion.num_rows();
  }
  for (int j = 0; j < c.nv(); ++j) {
    for (int i = 0; i < c.nv(); ++i) id.dtau_dq(i, j) -= force(i, j);
  }

  c.begin_section("columns of the derivatives");
  ColumnsInLimbs columns(c, rows, inverse, constraints);
  const WorldRows world(c, constraints);
  for (int k = 0; k < c.nv(); ++k) {
    const bool turns = has_floating_base(c.full_tree()) && k >= 3 && k < 6;
    columns.add('q', k, negative_column(id.dtau_dq, k), column_of(k_q, k),
                turns ? world.by_turn(k - 3, lambda) : Values{});
    columns.add('v', k, negative_column(id.dtau_dv, k), column_of(k_v, k), {});
    Values unit = c.zeros();
    unit[index(k)] = 1.0;
    columns.add('t', k, unit, Values(index(rows.num_rows())), {});
  }
  rows.write_limits(inverse);
  columns.write();
  call_if_stretched(c, constrained_derivatives_by_columns);
}

}  // namespace featherline::algorithms
