#include "reference/expected.hpp"

#include "joints/judge/joint.hpp"
#include "reference/derivatives.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <algorithm>
#include <span>

namespace featherline::reference {
namespace {

using Double = Solver<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Tree;
using TreeRef = const Tree&;
using StateRef = const State&;
using DirectionsRef = const Directions&;

// ---- dynamics ----

/// C is not unique. This is one of the matrices with C v = bias - gravity and C + C^T = dM/dt. It is half of dM/dt plus
/// a skew matrix of rank two. The skew matrix turns v into what is missing. It exists because v^T (dM/dt v - 2 C v) =
/// 0. Friction is no part of C.
Outputs coriolis_matrix(const Tree& robot, const State& x) {
  const Tree tree = without_friction(without_loads(robot));
  const MatrixXd half_rate = 0.5 * mass_matrix_rate(tree, x.q, x.v);
  const VectorXd missing = Double(tree).bias(x.q, x.v) - half_rate * x.v;
  const MatrixXd turn = (missing * x.v.transpose() - x.v * missing.transpose()) / x.v.squaredNorm();
  return {array("C", half_rate + turn)};
}

const View& coriolis_view() {
  static const View view{{{"C v", {catalog::nv}}, {"C + C^T", {catalog::nv, catalog::nv}}},
                         [](const State& x, const Outputs& outputs) {
                           const MatrixXd C = with_rows(x.v.size(), outputs.front());
                           return Outputs{array("C v", C * x.v), array("C + C^T", C + C.transpose())};
                         }};
  return view;
}

/// The size of the terms of C_ij: |v| times the largest entry of M in row i or in row j, whichever is less. C_ij is
/// made of derivatives of M_ij, M_ik and M_jk. They cancel where C becomes part of dM/dt.
Outputs coriolis_term_sizes(const Tree& tree, const State& x) {
  const MatrixXd M = Double(tree).crba(x.q).cwiseAbs() * x.v.norm();
  const MatrixXd rows = M.rowwise().maxCoeff().replicate(1, tree.nv);
  State magnitudes = x;
  magnitudes.v = x.v.cwiseAbs();
  return coriolis_view().make(magnitudes, {array("C", rows.cwiseMin(rows.transpose()))});
}

/// M x + left - right, where x is the output. The rounding of x itself is relative to `magnitudes`.
Residual residual(const char* name, const MatrixXd& M, const MatrixXd& x, const MatrixXd& magnitudes,
                  const MatrixXd& left, const MatrixXd& right) {
  const MatrixXd sizes = MatrixXd(M.cwiseAbs()) * MatrixXd(x.cwiseAbs()) + left.cwiseAbs() + right.cwiseAbs();
  const VectorXd root = M.diagonal().cwiseAbs().cwiseSqrt();
  const Eigen::RowVectorXd largest = (root.asDiagonal() * magnitudes).colwise().maxCoeff();
  const MatrixXd factored = sizes.cwiseMax(root * largest);
  return {name, numbers(M * x + left - right), numbers(sizes), numbers(factored)};
}

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
      {.name = "rnea",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("tau", Double(t).rnea(s.q, s.v, s.a))}; }},
      {.name = "bias",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("tau", Double(t).bias(s.q, s.v))}; }},
      {.name = "gravity",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("tau", Double(t).gravity(s.q))}; }},
      {.name = "mass_matrix",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("M", Double(t).crba(s.q))}; }},
      {.name = "coriolis_matrix",
       .compute = coriolis_matrix,
       .view = coriolis_view(),
       .term_sizes = coriolis_term_sizes},
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

// ---- derivatives: matrices and tensors by their products with directions ----

Directional inverse(const Tree& tree, const State& x) { return {Directional::Of::inverse_dynamics, tree, x}; }
Directional forward(const Tree& tree, const State& x) { return {Directional::Of::forward_dynamics, tree, x}; }

/// An array by its products with x (a matrix) or with x and y (a tensor).
struct Products {
  const char* array;
  int order;
  VectorXd (*along)(TreeRef, StateRef, DirectionsRef);

