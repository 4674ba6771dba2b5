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

}  // namespace

bool has_residual(const std::string& function) {
  return function == "aba" || function == "aza" || function == "minv";
}

Residual residual(const std::string& function, const model::Tree& tree, const State& state,
                  const Outputs& outputs) {
  Solver<double> solver(tree);
  const MatrixXd M = solver.crba(state.q);
  const Eigen::Index columns = function == "minv" ? tree.nv : 1;
  const MatrixXd x = Eigen::Map<const MatrixXd>(outputs.front().values.data(), tree.nv, columns);
  const MatrixXd nothing = MatrixXd::Zero(tree.nv, columns);
  if (function == "aba")
    return solved("M a + bias - tau", M, x, x.cwiseAbs(), solver.bias(state.q, state.v), state.tau);
  if (function == "aza") return solved("M x - b", M, x, x.cwiseAbs(), nothing, state.b);
  const Eigen::VectorXd root = x.diagonal().cwiseAbs().cwiseSqrt();  // |Minv_kj| <= root_k root_j
  return solved("M Minv - I", M, x, root * root.transpose(), nothing, MatrixXd::Identity(tree.nv, tree.nv));
}

}  // namespace featherline::reference
