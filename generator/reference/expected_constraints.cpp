#include "reference/constraint_rows.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <Eigen/Jacobi>

#include <algorithm>
#include <limits>

/// Constraints, straight from the definitions in model/constraints.hpp: velocity rows from Jacobians of the anchors,
/// their rates along q(t), the equations solved as one dense system, derivatives by hyper-dual numbers.
namespace featherline::reference {
namespace {

using model::Constraint;
using model::ConstraintType;
using model::Tree;
/// Time runs along e1, derivatives are taken along e2.
using LongNumbers = VectorX<LongNumber>;
using LongRows = MatrixX<LongNumber>;

/// Of the origin, and of turning.
bool has_vectors(const Constraint& constraint) {
  return constraint.type == ConstraintType::contact_point || constraint.type == ConstraintType::contact_weld;
}

/// The robot with the anchors of its constraints as its links.
Tree with_anchor_links(Tree tree) {
  std::vector<model::Link> links;
  for (const Constraint& constraint : tree.constraints.all) {
    for (const model::Anchor& anchor : constraint.anchors) {
      model::Link link;
      link.body = model::body_of(tree, anchor);
      link.placement = model::anchor_in_body(tree, anchor);
      links.push_back(link);
    }
  }
  tree.links = links;
  return tree;
}

/// Velocity rows and position errors at a position.
class ConstraintRows {
 public:
  explicit ConstraintRows(const Tree& tree) : tree_(with_anchor_links(tree)), solver_(tree_) {}

  const Tree& tree() const { return tree_; }

  LongRows jacobian(const LongNumbers& q) {
    LongRows J(tree_.constraints.num_rows(), tree_.nv);
    each([&](const Constraint& constraint, int anchor) {
      J.middleRows(constraint.first_row, constraint.num_rows()) = rows(constraint, anchor, q);
    });
    return J;
  }

  /// Of all rows. It is zero but for loops and contacts with an anchor.
  LongNumbers errors(const LongNumbers& q) {
    LongNumbers e = LongNumbers::Zero(tree_.constraints.num_rows());
    each([&](const Constraint& constraint, int anchor) {
      if (constraint.held_at)
        e.segment(constraint.first_row, constraint.num_linear_rows()) = distance(constraint, anchor, q);
      if (!constraint.is_loop()) return;
      const Pose<LongNumber> X1 = solver_.link_pose(q, anchor), X2 = solver_.link_pose(q, anchor + 1);
      const Matrix3<LongNumber> R = X1.R.transpose() * X2.R;
      e.segment<3>(constraint.first_row) = X1.R.transpose() * (X2.p - X1.p);
      if (constraint.type == ConstraintType::loop_axis) {
        e[constraint.first_row + 3] = -R(1, 2);
        e[constraint.first_row + 4] = R(0, 2);
      }
      if (constraint.type == ConstraintType::loop_weld) {
        const LongNumber scale = LongNumber(2.0) / (LongNumber(1.0) + R(0, 0) + R(1, 1) + R(2, 2));
        e[constraint.first_row + 3] = (R(2, 1) - R(1, 2)) * scale;
        e[constraint.first_row + 4] = (R(0, 2) - R(2, 0)) * scale;
        e[constraint.first_row + 5] = (R(1, 0) - R(0, 1)) * scale;
      }
    });
    return e;
  }

 private:
  template <class F>
  void each(const F& f) const {
    int anchor = 0;
    for (const Constraint& constraint : tree_.constraints.all) {
      f(constraint, anchor);
      anchor += static_cast<int>(constraint.anchors.size());
    }
  }

  LongRows world_jacobian(const LongNumbers& q, int anchor) {
    return solver_.frame_jacobian(q, anchor, Frame::local_world_aligned);
  }

  /// From where a contact is held, along the axes of its rows.
  LongNumbers distance(const Constraint& constraint, int anchor, const LongNumbers& q) {
    const Pose<LongNumber> X = solver_.link_pose(q, anchor);
    const Vector3<LongNumber> d = X.p - constraint.held_at->cast<LongNumber>();
    if (has_vectors(constraint)) return d;
    const Vector3<LongNumber> along = contact_axes(constraint, X.R).transpose() * d;
    return constraint.type == ConstraintType::contact_normal ? along.tail(1).eval() : along.head(2).eval();
  }

