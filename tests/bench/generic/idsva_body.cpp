#include "generic/idsva_body.hpp"

namespace featherline::bench::generic {

IdsvaBody::IdsvaBody(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      dtau_dq_{MatrixXd::Zero(model.nv, model.nv)},
      dtau_dv_{MatrixXd::Zero(model.nv, model.nv)} {}

/// Lines 2 to 9 of Algorithm 1.
void IdsvaBody::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  b.X = model_.pose(i, q);
  const Vector6 joint_velocity = link.S * v[i];
  b.v = joint_velocity;
  if (link.parent >= 0) b.v += b.X.motion_to_child(body(link.parent).v);
  b.a = b.X.motion_to_child(link.parent < 0 ? -model_.gravity : body(link.parent).a);
  b.a += link.S * a[i] + cross_motion(b.v, joint_velocity);
  b.phi_dot = cross_motion(b.v, link.S);
  b.phi_ddot = cross_motion(b.a, link.S) + cross_motion(b.v, b.phi_dot);

  b.I = link.I;
  const Vector6 momentum = b.I * b.v;
  const Matrix6 v_cross = cross_motion_matrix(b.v);
  b.B = 0.5 * (-v_cross.transpose() * b.I - b.I * v_cross + cross_force_bar_matrix(momentum));
  b.f = b.I * b.a + cross_force(b.v, momentum);
}

/// Lines 11 to 26.
void IdsvaBody::inward(int i) {
  const Body& b = body(i);
  const Vector6& phi = model_.link(i).S;
  Vector6 t1 = b.I * phi;
  Vector6 t2 = 2.0 * (b.B * phi + b.I * b.phi_dot);
  Vector6 t3 = 2.0 * b.B * b.phi_dot + b.I * b.phi_ddot + cross_force(phi, b.f);
  Vector6 t4 = 2.0 * b.B.transpose() * phi;
  for (const int j : model_.link(i).path) {
    const Body& c = body(j);
    const Vector6& S = model_.link(j).S;
    dtau_dq_(i, j) = c.phi_ddot.dot(t1) + c.phi_dot.dot(t4);
    dtau_dq_(j, i) = S.dot(t3);
    dtau_dv_(i, j) = 2.0 * c.phi_dot.dot(t1) + S.dot(t4);
    dtau_dv_(j, i) = S.dot(t2);
    if (model_.link(j).parent < 0) break;
    for (Vector6* t : {&t1, &t2, &t3, &t4}) *t = c.X.force_to_parent(*t);
  }
  const int parent = model_.link(i).parent;
  if (parent < 0) return;
  body(parent).I += b.X.inertia_to_parent(b.I);
  const Matrix6 X = b.X.motion_matrix();
  body(parent).B += X.transpose() * b.B * X;
  body(parent).f += b.X.force_to_parent(b.f);
}

void IdsvaBody::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v, a);
  for (int i = model_.size() - 1; i >= 0; --i) inward(i);
}

}  // namespace featherline::bench::generic
