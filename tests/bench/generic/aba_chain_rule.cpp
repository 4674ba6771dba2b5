#include "generic/aba.hpp"

namespace featherline::bench::generic {

void ChainRuleAba::finish_velocity(int i, double rate, Change& change) const {
  const Body& b = body(i);
  const Link& link = model_.link(i);
  change.c += cross_motion(change.v, link.S) * rate;
  change.pA = cross_force(change.v, b.momentum) + cross_force(b.v, link.I * change.v);
}

/// First loop at the moved joint itself. Everything not reached by any loop has to be zero.
void ChainRuleAba::start_velocity(int j, const VectorXd& v) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    inertia_changes_[i] = {Vector6::Zero(), 0.0};
    for (auto* changes : {&by_q_, &by_v_}) {
      (*changes)[i].c.setZero();
      (*changes)[i].pA.setZero();
      (*changes)[i].u = 0.0;
    }
  }
  const Vector6& S = model_.link(j).S;
  Change &dq = at(by_q_, j), &dv = at(by_v_, j);
  dq.v = cross_motion(body(j).v_from_parent, S);
  dv.v = S;
  dv.c = cross_motion(body(j).v, S);
  finish_velocity(j, v[j], dq);
  finish_velocity(j, v[j], dv);
}

void ChainRuleAba::spread_velocity(int j, const VectorXd& v) {
  const std::vector<int>& subtree = model_.link(j).subtree;
  for (std::size_t k = 1; k < subtree.size(); ++k) {
    const int i = subtree[k], parent = model_.link(i).parent;
    for (auto* changes : {&by_q_, &by_v_}) {
      Change& change = at(*changes, i);
      change.v = body(i).X.motion_to_child(at(*changes, parent).v);
      finish_velocity(i, v[i], change);
    }
  }
}

/// Second loop from the leaves to the moved joint, whose own forces come last: no inertia changes there.
void ChainRuleAba::gather_subtree(int j) {
  const std::vector<int>& subtree = model_.link(j).subtree;
  for (std::size_t k = subtree.size() - 1; k > 0; --k) {
    const int i = subtree[k], parent = model_.link(i).parent;
    const Body& b = body(i);
    for (auto* changes : {&by_q_, &by_v_}) {
      Change& change = at(*changes, i);
      change.u = -model_.link(i).S.dot(change.pA);
      const Vector6 pa = change.pA + b.Ia * change.c + b.U * (change.u / b.D);
      at(*changes, parent).pA += b.X.force_to_parent(pa);
    }
  }
}

void ChainRuleAba::gather_path_v(int j) {
  Vector6 pA = at(by_v_, j).pA;
  for (const int i : model_.link(j).path) {
    const Body& b = body(i);
    Change& change = at(by_v_, i);
    change.u = -model_.link(i).S.dot(pA);
    pA = b.X.force_to_parent(pA + b.Ia * change.c + b.U * (change.u / b.D));
  }
}

/// dX/dq = -S x X makes the inertia handed down by joint j change by S x* Ia - Ia S x and its force by S x*
/// pa.
void ChainRuleAba::gather_path_q(int j) {
  Vector6 pA = at(by_q_, j).pA;
  Matrix6 IA = Matrix6::Zero();
  for (const int i : model_.link(j).path) {
    const Body& b = body(i);
    const Vector6& S = model_.link(i).S;
    Change& change = at(by_q_, i);
    InertiaChange& inertia = inertia_change(i);
    inertia.U = IA * S;
    inertia.D = S.dot(inertia.U);
    change.u = -S.dot(pA);
    const Matrix6 cross = inertia.U * b.U.transpose();
    Matrix6 Ia = IA - (cross + cross.transpose()) / b.D + b.U * b.U.transpose() * (inertia.D / (b.D * b.D));
    Vector6 pa = pA + Ia * b.c + b.Ia * change.c + inertia.U * (b.u / b.D) +
                 b.U * ((change.u - b.u * inertia.D / b.D) / b.D);
    if (i == j) {
      const Matrix6 right = b.Ia * cross_motion_matrix(S);
      Ia -= right + right.transpose();
      pa += cross_force(S, b.pa);
    }
    IA = b.X.inertia_to_parent(Ia);
    pA = b.X.force_to_parent(pa);
  }
}

/// Third loop: accelerations of all bodies.
void ChainRuleAba::column(int j) {
  for (int i = 0; i < model_.size(); ++i) {
    const Link& link = model_.link(i);
    const Body& b = body(i);
    Vector6 aq = at(by_q_, i).c, av = at(by_v_, i).c;
    if (link.parent >= 0) {
      aq += b.X.motion_to_child(at(by_q_, link.parent).a);
      av += b.X.motion_to_child(at(by_v_, link.parent).a);
    }
    if (i == j) aq += cross_motion(b.a_from_parent, link.S);
    const InertiaChange& inertia = inertia_change(i);
    da_dq_(i, j) = (at(by_q_, i).u - inertia.U.dot(b.a_free) - b.U.dot(aq) - a_[i] * inertia.D) / b.D;
    da_dv_(i, j) = (at(by_v_, i).u - b.U.dot(av)) / b.D;
    at(by_q_, i).a = aq + link.S * da_dq_(i, j);
    at(by_v_, i).a = av + link.S * da_dv_(i, j);
  }
}

}  // namespace featherline::bench::generic
