#include "reference/expected_groups.hpp"
#include "reference/joint.hpp"
#include "reference/solver.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <complex>

/// Steps of the tangent space. integrate() is the one that derivatives of the reference solver are taken along.
namespace featherline::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Tree;

/// Calls f(joint) for the joints that have coordinates of their own.
template <class F>
void for_each_joint(const Tree& tree, const F& f) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) f(body.joint);
  }
}

/// The 3 x 3 matrix whose product with rho is exponential_displacement(rho, phi).
Matrix3<double> displacement_matrix(const Vector3<double>& phi) {
  Matrix3<double> V;
  for (int k = 0; k < 3; ++k) V.col(k) = exponential_displacement<double>(Vector3<double>::Unit(k), phi);
  return V;
}

/// From the rotation matrices of both ends. The angle of a planar joint is the only number that these do not know.
VectorXd joint_difference(const model::Joint& joint, const double* q0, const double* q1) {
  const VectorXd rest = VectorXd::Zero(joint.nv);
  const JointState<double> from = joint_state<double>(joint, q0, rest.data());
  const JointState<double> to = joint_state<double>(joint, q1, rest.data());
  const Eigen::AngleAxisd turn(Matrix3<double>(from.R.transpose() * to.R));
  Vector3<double> phi = turn.angle() * turn.axis();
  if (joint.type == model::JointType::planar) phi = Vector3<double>(0.0, 0.0, q1[2] - q0[2]);
  const Vector3<double> rho =
      displacement_matrix(phi).fullPivLu().solve(from.R.transpose() * (to.p - from.p));
  VectorXd dv(joint.nv);
  if (joint.type == model::JointType::planar)
    dv << rho.head<2>(), phi.z();
  else if (joint.type == model::JointType::floating)
    dv << rho, phi;
  else
    dv = phi;
  return dv;
}

Outputs integrate_outputs(const Tree& tree, const State& x) {
  return {array("q_next", integrate<double>(tree, x.q, x.dv))};
}

Outputs difference(const Tree& tree, const State& x) {
  VectorXd dv = VectorXd::Zero(tree.nv);
  for_each_joint(tree, [&](const model::Joint& joint) {
    auto own = dv.segment(joint.idx_v, joint.nv);
    own = joint.row().moves_on_axes()
              ? VectorXd(x.q1.segment(joint.idx_q, joint.nq) - x.q.segment(joint.idx_q, joint.nq))
              : joint_difference(joint, &x.q[joint.idx_q], &x.q1[joint.idx_q]);
  });
  return {array("dv", dv)};
}

/// The tangent of a rate of q: of one joint, with the rate of its rotation and of its offset.
VectorXd tangent_of_rate(const model::Joint& joint, const Eigen::VectorXcd& q, double step) {
  if (joint.row().moves_on_axes()) return q.imag() / step;
  const Eigen::VectorXcd rest = Eigen::VectorXcd::Zero(joint.nv);
  const JointState<std::complex<double>> state =
      joint_state<std::complex<double>>(joint, q.data(), rest.data());
  const Matrix3<double> R = state.R.real(), W = R.transpose() * state.R.imag() / step;
  const Vector3<double> w(W(2, 1), W(0, 2), W(1, 0)), u = R.transpose() * state.p.imag() / step;
  VectorXd rate(joint.nv);
  if (joint.type == model::JointType::planar)
    rate << u.head<2>(), w.z();
  else if (joint.type == model::JointType::floating)
    rate << u, w;
  else
    rate = w;
  return rate;
}

/// By complex step along q, and along dv.
Outputs integrate_derivatives(const Tree& tree, const State& x) {
  using Complex = std::complex<double>;
  constexpr double step = 1e-100;
  MatrixXd dq = MatrixXd::Zero(tree.nv, tree.nv), ddv = dq;
  for (int k = 0; k < tree.nv; ++k) {
    const VectorX<Complex> along = VectorX<Complex>::Unit(tree.nv, k) * Complex(0.0, step);
    const VectorX<Complex> q = x.q.cast<Complex>(), dv = x.dv.cast<Complex>();
    const VectorX<Complex> moved_q = integrate<Complex>(tree, integrate<Complex>(tree, q, along), dv);
    const VectorX<Complex> moved_dv = integrate<Complex>(tree, q, dv + along);
    for_each_joint(tree, [&](const model::Joint& joint) {
      const auto column = [&](const VectorX<Complex>& moved) {
        return tangent_of_rate(joint, moved.segment(joint.idx_q, joint.nq), step);
      };
      dq.col(k).segment(joint.idx_v, joint.nv) = column(moved_q);
      ddv.col(k).segment(joint.idx_v, joint.nv) = column(moved_dv);
    });
  }
  return {array("dq", dq), array("ddv", ddv)};
}

}  // namespace

std::vector<OutputFunction> expected_tangent() {
  return {{"integrate", integrate_outputs},
          {"difference", difference},
          {"integrate_derivatives", integrate_derivatives}};
}

}  // namespace featherline::reference
