#include "reference/expected.hpp"

#include "joints/judge/joint.hpp"
#include "reference/derivatives.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <algorithm>

namespace featherline::reference {
namespace {

using Double = Solver<double>;
using Eigen::MatrixXd;
using model::Tree;
using Probes = std::vector<Eigen::VectorXd>;

using reference::array;
OutputArray array(const std::string& name, const Tensor& values) { return {name, values.data}; }

/// The robot without friction, which is none of C, and without external forces. They would cancel in differences of
/// torques, and cost digits.
Tree moving_freely(const Tree& robot) {
  Tree tree = without_friction(robot);
  tree.applied_forces.clear();
  return tree;
}

/// What velocities add to the torques.
Eigen::VectorXd velocity_torques(Double& solver, const State& x) {
  return solver.bias(x.q, x.v) - solver.bias(x.q, Eigen::VectorXd::Zero(x.v.size()));
}

/// C is not unique. This is one of the matrices with C v = bias - gravity and C + C^T = dM/dt. It is half of dM/dt plus
/// a skew matrix of rank two. The skew matrix turns v into what is missing. It exists because v^T (dM/dt v - 2 C v) =
/// 0.
Outputs coriolis_matrix(const Tree& robot, const State& x) {
  const Tree tree = moving_freely(robot);
  Double solver(tree);
  const MatrixXd half_rate = 0.5 * mass_matrix_rate(tree, x.q, x.v);
  const Eigen::VectorXd missing = velocity_torques(solver, x) - half_rate * x.v;
  const MatrixXd turn = (missing * x.v.transpose() - x.v * missing.transpose()) / x.v.squaredNorm();
  return {array("C", half_rate + turn)};
}

const View& coriolis_view() {
  static const View view{{{"C v", {catalog::nv}}, {"C + C^T", {catalog::nv, catalog::nv}}},
                         [](const State& x, const Outputs& outputs) {
                           const Eigen::Map<const MatrixXd> C(outputs.front().values.data(), x.v.size(),
                                                              x.v.size());
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

/// C v, and dM/dt along x.
Probes coriolis_probes(const Tree& robot, const State& x, const Directions& d) {
  const Tree tree = moving_freely(robot);
  Double solver(tree);
  return {velocity_torques(solver, x), inertia_derivative(robot, x.q, d.x, x.v)};
}

MatrixXd contract(const Tensor& T, const Eigen::VectorXd& w) {
  const auto n = static_cast<int>(w.size());
  MatrixXd sum = MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) sum(j, k) += w[i] * T(i, j, k);
    }
  }
  return sum;
}

/// The Hessian [qq, qv; qv^T, vv].
MatrixXd hessian(const Tensor& qq, const Tensor& qv, const Tensor& vv, const Eigen::VectorXd& w) {
  const Eigen::Index n = w.size();
  MatrixXd H(2 * n, 2 * n);
  const MatrixXd mixed = contract(qv, w);
  H << contract(qq, w), mixed, mixed.transpose(), contract(vv, w);
  return H;
}

/// Sizes of the terms in the second derivatives of a = M^-1 (tau - bias). They solve M d2a = -(d2tau + dM da + (dM
/// da)^T), where d2tau and dM are those of the inverse dynamics. The terms may cancel even if the result is zero for
/// all robots: turning a free root link turns no acceleration within the robot.
class SecondOrderTerms {
 public:
  SecondOrderTerms(const Tree& tree, const State& x)
      : n_(tree.nv),
        Minv_(Double(tree).minv(x.q).cwiseAbs2()),
        tau_(rnea_second_derivatives(tree, x.q, x.v, Double(tree).aba(x.q, x.v, x.tau))),
        a_(aba_derivatives(tree, x.q, x.v, x.tau)) {}

  Tensor dqdq() const {
    Tensor moved = inertia_times_rate(a_.da_dq), sizes = tau_.d2tau_dqdq;
    each([&](int i, int j, int k) {
      sizes(i, j, k) = std::abs(sizes(i, j, k)) + moved(i, j, k) + moved(i, k, j);
    });
    return solved(sizes);
  }
  Tensor dvdv() const { return solved(tau_.d2tau_dvdv); }
  Tensor dqdv() const {
    Tensor sizes = inertia_times_rate(a_.da_dv);
    each([&](int i, int j, int k) { sizes(i, j, k) += std::abs(tau_.d2tau_dqdv(i, j, k)); });
    return solved(sizes);
  }
  Tensor dqdtau() const { return solved(inertia_times_rate(a_.da_dtau)); }

