#include "reference/residual.hpp"

#include "reference/solver.hpp"

namespace featherline::reference {
namespace {

using Eigen::MatrixXd;

std::vector<double> numbers(const MatrixXd& x) { return {x.data(), x.data() + x.size()}; }

/// M x + left - right, all nv x columns; `magnitudes` of x are those its own rounding is relative to.
Residual solved(const std::string& name, const MatrixXd& M, const MatrixXd& x, const MatrixXd& magnitudes,
                const MatrixXd& left, const MatrixXd& right) {
  const MatrixXd sizes = M.cwiseAbs() * x.cwiseAbs() + left.cwiseAbs() + right.cwiseAbs();
  const Eigen::VectorXd root = M.diagonal().cwiseAbs().cwiseSqrt();
  const Eigen::RowVectorXd largest = (root.asDiagonal() * magnitudes).colwise().maxCoeff();
  return {name, numbers(M * x + left - right), numbers(sizes), numbers(sizes.cwiseMax(root * largest))};
}

/// The first output, nv rows.
MatrixXd columns(const Outputs& outputs, const model::Tree& tree) {
  const std::vector<double>& values = outputs.front().values;
  return Eigen::Map<const MatrixXd>(values.data(), tree.nv,
                                    static_cast<Eigen::Index>(values.size()) / tree.nv);
}

}  // namespace

Residual forward_dynamics_residual(const model::Tree& tree, const State& state, const Outputs& a) {
  Solver<double> solver(tree);
  const MatrixXd x = columns(a, tree);
  return solved("M a + bias - tau", solver.crba(state.q), x, x.cwiseAbs(), solver.bias(state.q, state.v),
                state.tau);
}

Residual solution_residual(const model::Tree& tree, const State& state, const Outputs& solution) {
  const MatrixXd x = columns(solution, tree);
  return solved("M x - b", Solver<double>(tree).crba(state.q), x, x.cwiseAbs(), MatrixXd::Zero(tree.nv, 1),
                state.b);
}

Residual inverse_residual(const model::Tree& tree, const State& state, const Outputs& inverse) {
  const MatrixXd x = columns(inverse, tree);
  const Eigen::VectorXd root = x.diagonal().cwiseAbs().cwiseSqrt();  // |Minv_kj| <= root_k root_j
  return solved("M Minv - I", Solver<double>(tree).crba(state.q), x, root * root.transpose(),
                MatrixXd::Zero(tree.nv, tree.nv), MatrixXd::Identity(tree.nv, tree.nv));
}

}  // namespace featherline::reference
