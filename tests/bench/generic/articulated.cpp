#include "generic/articulated.hpp"

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

}  // namespace featherline::bench::generic
