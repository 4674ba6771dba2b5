#include "reference/expected_groups.hpp"

#include <featherline/pivot.hpp>

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>
#include <utility>

/// Inverse dynamics under constraints, from its definition. A is J in the coordinates without motor, and b is
/// M a + C v + g there; rows of turning and coordinates that turn are in units of a length. Of all x for which
/// |b - A^T x| is least, the shortest one counts. It is Q y, where the columns of Q are orthonormal and span those of
/// A. With the residual r
///
///     r + A^T Q y = b,  (A^T Q)^T r = 0.
///
/// It is solved as one dense system; derivatives are those of the system, by hyper-dual numbers. For them Q need not
/// stay orthonormal: it is columns of A times a matrix that is held.
namespace featherline::reference {
namespace {

using model::Constraint;

struct InverseProblem {
  LongRows J;
  LongRows A;       ///< scaled, by row and by coordinate without motor
  LongNumbers tau;  ///< M a + C v + g
  VectorXd units;   ///< by row, of lambda: zero where the constraint is not active
};

/// By row. `active` weighs the rows of a constraint.
VectorXd units_of_rows(const Tree& tree, const VectorXd& active) {
  VectorXd units(tree.constraints.num_rows());
  for (int k = 0; k < tree.constraints.count(); ++k) {
    const Constraint& constraint = tree.constraints.all[static_cast<std::size_t>(k)];
    for (int r = 0; r < constraint.num_rows(); ++r)
      units[constraint.first_row + r] =
          active[k] * (r < constraint.num_linear_rows() ? 1.0 : tree.constraints.length);
  }
  return units;
}

/// The same of torques, by coordinate without motor.
VectorXd units_of_torques(const Tree& tree) {
  VectorXd units = VectorXd::Ones(tree.nv);
  for (const model::Body& body : tree.bodies) {
    int k = body.joint.idx_v;
    for (const model::Motion& motion : body.joint.row().motions)
      units[k++] = motion.kind == model::Motion::Kind::slide ? 1.0 : tree.constraints.length;
  }
  return units(tree.constraints.without_motor);
}

InverseProblem problem_at(const Tree& tree, const LongNumbers& q, const LongNumbers& v, const LongNumbers& a,
                          const VectorXd& active) {
  InverseProblem problem{
      velocity_rows(tree, q).J, {}, Solver<LongNumber>(tree).rnea(q, v, a), units_of_rows(tree, active)};
  problem.A = constant(problem.units).asDiagonal() * problem.J(Eigen::all, tree.constraints.without_motor);
  problem.A = problem.A * constant(units_of_torques(tree).cwiseInverse()).asDiagonal();
  return problem;
}

std::vector<int> columns_that_span(const LongMatrix& A) {
  const LongMatrix rows = A.transpose();
  const VectorXd squares = rows.rowwise().squaredNorm().cast<double>();
  return independent_rows(rows, squares.array() + model::least_row);
}

/// Solves problems that are `here` at the state: tau, then lambda.
class LeastSolution {
 public:
  LeastSolution(const Tree& tree, const InverseProblem& here)
      : tree_(tree),
        kept_(columns_that_span(real(here.A))),
        to_Q_(orthonormal(real(here.A)(Eigen::all, kept_))),
        inverse_(inverse_of(real(system(here)))),
        x_(inverse_(real(right(here)))) {}

  VectorX<LongNumber> operator()(const InverseProblem& problem) const {
    const LongMatrix dK_x = part(system(problem), &LongNumber::d2) * x_,
                     dx = inverse_(part(right(problem), &LongNumber::d2) - dK_x);
    LongNumbers y(std::ssize(kept_));
    for (Eigen::Index k = 0, first = x_.rows() - y.size(); k < y.size(); ++k)
      y[k] = LongNumber(x_(first + k, 0), 0, dx(first + k, 0), 0);
    const LongNumbers x = Q(problem) * y;
    const LongNumbers lambda = constant(problem.units).asDiagonal() * x;
    LongNumbers all(tree_.nv + lambda.size());
    all << problem.tau - problem.J.transpose() * lambda, lambda;
    return all;
  }

 private:
  /// T with orthonormal columns of A T.
  static LongMatrix orthonormal(const LongMatrix& A) {
    const LongMatrix L = Eigen::LLT<LongMatrix>(A.transpose() * A).matrixL();
    return L.transpose().triangularView<Eigen::Upper>().solve(LongMatrix::Identity(A.cols(), A.cols()));
  }
  LongRows Q(const InverseProblem& problem) const {
    return problem.A(Eigen::all, kept_) * to_Q_.cast<LongNumber>();
  }
  LongRows system(const InverseProblem& problem) const {
    const Eigen::Index n = problem.A.cols(), m = std::ssize(kept_);
    const LongRows P = problem.A.transpose() * Q(problem);
    LongRows K = LongRows::Zero(n + m, n + m);
    K.topLeftCorner(n, n).setIdentity();
    K.topRightCorner(n, m) = P;
    K.bottomLeftCorner(m, n) = P.transpose();
    return K;
  }
  LongRows right(const InverseProblem& problem) const {
    LongRows b = LongRows::Zero(problem.A.cols() + std::ssize(kept_), 1);
    b.topRows(problem.A.cols()) = constant(units_of_torques(tree_).cwiseInverse()).asDiagonal() *
                                  problem.tau(tree_.constraints.without_motor);
    return b;
  }

