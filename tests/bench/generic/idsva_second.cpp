#include "generic/idsva.hpp"

namespace featherline::bench::generic {

namespace {

/// m x* I - I m x for a symmetric I: one product gives both terms.
Matrix6 rate_of_inertia(const Matrix6& I, const Vector6& m) {
  const Matrix6 product = I * cross_motion_matrix(m);
  return -(product + product.transpose());
}

/// B(m) of an inertia, twice the one of paper 001 (002, lines 9, 15, 16).
Matrix6 coriolis(const Matrix6& I, const Vector6& m) {
  return rate_of_inertia(I, m) + cross_force_bar_matrix(I * m);
}

}  // namespace

IdsvaSecond::IdsvaSecond(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      axes_(static_cast<std::size_t>(model.nv)),
      dqdq_{model.nv},
      dvdv_{model.nv},
      dqdv_{model.nv},
      dM_{model.nv} {}

/// Lines 3 to 10.
void IdsvaSecond::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  const bool on_ground = link.parent < 0;
  const Vector6 v_parent = on_ground ? Vector6{Vector6::Zero()} : body(link.parent).v;
  const Vector6 a_parent = on_ground ? Vector6{-model_.gravity} : body(link.parent).a;
  Body& b = body(i);
  b.X = (on_ground ? Pose{} : body(link.parent).X) * model_.pose(i, q);
  b.v = v_parent;
  b.a = a_parent;
  for (int k = 0; k < link.nv(); ++k) {
    Axis& x = axis(link.idx_v + k);
    x.s = b.X.motion_to_parent(link.axis_column(k));
    x.psi_dot = cross_motion(v_parent, x.s);
    x.psi_ddot = cross_motion(a_parent, x.s) + cross_motion(v_parent, x.psi_dot);
    b.v += x.s * v[link.idx_v + k];
  }
  for (int k = 0; k < link.nv(); ++k) {
    Axis& x = axis(link.idx_v + k);
    const Vector6 s_dot = cross_motion(b.v, x.s);
    x.rates = s_dot + x.psi_dot;
    b.a += x.s * a[link.idx_v + k] + s_dot * v[link.idx_v + k];
  }
  b.I = b.X.inertia_to_parent(link.I);
  b.B = coriolis(b.I, b.v);
  b.f = b.I * b.a + cross_force(b.v, b.I * b.v);
}

/// Lines 15 to 24, with what their terms have in common computed once.
IdsvaSecond::Matrices IdsvaSecond::matrices(const Body& b, const Axis& p) const {
  const Matrix6 s_cross = cross_motion_matrix(p.s);
  const Matrix6 s_force_cross = -s_cross.transpose();
  Matrices A;
  A.A0 = cross_force_bar_matrix(b.I * p.s);
  A.A1 = rate_of_inertia(b.I, p.s);
  A.B_s = A.A1 + A.A0;
  A.A2 = 2.0 * A.A0 - A.B_s;
  A.A3 = coriolis(b.I, p.psi_dot) + s_force_cross * b.B - b.B * s_cross;
  A.A4 = cross_force_bar_matrix(b.B.transpose() * p.s);
  A.A5 = cross_force_bar_matrix(b.B * p.psi_dot + b.I * p.psi_ddot + cross_force(p.s, b.f));
  A.A6 = s_force_cross * b.I + A.A0;
  A.A7 = cross_force_bar_matrix(b.B * p.s + b.I * p.rates);
  return A;
}

template <class Visit>
void IdsvaSecond::for_each_coordinate(int i, Visit visit) {
  const Link& link = model_.link(i);
  for (int k = link.idx_v; k < link.idx_v + link.nv(); ++k) visit(Coordinate{k, i, axis(k)});
}

/// Lines 29 to 36.
IdsvaSecond::Vectors IdsvaSecond::vectors(const Matrices& A, const Axis& t) const {
  Vectors u;
  u.u1 = A.A3.transpose() * t.s;
  u.u2 = A.A1.transpose() * t.s;
  u.u3 = A.A3 * t.psi_dot + A.A1 * t.psi_ddot + A.A5 * t.s;
  u.u4 = A.A6 * t.s;
  u.u5 = A.A2 * t.psi_dot + A.A4 * t.s;
  u.u6 = A.B_s * t.psi_dot + A.A7 * t.s;
  u.u7 = A.A3 * t.s + A.A1 * t.rates;
  u.u8 = A.A4 * t.s - A.B_s.transpose() * t.psi_dot;
  u.u9 = A.A0 * t.s;
  u.u10 = A.B_s * t.s;
  u.u11 = A.B_s.transpose() * t.s;
  u.u12 = A.A1 * t.s;
  return u;
}

/// Lines 25 to 28, 37 to 41 and 68 to 73.
void IdsvaSecond::inner_loops(const Coordinate& p, const Matrices& A) {
  for (const int j : model_.link(p.link).path) {
    for_each_coordinate(j, [&](const Coordinate& t) {
      const Vectors u = vectors(A, t.axis);
      for (const int k : model_.link(j).path) {
        for_each_coordinate(k, [&](const Coordinate& r) { triple(p, t, r, u); });
      }
    });
  }
}

/// Lines 42 to 67; p1 and p2 are the paper's.
void IdsvaSecond::triple(const Coordinate& at_i, const Coordinate& at_j, const Coordinate& at_k,
                         const Vectors& u) {
  const int p = at_i.index, t = at_j.index, r = at_k.index;
  const bool j_is_i = at_j.link == at_i.link;
  const Axis& y = at_k.axis;
  const double p1 = u.u11.dot(y.psi_dot);
  const double p2 = u.u8.dot(y.psi_dot) + u.u9.dot(y.psi_ddot);
  dqdq_(p, t, r) = p2;
  dqdv_(p, r, t) = -p1;
  if (!j_is_i) {
    dqdq_(t, r, p) = dqdq_(t, p, r) = u.u1.dot(y.psi_dot) + u.u2.dot(y.psi_ddot);
    dqdv_(t, p, r) = u.u1.dot(y.s) + u.u2.dot(y.rates);
    dqdv_(t, r, p) = p1;
    dvdv_(t, r, p) = dvdv_(t, p, r) = u.u11.dot(y.s);
    dM_(r, t, p) = dM_(t, r, p) = y.s.dot(u.u12);
  }
  if (at_k.link == at_j.link) {
    dvdv_(p, t, r) = -u.u2.dot(y.s);
    return;
  }
  dqdq_(p, r, t) = p2;
  dqdq_(r, p, t) = y.s.dot(u.u3);
  dvdv_(p, t, r) = dvdv_(p, r, t) = -u.u11.dot(y.s);
  dqdv_(p, t, r) = y.s.dot(u.u5) + u.u9.dot(y.rates);
  dqdv_(r, t, p) = y.s.dot(u.u6);
  dM_(r, p, t) = dM_(p, r, t) = y.s.dot(u.u9);
  if (j_is_i) {
    dvdv_(r, t, p) = y.s.dot(u.u4);
    return;
  }
  dqdq_(r, t, p) = dqdq_(r, p, t);
  dqdv_(r, p, t) = y.s.dot(u.u7);
  dvdv_(r, p, t) = dvdv_(r, t, p) = y.s.dot(u.u10);
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
  const int num_links = model_.size();
  for (int i = 0; i < num_links; ++i) outward(i, q, v, a);
  for (int i = num_links - 1; i >= 0; --i) {
    for_each_coordinate(i, [&](const Coordinate& p) { inner_loops(p, matrices(body(i), p.axis)); });
    pass_on(i);
  }
}

}  // namespace featherline::bench::generic