 private:
  template <class Visit>
  void each(const Visit& visit) const {
    for (int k = 0; k < n_; ++k) {
      for (int j = 0; j < n_; ++j) {
        for (int i = 0; i < n_; ++i) visit(i, j, k);
      }
    }
  }

  /// Sizes of the products of dM/dq_j and column k of `rate`.
  Tensor inertia_times_rate(const MatrixXd& rate) const {
    Tensor product(n_);
    for (int j = 0; j < n_; ++j) {
      const Eigen::Map<const MatrixXd> dM(&tau_.dM_dq.data[static_cast<std::size_t>(j * n_ * n_)], n_, n_);
      const MatrixXd sizes = dM.cwiseAbs() * rate.cwiseAbs();
      for (int k = 0; k < n_; ++k) {
        for (int i = 0; i < n_; ++i) product(i, j, k) = sizes(i, k);
      }
    }
    return product;
  }

  /// Size of M^-1 times errors that are as large as the terms and have random signs.
  Tensor solved(const Tensor& terms) const {
    Tensor x(n_);
    const Eigen::Map<const MatrixXd> b(terms.data.data(), n_, n_ * n_);
    Eigen::Map<MatrixXd>(x.data.data(), n_, n_ * n_) = (Minv_ * b.cwiseAbs2()).cwiseSqrt();
    return x;
  }

