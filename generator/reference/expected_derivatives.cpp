#include "reference/expected_groups.hpp"
#include "support/text.hpp"

#include <span>

/// Derivatives of the reference dynamics, by hyper-dual numbers. They are exact to rounding and need no formulas of
/// their own. Derivatives with respect to q are Lie derivatives (see integrate()), which are defined for joints with
/// several degrees of freedom, too. Those along directions take one pass each.
namespace featherline::reference {
namespace {

using DirectionsRef = const Directions&;
using Along = VectorXd(TreeRef, StateRef, DirectionsRef);

/// Inverse dynamics with a held, forward dynamics with tau held.
Vector inverse(TreeRef t, StateRef s, const Vector& q, const Vector& v) {
  return Solver<Number>(t).rnea(q, v, lifted<double>(s.a, 1.0));
}
Vector forward(TreeRef t, StateRef s, const Vector& q, const Vector& v) {
  return Solver<Number>(t).aba(q, v, lifted<double>(s.tau, 1.0));
}

/// f at (q (+) y_q (+) x_q, v + x_v + y_v), with x along e1 and y along e2. The step of the later derivative is taken
/// first: D_y D_x f(q) = d/ds d/dt f((q (+) s y) (+) t x). This order matters because rotations do not commute.
template <auto f>
Vector moved(TreeRef t, StateRef s, DirectionsRef q, DirectionsRef v) {
  const Vector first = integrate<Number>(t, lifted<double>(s.q, 1.0), lifted(q.y, Number::e2())),
               at_q = integrate<Number>(t, first, lifted(q.x, Number::e1())),
               at_v = lifted<double>(s.v, 1.0) + lifted(v.x, Number::e1()) + lifted(v.y, Number::e2());
  return f(t, s, at_q, at_v);
}

VectorXd zero(TreeRef t) { return VectorXd::Zero(t.nv); }

template <auto f>
VectorXd dq(TreeRef t, StateRef s, DirectionsRef d) {
  return part(moved<f>(t, s, {d.x, zero(t)}, {zero(t), zero(t)}), &Number::d1);
}
template <auto f>
VectorXd dv(TreeRef t, StateRef s, DirectionsRef d) {
  return part(moved<f>(t, s, {zero(t), zero(t)}, {d.x, zero(t)}), &Number::d1);
}
template <auto f>
VectorXd dqdq(TreeRef t, StateRef s, DirectionsRef d) {
  return part(moved<f>(t, s, d, {zero(t), zero(t)}), &Number::d12);
}
template <auto f>
VectorXd dvdv(TreeRef t, StateRef s, DirectionsRef d) {
  return part(moved<f>(t, s, {zero(t), zero(t)}, d), &Number::d12);
}
template <auto f>
VectorXd dqdv(TreeRef t, StateRef s, DirectionsRef d) {
  return part(moved<f>(t, s, {d.x, zero(t)}, {zero(t), d.y}), &Number::d12);
}

/// x^T H_qq y, x^T H_qv y, x^T H_vq y, x^T H_vv y of the Hessian of w^T f.
template <auto f>
VectorXd products_with_hessian(TreeRef t, StateRef s, DirectionsRef d) {
  return Eigen::Vector4d(s.w.dot(dqdq<f>(t, s, d)), s.w.dot(dqdv<f>(t, s, d)),
                         s.w.dot(dqdv<f>(t, s, {d.y, d.x})), s.w.dot(dvdv<f>(t, s, d)));
}

/// The robot without gravity, springs and external forces: they would cancel in differences of torques,
/// and cost digits.
Tree without_loads(Tree tree) {
  tree.applied_forces.clear();
  tree.gravity.setZero();
  for (model::Body& body : tree.bodies) body.joint.stiffness = 0.0;
  for (model::Tendon& tendon : tree.tendons) tendon.stiffness = 0.0;
  return tree;
}

Vector moved_along(const Tree& tree, const VectorXd& q, const VectorXd& x) {
  return integrate<Number>(tree, lifted<double>(q, 1.0), lifted(x, Number::e1()));
}

/// d(M w)/dq and d(M^-1 w)/dq along x, with w held.
VectorXd inertia_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  const Tree free = without_loads(tree);
  const Vector rest = Vector::Zero(tree.nv);
  return part(Solver<Number>(free).rnea(moved_along(tree, q, x), rest, lifted<double>(w, 1.0)), &Number::d1);
}
VectorXd inverse_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  const Tree free = without_loads(tree);
  const Vector rest = Vector::Zero(tree.nv);
  return part(Solver<Number>(free).aba(moved_along(tree, q, x), rest, lifted<double>(w, 1.0)), &Number::d1);
}

// ---- rates in time ----

MatrixXd mass_matrix_rate(const Tree& tree, const State& x) {
  return part(Solver<Number>(tree).crba(moved_along(tree, x.q, x.v)), &Number::d1);
}

VectorXd rnea_rate(const Tree& tree, const State& x) {
  const auto moving = [](const VectorXd& now, const VectorXd& rate) {
    return Vector(lifted<double>(now, 1.0) + lifted(rate, Number::e1()));
  };
  return part(Solver<Number>(tree).rnea(moved_along(tree, x.q, x.v), moving(x.v, x.a), moving(x.a, x.jerk)),
              &Number::d1);
}

// ---- the Coriolis matrix ----

