#include "generic/idsva.hpp"

namespace featherline::bench::generic {

Idsva::Idsva(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      dtau_dq_{MatrixXd::Zero(model.size(), model.size())},
      dtau_dv_{MatrixXd::Zero(model.size(), model.size())} {}

/// Lines 2 to 9 of Algorithm 1.
void Idsva::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  const bool on_ground = link.parent < 0;
  const Pose X_parent = on_ground ? Pose{} : body(link.parent).X;
  b.X = X_parent * model_.pose(i, q);
  b.phi = b.X.motion_to_parent(link.S);
  b.v = b.phi * v[i];
  if (!on_ground) b.v += body(link.parent).v;
  b.phi_dot = cross_motion(b.v, b.phi);
  b.a = b.phi * a[i] + b.phi_dot * v[i];
  if (on_ground)
    b.a -= model_.gravity;
  else
    b.a += body(link.parent).a;
  b.phi_ddot = cross_motion(b.a, b.phi) + cross_motion(b.v, b.phi_dot);

  b.I = b.X.inertia_to_parent(link.I);
  const Vector6 momentum = b.I * b.v;
  const Matrix6 v_cross = cross_motion_matrix(b.v);
  b.B = 0.5 * (-v_cross.transpose() * b.I - b.I * v_cross + cross_force_bar_matrix(momentum));
  b.f = b.I * b.a + cross_force(b.v, momentum);
}

/// Lines 11 to 26.
void Idsva::inward(int i) {
  const Body& b = body(i);
  const Vector6 t1 = b.I * b.phi;
  const Vector6 t2 = 2.0 * (b.B * b.phi + b.I * b.phi_dot);
  const Vector6 t3 = 2.0 * b.B * b.phi_dot + b.I * b.phi_ddot + cross_force(b.phi, b.f);
  const Vector6 t4 = 2.0 * b.B.transpose() * b.phi;
  for (const int j : model_.link(i).path) {
    const Body& c = body(j);
    if (j != i) dtau_dq_(i, j) = c.phi_ddot.dot(t1) + c.phi_dot.dot(t4);
    dtau_dq_(j, i) = c.phi.dot(t3);
    if (j != i) dtau_dv_(i, j) = 2.0 * c.phi_dot.dot(t1) + c.phi.dot(t4);
    dtau_dv_(j, i) = c.phi.dot(t2);
  }
  const int parent = model_.link(i).parent;
  if (parent < 0) return;
  body(parent).I += b.I;
  body(parent).B += b.B;
  body(parent).f += b.f;
}

void Idsva::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v, a);
  for (int i = model_.size() - 1; i >= 0; --i) inward(i);
}

}  // namespace featherline::bench::generic
