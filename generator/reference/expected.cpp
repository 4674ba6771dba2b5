#include "reference/expected.hpp"

#include "reference/expected_groups.hpp"

namespace featherline::reference {

Residual residual(const char* name, const MatrixXd& M, const MatrixXd& x, const MatrixXd& magnitudes,
                  const MatrixXd& left, const MatrixXd& right) {
  const MatrixXd sizes = MatrixXd(M.cwiseAbs()) * MatrixXd(x.cwiseAbs()) + left.cwiseAbs() + right.cwiseAbs();
  const VectorXd root = M.diagonal().cwiseAbs().cwiseSqrt();
  const Eigen::RowVectorXd largest = (root.asDiagonal() * magnitudes).colwise().maxCoeff();
  const MatrixXd factored = sizes.cwiseMax(root * largest);
  return {name, numbers(M * x + left - right), numbers(sizes), numbers(factored)};
}

namespace {

Residual forward_dynamics_residual(const Tree& tree, const State& x, const Outputs& outputs) {
  Double solver(tree);
  const MatrixXd a = with_rows(tree.nv, outputs.front());
  return residual("M a + bias - tau", solver.crba(x.q), a, a.cwiseAbs(), solver.bias(x.q, x.v), x.tau);
}

Residual solution_residual(const Tree& tree, const State& s, const Outputs& outputs) {
  const MatrixXd x = with_rows(tree.nv, outputs.front()), zero = MatrixXd::Zero(tree.nv, 1);
  return residual("M x - b", Double(tree).crba(s.q), x, x.cwiseAbs(), zero, s.b);
}

Residual inverse_residual(const Tree& tree, const State& s, const Outputs& outputs) {
  const MatrixXd x = with_rows(tree.nv, outputs.front()), zero = MatrixXd::Zero(tree.nv, tree.nv),
                 one = MatrixXd::Identity(tree.nv, tree.nv);
  const VectorXd root = x.diagonal().cwiseAbs().cwiseSqrt();  // |Minv_kj| <= root_k root_j
  return residual("M Minv - I", Double(tree).crba(s.q), x, root * root.transpose(), zero, one);
}

std::vector<OutputFunction> dynamics() {
  return {
      single("rnea", "tau", [](TreeRef t, StateRef s) { return Double(t).rnea(s.q, s.v, s.a); }),
      single("bias", "tau", [](TreeRef t, StateRef s) { return Double(t).bias(s.q, s.v); }),
      single("gravity", "tau", [](TreeRef t, StateRef s) { return Double(t).gravity(s.q); }),
      single("mass_matrix", "M", [](TreeRef t, StateRef s) { return Double(t).crba(s.q); }),
      {.name = "aba",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("a", Double(t).aba(s.q, s.v, s.tau))}; },
       .residual = forward_dynamics_residual},
      {.name = "aza",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("x", Double(t).minv(s.q) * s.b)}; },
       .residual = solution_residual},
      {.name = "minv",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("Minv", Double(t).minv(s.q))}; },
       .residual = inverse_residual},
  };
}

/// f for the robot that a state makes, if inputs were chosen.
template <class Result, class... More>
std::function<Result(TreeRef, StateRef, More...)> of_robot_in_state(
    std::function<Result(TreeRef, StateRef, More...)> f) {
  if (!f) return f;
  return [f](TreeRef t, StateRef s, More... more) {
    return t.chosen.any() ? f(model::with_values(t, s.fext, s.p), s, more...) : f(t, s, more...);
  };
}

std::vector<OutputFunction> all_functions() {
  std::vector<OutputFunction> all;
  for (const auto& group : {dynamics(), expected_derivatives(), expected_kinematics(), expected_whole_body(),
                            expected_steps(), expected_contact_steps(), expected_contact_derivatives(),
                            expected_constraints(), expected_constrained_inverse()}) {
    for (OutputFunction function : group) {
      function.compute = of_robot_in_state(function.compute);
      function.probes = of_robot_in_state(function.probes);
      function.residual = of_robot_in_state(function.residual);
      function.term_sizes = of_robot_in_state(function.term_sizes);
      function.allowance = of_robot_in_state(function.allowance);
      function.amplification = of_robot_in_state(function.amplification);
      all.push_back(std::move(function));
    }
  }
  for (const auto& group : {expected_sensitivities(), expected_contact_sensitivities()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

const OutputFunction* find_outputs(const std::string& function) {
  static const std::vector<OutputFunction> all = all_functions();
  const auto found = std::ranges::find_if(all, [&](const auto& f) { return f.name == function; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace featherline::reference
