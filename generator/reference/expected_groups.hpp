#pragma once

#include "reference/expected.hpp"
#include "reference/solver.hpp"

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

}  // namespace featherline::reference
