#pragma once

#include "model/tree.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"

#include <Eigen/Core>

#include <functional>
#include <vector>

/// The parts of what expected.hpp knows, and what they share.
namespace featherline::reference {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Tree;
using Vector = VectorX<Number>;

inline std::vector<double> numbers(const Eigen::MatrixXd& x) { return {x.data(), x.data() + x.size()}; }
inline OutputArray array(const std::string& name, const Eigen::MatrixXd& values) {
  return {name, numbers(values)};
}
inline void append(std::vector<double>& values, const Eigen::MatrixXd& more) {
  values.insert(values.end(), more.data(), more.data() + more.size());  // Eigen is column-major, too
}
inline Eigen::MatrixXd with_rows(Eigen::Index rows, const OutputArray& array) {
  const auto size = static_cast<Eigen::Index>(array.values.size());
  return Eigen::Map<const Eigen::MatrixXd>(array.values.data(), rows, rows == 0 ? 0 : size / rows);
}
/// f of each unit vector, side by side.
template <class F>
Eigen::MatrixXd columns(int n, const F& f) {
  Eigen::MatrixXd all;
  for (int k = 0; k < n; ++k) {
    const Eigen::VectorXd column = f(Eigen::VectorXd::Unit(n, k));
    if (k == 0) all.resize(column.size(), n);
    all.col(k) = column;
  }
  return all;
}

/// The derivative of f, column by column along unit vectors. They are along e2; the numbers are T.
template <class T, class F>
Eigen::MatrixXd derivative(int n, const F& f) {
  return columns(n, [&](const Eigen::VectorXd& e) {
    return Eigen::VectorXd(part(f(lifted(e, T::e2())), &T::d2).template cast<double>());
  });
}

inline model::Link link_at(const model::Tree& tree, const model::FrameInLink& frame) {
  model::Link link;
  link.body = body_of(tree, frame);
  link.placement = frame_in_body(tree, frame);
  return link;
}

/// M x + left - right, where x is the output. The rounding of x itself is relative to `magnitudes`.
Residual residual(const char* name, const Eigen::MatrixXd& M, const Eigen::MatrixXd& x,
                  const Eigen::MatrixXd& magnitudes, const Eigen::MatrixXd& left,
                  const Eigen::MatrixXd& right);

/// The tangent of the rate of q along e1: of the rate of each joint's rotation and of its offset.
Eigen::VectorXd tangent_of_rate(const model::Tree& tree, const VectorX<Number>& q);

using Double = Solver<double>;
using TreeRef = const model::Tree&;
using StateRef = const State&;

/// The judge of a function with one output, f(tree, state).
template <class F>
OutputFunction single(const char* name, const char* output, const F& f) {
  return {.name = name, .compute = [=](TreeRef t, StateRef s) { return Outputs{array(output, f(t, s))}; }};
}

/// M, with damping and springs as they act on the state behind a step of dt.
Eigen::MatrixXd implicit_inertia(const model::Tree& tree, const Eigen::VectorXd& q, double dt);

/// M (v_next - v) + dt (bias + what damping and springs add at the new state): the impulses, dt tau included, that a
/// semi-implicit step to v_next takes.
Eigen::VectorXd impulse_of_step(const model::Tree& tree, const State& s, const Eigen::VectorXd& v_next);

/// How the end of a step moves, in the tangent there, if q moves along dq,
/// v along dv and tau along dtau: [q_next; v_next].
Eigen::VectorXd moved_end(const model::Tree& tree, const State& s, const Eigen::VectorXd& dq,
                          const Eigen::VectorXd& dv, const Eigen::VectorXd& torque);
/// A and B of derivatives of a step, and their products x^T A_qq y, x^T A_qv y, x^T A_vq y, x^T A_vv y, and B x, from
/// moved(dq, dv, dtau).
using Moved =
    std::function<Eigen::VectorXd(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd&)>;
Outputs step_matrices(int nv, const Moved& moved);
std::vector<Eigen::VectorXd> step_products(int nv, const Moved& moved, const Directions& directions);

std::vector<OutputFunction> expected_derivatives();
/// These take the tree with its parameters still open.
std::vector<OutputFunction> expected_sensitivities();
std::vector<OutputFunction> expected_contact_sensitivities();
std::vector<OutputFunction> expected_kinematics();
std::vector<OutputFunction> expected_whole_body();
std::vector<OutputFunction> expected_steps();
std::vector<OutputFunction> expected_contact_steps();
std::vector<OutputFunction> expected_contact_derivatives();
std::vector<OutputFunction> expected_constraints();
std::vector<OutputFunction> expected_constrained_inverse();

using LongMatrix = MatrixX<long double>;
/// Time runs along e1, derivatives are taken along e2.
using LongNumbers = VectorX<LongNumber>;
using LongRows = MatrixX<LongNumber>;

/// Velocity rows J, and position errors e, which are zero but for loops and contacts with an anchor.
struct Rows {
  LongRows J;
  LongNumbers e;

  Rows(Eigen::Index rows, Eigen::Index columns) : J(rows, columns), e(LongNumbers::Zero(rows)) {}
};

inline LongMatrix real(const LongRows& x) { return part(x, &LongNumber::re); }
inline Eigen::MatrixXd values(const LongRows& x) { return real(x).cast<double>(); }
inline LongNumbers constant(const Eigen::VectorXd& x) { return lifted<long double>(x, 1.0); }

Rows velocity_rows(const model::Tree& tree, const LongNumbers& q);

/// Whether its rows are vectors: of the origin, and of turning.
bool has_vectors(const model::Constraint& constraint);

/// b -> A^-1 b.
std::function<LongMatrix(const LongMatrix&)> inverse_of(const LongMatrix& A);

/// The rows of active constraints that do not depend on rows before them, by the rule of model/constraints.hpp.
std::vector<int> kept_rows(const model::Tree& tree, const LongMatrix& M, const LongMatrix& J,
                           const Eigen::VectorXd& active);

/// The rows that do not depend on rows before them, by the same rule, in the metric of the identity.
std::vector<int> independent_rows(const LongMatrix& rows, const Eigen::VectorXd& sizes);

/// Of a symmetric matrix: the largest eigenvalue over the smallest.
double condition_of(const Eigen::MatrixXd& D);
/// Errors may be 100 times as large where D has a condition above 1e6. Above 1e8 they may grow with it.
double allowance_at(double condition);

/// J of all constraints, active or not: J v is the velocity that their rows hold (model/constraints.hpp).
Eigen::MatrixXd constraint_jacobian(const model::Tree& tree, const Eigen::VectorXd& q);

/// For each row, whether it depends on rows before it when all constraints are active.
std::vector<bool> dependent_rows(const model::Tree& tree, const State& state);

}  // namespace featherline::reference
