#include "reference/constraint_rows.hpp"
#include "reference/dual.hpp"
#include "reference/expected_groups.hpp"
#include "reference/kept_rows.hpp"
#include "reference/solver.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <complex>
#include <limits>

/// Constraints, straight from the definitions in model/constraints.hpp: velocity rows from Jacobians of the anchors,
/// their rates by dual numbers along q(t), the equations solved as one dense system, derivatives by complex step.
namespace featherline::reference {
namespace {

using model::Constraint;
using model::ConstraintType;
using model::Tree;
using Long = long double;
using LongComplex = std::complex<Long>;
using LongDual = Dual<LongComplex>;
constexpr Long long_step = 1e-100L;

template <class T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

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
template <class T>
class ConstraintRows {
 public:
  explicit ConstraintRows(const Tree& tree) : tree_(with_anchor_links(tree)), solver_(tree_) {}

  const Tree& tree() const { return tree_; }

  MatrixX<T> jacobian(const VectorX<T>& q) {
    MatrixX<T> J(tree_.constraints.num_rows(), tree_.nv);
    each([&](const Constraint& constraint, int anchor) {
      J.middleRows(constraint.first_row, constraint.num_rows()) = rows(constraint, anchor, q);
    });
    return J;
  }

  /// Of all rows. It is zero but for loops and contacts with an anchor.
  VectorX<T> errors(const VectorX<T>& q) {
    VectorX<T> e = VectorX<T>::Zero(tree_.constraints.num_rows());
    each([&](const Constraint& constraint, int anchor) {
      if (constraint.held_at)
        e.segment(constraint.first_row, constraint.num_linear_rows()) = distance(constraint, anchor, q);
      if (!constraint.is_loop()) return;
      const Pose<T> X1 = solver_.link_pose(q, anchor), X2 = solver_.link_pose(q, anchor + 1);
      const Matrix3<T> R = X1.R.transpose() * X2.R;
      e.template segment<3>(constraint.first_row) = X1.R.transpose() * (X2.p - X1.p);
      if (constraint.type == ConstraintType::loop_axis) {
        e[constraint.first_row + 3] = -R(1, 2);
        e[constraint.first_row + 4] = R(0, 2);
      }
      if (constraint.type == ConstraintType::loop_weld) {
        const T scale = T(2.0) / (T(1.0) + R(0, 0) + R(1, 1) + R(2, 2));
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

  MatrixX<T> world_jacobian(const VectorX<T>& q, int anchor) {
    return solver_.frame_jacobian(q, anchor, Frame::local_world_aligned);
  }

  /// From where a contact is held, along the axes of its rows.
  VectorX<T> distance(const Constraint& constraint, int anchor, const VectorX<T>& q) {
    const Pose<T> X = solver_.link_pose(q, anchor);
    const Vector3<T> d = X.p - constraint.held_at->template cast<T>();
    if (has_vectors(constraint)) return d;
    const Vector3<T> along = contact_axes(constraint, X.R).transpose() * d;
    return constraint.type == ConstraintType::contact_normal ? along.tail(1).eval() : along.head(2).eval();
  }

  static Matrix3<T> contact_axes(const Constraint& constraint, const Matrix3<T>& R) {
    return constraint.world_axes ? Matrix3<T>(constraint.world_axes->template cast<T>()) : R;
  }

  MatrixX<T> rows(const Constraint& constraint, int anchor, const VectorX<T>& q) {
    if (constraint.is_loop()) return loop_rows(constraint, anchor, q);
    const MatrixX<T> J = world_jacobian(q, anchor);
    if (has_vectors(constraint)) return J.topRows(constraint.num_rows());
    const Matrix3<T> R = solver_.link_pose(q, anchor).R;
    if (constraint.is_contact()) {
      const MatrixX<T> along = contact_axes(constraint, R).transpose() * J.topRows(3);
      if (constraint.type == ConstraintType::contact_normal) return along.bottomRows(1);
      return along.topRows(2);
    }
    const Vector3<T> n = R.col(2);
    if (constraint.type == ConstraintType::no_sliding) return n.transpose() * J.topRows(3);
    return rolling_rows(J, n, constraint.radius);
  }

  MatrixX<T> loop_rows(const Constraint& constraint, int anchor, const VectorX<T>& q) {
    const Pose<T> X1 = solver_.link_pose(q, anchor), X2 = solver_.link_pose(q, anchor + 1);
    const MatrixX<T> J1 = world_jacobian(q, anchor), J2 = world_jacobian(q, anchor + 1);
    const Vector3<T> between = X2.p - X1.p;
    MatrixX<T> J(6, tree_.nv);
    J.topRows(3) = X1.R.transpose() * (J2.topRows(3) - J1.topRows(3) + skew(between) * J1.bottomRows(3));
    J.bottomRows(3) = X1.R.transpose() * (J2.bottomRows(3) - J1.bottomRows(3));
    return J.topRows(constraint.num_rows());
  }

  /// Of the point of the wheel that is lowest.
  MatrixX<T> rolling_rows(const MatrixX<T>& J, const Vector3<T>& n, double radius) {
    using std::sqrt;
    const Vector3<T> up(T(0.0), T(0.0), T(1.0));
    const Vector3<T> across(n[1], -n[0], T(0.0));  // n x up
    const Vector3<T> forward = across / sqrt(n[0] * n[0] + n[1] * n[1]);
    const Vector3<T> sideways(-forward[1], forward[0], T(0.0));
    const Vector3<T> to_ground = -(skew(forward) * n) * T(radius);
    const MatrixX<T> point = J.topRows(3) - skew(to_ground) * J.bottomRows(3);
    MatrixX<T> rows(3, tree_.nv);
    rows << forward.transpose() * point, sideways.transpose() * point, up.transpose() * point;
    return rows;
  }

  Tree tree_;
  Solver<T> solver_;
};

template <class T>
VectorX<T> parts(const VectorX<Dual<T>>& x, T Dual<T>::*part) {
  VectorX<T> result(x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) result[k] = x[k].*part;
  return result;
}

/// What an impact or an acceleration solves: M x = right + J^T lambda, J x = -gamma. Contacts of a floating robot have
/// their rows in the axes of the base here. So rows that depend on others are the same wherever the robot turns.
struct Equations {
  Rows<LongComplex> M, J;
  VectorX<LongComplex> right, gamma;
  Matrix3<LongComplex> R_base;  ///< from those axes to the world's
};

/// Of a floating base that carries everything; of other robots the identity.
Matrix3<LongComplex> base_rotation(const Tree& tree, const VectorX<LongComplex>& q) {
  const auto roots = std::count_if(tree.bodies.begin(), tree.bodies.end(),
                                   [](const model::Body& body) { return body.parent < 0; });
  if (roots != 1 || tree.bodies.front().joint.type != model::JointType::floating)
    return Matrix3<LongComplex>::Identity();
  return Solver<LongComplex>(tree).body_poses(q).front().R;
}

/// The rows of contacts that are vectors, turned.
template <class Matrix>
void turn_contacts(const Tree& tree, const Matrix3<LongComplex>& R, Matrix& rows) {
  for (const Constraint& constraint : tree.constraints.all) {
    if (!has_vectors(constraint)) continue;
    for (int r = constraint.first_row; r < constraint.first_row + constraint.num_rows(); r += 3)
      rows.middleRows(r, 3) = (R * rows.middleRows(r, 3)).eval();
  }
}

Equations in_base_axes(const Tree& tree, const VectorX<LongComplex>& q, Equations equations) {
  equations.R_base = base_rotation(tree, q);
  const Matrix3<LongComplex> to_base = equations.R_base.transpose();
  turn_contacts(tree, to_base, equations.J);
  turn_contacts(tree, to_base, equations.gamma);
  return equations;
}

/// M and J, and nothing else.
Equations inertia_and_rows(const Tree& tree, const VectorX<LongComplex>& q) {
  const Rows<LongComplex> J = ConstraintRows<LongComplex>(tree).jacobian(q);
  return in_base_axes(tree, q,
                      {Solver<LongComplex>(tree).crba(q),
                       J,
                       VectorX<LongComplex>::Zero(tree.nv),
                       VectorX<LongComplex>::Zero(J.rows()),
                       {}});
}

Equations dynamics(const Tree& tree, const VectorX<LongComplex>& q, const VectorX<LongComplex>& v,
                   const VectorX<LongComplex>& tau) {
  Solver<LongComplex> solver(tree);
  ConstraintRows<LongDual> moving(tree);
  ConstraintRows<LongComplex> still(tree);
  VectorX<LongDual> along(tree.nv), rate(tree.nv), start(tree.nq);
  for (int k = 0; k < tree.nv; ++k) {
    along[k] = {LongComplex(0.0), v[k]};
    rate[k] = v[k];
  }
  for (int k = 0; k < tree.nq; ++k) start[k] = q[k];
  const VectorX<LongDual> speeds = moving.jacobian(integrate<LongDual>(tree, start, along)) * rate;
  const model::Constraints& constraints = tree.constraints;
  const VectorX<LongComplex> gamma = parts<LongComplex>(speeds, &LongDual::du) +
                                     LongComplex(constraints.kp) * still.errors(q) +
                                     LongComplex(constraints.kd) * parts<LongComplex>(speeds, &LongDual::re);
  return in_base_axes(tree, q, {solver.crba(q), still.jacobian(q), tau - solver.bias(q, v), gamma, {}});
}

std::vector<int> kept_rows(const Tree& tree, const Equations& equations, const Eigen::VectorXd& active) {
  return reference::kept_rows(tree, equations.M.real(), equations.J.real(), active);
}

struct Solution {
  VectorX<LongComplex> x, lambda;
};

/// The dense system.
Solution solve(const Tree& tree, const Equations& equations, const std::vector<int>& kept) {
  const Eigen::Index n = equations.M.rows(), m = static_cast<Eigen::Index>(kept.size());
  Rows<LongComplex> K = Rows<LongComplex>::Zero(n + m, n + m);
  VectorX<LongComplex> right(n + m);
  K.topLeftCorner(n, n) = equations.M;
  right.head(n) = equations.right;
  for (Eigen::Index r = 0; r < m; ++r) {
    const int row = kept[static_cast<std::size_t>(r)];
    K.block(n + r, 0, 1, n) = equations.J.row(row);
    K.block(0, n + r, n, 1) = -equations.J.row(row).transpose();
    right[n + r] = -equations.gamma[row];
  }
  const VectorX<LongComplex> x = Eigen::PartialPivLU<Rows<LongComplex>>(K).solve(right);
  Solution solution{x.head(n), VectorX<LongComplex>::Zero(equations.J.rows())};
  for (Eigen::Index r = 0; r < m; ++r) solution.lambda[kept[static_cast<std::size_t>(r)]] = x[n + r];
  turn_contacts(tree, equations.R_base, solution.lambda);
  return solution;
}

Equations at_state(const Tree& tree, const State& x) {
  return dynamics(tree, x.q.cast<LongComplex>(), x.v.cast<LongComplex>(), x.tau.cast<LongComplex>());
}

Eigen::MatrixXd real(const Rows<LongComplex>& x) { return x.real().cast<double>(); }
Eigen::VectorXd over_long_step(const VectorX<LongComplex>& x) {
  return (x.imag() / long_step).cast<double>();
}

Outputs constrained_dynamics(const Tree& tree, const State& x) {
  const Equations equations = at_state(tree, x);
  const Solution solution = solve(tree, equations, kept_rows(tree, equations, x.active));
  return {array("a", real(solution.x)), array("lambda", real(solution.lambda))};
}

Outputs constrained_dynamics_derivatives(const Tree& tree, const State& x) {
  const std::vector<int> kept = kept_rows(tree, at_state(tree, x), x.active);
  const int n = tree.nv, m = tree.constraints.num_rows();
  const VectorX<LongComplex> q = x.q.cast<LongComplex>(), v = x.v.cast<LongComplex>(),
                             tau = x.tau.cast<LongComplex>();
  std::vector<Eigen::MatrixXd> da(3, Eigen::MatrixXd(n, n)), dlambda(3, Eigen::MatrixXd(m, n));
  for (int k = 0; k < n; ++k) {
    VectorX<LongComplex> e = VectorX<LongComplex>::Zero(n);
    e[k] = LongComplex(0.0, long_step);
    const Equations moved[] = {dynamics(tree, integrate<LongComplex>(tree, q, e), v, tau),
                               dynamics(tree, q, v + e, tau), dynamics(tree, q, v, tau + e)};
    for (std::size_t by = 0; by < 3; ++by) {
      const Solution solution = solve(tree, moved[by], kept);
      da[by].col(k) = over_long_step(solution.x);
      dlambda[by].col(k) = over_long_step(solution.lambda);
    }
  }
  return {array("da_dq", da[0]),           array("da_dv", da[1]),
          array("da_dtau", da[2]),         array("dlambda_dq", dlambda[0]),
          array("dlambda_dv", dlambda[1]), array("dlambda_dtau", dlambda[2])};
}

/// M (x - v) = J^T impulse, J x = 0.
Outputs impulse_dynamics(const Tree& tree, const State& x) {
  Equations equations = inertia_and_rows(tree, x.q.cast<LongComplex>());
  equations.right = equations.M * x.v.cast<LongComplex>();
  const Solution solution = solve(tree, equations, kept_rows(tree, equations, x.active));
  return {array("v_after", real(solution.x)), array("impulse", real(solution.lambda))};
}

Outputs delassus(const Tree& tree, const State& x) {
  const VectorX<LongComplex> q = x.q.cast<LongComplex>();
  const Rows<LongComplex> M = Solver<LongComplex>(tree).crba(q),
                          J = ConstraintRows<LongComplex>(tree).jacobian(q);
  return {array("D", real(J * Eigen::PartialPivLU<Rows<LongComplex>>(M).solve(J.transpose())))};
}

Outputs constraint_residual(const Tree& tree, const State& x) {
  ConstraintRows<LongComplex> rows(tree);
  const VectorX<LongComplex> q = x.q.cast<LongComplex>();
  const Eigen::VectorXd e = real(rows.errors(q)), de = real(rows.jacobian(q) * x.v.cast<LongComplex>());
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

/// The condition of the kept rows of D.
double condition(const Tree& tree, const State& x) {
  const Equations equations = inertia_and_rows(tree, x.q.cast<LongComplex>());
  const std::vector<int> kept = kept_rows(tree, equations, x.active);
  if (kept.empty()) return 1.0;
  Eigen::MatrixXd J(static_cast<Eigen::Index>(kept.size()), tree.nv);
  for (Eigen::Index r = 0; r < J.rows(); ++r)
    J.row(r) = real(equations.J.row(kept[static_cast<std::size_t>(r)]));
  const Eigen::MatrixXd D = J * real(equations.M).ldlt().solve(J.transpose());
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(D).eigenvalues();
  return values[0] > 0.0 ? values[values.size() - 1] / values[0] : std::numeric_limits<double>::infinity();
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
  const Equations equations = inertia_and_rows(tree, x.q.cast<LongComplex>());
  const Eigen::Index n = tree.nv, m = equations.J.rows();
  Eigen::MatrixXd JT = Eigen::MatrixXd::Zero(n, m);
  for (const int row : kept_rows(tree, equations, x.active))
    JT.col(row) = real(equations.J.row(row).transpose()).cwiseAbs();
  const Eigen::MatrixXd by_force = real(equations.M).inverse().cwiseAbs() * JT;
  Rows<LongComplex> to_base = Rows<LongComplex>::Identity(m, m);
  turn_contacts(tree, Matrix3<LongComplex>(equations.R_base.transpose()), to_base);
  Outputs sizes = compute(tree, x);
  for (std::size_t k = 0; k < sizes.size() / 2; ++k) {
    std::vector<double>&held = sizes[k].values, &forces = sizes[k + sizes.size() / 2].values;
    const Eigen::Index columns = static_cast<Eigen::Index>(held.size()) / n;
    const Eigen::MatrixXd terms = by_force * real(to_base).cwiseAbs() *
                                  Eigen::Map<const Eigen::MatrixXd>(forces.data(), m, columns).cwiseAbs();
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
  return real(ConstraintRows<LongComplex>(tree).jacobian(q.cast<LongComplex>()));
}

std::vector<bool> dependent_rows(const Tree& tree, const State& x) {
  std::vector<bool> depends(static_cast<std::size_t>(tree.constraints.num_rows()), true);
  const Eigen::VectorXd all = Eigen::VectorXd::Ones(tree.constraints.count());
  for (const int row : kept_rows(tree, at_state(tree, x), all))
    depends[static_cast<std::size_t>(row)] = false;
  return depends;
}

}  // namespace featherline::reference
