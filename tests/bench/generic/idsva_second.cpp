#include "generic/idsva_second.hpp"

namespace featherline::bench::generic {

namespace {

/// B(m) of an inertia, twice the one of paper 001 (002, lines 9, 15, 16).
Matrix6 coriolis(const Matrix6& I, const Vector6& m) {
  const Matrix6 m_cross = cross_motion_matrix(m);
  return -m_cross.transpose() * I - I * m_cross + cross_force_bar_matrix(I * m);
}

}  // namespace

IdsvaSecond::IdsvaSecond(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      dqdq_{model.size()},
      dvdv_{model.size()},
      dqdv_{model.size()},
      dM_{model.size()} {}

/// Lines 3 to 10.
void IdsvaSecond::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  const bool on_ground = link.parent < 0;
  const Vector6 v_parent = on_ground ? Vector6{Vector6::Zero()} : body(link.parent).v;
  const Vector6 a_parent = on_ground ? Vector6{-model_.gravity} : body(link.parent).a;
  Body& b = body(i);
  b.X = (on_ground ? Pose{} : body(link.parent).X) * model_.pose(i, q[i]);
  b.s = b.X.motion_to_parent(link.S);
  b.v = v_parent + b.s * v[i];
  b.s_rate = cross_motion(v_parent, b.s);
  b.a = a_parent + b.s * a[i] + b.s_rate * v[i];
  b.psi_ddot = cross_motion(a_parent, b.s) + cross_motion(v_parent, b.s_rate);
  b.I = b.X.inertia_to_parent(link.I);
  b.B = coriolis(b.I, b.v);
  b.f = b.I * b.a + cross_force(b.v, b.I * b.v);
}

/// Lines 15 to 24.
IdsvaSecond::Matrices IdsvaSecond::matrices(const Body& b) const {
  const Matrix6 s_cross = cross_motion_matrix(b.s);
  const Matrix6 s_force_cross = -s_cross.transpose();
  Matrices A;
  A.B_s = coriolis(b.I, b.s);
  A.A0 = cross_force_bar_matrix(b.I * b.s);
  A.A1 = s_force_cross * b.I - b.I * s_cross;
  A.A2 = 2.0 * A.A0 - A.B_s;
  A.A3 = coriolis(b.I, b.s_rate) + s_force_cross * b.B - b.B * s_cross;
  A.A4 = cross_force_bar_matrix(b.B.transpose() * b.s);
  A.A5 = cross_force_bar_matrix(b.B * b.s_rate + b.I * b.psi_ddot + cross_force(b.s, b.f));
  A.A6 = s_force_cross * b.I + A.A0;
  A.A7 = cross_force_bar_matrix(b.B * b.s + 2.0 * (b.I * b.s_rate));
  return A;
}

/// Lines 25 to 73; p1, p2 and u1 to u12 are the paper's.
void IdsvaSecond::inner_loops(int i, const Matrices& A) {
  for (const int j : model_.link(i).path) {
    const Body& t = body(j);
    const Vector6 u1 = A.A3.transpose() * t.s;
    const Vector6 u2 = A.A1.transpose() * t.s;
    const Vector6 u3 = A.A3 * t.s_rate + A.A1 * t.psi_ddot + A.A5 * t.s;
    const Vector6 u4 = A.A6 * t.s;
    const Vector6 u5 = A.A2 * t.s_rate + A.A4 * t.s;
    const Vector6 u6 = A.B_s * t.s_rate + A.A7 * t.s;
    const Vector6 u7 = A.A3 * t.s + 2.0 * (A.A1 * t.s_rate);
    const Vector6 u8 = A.A4 * t.s - A.B_s.transpose() * t.s_rate;
    const Vector6 u9 = A.A0 * t.s;
    const Vector6 u10 = A.B_s * t.s;
    const Vector6 u11 = A.B_s.transpose() * t.s;
    const Vector6 u12 = A.A1 * t.s;
    for (const int k : model_.link(j).path) {
      const Body& r = body(k);
      const double p1 = u11.dot(r.s_rate);
      const double p2 = u8.dot(r.s_rate) + u9.dot(r.psi_ddot);
      dqdq_(i, j, k) = p2;
      dqdv_(i, k, j) = -p1;
      if (j != i) {
        dqdq_(j, k, i) = dqdq_(j, i, k) = u1.dot(r.s_rate) + u2.dot(r.psi_ddot);
        dqdv_(j, i, k) = u1.dot(r.s) + 2.0 * u2.dot(r.s_rate);
        dqdv_(j, k, i) = p1;
        dvdv_(j, k, i) = dvdv_(j, i, k) = u11.dot(r.s);
        dM_(k, j, i) = dM_(j, k, i) = r.s.dot(u12);
      }
      if (k == j) {
        dvdv_(i, j, k) = -u2.dot(r.s);
        continue;
      }
      dqdq_(i, k, j) = p2;
      dqdq_(k, i, j) = r.s.dot(u3);
      dvdv_(i, j, k) = dvdv_(i, k, j) = -u11.dot(r.s);
      dqdv_(i, j, k) = r.s.dot(u5) + 2.0 * u9.dot(r.s_rate);
      dqdv_(k, j, i) = r.s.dot(u6);
      dM_(k, i, j) = dM_(i, k, j) = r.s.dot(u9);
      if (j != i) {
        dqdq_(k, j, i) = dqdq_(k, i, j);
        dqdv_(k, i, j) = r.s.dot(u7);
        dvdv_(k, i, j) = dvdv_(k, j, i) = r.s.dot(u10);
      } else {
        dvdv_(k, j, i) = r.s.dot(u4);
      }
    }
  }
}

/// Lines 75 to 78.
void IdsvaSecond::pass_on(int i) {
  const int parent = model_.link(i).parent;
  if (parent < 0) return;
  const Body& b = body(i);
  body(parent).I += b.I;
  body(parent).B += b.B;
  body(parent).f += b.f;
}

void IdsvaSecond::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v, a);
  for (int i = model_.size() - 1; i >= 0; --i) {
    inner_loops(i, matrices(body(i)));
    pass_on(i);
  }
}

}  // namespace featherline::bench::generic