/// C is not unique. This is one of the matrices with C v = bias - gravity and C + C^T = dM/dt. It is half of dM/dt plus
/// a skew matrix of rank two. The skew matrix turns v into what is missing. It exists because v^T (dM/dt v - 2 C v) =
/// 0. Friction is not part of C.
Outputs coriolis_matrix(const Tree& robot, const State& x) {
  Tree tree = without_loads(robot);
  for (model::Body& body : tree.bodies) body.joint.damping = body.joint.friction = 0.0;
  for (model::Tendon& tendon : tree.tendons) tendon.damping = tendon.friction = 0.0;
  const MatrixXd half_rate = 0.5 * mass_matrix_rate(tree, x);
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

// ---- matrices and tensors by their products with directions ----

/// An array by its products with x (a matrix) or with x and y (a tensor).
struct Products {
  const char* array;
  int order;
  Along* along;

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

constexpr Products dtau[] = {{"dtau_dq", 1, dq<inverse>}, {"dtau_dv", 1, dv<inverse>}};
constexpr Products da[] = {{"da_dq", 1, dq<forward>},
                           {"da_dv", 1, dv<forward>},
                           {"da_dtau", 1, [](TreeRef t, StateRef s, DirectionsRef d) {
                              const Tree free = without_loads(t);
                              return VectorXd(Double(free).aba(s.q, zero(t), d.x));
                            }}};
constexpr Products d2tau[] = {{"d2tau_dqdq", 2, dqdq<inverse>},
                              {"d2tau_dvdv", 2, dvdv<inverse>},
                              {"d2tau_dqdv", 2, dqdv<inverse>},
                              {"dM_dq", 2, [](TreeRef t, StateRef s, DirectionsRef d) {
                                 return inertia_derivative(t, s.q, d.x, d.y);
                               }}};
constexpr Products d2a[] = {{"d2a_dqdq", 2, dqdq<forward>},
                            {"d2a_dvdv", 2, dvdv<forward>},
                            {"d2a_dqdv", 2, dqdv<forward>},
                            {"d2a_dqdtau", 2, [](TreeRef t, StateRef s, DirectionsRef d) {
                               return inverse_derivative(t, s.q, d.y, d.x);
                             }}};
constexpr Products dtau_da{"dtau_da", 1, [](TreeRef t, StateRef s, DirectionsRef d) {
                             const Tree free = without_loads(t);
                             return VectorXd(Double(free).rnea(s.q, zero(t), d.x));
                           }};
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
  const auto moved = [&](const MatrixXd& rate, bool swapped = false) {
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
  const auto rate = [&](std::size_t by) { return MatrixXd(da[by].entries(tree, x).cwiseAbs()); };
  const MatrixXd da_dq = rate(0);
  return {solved(tau(0) + moved(da_dq) + moved(da_dq, true)), solved(tau(1)), solved(tau(2) + moved(rate(1))),
          solved(moved(rate(2)))};
}

Outputs named(Group group, const std::vector<MatrixXd>& values) {
  Outputs outputs;
  for (std::size_t k = 0; k < group.size(); ++k) outputs.push_back(array(group[k].array, values[k]));
  return outputs;
}

std::vector<MatrixXd> all_entries(Group group, const Tree& tree, const State& x) {
  return each(group, [&](const Products& array) { return array.entries(tree, x); });
}

OutputFunction of_products(const char* name, Group group) {
  OutputFunction function{.name = name, .compute = [group](TreeRef t, StateRef s) {
                            return named(group, all_entries(group, t, s));
                          }};
  function.probes = [group](TreeRef t, StateRef s, DirectionsRef d) {
    return each(group, [&](const Products& array) { return array.along(t, s, d); });
  };
  return function;
}

/// w^T times each of the matrices.
OutputFunction weighted(const char* name, const std::vector<std::pair<const char*, Products>>& matrices) {
  return {.name = name, .compute = [matrices](TreeRef t, StateRef s) {
            Outputs products;
            for (const auto& [output, matrix] : matrices)
              products.push_back(array(output, matrix.entries(t, s).transpose() * s.w));
            return products;
          }};
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

OutputFunction vector_hessian(const char* name, Group second, Along* products) {
  OutputFunction function{.name = name, .compute = [second](TreeRef t, StateRef s) {
                            return hessian(all_entries(second, t, s), s.w);
                          }};
  function.probes = [products](TreeRef t, StateRef s, DirectionsRef d) {
    return std::vector{products(t, s, d)};
  };
  return function;
}

}  // namespace

std::vector<OutputFunction> expected_derivatives() {
  OutputFunction of_aba = of_products("aba_second_derivatives", d2a),
                 hessian_of_aba = vector_hessian("aba_vector_hessian", d2a, products_with_hessian<forward>);
  of_aba.term_sizes = [](TreeRef t, StateRef s) { return named(d2a, second_order_terms(t, s)); };
  hessian_of_aba.term_sizes = [](TreeRef t, StateRef s) {
    return hessian(second_order_terms(t, s), s.w.cwiseAbs());
  };
  return {{.name = "coriolis_matrix",
           .compute = coriolis_matrix,
           .view = coriolis_view(),
           .term_sizes = coriolis_term_sizes},
          single("mass_matrix_rate", "M_rate", mass_matrix_rate),
          single("rnea_rate", "tau_rate", rnea_rate),
          of_products("rnea_derivatives", dtau),
          of_products("aba_derivatives", da),
          weighted("rnea_vjp", {{"wq", dtau[0]}, {"wv", dtau[1]}, {"wa", dtau_da}}),
          weighted("aba_vjp", {{"wq", da[0]}, {"wv", da[1]}, {"wtau", da[2]}}),
          of_products("rnea_second_derivatives", d2tau),
          of_aba,
          vector_hessian("rnea_vector_hessian", d2tau, products_with_hessian<inverse>),
          hessian_of_aba,
          of_products("mass_matrix_vector_derivative", dMw),
          of_products("minv_vector_derivative", dMinvw)};
}

}  // namespace featherline::reference
