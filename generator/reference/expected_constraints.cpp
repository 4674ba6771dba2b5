#include "reference/expected_groups.hpp"

#include <algorithm>

/// Constraints, straight from the definitions in model/constraints.hpp: velocity rows from Jacobians of the anchors,
/// their rates along q(t), the equations solved as one dense system, derivatives by hyper-dual numbers.
namespace featherline::reference {
namespace {

using model::Constraint;

/// What an impact or an acceleration solves: M x = right + J^T lambda, J x = -gamma. Contacts of a floating robot have
/// their rows in the axes of the base here. So rows that depend on others are the same wherever the robot turns.
struct Equations {
  LongRows M, J;
  LongNumbers right, gamma;
  Matrix3<LongNumber> R_base;  ///< from those axes to the world's
};

/// Of a floating base that carries everything; of other robots the identity.
Matrix3<LongNumber> base_rotation(const Tree& tree, const LongNumbers& q) {
  const auto roots =
      std::ranges::count_if(tree.bodies, [](const model::Body& body) { return body.parent < 0; });
  if (roots != 1 || tree.bodies.front().joint.type != model::JointType::floating)
    return Matrix3<LongNumber>::Identity();
  return Solver<LongNumber>(tree).body_poses(q).front().R;
}

/// The rows of contacts that are vectors, turned.
template <int columns>
void turn_contacts(const Tree& tree, const Matrix3<LongNumber>& R,
                   Matrix<LongNumber, Eigen::Dynamic, columns>& rows) {
  for (const Constraint& constraint : tree.constraints.all) {
    if (!has_vectors(constraint)) continue;
    for (int r = constraint.first_row; r < constraint.first_row + constraint.num_rows(); r += 3)
      rows.middleRows(r, 3) = R * Matrix<LongNumber, 3, columns>(rows.middleRows(r, 3));
  }
}

/// M and J at a position, and in gamma what position errors add.
Equations at_position(const Tree& tree, const LongNumbers& q) {
  const Rows rows = velocity_rows(tree, q);
  Equations equations{Solver<LongNumber>(tree).crba(q), rows.J, LongNumbers::Zero(tree.nv),
                      rows.e * LongNumber(tree.constraints.kp), base_rotation(tree, q)};
  turn_contacts(tree, transposed(equations.R_base), equations.J);
  turn_contacts(tree, transposed(equations.R_base), equations.gamma);
  return equations;
}

/// Adds what the robot's motion and torques add.
Equations in_motion(Equations equations, const Tree& tree, const LongNumbers& q, const LongNumbers& v,
                    const LongNumbers& tau) {
  equations.right = tau - Solver<LongNumber>(tree).bias(q, v);
  // J v as time runs. Its derivative along e1 is the rate, which may change along e2.
  const LongNumbers now = integrate<LongNumber>(tree, q, v * LongNumber::e1());
  LongNumbers moving = velocity_rows(tree, now).J * v;
  for (LongNumber& row : moving) {
    const LongNumber rate(row.d1, 0, row.d12, 0), at_rest(row.re, 0, row.d2, 0);
    row = rate + at_rest * LongNumber(tree.constraints.kd);
  }
  turn_contacts(tree, transposed(equations.R_base), moving);
  equations.gamma = equations.gamma + moving;
  return equations;
}

std::vector<int> kept_rows(const Tree& tree, const Equations& equations, const VectorXd& active) {
  return reference::kept_rows(tree, real(equations.M), real(equations.J), active);
}

/// K and right of the dense system K [x; lambda] = right, without rows that are not kept.
std::pair<LongRows, LongRows> dense_system(const Equations& equations, const std::vector<int>& kept) {
  const Eigen::Index n = equations.M.rows(), m = std::ssize(kept);
  LongRows K = LongRows::Zero(n + m, n + m), right(n + m, 1);
  K.topLeftCorner(n, n) = equations.M;
  right.topRows(n) = equations.right;
  for (Eigen::Index r = 0; r < m; ++r) {
    const int row = kept[static_cast<std::size_t>(r)];
    for (Eigen::Index c = 0; c < n; ++c) {
      K(n + r, c) = equations.J(row, c);
      K(c, n + r) = -equations.J(row, c);
    }
    right(n + r, 0) = -equations.gamma[row];
  }
  return {K, right};
}

/// Solves equations that are `here` at the state, and their derivative K dx = d(right) - dK x: x, then lambda.
std::function<LongRows(const Equations&)> solver_of(const Tree& tree, const Equations& here,
                                                    const VectorXd& active) {
  const std::vector<int> kept = kept_rows(tree, here, active);
  const auto [K_here, right_here] = dense_system(here, kept);
  const auto inverse = inverse_of(real(K_here));
  return [&tree, kept, inverse, x = inverse(real(right_here))](const Equations& equations) {
    const auto [K, right] = dense_system(equations, kept);
    const LongMatrix dK_x = part(K, &LongNumber::d2) * x, dx = inverse(part(right, &LongNumber::d2) - dK_x);
    const Eigen::Index n = tree.nv, m = tree.constraints.num_rows();
    const auto unknown = [&](Eigen::Index k) { return LongNumber(x(k, 0), 0, dx(k, 0), 0); };
    LongNumbers lambda = LongNumbers::Zero(m);
    for (Eigen::Index k = n; k < x.rows(); ++k) lambda[kept[static_cast<std::size_t>(k - n)]] = unknown(k);
    turn_contacts(tree, equations.R_base, lambda);
    LongRows solution(n + m, 1);
    for (Eigen::Index k = 0; k < n; ++k) solution(k, 0) = unknown(k);
    solution.bottomRows(m) = lambda;
    return solution;
  };
}

Outputs constrained_dynamics(const Tree& tree, const State& x) {
  const LongNumbers q = constant(x.q);
  const Equations equations = in_motion(at_position(tree, q), tree, q, constant(x.v), constant(x.tau));
  const MatrixXd solution = values(solver_of(tree, equations, x.active)(equations));
  return {array("a", solution.topRows(tree.nv)),
          array("lambda", solution.bottomRows(tree.constraints.num_rows()))};
}

Outputs constrained_dynamics_derivatives(const Tree& tree, const State& x) {
  const LongNumbers q = constant(x.q), v = constant(x.v), tau = constant(x.tau);
  const Equations at_rest = at_position(tree, q), here = in_motion(at_rest, tree, q, v, tau);
  const auto solution = solver_of(tree, here, x.active);
  const int n = tree.nv, m = tree.constraints.num_rows();
  const MatrixXd by_q = derivative<LongNumber>(n, [&](const LongNumbers& e) {
    const LongNumbers moved = integrate<LongNumber>(tree, q, e);
    return solution(in_motion(at_position(tree, moved), tree, moved, v, tau));
  });
  const MatrixXd by_v = derivative<LongNumber>(
      n, [&](const LongNumbers& e) { return solution(in_motion(at_rest, tree, q, v + e, tau)); });
  const MatrixXd by_tau = derivative<LongNumber>(n, [&](const LongNumbers& e) {
    Equations pushed = here;
    pushed.right += e;
    return solution(pushed);
  });
  return {array("da_dq", by_q.topRows(n)),         array("da_dv", by_v.topRows(n)),
          array("da_dtau", by_tau.topRows(n)),     array("dlambda_dq", by_q.bottomRows(m)),
          array("dlambda_dv", by_v.bottomRows(m)), array("dlambda_dtau", by_tau.bottomRows(m))};
}

/// M (x - v) = J^T impulse, J x = 0.
Outputs impulse_dynamics(const Tree& tree, const State& x) {
  Equations equations = at_position(tree, constant(x.q));
  equations.right = equations.M * constant(x.v);
  equations.gamma.setZero();
  const MatrixXd solution = values(solver_of(tree, equations, x.active)(equations));
  return {array("v_after", solution.topRows(tree.nv)),
          array("impulse", solution.bottomRows(tree.constraints.num_rows()))};
}

/// J M^-1 J^T.
MatrixXd delassus_matrix(const LongMatrix& M, const LongMatrix& J) {
  return (J * inverse_of(M)(J.transpose())).cast<double>();
}

Outputs delassus(const Tree& tree, const State& x) {
  const LongNumbers q = constant(x.q);
  return {
      array("D", delassus_matrix(real(Solver<LongNumber>(tree).crba(q)), real(velocity_rows(tree, q).J)))};
}

Outputs constraint_residual(const Tree& tree, const State& x) {
  const Rows rows = velocity_rows(tree, constant(x.q));
  // Contacts have no residual.
  const auto own = [&](const VectorXd& all) {
    VectorXd own_rows(tree.constraints.num_residual_rows());
    for (const Constraint& constraint : tree.constraints.all) {
      if (!constraint.is_contact())
        own_rows.segment(constraint.first_residual, constraint.num_rows()) =
            all.segment(constraint.first_row, constraint.num_rows());
    }
    return own_rows;
  };
  return {array("e", own(values(rows.e))), array("de", own(values(rows.J * constant(x.v))))};
}

/// The condition of the kept rows of D.
double condition(const Tree& tree, const State& x) {
  const Equations equations = at_position(tree, constant(x.q));
  const std::vector<int> kept = kept_rows(tree, equations, x.active);
  if (kept.empty()) return 1.0;
  MatrixXd J(static_cast<Eigen::Index>(kept.size()), tree.nv);
  for (Eigen::Index r = 0; r < J.rows(); ++r)
    J.row(r) = values(equations.J.row(kept[static_cast<std::size_t>(r)]));
  return condition_of(delassus_matrix(real(equations.M), J.cast<long double>()));
}

double allowance(const Tree& tree, const State& x) { return allowance_at(condition(tree, x)); }

/// D has the square of the condition that rows of J have. So its solution amplifies rounding by the root of it more
/// than rounded data show; derivatives have it twice.
double amplification(const Tree& tree, const State& x) { return std::sqrt(condition(tree, x)); }

/// Accelerations and velocities are sums of M^-1 J^T lambda and what there is without constraints. Where a constraint
/// holds, these cancel. `compute` gives such arrays first, then as many arrays of forces.
Outputs term_sizes(const Tree& tree, const State& x, const OutputFunction::Compute& compute) {
  const Equations equations = at_position(tree, constant(x.q));
  const Eigen::Index n = tree.nv, m = equations.J.rows();
  MatrixXd JT = MatrixXd::Zero(n, m);
  for (const int row : kept_rows(tree, equations, x.active))
    JT.col(row) = values(equations.J.row(row).transpose()).cwiseAbs();
  const LongMatrix Minv = inverse_of(real(equations.M))(LongMatrix::Identity(n, n));
  LongRows to_base = LongRows::Identity(m, m);
  turn_contacts(tree, transposed(equations.R_base), to_base);
  const MatrixXd by_row =
      MatrixXd(Minv.cast<double>().cwiseAbs()) * JT * MatrixXd(values(to_base).cwiseAbs());
  Outputs sizes = compute(tree, x);
  for (std::size_t k = 0; k < sizes.size() / 2; ++k) {
    OutputArray &held = sizes[k], &forces = sizes[k + sizes.size() / 2];
    const MatrixXd of_forces = with_rows(m, forces).cwiseAbs();
    held.values = numbers(with_rows(n, held).cwiseAbs() + by_row * of_forces);
    forces.values = numbers(of_forces);
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

MatrixXd constraint_jacobian(const Tree& tree, const VectorXd& q) {
  return values(velocity_rows(tree, constant(q)).J);
}

std::vector<bool> dependent_rows(const Tree& tree, const State& x) {
  std::vector<bool> depends(static_cast<std::size_t>(tree.constraints.num_rows()), true);
  const VectorXd all = VectorXd::Ones(tree.constraints.count());
  for (const int row : kept_rows(tree, at_position(tree, constant(x.q)), all))
    depends[static_cast<std::size_t>(row)] = false;
  return depends;
}

}  // namespace featherline::reference
