#pragma once

#include "reference/algebra.hpp"
#include "joints/judge/joint.hpp"
#include "reference/solver.hpp"

/// Definitions of Solver and integrate, for scalars other than those the solver_*.cpp instantiate.
namespace featherline::reference {

template <class T>
VectorX<T> integrate(const model::Tree& tree, VectorX<T> q, const VectorX<T>& dv) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // its driver takes the step
    step_joint<T>(body.joint, dv.data() + body.joint.idx_v, q.data() + body.joint.idx_q);
  }
  return q;
}

template <class T>
struct Solver<T>::Body {
  Matrix6<T> I, X;  // I_i and X_i
  Matrix3<T> R;     // R_lambda(i),i
  Vector3<T> p;     // p_lambda(i),i in lambda(i)
  Subspace<T> S;
  Vector6<T> c;  // velocity product of the joint, c_i
  Vector6<T> v, a, f;
  Matrix6<T> IA;          // composite or articulated inertia
  Vector6<T> bias_force;  // p^A and, with D^-1, the symbols of table 7.1
  Subspace<T> U;
  Block<T> Dinv;
  JointVector<T> u;
};

template <class T>
Solver<T>::~Solver() = default;

template <class T>
Solver<T>::Solver(const model::Tree& tree) : tree_(tree), bodies_(tree.bodies.size()) {
  for (int i = 0; i < count(); ++i) {
    const model::Inertia& inertia = tree.bodies[i].inertia;
    bodies_[i].I = spatial_inertia<T>(T(inertia.mass), inertia.h.cast<T>(), inertia.J.cast<T>());
    coupled_ = coupled_ || joint(i).mimics >= 0;
    driven_ = driven_ || has_drive(joint(i));
  }
}

template <class T>
void Solver<T>::update_joints(const VectorX<T>& q, const VectorX<T>& v) {
  for (int i = 0; i < count(); ++i) {
    const JointState<T> state =
        joint_state<T>(joint(i), q.data() + joint(i).idx_q, v.data() + joint(i).idx_v);
    const Matrix3<T> R_T = joint(i).placement.R.template cast<T>();
    const Vector3<T> p_T = joint(i).placement.p.template cast<T>();
    Body& body = bodies_[i];
    body.R = R_T * state.R;
    body.p = R_T * state.p + p_T;
    body.X = motion_transform(body.R, body.p);
    body.S = state.S;
    body.c = state.c;
  }
}

template <class T>
void Solver<T>::update_velocities(const VectorX<T>& v) {
  for (int i = 0; i < count(); ++i) {
    Body& body = bodies_[i];
    body.v = body.S * v.segment(joint(i).idx_v, joint(i).nv);
    if (parent(i) >= 0) body.v += body.X * bodies_[parent(i)].v;
  }
}

/// The world accelerates upwards instead of gravity pulling down.
template <class T>
Vector6<T> Solver<T>::base_acceleration() const {
  return spatial<T>(Vector3<T>::Zero(), -tree_.gravity.cast<T>());
}

// ---- drives ----

/// Damping and friction torques against v.
template <class T>
VectorX<T> Solver<T>::friction_torques(const VectorX<T>& v) const {
  VectorX<T> tau = VectorX<T>::Zero(tree_.nv);
  for (int i = 0; i < count(); ++i) {
    if (!has_drive(joint(i))) continue;
    for (int k = joint(i).idx_v; k < joint(i).idx_v + joint(i).nv; ++k)
      tau[k] += friction_torque<T>(joint(i), v[k]);
  }
  return tau;
}

/// What the rotors add to the diagonal of M.
template <class T>
VectorX<T> Solver<T>::armature() const {
  VectorX<T> diagonal = VectorX<T>::Zero(tree_.nv);
  for (int i = 0; i < count(); ++i) {
    diagonal.segment(joint(i).idx_v, joint(i).nv).array() += T(felt_armature(joint(i)));
  }
  return diagonal;
}

// ---- kinematics ----

template <class T>
std::vector<Pose<T>> Solver<T>::body_poses(const VectorX<T>& q) {
  update_joints(q, VectorX<T>::Zero(tree_.nv));
  return updated_poses();
}

template <class T>
std::vector<Pose<T>> Solver<T>::updated_poses() const {
  std::vector<Pose<T>> poses(bodies_.size());
  for (int i = 0; i < count(); ++i) {
    const Pose<T> above = parent(i) < 0 ? Pose<T>{} : poses[parent(i)];
    poses[i] = {above.R * bodies_[i].R, above.R * bodies_[i].p + above.p};
  }
  return poses;
}

template <class T>
Pose<T> Solver<T>::link_pose(const VectorX<T>& q, int link) {
  const model::Link& L = tree_.links[link];
  const Pose<T> carrier = L.body < 0 ? Pose<T>{} : body_poses(q)[L.body];
  return {carrier.R * L.placement.R.template cast<T>(),
          carrier.R * L.placement.p.template cast<T>() + carrier.p};
}