  const Tree& tree_;
  std::vector<int> kept_;
  LongMatrix to_Q_;
  std::function<LongMatrix(const LongMatrix&)> inverse_;
  LongMatrix x_;
};

InverseProblem problem_in(const Tree& tree, const State& x) {
  return problem_at(tree, constant(x.q), constant(x.v), constant(x.a), x.active);
}

Outputs constrained_inverse_dynamics(const Tree& tree, const State& x) {
  const InverseProblem here = problem_in(tree, x);
  const MatrixXd solution = values(LeastSolution(tree, here)(here));
  return {array("tau", solution.topRows(tree.nv)),
          array("lambda", solution.bottomRows(tree.constraints.num_rows()))};
}

Outputs constrained_inverse_dynamics_derivatives(const Tree& tree, const State& x) {
  const LongNumbers q = constant(x.q), v = constant(x.v), a = constant(x.a);
  const LeastSolution solution(tree, problem_in(tree, x));
  const auto by = [&](const auto& moved) {
    return derivative<LongNumber>(tree.nv, [&](const LongNumbers& e) { return solution(moved(e)); });
  };
  const MatrixXd by_q = by([&](const LongNumbers& e) {
    return problem_at(tree, integrate<LongNumber>(tree, q, e), v, a, x.active);
  });
  const MatrixXd by_v = by([&](const LongNumbers& e) { return problem_at(tree, q, v + e, a, x.active); });
  const MatrixXd by_a = by([&](const LongNumbers& e) { return problem_at(tree, q, v, a + e, x.active); });
  const int n = tree.nv, m = tree.constraints.num_rows();
  return {array("dtau_dq", by_q.topRows(n)),       array("dtau_dv", by_v.topRows(n)),
          array("dtau_da", by_a.topRows(n)),       array("dlambda_dq", by_q.bottomRows(m)),
          array("dlambda_dv", by_v.bottomRows(m)), array("dlambda_da", by_a.bottomRows(m))};
}

/// The condition of A^T A, in the columns that span it.
double condition_without_motor(const Tree& tree, const State& x) {
  const LongMatrix A = real(problem_in(tree, x).A);
  const MatrixXd kept = A(Eigen::all, columns_that_span(A)).cast<double>();
  return condition_of(kept.transpose() * kept);
}

/// Torques are what is left of those of inverse dynamics: both cancel where no motor acts.
Outputs sizes_of_cancelling_terms(const Tree& tree, const State& x, const OutputFunction::Compute& compute) {
  const MatrixXd JT = values(problem_in(tree, x).J.transpose()).cwiseAbs();
  Outputs sizes = compute(tree, x);
  for (std::size_t k = 0; k < sizes.size() / 2; ++k) {
    OutputArray &torques = sizes[k], &forces = sizes[k + sizes.size() / 2];
    const MatrixXd of_forces = with_rows(JT.cols(), forces).cwiseAbs();
    torques.values = numbers(with_rows(tree.nv, torques).cwiseAbs() + JT * of_forces);
    forces.values = numbers(of_forces);
  }
  return sizes;
}

/// It holds whatever lambda is.
Residual equation_of_motion(const Tree& tree, const State& x, const Outputs& outputs) {
  const MatrixXd tau = with_rows(tree.nv, outputs[0]), JT = values(problem_in(tree, x).J.transpose()),
                 lambda = with_rows(JT.cols(), outputs[1]), wanted = Double(tree).rnea(x.q, x.v, x.a);
  const std::vector<double> sizes =
      numbers(tau.cwiseAbs() + JT.cwiseAbs() * lambda.cwiseAbs() + wanted.cwiseAbs());
  return {"tau + J^T lambda - rnea", numbers(tau + JT * lambda - wanted), sizes, sizes};
}

OutputFunction judge(const char* name, const OutputFunction::Compute& compute, double power) {
  OutputFunction function{.name = name, .compute = compute};
  function.term_sizes = [compute](const Tree& tree, const State& x) {
    return sizes_of_cancelling_terms(tree, x, compute);
  };
  function.allowance = [](const Tree& tree, const State& x) {
    return allowance_at(condition_without_motor(tree, x));
  };
  // Float drops a pivot only above this condition. There it may take a column for one that depends on others: its
  // results are then those of another rank, of which the equation of motion alone is judged.
  function.amplification = [power](const Tree& tree, const State& x) {
    const double condition = condition_without_motor(tree, x);
    return condition > 1.0 / pivot_tolerance<float> ? std::numeric_limits<double>::infinity()
                                                    : std::pow(condition, power);
  };
  return function;
}

}  // namespace

/// Amplification is that of expected_constraints.cpp.
std::vector<OutputFunction> expected_constrained_inverse() {
  OutputFunction torques = judge("constrained_inverse_dynamics", constrained_inverse_dynamics, 0.5);
  torques.residual = equation_of_motion;
  return {std::move(torques),
          judge("constrained_inverse_dynamics_derivatives", constrained_inverse_dynamics_derivatives, 1.0)};
}

}  // namespace featherline::reference