  int n_;
  MatrixXd Minv_;  ///< the squares of its entries
  RneaSecondDerivatives tau_;
  AbaDerivatives a_;
};

Outputs aba_second_term_sizes(const Tree& tree, const State& x) {
  const SecondOrderTerms terms(tree, x);
  return {array("d2a_dqdq", terms.dqdq()), array("d2a_dvdv", terms.dvdv()), array("d2a_dqdv", terms.dqdv()),
          array("d2a_dqdtau", terms.dqdtau())};
}

Outputs aba_hessian_term_sizes(const Tree& tree, const State& x) {
  const SecondOrderTerms terms(tree, x);
  return {array("H", hessian(terms.dqdq(), terms.dqdv(), terms.dvdv(), x.w.cwiseAbs()))};
}

Directional inverse(const Tree& tree, const State& x) { return {Directional::Of::inverse_dynamics, tree, x}; }
Directional forward(const Tree& tree, const State& x) { return {Directional::Of::forward_dynamics, tree, x}; }

using TreeRef = const Tree&;
using StateRef = const State&;
using DirectionsRef = const Directions&;

std::vector<OutputFunction> dynamics() {
  return {
      {.name = "rnea",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("tau", Double(t).rnea(s.q, s.v, s.a))}; }},
      {.name = "bias",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("tau", Double(t).bias(s.q, s.v))}; }},
      {.name = "gravity",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("tau", Double(t).gravity(s.q))}; }},
      {.name = "mass_matrix",
       .compute = [](TreeRef t, StateRef s) { return Outputs{array("M", Double(t).crba(s.q))}; },
       .probes = [](TreeRef t, StateRef s, DirectionsRef d) { return Probes{inertia_times(t, s.q, d.x)}; }},
      {.name = "coriolis_matrix",
       .compute = coriolis_matrix,
       .probes = coriolis_probes,
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

std::vector<OutputFunction> derivatives() {
  return {
      {.name = "rnea_derivatives",
       .compute =
           [](TreeRef t, StateRef s) {
             const RneaDerivatives d = rnea_derivatives(t, s.q, s.v, s.a);
             return Outputs{array("dtau_dq", d.dtau_dq), array("dtau_dv", d.dtau_dv)};
           },
       .probes =
           [](TreeRef t, StateRef s, DirectionsRef d) {
             const Directional f = inverse(t, s);
             return Probes{f.dq(d.x), f.dv(d.x)};
           }},
      {.name = "aba_derivatives",
       .compute =
           [](TreeRef t, StateRef s) {
             const AbaDerivatives d = aba_derivatives(t, s.q, s.v, s.tau);
             return Outputs{array("da_dq", d.da_dq), array("da_dv", d.da_dv), array("da_dtau", d.da_dtau)};
           },
       .probes =
           [](TreeRef t, StateRef s, DirectionsRef d) {
             const Directional f = forward(t, s);
             return Probes{f.dq(d.x), f.dv(d.x), Double(t).minv(s.q) * d.x};
           }},
  };
}

std::vector<OutputFunction> second_derivatives() {
  return {
      {.name = "rnea_second_derivatives",
       .compute =
           [](TreeRef t, StateRef s) {
             const RneaSecondDerivatives d = rnea_second_derivatives(t, s.q, s.v, s.a);
             return Outputs{array("d2tau_dqdq", d.d2tau_dqdq), array("d2tau_dvdv", d.d2tau_dvdv),
                            array("d2tau_dqdv", d.d2tau_dqdv), array("dM_dq", d.dM_dq)};
           },
       .probes =
           [](TreeRef t, StateRef s, DirectionsRef d) {
             const Directional f = inverse(t, s);
             return Probes{f.dqdq(d.x, d.y), f.dvdv(d.x, d.y), f.dqdv(d.x, d.y),
                           inertia_derivative(t, s.q, d.x, d.y)};
           }},
      {.name = "aba_second_derivatives",
       .compute =
           [](TreeRef t, StateRef s) {
             const AbaSecondDerivatives d = aba_second_derivatives(t, s.q, s.v, s.tau);
             return Outputs{array("d2a_dqdq", d.d2a_dqdq), array("d2a_dvdv", d.d2a_dvdv),
                            array("d2a_dqdv", d.d2a_dqdv), array("d2a_dqdtau", d.d2a_dqdtau)};
           },
       .probes =
           [](TreeRef t, StateRef s, DirectionsRef d) {
             const Directional f = forward(t, s);
             return Probes{f.dqdq(d.x, d.y), f.dvdv(d.x, d.y), f.dqdv(d.x, d.y),
                           inverse_derivative(t, s.q, d.y, d.x)};
           },
       .term_sizes = aba_second_term_sizes},
  };
}

/// The contractions of the tensors with w: the sum over i of w_i T(i, ., .).
std::vector<OutputFunction> contractions() {
  return {
      {.name = "rnea_vector_hessian",
       .compute =
           [](TreeRef t, StateRef s) {
             const RneaSecondDerivatives d = rnea_second_derivatives(t, s.q, s.v, s.a);
             return Outputs{array("H", hessian(d.d2tau_dqdq, d.d2tau_dqdv, d.d2tau_dvdv, s.w))};
           },
       .probes = [](TreeRef t, StateRef s, DirectionsRef d) { return Probes{inverse(t, s).hessian(d)}; }},
      {.name = "aba_vector_hessian",
       .compute =
           [](TreeRef t, StateRef s) {
             const AbaSecondDerivatives d = aba_second_derivatives(t, s.q, s.v, s.tau);
             return Outputs{array("H", hessian(d.d2a_dqdq, d.d2a_dqdv, d.d2a_dvdv, s.w))};
           },
       .probes = [](TreeRef t, StateRef s, DirectionsRef d) { return Probes{forward(t, s).hessian(d)}; },
       .term_sizes = aba_hessian_term_sizes},
      {.name = "mass_matrix_vector_derivative",
       .compute =
           [](TreeRef t, StateRef s) {
             return Outputs{array("dMw_dq", contract(mass_matrix_derivative(t, s.q), s.w))};
           },
       .probes = [](TreeRef t, StateRef s,
                    DirectionsRef d) { return Probes{inertia_derivative(t, s.q, s.w, d.x)}; }},
      {.name = "minv_vector_derivative",
       .compute =
           [](TreeRef t, StateRef s) {
             return Outputs{array("dMinvw_dq", contract(minv_derivative(t, s.q), s.w))};
           },
       .probes = [](TreeRef t, StateRef s,
                    DirectionsRef d) { return Probes{inverse_derivative(t, s.q, s.w, d.x)}; }},
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
  for (const auto& group :
       {dynamics(), derivatives(), second_derivatives(), contractions(), expected_frames(),
        expected_whole_body(), expected_tangent(), expected_constraints()}) {
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
