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

IdsvaFloating::IdsvaFloating(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      axes_(static_cast<std::size_t>(model.nv)),
      dtau_dq_{MatrixXd::Zero(model.nv, model.nv)},
      dtau_dv_{MatrixXd::Zero(model.nv, model.nv)} {}

/// Lines 3 to 10.
void IdsvaFloating::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  const bool on_ground = link.parent < 0;
  const Vector6 v_parent = on_ground ? Vector6{Vector6::Zero()} : body(link.parent).v;
  const Vector6 a_parent = on_ground ? Vector6{-model_.gravity} : body(link.parent).a;
  Body& b = body(i);
  b.X = (on_ground ? Pose{} : body(link.parent).X) * model_.pose(i, q);
  b.v = v_parent;
  b.a = a_parent;
  for (int k = link.idx_v; k < link.idx_v + link.nv(); ++k) {
    Axis& x = axis(k);
    x.s = b.X.motion_to_parent(link.axis_column(k - link.idx_v));
    x.psi_dot = cross_motion(v_parent, x.s);
    x.psi_ddot = cross_motion(a_parent, x.s) + cross_motion(v_parent, x.psi_dot);
    b.v += x.s * v[k];
  }
  for (int k = link.idx_v; k < link.idx_v + link.nv(); ++k) {
    Axis& x = axis(k);
    const Vector6 s_dot = cross_motion(b.v, x.s);
    x.rates = s_dot + x.psi_dot;
    b.a += x.s * a[k] + s_dot * v[k];
  }

  b.I = b.X.inertia_to_parent(link.I);
  const Vector6 momentum = b.I * b.v;
  const Matrix6 v_cross = cross_motion_matrix(b.v);
  b.B = 0.5 * (-v_cross.transpose() * b.I - b.I * v_cross + cross_force_bar_matrix(momentum));
  b.f = b.I * b.a + cross_force(b.v, momentum);
}

/// Lines 13 to 20 for coordinate p of link i, along the path to the root as 001 has them.
void IdsvaFloating::column(int i, int p) {
  const Body& b = body(i);
  const Axis& x = axis(p);
  const Vector6 t1 = b.I * x.s;
  const Vector6 t2 = 2.0 * b.B * x.s + b.I * x.rates;
  const Vector6 t3 = 2.0 * b.B * x.psi_dot + b.I * x.psi_ddot + cross_force(x.s, b.f);
  const Vector6 t4 = 2.0 * b.B.transpose() * x.s;
  for (const int j : model_.link(i).path) {
    const Link& link = model_.link(j);
    for (int r = link.idx_v; r < link.idx_v + link.nv(); ++r) {
      const Axis& y = axis(r);
      dtau_dq_(p, r) = y.psi_ddot.dot(t1) + y.psi_dot.dot(t4);
      dtau_dv_(p, r) = y.rates.dot(t1) + y.s.dot(t4);
      if (j == i) continue;
      dtau_dq_(r, p) = y.s.dot(t3);
      dtau_dv_(r, p) = y.s.dot(t2);
    }
  }
}

/// Lines 21 to 24.
void IdsvaFloating::pass_on(int i) {
  const int parent = model_.link(i).parent;
  if (parent < 0) return;
  const Body& b = body(i);
  body(parent).I += b.I;
  body(parent).B += b.B;
  body(parent).f += b.f;
}

void IdsvaFloating::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v, a);
  for (int i = model_.size() - 1; i >= 0; --i) {
    const Link& link = model_.link(i);
    for (int k = link.idx_v; k < link.idx_v + link.nv(); ++k) column(i, k);
    pass_on(i);
  }
}

}  // namespace featherline::bench::generic
