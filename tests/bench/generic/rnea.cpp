#include "generic/rnea.hpp"

namespace featherline::bench::generic {

ChainRuleRnea::ChainRuleRnea(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      by_q_(model.links.size()),
      by_v_(model.links.size()),
      tau_{VectorXd::Zero(model.size())},
      dtau_dq_{MatrixXd::Zero(model.size(), model.size())},
      dtau_dv_{MatrixXd::Zero(model.size(), model.size())} {}

void ChainRuleRnea::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  b.X = model_.pose(i, q);
  const Vector6 joint_velocity = link.S * v[i];
  const bool on_ground = link.parent < 0;
  b.v_from_parent = on_ground ? Vector6::Zero() : b.X.motion_to_child(body(link.parent).v);
  b.a_from_parent = b.X.motion_to_child(on_ground ? -model_.gravity : body(link.parent).a);
  b.v = b.v_from_parent + joint_velocity;
  b.a = b.a_from_parent + link.S * a[i] + cross_motion(b.v, joint_velocity);
  b.momentum = link.I * b.v;
  b.f = link.I * b.a + cross_force(b.v, b.momentum);
}

const VectorXd& ChainRuleRnea::inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v, a);
  for (int i = model_.size() - 1; i >= 0; --i) {
    const Link& link = model_.link(i);
    tau_[i] = link.S.dot(body(i).f);
    if (link.parent >= 0) body(link.parent).f += body(i).X.force_to_parent(body(i).f);
  }
  return tau_;
}

/// With X the motion transform to the body, dX/dq = -S x X.
void ChainRuleRnea::change_of_joint(int j, double rate, Change& dq, Change& dv) const {
  const Body& b = body(j);
  const Vector6& S = model_.link(j).S;
  dq.v = cross_motion(b.v_from_parent, S);
  dq.a = cross_motion(b.a_from_parent, S);
  dv.v = S;
  dv.a = cross_motion(b.v, S);
  finish_change(j, rate, dq);
  finish_change(j, rate, dv);
}

void ChainRuleRnea::finish_change(int i, double rate, Change& change) const {
  const Link& link = model_.link(i);
  const Body& b = body(i);
  change.a += cross_motion(change.v, link.S) * rate;
  change.f = link.I * change.a + cross_force(change.v, b.momentum) + cross_force(b.v, link.I * change.v);
}

void ChainRuleRnea::column(int j, const VectorXd& v) {
  const Link& moved = model_.link(j);
  change_of_joint(j, v[j], at(by_q_, j), at(by_v_, j));
  for (std::size_t k = 1; k < moved.subtree.size(); ++k) {
    const int i = moved.subtree[k], parent = model_.link(i).parent;
    for (auto* changes : {&by_q_, &by_v_}) {
      Change& change = at(*changes, i);
      change.v = body(i).X.motion_to_child(at(*changes, parent).v);
      change.a = body(i).X.motion_to_child(at(*changes, parent).a);
      finish_change(i, v[i], change);
    }
  }
  for (std::size_t k = moved.subtree.size() - 1; k > 0; --k) {
    const int i = moved.subtree[k], parent = model_.link(i).parent;
    const Vector6 &S = model_.link(i).S, &fq = at(by_q_, i).f, &fv = at(by_v_, i).f;
    dtau_dq_(i, j) = S.dot(fq);
    dtau_dv_(i, j) = S.dot(fv);
    at(by_q_, parent).f += body(i).X.force_to_parent(fq);
    at(by_v_, parent).f += body(i).X.force_to_parent(fv);
  }
  Vector6 fq = at(by_q_, j).f, fv = at(by_v_, j).f;
  for (const int i : moved.path) {
    dtau_dq_(i, j) = model_.link(i).S.dot(fq);
    dtau_dv_(i, j) = model_.link(i).S.dot(fv);
    if (i == j) fq += cross_force(moved.S, body(j).f);
    fq = body(i).X.force_to_parent(fq);
    fv = body(i).X.force_to_parent(fv);
  }
}

void ChainRuleRnea::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  inverse_dynamics(q, v, a);
  for (int j = 0; j < model_.size(); ++j) column(j, v);
}

}  // namespace featherline::bench::generic
