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

/// The tangent of all joints that have coordinates of their own, each by f(joint).
template <class F>
VectorXd joint_by_joint(const Tree& tree, const F& f) {
  VectorXd dv = VectorXd::Zero(tree.nv);
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) dv.segment(body.joint.idx_v, body.joint.nv) = f(body.joint);
  }
  return dv;
}

/// The 3 x 3 matrix whose product with rho is exponential_displacement(rho, phi).
Matrix3<double> displacement_matrix(const Vector3<double>& phi) {
  Matrix3<double> V;
  for (int k = 0; k < 3; ++k) V.col(k) = exponential_displacement<double>(Vector3<double>::Unit(k), phi);
  return V;
}

/// The entries of v that make a twist of the child, of joints whose columns of S are unit vectors.
VectorXd coordinates_of(const model::Joint& joint, const JointState<double>& state,
                        const Vector3<double>& phi, const Vector3<double>& rho) {
  VectorXd own(joint.nv);
  for (int k = 0; k < joint.nv; ++k) own[k] = dot(state.S[k], spatial(phi, rho));
  return own;
}

/// From the rotation matrices of both ends. An angle is the only number that these do not know.
VectorXd joint_difference(const model::Joint& joint, const double* q0, const double* q1) {
  const VectorXd rest = VectorXd::Zero(joint.nv);
  const JointState<double> from = joint_state<double>(joint, q0, rest.data()),
                           to = joint_state<double>(joint, q1, rest.data());
  const Eigen::AngleAxisd turn(Matrix3<double>(from.R.transpose() * to.R));
  Vector3<double> phi = turn.angle() * turn.axis();
  if (const int angle = joint.row().angle(); angle >= 0) phi = {0.0, 0.0, q1[angle] - q0[angle]};
  const Vector3<double> rho = displacement_matrix(phi).inverse() * (from.R.transpose() * (to.p - from.p));
  return coordinates_of(joint, from, phi, rho);
}

Outputs integrate_outputs(const Tree& tree, const State& x) {
  return {array("q_next", integrate<double>(tree, x.q, x.dv))};
}

Outputs difference(const Tree& tree, const State& x) {
  return {array("dv", joint_by_joint(tree, [&](const model::Joint& joint) -> VectorXd {
                  if (!joint.row().moves_on_axes())
                    return joint_difference(joint, &x.q[joint.idx_q], &x.q1[joint.idx_q]);
                  return x.q1.segment(joint.idx_q, joint.nq) - x.q.segment(joint.idx_q, joint.nq);
                }))};
}

/// The tangent of the rate of q along e1: of the rate of each joint's rotation and of its offset.
VectorXd tangent_of_rate(const Tree& tree, const VectorX<Number>& q) {
  const VectorXd now = part(q, &Number::re), rate = part(q, &Number::d1);
  return joint_by_joint(tree, [&](const model::Joint& joint) -> VectorXd {
    if (joint.row().moves_on_axes()) return rate.segment(joint.idx_q, joint.nq);
    const VectorXd rest = VectorXd::Zero(joint.nv);
    const JointState<double> state = joint_state<double>(joint, &now[joint.idx_q], rest.data());
    const JointState<Number> moving =
        joint_state<Number>(joint, &q[joint.idx_q], lifted<double>(rest, 1.0).data());
    const Matrix3<double> to_child = transposed(state.R), W = to_child * part(moving.R, &Number::d1);
    return coordinates_of(joint, state, {W(2, 1), W(0, 2), W(1, 0)}, to_child * part(moving.p, &Number::d1));
  });
}

/// Along q, and along dv.
Outputs integrate_derivatives(const Tree& tree, const State& x) {
  const VectorX<Number> q = lifted<double>(x.q, 1.0), dv = lifted<double>(x.dv, 1.0);
  return {array("dq", columns(tree.nv,
                              [&](const VectorXd& e) {
                                const VectorX<Number> moved =
                                    integrate<Number>(tree, q, lifted(e, Number::e1()));
                                return tangent_of_rate(tree, integrate<Number>(tree, moved, dv));
                              })),
          array("ddv", columns(tree.nv, [&](const VectorXd& e) {
                  return tangent_of_rate(tree, integrate<Number>(tree, q, dv + lifted(e, Number::e1())));
                }))};
}

}  // namespace

std::vector<OutputFunction> expected_tangent() {
  return {{"integrate", integrate_outputs},
          {"difference", difference},
          {"integrate_derivatives", integrate_derivatives}};
}

}  // namespace featherline::reference
