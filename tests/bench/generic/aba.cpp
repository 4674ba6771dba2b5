#include "generic/aba.hpp"

namespace featherline::bench::generic {

ArticulatedFactor::ArticulatedFactor(const Model& model)
    : model_{model}, bodies_(model.links.size()), inverse_{MatrixXd::Zero(model.size(), model.size())} {}

void ArticulatedFactor::factor(const VectorXd& q) {
  for (int i = 0; i < model_.size(); ++i) {
    body(i).X = model_.pose(i, q);
    body(i).IA = model_.link(i).I;
  }
  for (int i = model_.size() - 1; i >= 0; --i) {
    Body& b = body(i);
    const Link& link = model_.link(i);
    b.U = b.IA * link.S;
    b.D = link.S.dot(b.U);
    if (link.parent < 0) continue;
    const Matrix6 Ia = b.IA - b.U * b.U.transpose() / b.D;
    body(link.parent).IA += b.X.inertia_to_parent(Ia);
  }
}

void ArticulatedFactor::outward(Eigen::Ref<VectorXd> x) {
  for (int i = 0; i < model_.size(); ++i) {
    Body& b = body(i);
    const Link& link = model_.link(i);
    if (link.parent < 0) {
      x[i] = b.u / b.D;
      b.a = link.S * x[i];
      continue;
    }
    const Vector6 a = b.X.motion_to_child(body(link.parent).a);
    x[i] = (b.u - b.U.dot(a)) / b.D;
    b.a = a + link.S * x[i];
  }
}

void ArticulatedFactor::solve(Eigen::Ref<const VectorXd> b, Eigen::Ref<VectorXd> x) {
  for (Body& body : bodies_) body.p.setZero();
  for (int i = model_.size() - 1; i >= 0; --i) {
    Body& at = body(i);
    const Link& link = model_.link(i);
    at.u = b[i] - link.S.dot(at.p);
    if (link.parent >= 0) body(link.parent).p += at.X.force_to_parent(at.p + at.U * (at.u / at.D));
  }
  outward(x);
}

const MatrixXd& ArticulatedFactor::inverse() {
  for (int j = 0; j < model_.size(); ++j) {
    for (Body& b : bodies_) b.u = 0.0;
    Vector6 p = Vector6::Zero();
    for (const int i : model_.link(j).path) {
      Body& b = body(i);
      b.u = (i == j ? 1.0 : 0.0) - model_.link(i).S.dot(p);
      p = b.X.force_to_parent(p + b.U * (b.u / b.D));
    }
    outward(inverse_.col(j));
  }
  return inverse_;
}

ChainRuleAba::ChainRuleAba(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      by_q_(model.links.size()),
      by_v_(model.links.size()),
      inertia_changes_(model.links.size()),
      a_{VectorXd::Zero(model.size())},
      da_dq_{MatrixXd::Zero(model.size(), model.size())},
      da_dv_{MatrixXd::Zero(model.size(), model.size())} {}

void ChainRuleAba::outward(int i, const VectorXd& q, const VectorXd& v) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  b.X = model_.pose(i, q);
  const Vector6 joint_velocity = link.S * v[i];
  b.v_from_parent = link.parent < 0 ? Vector6::Zero() : b.X.motion_to_child(body(link.parent).v);
  b.v = b.v_from_parent + joint_velocity;
  b.c = cross_motion(b.v, joint_velocity);
  b.momentum = link.I * b.v;
  b.IA = link.I;
  b.pA = cross_force(b.v, b.momentum);
}

void ChainRuleAba::inward(int i, const VectorXd& tau) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  b.U = b.IA * link.S;
  b.D = link.S.dot(b.U);
  b.u = tau[i] - link.S.dot(b.pA);
  b.Ia = b.IA - b.U * b.U.transpose() / b.D;
  b.pa = b.pA + b.Ia * b.c + b.U * (b.u / b.D);
  if (link.parent < 0) return;
  body(link.parent).IA += b.X.inertia_to_parent(b.Ia);
  body(link.parent).pA += b.X.force_to_parent(b.pa);
}

void ChainRuleAba::accelerate(int i) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  b.a_from_parent = b.X.motion_to_child(link.parent < 0 ? -model_.gravity : body(link.parent).a);
  b.a_free = b.a_from_parent + b.c;
  a_[i] = (b.u - b.U.dot(b.a_free)) / b.D;
  b.a = b.a_free + link.S * a_[i];
}

const VectorXd& ChainRuleAba::forward_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v);
  for (int i = model_.size() - 1; i >= 0; --i) inward(i, tau);
  for (int i = 0; i < model_.size(); ++i) accelerate(i);
  return a_;
}

void ChainRuleAba::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  forward_dynamics(q, v, tau);
  for (int j = 0; j < model_.size(); ++j) {
    start_velocity(j, v);
    spread_velocity(j, v);
    gather_subtree(j);
    gather_path_q(j);
    gather_path_v(j);
    column(j);
  }
}

}  // namespace featherline::bench::generic