  static Matrix3<LongNumber> contact_axes(const Constraint& constraint, const Matrix3<LongNumber>& R) {
    return constraint.world_axes ? Matrix3<LongNumber>(constraint.world_axes->cast<LongNumber>()) : R;
  }

  LongRows rows(const Constraint& constraint, int anchor, const LongNumbers& q) {
    if (constraint.is_loop()) return loop_rows(constraint, anchor, q);
    const LongRows J = world_jacobian(q, anchor);
    if (has_vectors(constraint)) return J.topRows(constraint.num_rows());
    const Matrix3<LongNumber> R = solver_.link_pose(q, anchor).R;
    if (constraint.is_contact()) {
      const LongRows along = contact_axes(constraint, R).transpose() * J.topRows(3);
      if (constraint.type == ConstraintType::contact_normal) return along.bottomRows(1);
      return along.topRows(2);
    }
    const Vector3<LongNumber> n = R.col(2);
    if (constraint.type == ConstraintType::no_sliding) return n.transpose() * J.topRows(3);
    return rolling_rows(J, n, constraint.radius);
  }

  LongRows loop_rows(const Constraint& constraint, int anchor, const LongNumbers& q) {
    const Pose<LongNumber> X1 = solver_.link_pose(q, anchor), X2 = solver_.link_pose(q, anchor + 1);
    const LongRows J1 = world_jacobian(q, anchor), J2 = world_jacobian(q, anchor + 1);
    const Vector3<LongNumber> between = X2.p - X1.p;
    LongRows J(6, tree_.nv);
    J.topRows(3) = X1.R.transpose() * (J2.topRows(3) - J1.topRows(3) + skew(between) * J1.bottomRows(3));
    J.bottomRows(3) = X1.R.transpose() * (J2.bottomRows(3) - J1.bottomRows(3));
    return J.topRows(constraint.num_rows());
  }

  /// Of the point of the wheel that is lowest.
  LongRows rolling_rows(const LongRows& J, const Vector3<LongNumber>& n, double radius) {
    using std::sqrt;
    const Vector3<LongNumber> up(0.0, 0.0, 1.0);
    const Vector3<LongNumber> across(n[1], -n[0], 0.0);  // n x up
    const Vector3<LongNumber> forward = across / sqrt(n[0] * n[0] + n[1] * n[1]);
    const Vector3<LongNumber> sideways(-forward[1], forward[0], 0.0);
    const Vector3<LongNumber> to_ground = -(skew(forward) * n) * LongNumber(radius);
    const LongRows point = J.topRows(3) - skew(to_ground) * J.bottomRows(3);
    LongRows rows(3, tree_.nv);
    rows << forward.transpose() * point, sideways.transpose() * point, up.transpose() * point;
    return rows;
  }