/// Column by column: a joint's S, seen in world axes, and its linear half moved from the joint's body to the point
/// that is asked for, u + w x (p_point - p_body).
template <class T>
MatrixX<T> Solver<T>::frame_jacobian(const VectorX<T>& q, int link, Frame frame) {
  const std::vector<Pose<T>> poses = body_poses(q);
  const Pose<T> target = link_pose(q, link);
  const Vector3<T> point = frame == Frame::world ? Vector3<T>(Vector3<T>::Zero()) : target.p;
  const Matrix3<T> axes = frame == Frame::local ? target.R : Matrix3<T>(Matrix3<T>::Identity());
  MatrixX<T> J = MatrixX<T>::Zero(6, tree_.nv);
  for (int i = tree_.links[link].body; i >= 0; i = parent(i)) {
    for (int k = 0; k < joint(i).nv; ++k) {
      const Vector3<T> w = poses[i].R * bodies_[i].S.col(k).template head<3>();
      const Vector3<T> u =
          poses[i].R * bodies_[i].S.col(k).template tail<3>() + skew(w) * (point - poses[i].p);
      J.col(joint(i).idx_v + k).template head<3>() += axes.transpose() * u;
      J.col(joint(i).idx_v + k).template tail<3>() += axes.transpose() * w;
    }
  }
  return J;
}

// ---- external forces ----

/// By body: the sum of the external forces on it, in its frame, RBDA section 5.3.
template <class T>
std::vector<Vector6<T>> Solver<T>::applied_wrenches() const {
  std::vector<Vector6<T>> wrenches(bodies_.size(), Vector6<T>::Zero());
  if (tree_.applied_forces.empty()) return wrenches;
  const std::vector<Pose<T>> poses = updated_poses();
  for (const model::AppliedForce& applied : tree_.applied_forces) {
    const model::Link& link = tree_.links[applied.link];
    const Matrix3<T> to_body = poses[link.body].R.transpose();
    const Vector3<T> force = to_body * applied.force.cast<T>(), moment = to_body * applied.moment.cast<T>();
    const Vector3<T> point = link.placement.p.template cast<T>();
    wrenches[link.body] += spatial<T>(moment + skew(point) * force, force);
  }
  return wrenches;
}

// ---- inverse dynamics ----

template <class T>
VectorX<T> Solver<T>::rnea(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a) {
  VectorX<T> tau = free_rnea(q, v, a);
  if (tree_.applied_forces.empty()) return tau;
  const std::vector<Vector6<T>> wrenches = applied_wrenches();
  for (int i = 0; i < count(); ++i) bodies_[i].f = -wrenches[i];
  collect_torques(tau);
  return tau;
}

/// Carries the forces f_i of the bodies to the root, and adds their torques.
template <class T>
void Solver<T>::collect_torques(VectorX<T>& tau) {
  for (int i = count() - 1; i >= 0; --i) {
    const Body& body = bodies_[i];
    tau.segment(joint(i).idx_v, joint(i).nv) += body.S.transpose() * body.f;
    if (parent(i) >= 0) bodies_[parent(i)].f += body.X.transpose() * body.f;
  }
}

template <class T>
VectorX<T> Solver<T>::free_rnea(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a) {
  update_joints(q, v);
  update_velocities(v);
  for (int i = 0; i < count(); ++i) {
    Body& body = bodies_[i];
    const int first = joint(i).idx_v, size = joint(i).nv;
    const Vector6<T> v_J = body.S * v.segment(first, size);
    body.a = body.X * (parent(i) < 0 ? base_acceleration() : bodies_[parent(i)].a);
    body.a += body.S * a.segment(first, size) + body.c + cross_motion(body.v) * v_J;
    body.f = body.I * body.a + cross_force(body.v) * (body.I * body.v);
  }
  VectorX<T> tau = VectorX<T>::Zero(tree_.nv);
  collect_torques(tau);
  if (driven_) tau += friction_torques(v) + armature().cwiseProduct(a);
  return tau;
}

template <class T>
VectorX<T> Solver<T>::bias(const VectorX<T>& q, const VectorX<T>& v) {
  return rnea(q, v, VectorX<T>::Zero(tree_.nv));
}

template <class T>
VectorX<T> Solver<T>::gravity(const VectorX<T>& q) {
  const VectorX<T> zero = VectorX<T>::Zero(tree_.nv);
  return free_rnea(q, zero, zero);
}

// ---- mass matrix ----