  /// Takes nv or nv^2 passes. (i, j, k) of a tensor is in row i and column j + nv k.
  MatrixXd entries(TreeRef t, StateRef s) const {
    const int n = t.nv;
    MatrixXd all(n, order == 1 ? n : n * n);
    for (int c = 0; c < all.cols(); ++c)
      all.col(c) = along(t, s, {VectorXd::Unit(n, c % n), VectorXd::Unit(n, c / n)});
    return all;
  }
};

using Group = std::span<const Products>;

constexpr Products dtau[] = {
    {"dtau_dq", 1, [](TreeRef t, StateRef s, DirectionsRef d) { return inverse(t, s).dq(d.x); }},
    {"dtau_dv", 1, [](TreeRef t, StateRef s, DirectionsRef d) { return inverse(t, s).dv(d.x); }}};
constexpr Products da[] = {
    {"da_dq", 1, [](TreeRef t, StateRef s, DirectionsRef d) { return forward(t, s).dq(d.x); }},
    {"da_dv", 1, [](TreeRef t, StateRef s, DirectionsRef d) { return forward(t, s).dv(d.x); }},
    {"da_dtau", 1,
     [](TreeRef t, StateRef s, DirectionsRef d) -> VectorXd { return Double(t).minv(s.q) * d.x; }}};
constexpr Products d2tau[] = {
    {"d2tau_dqdq", 2, [](TreeRef t, StateRef s, DirectionsRef d) { return inverse(t, s).dqdq(d.x, d.y); }},
    {"d2tau_dvdv", 2, [](TreeRef t, StateRef s, DirectionsRef d) { return inverse(t, s).dvdv(d.x, d.y); }},
    {"d2tau_dqdv", 2, [](TreeRef t, StateRef s, DirectionsRef d) { return inverse(t, s).dqdv(d.x, d.y); }},
    {"dM_dq", 2,
     [](TreeRef t, StateRef s, DirectionsRef d) { return inertia_derivative(t, s.q, d.x, d.y); }}};
constexpr Products d2a[] = {
    {"d2a_dqdq", 2, [](TreeRef t, StateRef s, DirectionsRef d) { return forward(t, s).dqdq(d.x, d.y); }},
    {"d2a_dvdv", 2, [](TreeRef t, StateRef s, DirectionsRef d) { return forward(t, s).dvdv(d.x, d.y); }},
    {"d2a_dqdv", 2, [](TreeRef t, StateRef s, DirectionsRef d) { return forward(t, s).dqdv(d.x, d.y); }},
    {"d2a_dqdtau", 2,
     [](TreeRef t, StateRef s, DirectionsRef d) { return inverse_derivative(t, s.q, d.y, d.x); }}};
constexpr Products dMw[] = {{"dMw_dq", 1, [](TreeRef t, StateRef s, DirectionsRef d) {
                               return inertia_derivative(t, s.q, s.w, d.x);
                             }}};
constexpr Products dMinvw[] = {{"dMinvw_dq", 1, [](TreeRef t, StateRef s, DirectionsRef d) {
                                  return inverse_derivative(t, s.q, s.w, d.x);
                                }}};