  Tree tree_;
  Solver<LongNumber> solver_;
};

/// What an impact or an acceleration solves: M x = right + J^T lambda, J x = -gamma. Contacts of a floating robot have
/// their rows in the axes of the base here. So rows that depend on others are the same wherever the robot turns.
struct Equations {
  LongRows M, J;
  LongNumbers right, gamma;
  Matrix3<LongNumber> R_base;  ///< from those axes to the world's
};

/// Of a floating base that carries everything; of other robots the identity.
Matrix3<LongNumber> base_rotation(const Tree& tree, const LongNumbers& q) {
  const auto roots = std::count_if(tree.bodies.begin(), tree.bodies.end(),
                                   [](const model::Body& body) { return body.parent < 0; });
  if (roots != 1 || tree.bodies.front().joint.type != model::JointType::floating)
    return Matrix3<LongNumber>::Identity();
  return Solver<LongNumber>(tree).body_poses(q).front().R;
}

/// The rows of contacts that are vectors, turned.
template <class Rows>
void turn_contacts(const Tree& tree, const Matrix3<LongNumber>& R, Rows& rows) {
  for (const Constraint& constraint : tree.constraints.all) {
    if (!has_vectors(constraint)) continue;
    for (int r = constraint.first_row; r < constraint.first_row + constraint.num_rows(); r += 3)
      rows.middleRows(r, 3) = (R * rows.middleRows(r, 3)).eval();
  }
}

Equations in_base_axes(const Tree& tree, const LongNumbers& q, Equations equations) {
  equations.R_base = base_rotation(tree, q);
  const Matrix3<LongNumber> to_base = equations.R_base.transpose();
  turn_contacts(tree, to_base, equations.J);
  turn_contacts(tree, to_base, equations.gamma);
  return equations;
}

/// M and J, and nothing else.
Equations inertia_and_rows(const Tree& tree, const LongNumbers& q) {
  const LongRows J = ConstraintRows(tree).jacobian(q);
  return in_base_axes(
      tree, q,
      {Solver<LongNumber>(tree).crba(q), J, LongNumbers::Zero(tree.nv), LongNumbers::Zero(J.rows()), {}});
}

Equations dynamics(const Tree& tree, const LongNumbers& q, const LongNumbers& v, const LongNumbers& tau) {
  Solver<LongNumber> solver(tree);
  ConstraintRows rows(tree);
  // J v as time runs. Its derivative along e1 is the rate, which may change along e2.
  const LongNumbers moving = rows.jacobian(integrate<LongNumber>(tree, q, v * LongNumber::e1())) * v;
  const auto at_rest = [](const LongNumber& x) { return LongNumber(x.re, 0, x.d2, 0); };
  const auto rate = [](const LongNumber& x) { return LongNumber(x.d1, 0, x.d12, 0); };
  const model::Constraints& constraints = tree.constraints;
  const LongNumbers gamma = moving.unaryExpr(rate) + rows.errors(q) * LongNumber(constraints.kp) +
                            moving.unaryExpr(at_rest) * LongNumber(constraints.kd);
  return in_base_axes(tree, q, {solver.crba(q), rows.jacobian(q), tau - solver.bias(q, v), gamma, {}});
}

LongMatrix real(const LongRows& x) { return part(x, &LongNumber::re); }

std::vector<int> kept_rows(const Tree& tree, const Equations& equations, const Eigen::VectorXd& active) {
  return reference::kept_rows(tree, real(equations.M), real(equations.J), active);
}

struct Solution {
  LongNumbers x, lambda;
};

/// The dense system, and its derivative K dx = d(right) - dK x.
Solution solve(const Tree& tree, const Equations& equations, const std::vector<int>& kept) {
  const Eigen::Index n = equations.M.rows(), m = static_cast<Eigen::Index>(kept.size());
  LongRows K = LongRows::Zero(n + m, n + m);
  LongNumbers right(n + m);
  K.topLeftCorner(n, n) = equations.M;
  right.head(n) = equations.right;
  for (Eigen::Index r = 0; r < m; ++r) {
    const int row = kept[static_cast<std::size_t>(r)];
    K.block(n + r, 0, 1, n) = equations.J.row(row);
    K.block(0, n + r, n, 1) = -equations.J.row(row).transpose();
    right[n + r] = -equations.gamma[row];
  }
  const LongMatrix K_re = real(K), x = reference::solve(K_re, real(right)),
                   dx = reference::solve(
                       K_re, part(right, &LongNumber::d2) - part(K, &LongNumber::d2).lazyProduct(x));
  const auto unknown = [&](Eigen::Index k) { return LongNumber(x(k), 0, dx(k), 0); };
  Solution solution{LongNumbers(n), LongNumbers::Zero(equations.J.rows())};
  for (Eigen::Index k = 0; k < n; ++k) solution.x[k] = unknown(k);
  for (Eigen::Index r = 0; r < m; ++r) solution.lambda[kept[static_cast<std::size_t>(r)]] = unknown(n + r);
  turn_contacts(tree, equations.R_base, solution.lambda);
  return solution;
}

Equations at_state(const Tree& tree, const State& x) {
  return dynamics(tree, x.q.cast<LongNumber>(), x.v.cast<LongNumber>(), x.tau.cast<LongNumber>());
}

Eigen::MatrixXd values(const LongRows& x) { return real(x).cast<double>(); }

Outputs constrained_dynamics(const Tree& tree, const State& x) {
  const Equations equations = at_state(tree, x);
  const Solution solution = solve(tree, equations, kept_rows(tree, equations, x.active));
  return {array("a", values(solution.x)), array("lambda", values(solution.lambda))};
}

Outputs constrained_dynamics_derivatives(const Tree& tree, const State& x) {
  const std::vector<int> kept = kept_rows(tree, at_state(tree, x), x.active);
  const int n = tree.nv, m = tree.constraints.num_rows();
  const LongNumbers q = x.q.cast<LongNumber>(), v = x.v.cast<LongNumber>(), tau = x.tau.cast<LongNumber>();
  std::vector<Eigen::MatrixXd> da(3, Eigen::MatrixXd(n, n)), dlambda(3, Eigen::MatrixXd(m, n));
  for (int k = 0; k < n; ++k) {
    const LongNumbers e = LongNumbers::Unit(n, k) * LongNumber::e2();
    const Equations moved[] = {dynamics(tree, integrate<LongNumber>(tree, q, e), v, tau),
                               dynamics(tree, q, v + e, tau), dynamics(tree, q, v, tau + e)};
    for (std::size_t by = 0; by < 3; ++by) {
      const Solution solution = solve(tree, moved[by], kept);
      da[by].col(k) = part(solution.x, &LongNumber::d2).cast<double>();
      dlambda[by].col(k) = part(solution.lambda, &LongNumber::d2).cast<double>();
    }
  }
  return {array("da_dq", da[0]),           array("da_dv", da[1]),
          array("da_dtau", da[2]),         array("dlambda_dq", dlambda[0]),
          array("dlambda_dv", dlambda[1]), array("dlambda_dtau", dlambda[2])};
}

/// M (x - v) = J^T impulse, J x = 0.
Outputs impulse_dynamics(const Tree& tree, const State& x) {
  Equations equations = inertia_and_rows(tree, x.q.cast<LongNumber>());
  equations.right = equations.M * x.v.cast<LongNumber>();
  const Solution solution = solve(tree, equations, kept_rows(tree, equations, x.active));
  return {array("v_after", values(solution.x)), array("impulse", values(solution.lambda))};
}

/// J M^-1 J^T.
Eigen::MatrixXd delassus_matrix(const LongMatrix& M, const LongMatrix& J) {
  return J.lazyProduct(reference::solve(M, J.transpose())).eval().cast<double>();
}

Outputs delassus(const Tree& tree, const State& x) {
  const LongNumbers q = x.q.cast<LongNumber>();
  return {array(
      "D", delassus_matrix(real(Solver<LongNumber>(tree).crba(q)), real(ConstraintRows(tree).jacobian(q))))};
}

Outputs constraint_residual(const Tree& tree, const State& x) {
  ConstraintRows rows(tree);
  const LongNumbers q = x.q.cast<LongNumber>();
  const Eigen::VectorXd e = values(rows.errors(q)), de = values(rows.jacobian(q) * x.v.cast<LongNumber>());
  Eigen::VectorXd own_e(tree.constraints.num_residual_rows()), own_de(own_e.size());
  for (const Constraint& constraint : tree.constraints.all) {
    if (constraint.is_contact()) continue;
    own_e.segment(constraint.first_residual, constraint.num_rows()) =
        e.segment(constraint.first_row, constraint.num_rows());
    own_de.segment(constraint.first_residual, constraint.num_rows()) =
        de.segment(constraint.first_row, constraint.num_rows());
  }
  return {array("e", own_e), array("de", own_de)};
}

/// Of a symmetric matrix, by Jacobi's method. Eigen's own solver takes ten seconds to compile.
Eigen::VectorXd eigenvalues(Eigen::MatrixXd A) {
  constexpr int sweeps = 12;  // convergence is quadratic
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index q = 1; q < A.rows(); ++q) {
      for (Eigen::Index p = 0; p < q; ++p) {
        Eigen::JacobiRotation<double> turn;
        if (!turn.makeJacobi(A, p, q)) continue;
        A.applyOnTheLeft(p, q, turn.adjoint());
        A.applyOnTheRight(p, q, turn);
      }
    }
  }
  return A.diagonal();
}