template <class T>
MatrixX<T> Solver<T>::crba(const VectorX<T>& q) {
  update_joints(q, VectorX<T>::Zero(tree_.nv));
  for (Body& body : bodies_) body.IA = body.I;
  MatrixX<T> M = MatrixX<T>::Zero(tree_.nv, tree_.nv);
  for (int i = count() - 1; i >= 0; --i) {
    const Body& body = bodies_[i];
    if (parent(i) >= 0) bodies_[parent(i)].IA += body.X.transpose() * body.IA * body.X;
    Subspace<T> F = body.IA * body.S;
    M.block(joint(i).idx_v, joint(i).idx_v, joint(i).nv, joint(i).nv) += body.S.transpose() * F;
    for (int j = i; parent(j) >= 0;) {
      F = (bodies_[j].X.transpose() * F).eval();
      j = parent(j);
      const Block<T> H = F.transpose() * bodies_[j].S;
      M.block(joint(i).idx_v, joint(j).idx_v, joint(i).nv, joint(j).nv) += H;
      M.block(joint(j).idx_v, joint(i).idx_v, joint(j).nv, joint(i).nv) += H.transpose();
    }
  }
  if (driven_) M.diagonal() += armature();
  return M;
}

template <class T>
MatrixX<T> Solver<T>::minv(const VectorX<T>& q) {
  return inverse(crba(q));
}

// ---- forward dynamics ----

template <class T>
VectorX<T> Solver<T>::forward_dynamics_dense(const VectorX<T>& q, const VectorX<T>& v,
                                             const VectorX<T>& tau) {
  const VectorX<T> force = tau - bias(q, v);
  return Ldlt<MatrixX<T>>(crba(q)).template solve<VectorX<T>>(force);
}

/// The second sweep of table 7.1 at body i: what its subtree looks like from the parent, joint i being free.
template <class T>
void Solver<T>::articulate(int i, const VectorX<T>& tau) {
  Body& body = bodies_[i];
  body.U = body.IA * body.S;
  Block<T> D = body.S.transpose() * body.U;
  D.diagonal().array() += T(felt_armature(joint(i)));
  body.Dinv = inverse(D);
  body.u = tau.segment(joint(i).idx_v, joint(i).nv) - body.S.transpose() * body.bias_force;
  if (parent(i) < 0) return;
  const Subspace<T> U_Dinv = body.U * body.Dinv;
  const Matrix6<T> Ia = body.IA - U_Dinv * body.U.transpose();
  const Vector6<T> pa = body.bias_force + Ia * body.c + U_Dinv * body.u;
  bodies_[parent(i)].IA += body.X.transpose() * Ia * body.X;
  bodies_[parent(i)].bias_force += body.X.transpose() * pa;
}

template <class T>
VectorX<T> Solver<T>::aba(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau) {
  if (coupled_) return forward_dynamics_dense(q, v, tau);
  update_joints(q, v);
  update_velocities(v);
  const std::vector<Vector6<T>> wrenches = applied_wrenches();
  for (int i = 0; i < count(); ++i) {
    Body& body = bodies_[i];
    const Vector6<T> v_J = body.S * v.segment(joint(i).idx_v, joint(i).nv);
    body.c += cross_motion(body.v) * v_J;
    body.IA = body.I;
    body.bias_force = cross_force(body.v) * (body.I * body.v) - wrenches[i];
  }
  const VectorX<T> net = driven_ ? VectorX<T>(tau - friction_torques(v)) : tau;
  for (int i = count() - 1; i >= 0; --i) articulate(i, net);
  VectorX<T> qdd(tree_.nv);
  for (int i = 0; i < count(); ++i) {
    Body& body = bodies_[i];
    const Vector6<T> carried = body.X * (parent(i) < 0 ? base_acceleration() : bodies_[parent(i)].a) + body.c;
    const JointVector<T> rate = body.Dinv * (body.u - body.U.transpose() * carried);
    qdd.segment(joint(i).idx_v, joint(i).nv) = rate;
    body.a = carried + body.S * rate;
  }
  return qdd;
}

// ---- energies ----

template <class T>
T Solver<T>::kinetic_energy(const VectorX<T>& q, const VectorX<T>& v) {
  update_joints(q, v);
  update_velocities(v);
  T energy(0);
  for (const Body& body : bodies_) energy += T(0.5) * (body.v.transpose() * (body.I * body.v)).value();
  return energy;
}

template <class T>
T Solver<T>::potential_energy(const VectorX<T>& q) {
  const std::vector<Pose<T>> poses = body_poses(q);
  T energy(0);
  for (int i = 0; i < count(); ++i) {
    const model::Inertia& inertia = tree_.bodies[i].inertia;
    const Vector3<T> first_moment = poses[i].R * inertia.h.cast<T>() + poses[i].p * T(inertia.mass);
    energy -= (tree_.gravity.cast<T>().transpose() * first_moment).value();
  }
  return energy;
}

}  // namespace featherline::reference
