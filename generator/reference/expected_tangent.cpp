#include "joints/judge/joint.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

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

/// The entries of v that make a twist of the child, of joints whose columns of S are unit vectors.
VectorXd coordinates_of(const Subspace<double>& S, const Vector3<double>& phi, const Vector3<double>& rho) {
  return S.transpose() * spatial<double>(phi, rho);
}

/// From the rotation matrices of both ends. An angle is the only number that these do not know.
VectorXd joint_difference(const model::Joint& joint, const double* q0, const double* q1) {
  const VectorXd rest = VectorXd::Zero(joint.nv);
  const JointState<double> from = joint_state<double>(joint, q0, rest.data());
  const JointState<double> to = joint_state<double>(joint, q1, rest.data());
  const Eigen::AngleAxisd turn(Matrix3<double>(from.R.transpose() * to.R));
  Vector3<double> phi = turn.angle() * turn.axis();
  if (const int angle = joint.row().angle(); angle >= 0) phi = {0.0, 0.0, q1[angle] - q0[angle]};
  const Vector3<double> rho = displacement_matrix(phi).inverse() * (from.R.transpose() * (to.p - from.p));
  return coordinates_of(from.S, phi, rho);
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
VectorXd tangent_of_rate(const model::Joint& joint, const VectorX<Number>& q) {
  if (joint.row().moves_on_axes()) return part(q, &Number::d1);
  const VectorX<Number> rest = VectorX<Number>::Zero(joint.nv);
  const JointState<Number> state = joint_state<Number>(joint, q.data(), rest.data());
  const Matrix3<double> R = part(state.R, &Number::re), W = R.transpose() * part(state.R, &Number::d1);
  return coordinates_of(part(state.S, &Number::re), {W(2, 1), W(0, 2), W(1, 0)},
                        R.transpose() * part(state.p, &Number::d1));
}

/// Along q, and along dv.
Outputs integrate_derivatives(const Tree& tree, const State& x) {
  MatrixXd dq = MatrixXd::Zero(tree.nv, tree.nv), ddv = dq;
  const VectorX<Number> q = x.q.cast<Number>(), dv = x.dv.cast<Number>();
  for (int k = 0; k < tree.nv; ++k) {
    const VectorX<Number> along = VectorX<Number>::Unit(tree.nv, k) * Number::e1();
    const VectorX<Number> moved_q = integrate<Number>(tree, integrate<Number>(tree, q, along), dv);
    const VectorX<Number> moved_dv = integrate<Number>(tree, q, dv + along);
    for_each_joint(tree, [&](const model::Joint& joint) {
      const auto column = [&](const VectorX<Number>& moved) {
        return tangent_of_rate(joint, moved.segment(joint.idx_q, joint.nq));
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