/// Sizes of the terms in the second derivatives of a = M^-1 (tau - bias), in the order of d2a. They solve M d2a =
/// -(d2tau + dM da + (dM da)^T), where d2tau and dM are those of the inverse dynamics. The terms may cancel even if the
/// result is zero for all robots: turning a free root link turns no acceleration within the robot.
std::vector<MatrixXd> second_order_terms(const Tree& tree, const State& x) {
  const int n = tree.nv;
  State at_a = x;
  at_a.a = Double(tree).aba(x.q, x.v, x.tau);
  const MatrixXd squares = Double(tree).minv(x.q).cwiseAbs2();
  const auto tau = [&](std::size_t k) { return MatrixXd(d2tau[k].entries(tree, at_a).cwiseAbs()); };
  const MatrixXd dM = tau(3);
  // (i, j, k): sizes in the product of dM/dq_j and column k of da, or the other way round.
  const auto moved = [&](std::size_t by, bool swapped = false) {
    const MatrixXd rate = da[by].entries(tree, x).cwiseAbs();
    MatrixXd product(n, n * n);
    for (int j = 0; j < n; ++j) {
      const MatrixXd of_j = MatrixXd(dM.middleCols(n * j, n)) * rate;
      for (int k = 0; k < n; ++k) product.col(swapped ? k + n * j : j + n * k) = of_j.col(k);
    }
    return product;
  };
  // The size of M^-1 times errors that are as large as the terms and have random signs.
  const auto solved = [&](const MatrixXd& terms) {
    return MatrixXd((squares * MatrixXd(terms.cwiseAbs2())).cwiseSqrt());
  };
  return {solved(tau(0) + moved(0) + moved(0, true)), solved(tau(1)), solved(tau(2) + moved(1)),
          solved(moved(2))};
}

Outputs named(Group group, const std::vector<MatrixXd>& values) {
  Outputs outputs;
  for (std::size_t k = 0; k < group.size(); ++k) outputs.push_back(array(group[k].array, values[k]));
  return outputs;
}

std::vector<MatrixXd> all_entries(Group group, const Tree& tree, const State& x) {
  std::vector<MatrixXd> all;
  for (const Products& array : group) all.push_back(array.entries(tree, x));
  return all;
}

OutputFunction of_products(const char* name, Group group) {
  OutputFunction function{.name = name, .compute = [group](TreeRef t, StateRef s) {
                            return named(group, all_entries(group, t, s));
                          }};
  function.probes = [group](TreeRef t, StateRef s, DirectionsRef d) {
    std::vector<VectorXd> products;
    for (const Products& array : group) products.push_back(array.along(t, s, d));
    return products;
  };
  return function;
}

/// The Hessian [qq, qv; qv^T, vv] of w^T f, from the second derivatives of f: sums over i of w_i T(i, ., .).
Outputs hessian(const std::vector<MatrixXd>& second, const VectorXd& w) {
  const Eigen::Index n = w.size();
  const auto contracted = [&](const MatrixXd& T) { return (T.transpose() * w).reshaped(n, n).eval(); };
  const MatrixXd qv = contracted(second[2]);
  MatrixXd H(2 * n, 2 * n);
  H << contracted(second[0]), qv, qv.transpose(), contracted(second[1]);
  return {array("H", H)};
}

OutputFunction vector_hessian(const char* name, Group second, Directional (*f)(TreeRef, StateRef)) {
  OutputFunction function{.name = name, .compute = [second](TreeRef t, StateRef s) {
                            return hessian(all_entries(second, t, s), s.w);
                          }};
  function.probes = [f](TreeRef t, StateRef s, DirectionsRef d) { return std::vector{f(t, s).hessian(d)}; };
  return function;
}

std::vector<OutputFunction> derivatives() {
  OutputFunction of_aba = of_products("aba_second_derivatives", d2a),
                 hessian_of_aba = vector_hessian("aba_vector_hessian", d2a, forward);
  of_aba.term_sizes = [](TreeRef t, StateRef s) { return named(d2a, second_order_terms(t, s)); };
  hessian_of_aba.term_sizes = [](TreeRef t, StateRef s) {
    return hessian(second_order_terms(t, s), s.w.cwiseAbs());
  };
  return {of_products("rnea_derivatives", dtau),
          of_products("aba_derivatives", da),
          of_products("rnea_second_derivatives", d2tau),
          of_aba,
          vector_hessian("rnea_vector_hessian", d2tau, inverse),
          hessian_of_aba,
          of_products("mass_matrix_vector_derivative", dMw),
          of_products("minv_vector_derivative", dMinvw)};
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
  for (const auto& group :
       {dynamics(), derivatives(), expected_kinematics(), expected_whole_body(), expected_constraints()}) {
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
  return all;
}

}  // namespace

const OutputFunction* find_outputs(const std::string& function) {
  static const std::vector<OutputFunction> all = all_functions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.name == function; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace featherline::reference