/// The condition of the kept rows of D.
double condition(const Tree& tree, const State& x) {
  const Equations equations = inertia_and_rows(tree, x.q.cast<LongNumber>());
  const std::vector<int> kept = kept_rows(tree, equations, x.active);
  if (kept.empty()) return 1.0;
  Eigen::MatrixXd J(static_cast<Eigen::Index>(kept.size()), tree.nv);
  for (Eigen::Index r = 0; r < J.rows(); ++r)
    J.row(r) = values(equations.J.row(kept[static_cast<std::size_t>(r)]));
  const Eigen::VectorXd of_D = eigenvalues(delassus_matrix(real(equations.M), J.cast<long double>()));
  const double smallest = of_D.minCoeff();
  return smallest > 0.0 ? of_D.maxCoeff() / smallest : std::numeric_limits<double>::infinity();
}

/// Errors may be 100 times as large where D has a condition above 1e6. Above 1e8 they may grow with it.
double allowance(const Tree& tree, const State& x) {
  const double of_D = condition(tree, x);
  return of_D > 1e6 ? 100.0 * std::max(1.0, of_D / 1e8) : 1.0;
}

/// D has the square of the condition that rows of J have. So its solution amplifies rounding by the root of it more than
/// rounded data show; derivatives have it twice.
double amplification(const Tree& tree, const State& x) { return std::sqrt(condition(tree, x)); }

