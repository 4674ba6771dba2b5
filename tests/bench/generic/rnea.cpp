#include "generic/rnea.hpp"

namespace featherline::bench::generic {

ChainRuleRnea::ChainRuleRnea(const Model& model)
    : model_{model},
      bodies_(model.links.size()),
      by_q_(model.links.size()),
      by_v_(model.links.size()),
      tau_{VectorXd::Zero(model.nv)},
      dtau_dq_{MatrixXd::Zero(model.nv, model.nv)},
      dtau_dv_{MatrixXd::Zero(model.nv, model.nv)} {}

void ChainRuleRnea::outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const Link& link = model_.link(i);
  Body& b = body(i);
  b.X = model_.pose(i, q);
  b.joint_velocity = link.joint_motion(v);
  const bool on_ground = link.parent < 0;
  b.v_from_parent = on_ground ? Vector6::Zero() : b.X.motion_to_child(body(link.parent).v);
  b.a_from_parent = b.X.motion_to_child(on_ground ? -model_.gravity : body(link.parent).a);
  b.v = b.v_from_parent + b.joint_velocity;
  b.a = b.a_from_parent + link.joint_motion(a) + cross_motion(b.v, b.joint_velocity);
  b.momentum = link.I * b.v;
  b.f = link.I * b.a + cross_force(b.v, b.momentum);
}

const VectorXd& ChainRuleRnea::inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < model_.size(); ++i) outward(i, q, v, a);
  for (int i = model_.size() - 1; i >= 0; --i) {
    const Link& link = model_.link(i);
    for (int k = 0; k < link.nv(); ++k) tau_[link.idx_v + k] = link.axis_column(k).dot(body(i).f);
    if (link.parent >= 0) body(link.parent).f += body(i).X.force_to_parent(body(i).f);
  }
  return tau_;
}

/// With X the motion transform to the body, dX/dq = -S x X.
void ChainRuleRnea::change_of_joint(int j, const Vector6& S, Change& dq, Change& dv) const {
  const Body& b = body(j);
  dq.v = cross_motion(b.v_from_parent, S);
  dq.a = cross_motion(b.a_from_parent, S);
  dv.v = S;
  dv.a = cross_motion(b.v, S);
  finish_change(j, dq);
  finish_change(j, dv);
}

void ChainRuleRnea::finish_change(int i, Change& change) const {
  const Link& link = model_.link(i);
  const Body& b = body(i);
  change.a += cross_motion(change.v, b.joint_velocity);
  change.f = link.I * change.a + cross_force(change.v, b.momentum) + cross_force(b.v, link.I * change.v);
}

/// Rows of link i in column c.
void ChainRuleRnea::store(int i, int c, const Vector6& fq, const Vector6& fv) {
  const Link& link = model_.link(i);
  for (int k = 0; k < link.nv(); ++k) {
    const Vector6 S = link.axis_column(k);
    dtau_dq_(link.idx_v + k, c) = S.dot(fq);
    dtau_dv_(link.idx_v + k, c) = S.dot(fv);
  }
}

/// Of coordinate k of joint j.
void ChainRuleRnea::column(int j, int k) {
  const Link& moved = model_.link(j);
  const int c = moved.idx_v + k;
  const Vector6 axis = moved.axis_column(k);
  change_of_joint(j, axis, at(by_q_, j), at(by_v_, j));
  for (std::size_t n = 1; n < moved.subtree.size(); ++n) {
    const int i = moved.subtree[n], parent = model_.link(i).parent;
    for (auto* changes : {&by_q_, &by_v_}) {
      Change& change = at(*changes, i);
      change.v = body(i).X.motion_to_child(at(*changes, parent).v);
      change.a = body(i).X.motion_to_child(at(*changes, parent).a);
      finish_change(i, change);
    }
  }
  for (std::size_t n = moved.subtree.size() - 1; n > 0; --n) {
    const int i = moved.subtree[n], parent = model_.link(i).parent;
    const Vector6 &fq = at(by_q_, i).f, &fv = at(by_v_, i).f;
    store(i, c, fq, fv);
    at(by_q_, parent).f += body(i).X.force_to_parent(fq);
    at(by_v_, parent).f += body(i).X.force_to_parent(fv);
  }
  Vector6 fq = at(by_q_, j).f, fv = at(by_v_, j).f;
  for (const int i : moved.path) {
    store(i, c, fq, fv);
    if (i == j) fq += cross_force(axis, body(j).f);
    fq = body(i).X.force_to_parent(fq);
    fv = body(i).X.force_to_parent(fv);
  }
}

void ChainRuleRnea::derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  inverse_dynamics(q, v, a);
  for (int j = 0; j < model_.size(); ++j) {
    for (int k = 0; k < model_.link(j).nv(); ++k) column(j, k);
  }
}

}  // namespace featherline::bench::generic