/// Accelerations and velocities are sums of M^-1 J^T lambda and what there is without constraints. Where a constraint
/// holds, these cancel. `compute` gives such arrays first, then as many arrays of forces.
Outputs term_sizes(const Tree& tree, const State& x, const OutputFunction::Compute& compute) {
  const Equations equations = inertia_and_rows(tree, x.q.cast<LongNumber>());
  const Eigen::Index n = tree.nv, m = equations.J.rows();
  Eigen::MatrixXd JT = Eigen::MatrixXd::Zero(n, m);
  for (const int row : kept_rows(tree, equations, x.active))
    JT.col(row) = values(equations.J.row(row).transpose()).cwiseAbs();
  const LongMatrix Minv = reference::solve(real(equations.M), LongMatrix::Identity(n, n));
  const Eigen::MatrixXd by_force = Minv.cast<double>().cwiseAbs().lazyProduct(JT);
  LongRows to_base = LongRows::Identity(m, m);
  turn_contacts(tree, Matrix3<LongNumber>(equations.R_base.transpose()), to_base);
  const Eigen::MatrixXd by_row = by_force.lazyProduct(values(to_base).cwiseAbs());
  Outputs sizes = compute(tree, x);
  for (std::size_t k = 0; k < sizes.size() / 2; ++k) {
    std::vector<double>&held = sizes[k].values, &forces = sizes[k + sizes.size() / 2].values;
    const Eigen::Index columns = static_cast<Eigen::Index>(held.size()) / n;
    const Eigen::MatrixXd terms =
        by_row.lazyProduct(Eigen::Map<const Eigen::MatrixXd>(forces.data(), m, columns).cwiseAbs());
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = std::abs(held[i]) + terms.data()[i];
    for (double& force : forces) force = std::abs(force);
  }
  return sizes;
}

/// The judge of a function whose outputs solve the equations.
OutputFunction solution(const char* name, const OutputFunction::Compute& compute,
                        double (*amplification)(const Tree&, const State&)) {
  OutputFunction function{.name = name, .compute = compute};
  function.term_sizes = [compute](const Tree& tree, const State& x) { return term_sizes(tree, x, compute); };
  function.allowance = allowance;
  function.amplification = amplification;
  return function;
}

}  // namespace

std::vector<OutputFunction> expected_constraints() {
  return {solution("constrained_dynamics", constrained_dynamics, amplification),
          solution("constrained_dynamics_derivatives", constrained_dynamics_derivatives, condition),
          solution("impulse_dynamics", impulse_dynamics, amplification),
          {.name = "delassus", .compute = delassus},
          {.name = "constraint_residual", .compute = constraint_residual}};
}

Eigen::MatrixXd constraint_jacobian(const Tree& tree, const Eigen::VectorXd& q) {
  return values(ConstraintRows(tree).jacobian(q.cast<LongNumber>()));
}

std::vector<bool> dependent_rows(const Tree& tree, const State& x) {
  std::vector<bool> depends(static_cast<std::size_t>(tree.constraints.num_rows()), true);
  const Eigen::VectorXd all = Eigen::VectorXd::Ones(tree.constraints.count());
  for (const int row : kept_rows(tree, at_state(tree, x), all))
    depends[static_cast<std::size_t>(row)] = false;
  return depends;
}

}  // namespace featherline::reference
