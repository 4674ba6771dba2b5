#pragma once

#include "joints/judge/joint.hpp"
#include "reference/algebra.hpp"
#include "reference/clusters.ipp"
#include "reference/solver.hpp"

/// Definitions of Solver and integrate, for scalars other than those that solver.cpp instantiates.
namespace featherline::reference {

template <class T>
VectorX<T> integrate(const model::Tree& tree, VectorX<T> q, const VectorX<T>& dv) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // its driver takes the step
    step_joint<T>(body.joint, dv.data() + body.joint.idx_v, q.data() + body.joint.idx_q);
  }
  return q;
}

/// R and p are R_lambda(i),i and p_lambda(i),i in lambda(i); c_i includes v_i x S_i qd_i.
template <class T>
struct Solver<T>::Body : JointState<T> {
  Matrix6<T> I, X;  // I_i and X_i
  Vector6<T> v, a, f;
  Matrix6<T> IA;               // composite or articulated inertia
  ByCoordinate<Vector6<T>> U;  // the symbols of table 7.1
  ByCoordinate<T> D, u;
};

template <class T>
Solver<T>::~Solver() = default;

template <class T>
Solver<T>::Solver(const model::Tree& tree)
    : clusters_(tree.clusters),
      of_all_joints_(clusters_ ? std::optional(model::with_all_joints(tree)) : std::nullopt),
      tree_(of_all_joints_ ? *of_all_joints_ : tree),
      nv_(tree.nv),
      bodies_(tree.bodies.size()) {
  for (int i = 0; i < count(); ++i) {
    state(i).I = spatial_inertia<T>(T(inertia(i).mass), inertia(i).h.template cast<T>(),
                                    inertia(i).J.template cast<T>());
  }
}

/// What joints do at (q, v).
template <class T>
void Solver<T>::place(const VectorX<T>& q, const VectorX<T>& v) {
  for (int i = 0; i < count(); ++i) {
    Body& body = state(i);
    static_cast<JointState<T>&>(body) =
        joint_state<T>(joint(i), q.data() + joint(i).idx_q, v.data() + joint(i).idx_v);
    const Pose<T> pose = Pose<T>(joint(i).placement) * Pose<T>{body.R, body.p};
    body.R = pose.R;
    body.p = pose.p;
  }
}

/// What joints do, and the velocities of bodies.
template <class T>
void Solver<T>::update(const VectorX<T>& q, const VectorX<T>& v) {
  place(q, v);
  for (int i = 0; i < count(); ++i) {
    Body& body = state(i);
    body.X = motion_transform(body.R, body.p);
    Vector6<T> v_J = Vector6<T>::Zero();
    for (int k = 0; k < joint(i).nv; ++k) v_J = v_J + body.S[k] * v[joint(i).idx_v + k];
    body.v = parent(i) < 0 ? v_J : body.X * state(parent(i)).v + v_J;
    body.c = body.c + cross_motion(body.v) * v_J;
  }
}

template <class T>
Vector3<T> Solver<T>::felt_gravity() const {
  return (tree_.gravity * (1.0 - tree_.lift)).template cast<T>();
}

/// X_i a_lambda + c_i. The world accelerates upwards instead of gravity pulling down.
template <class T>
Vector6<T> Solver<T>::carried_acceleration(int i) const {
  const Vector3<T> upwards = -felt_gravity();
  const Vector6<T> base = spatial<T>(Vector3<T>::Zero(), upwards);
  return state(i).X * (parent(i) < 0 ? base : state(parent(i)).a) + state(i).c;
}

// ---- kinematics ----

template <class T>
std::vector<Pose<T>> Solver<T>::body_poses(const VectorX<T>& q) {
  const VectorX<T> rest = VectorX<T>::Zero(nv_);
  const AllJoints<T> all = all_joints(q, rest, rest);
  G_ = all.G;
  place(all.q, VectorX<T>::Zero(tree_.nv));
  return updated_poses();
}

template <class T>
std::vector<Pose<T>> Solver<T>::updated_poses() const {
  std::vector<Pose<T>> poses;
  for (int i = 0; i < count(); ++i) {
    const Pose<T> own{state(i).R, state(i).p};
    poses.push_back(parent(i) < 0 ? own : poses[index(parent(i))] * own);
  }
  return poses;
}

/// Column by column: a joint's S, seen in world axes, and its linear half moved from the joint's body to the point
/// that is asked for, u + w x (p_point - p_body).
template <class T>
MatrixX<T> Solver<T>::own_frame_jacobian(const std::vector<Pose<T>>& bodies, const model::Link& link,
                                         Frame frame) const {
  const Pose<T> target = pose_of(link, bodies);
  const Vector3<T> point = frame == Frame::world ? Vector3<T>(Vector3<T>::Zero()) : target.p;
  const Matrix3<T> to_axes =
      frame == Frame::local ? transposed(target.R) : Matrix3<T>(Matrix3<T>::Identity());
  MatrixX<T> J = MatrixX<T>::Zero(6, tree_.nv);
  for (int i = link.body; i >= 0; i = parent(i)) {
    for (int k = 0; k < joint(i).nv; ++k) {
      const Pose<T>& X = bodies[index(i)];
      const Vector3<T> w = X.R * angular(state(i).S[k]);
      const Vector3<T> u = X.R * linear(state(i).S[k]) + skew(w) * (point - X.p);
      const Vector6<T> column = spatial<T>(to_axes * u, to_axes * w);
      for (int r = 0; r < 6; ++r) J(r, joint(i).idx_v + k) += column[r];
    }
  }
  return J;
}

// ---- inverse dynamics ----

/// By body: the sum of the external forces on it, those that lift it included, in its frame, RBDA section 5.3.
template <class T>
std::vector<Vector6<T>> Solver<T>::wrenches(const std::vector<model::AppliedForce>& forces) const {
  std::vector<Vector6<T>> sums(bodies_.size(), Vector6<T>::Zero());
  if (forces.empty() && !model::has_lifted(tree_)) return sums;
  const std::vector<Pose<T>> poses = updated_poses();
  for (int i = 0; i < count(); ++i) {
    const model::Inertia& lifted = tree_.bodies[index(i)].lifted;
    const Vector3<T> down = transposed(poses[index(i)].R) * felt_gravity(), h = lifted.h.template cast<T>();
    sums[index(i)] = spatial<T>(skew(down) * h, down * T(-lifted.mass));
  }
  for (const model::AppliedForce& applied : forces) {
    const model::Link& link = tree_.links[index(applied.link)];
    const Matrix3<T> to_body = transposed(poses[index(link.body)].R);
    const Vector3<T> force = to_body * Vector3<T>(applied.force.cast<T>()),
                     moment = to_body * Vector3<T>(applied.moment.cast<T>()),
                     point = link.placement.p.template cast<T>();
    sums[index(link.body)] = sums[index(link.body)] + spatial<T>(moment + skew(point) * force, force);
  }
  return sums;
}

// ---- rotors ----

template <class T>
Vector3<T> Solver<T>::rotor_moment(const model::Rotor& rotor, const T& rate, const T& acceleration) const {
  if (rotor.carrier < 0) return rotor.axis.template cast<T>() * (acceleration * T(rotor.inertia));
  const Body& carrier = state(rotor.carrier);
  const Vector3<T> s = rotor.axis.template cast<T>(), turning = angular(carrier.v);
  const Vector3<T> w = turning + s * rate, wd = angular(carrier.a) + s * acceleration + skew(turning) * (s * rate);
  const Matrix3<T> J = s * transposed(s) * T(rotor.inertia);
  return J * wd + skew(w) * (J * w);
}

template <class T>
VectorX<T> Solver<T>::carrier_turn(const model::Rotor& rotor) const {
  VectorX<T> row = VectorX<T>::Zero(tree_.nv);
  Vector3<T> s = rotor.axis.template cast<T>();
  for (int i = rotor.carrier; i >= 0; i = parent(i)) {
    for (int k = 0; k < joint(i).nv; ++k) row[joint(i).idx_v + k] += dot<T>(s, angular(state(i).S[k]));
    s = state(i).R * s;
  }
  return row;
}

template <class T>
VectorX<T> Solver<T>::inverse_dynamics(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a,
                                       const std::vector<model::AppliedForce>& forces) {
  update(q, v);
  const std::vector<Vector6<T>> applied = wrenches(forces);
  for (int i = 0; i < count(); ++i) {
    Body& body = state(i);
    body.a = carried_acceleration(i);
    for (int k = 0; k < joint(i).nv; ++k) body.a = body.a + body.S[k] * a[joint(i).idx_v + k];
    body.f = body.I * body.a + cross_force(body.v) * (body.I * body.v) - applied[index(i)];
  }
  VectorX<T> tau = VectorX<T>::Zero(tree_.nv);
  for (const model::Rotor& rotor : tree_.rotors) {
    const auto [r, N] = rotor_gear(rotor);
    const Vector3<T> moment = rotor_moment(rotor, N * v[r], N * a[r]);
    tau[r] += N * dot<T>(Vector3<T>(rotor.axis.template cast<T>()), moment);
    if (rotor.carrier < 0) continue;
    Vector6<T>& f = state(rotor.carrier).f;
    f = f + spatial<T>(moment - rotor_moment(rotor, T(0), T(0)), Vector3<T>::Zero());
  }
  for (int i = count() - 1; i >= 0; --i) {
    const Body& body = state(i);
    for (int k = 0; k < joint(i).nv; ++k) {
      const int r = joint(i).idx_v + k;
      tau[r] += dot(body.S[k], body.f) + friction_torque(joint(i), v[r]) + a[r] * T(felt_armature(joint(i)));
      if (joint(i).stiffness != 0.0) tau[r] += spring_torque(joint(i), q.data() + joint(i).idx_q, k);
      if (k < 3) tau[r] += turning_force(joint(i), v.data() + joint(i).idx_v)[k];
    }
    if (parent(i) >= 0) state(parent(i)).f = state(parent(i)).f + transposed(body.X) * body.f;
  }
  return tau;
}

template <class T>
VectorX<T> Solver<T>::rnea(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a) {
  const AllJoints<T> all = all_joints(q, v, a);
  VectorX<T> tau = inverse_dynamics(all.q, all.v, all.a, tree_.applied_forces);
  for (const model::Tendon& tendon : tree_.tendons) add_tendon<T>(tendon, all.q, all.v, all.a, tau);
  return clusters_ ? VectorX<T>(transposed(all.G) * tau) : tau;
}

template <class T>
VectorX<T> Solver<T>::bias(const VectorX<T>& q, const VectorX<T>& v) {
  return rnea(q, v, VectorX<T>::Zero(nv_));
}

template <class T>
VectorX<T> Solver<T>::gravity(const VectorX<T>& q) {
  const VectorX<T> zero = VectorX<T>::Zero(tree_.nv), rest = VectorX<T>::Zero(nv_);
  const AllJoints<T> all = all_joints(q, rest, rest);
  VectorX<T> tau = inverse_dynamics(all.q, zero, zero, {});
  for (int i = 0; i < count(); ++i) {  // springs are no part of it
    if (joint(i).stiffness == 0.0) continue;
    for (int k = 0; k < joint(i).nv; ++k)
      tau[joint(i).idx_v + k] -= spring_torque(joint(i), all.q.data() + joint(i).idx_q, k);
  }
  return clusters_ ? VectorX<T>(transposed(all.G) * tau) : tau;
}

// ---- mass matrix ----

template <class T>
MatrixX<T> Solver<T>::crba(const VectorX<T>& q) {
  const VectorX<T> rest = VectorX<T>::Zero(nv_);
  const AllJoints<T> all = all_joints(q, rest, rest);
  const MatrixX<T> M = own_crba(all.q);
  return clusters_ ? MatrixX<T>(transposed(all.G) * M * all.G) : M;
}

template <class T>
MatrixX<T> Solver<T>::own_crba(const VectorX<T>& q) {
  update(q, VectorX<T>::Zero(tree_.nv));
  for (Body& body : bodies_) body.IA = body.I;
  MatrixX<T> M = MatrixX<T>::Zero(tree_.nv, tree_.nv);
  for (int i = count() - 1; i >= 0; --i) {
    const Body& body = state(i);
    if (parent(i) >= 0) state(parent(i)).IA = state(parent(i)).IA + transposed(body.X) * body.IA * body.X;
    for (int r = joint(i).idx_v; r < joint(i).idx_v + joint(i).nv; ++r) {
      M(r, r) += T(felt_armature(joint(i)));
      Vector6<T> F = body.IA * body.S[r - joint(i).idx_v];
      for (int j = i; j >= 0; F = transposed(state(j).X) * F, j = parent(j)) {
        for (int l = 0; l < joint(j).nv; ++l) {
          const T entry = dot(F, state(j).S[l]);
          M(r, joint(j).idx_v + l) += entry;
          if (j != i) M(joint(j).idx_v + l, r) += entry;
        }
      }
    }
  }
  for (const model::Tendon& tendon : tree_.tendons) add_between_ends(tendon, tendon.armature, M);
  for (const model::Rotor& rotor : tree_.rotors) {
    const auto [k, N] = rotor_gear(rotor);
    const VectorX<T> at_rest = carrier_turn(rotor);
    VectorX<T> spin = at_rest;
    spin[k] += N;
    for (int r = 0; r < tree_.nv; ++r) {
      for (int c = 0; c < tree_.nv; ++c)
        M(r, c) += T(rotor.inertia) * (spin[r] * spin[c] - at_rest[r] * at_rest[c]);
    }
  }
  return M;
}

template <class T>
MatrixX<T> Solver<T>::minv(const VectorX<T>& q) {
  return solve_definite<T>(crba(q), MatrixX<T>::Identity(nv_, nv_));
}

// ---- forward dynamics ----

/// The second sweep of table 7.1 at body i: what its subtree looks like from the parent, joint i being free. A joint
/// with several coordinates is a chain of joints with one each, and bodies without mass between them.
template <class T>
void Solver<T>::articulate(int i, const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau) {
  Body& body = state(i);
  for (int k = joint(i).nv - 1; k >= 0; --k) {
    const int r = joint(i).idx_v + k;
    body.U[k] = body.IA * body.S[k];
    body.D[k] = dot(body.S[k], body.U[k]) + T(felt_armature(joint(i)));
    body.u[k] = tau[r] - friction_torque(joint(i), v[r]) - dot(body.S[k], body.f);
    if (joint(i).stiffness != 0.0) body.u[k] -= spring_torque(joint(i), q.data() + joint(i).idx_q, k);
    if (k < 3) body.u[k] -= turning_force(joint(i), v.data() + joint(i).idx_v)[k];
    const Vector6<T> U_Dinv = body.U[k] * (T(1) / body.D[k]);
    body.IA = body.IA - U_Dinv * transposed(body.U[k]);
    body.f = body.f + U_Dinv * body.u[k];
  }
  if (parent(i) < 0) return;
  Body& above = state(parent(i));
  const Matrix6<T> to_above = transposed(body.X);
  above.IA = above.IA + to_above * body.IA * body.X;
  above.f = above.f + to_above * (body.f + body.IA * body.c);
}

template <class T>
VectorX<T> Solver<T>::aba(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau) {
  const auto mimics = [](const model::Body& body) { return body.joint.mimics >= 0; };
  const bool is_coupled = clusters_ || !tree_.tendons.empty() || !tree_.rotors.empty();
  if (is_coupled || std::ranges::any_of(tree_.bodies, mimics))
    return solve_definite<T>(crba(q), tau - bias(q, v));
  update(q, v);
  const std::vector<Vector6<T>> applied = wrenches(tree_.applied_forces);
  for (int i = 0; i < count(); ++i) {
    Body& body = state(i);
    body.IA = body.I;
    body.f = cross_force(body.v) * (body.I * body.v) - applied[index(i)];  // p^A
  }
  for (int i = count() - 1; i >= 0; --i) articulate(i, q, v, tau);
  VectorX<T> qdd(tree_.nv);
  for (int i = 0; i < count(); ++i) {
    Body& body = state(i);
    body.a = carried_acceleration(i);
    for (int k = 0; k < joint(i).nv; ++k) {
      const T rate = (body.u[k] - dot(body.U[k], body.a)) / body.D[k];
      qdd[joint(i).idx_v + k] = rate;
      body.a = body.a + body.S[k] * rate;
    }
  }
  return qdd;
}

// ---- energies ----

template <class T>
T Solver<T>::kinetic_energy(const VectorX<T>& q, const VectorX<T>& v) {
  const AllJoints<T> all = all_joints(q, v, v);
  update(all.q, all.v);
  T energy(0);
  for (const Body& body : bodies_) energy += T(0.5) * dot<T>(body.v, body.I * body.v);
  for (const model::Rotor& rotor : tree_.rotors) {
    const auto [k, N] = rotor_gear(rotor);
    const T at_rest = dot<T>(carrier_turn(rotor), all.v), spin = at_rest + N * all.v[k];
    energy += T(0.5 * rotor.inertia) * (spin * spin - at_rest * at_rest);
  }
  return energy;
}

template <class T>
T Solver<T>::potential_energy(const VectorX<T>& q) {
  const std::vector<Pose<T>> poses = body_poses(q);
  const Vector3<T> gravity = felt_gravity();
  T energy(0);
  for (int i = 0; i < count(); ++i) {
    const model::Inertia& lifted = tree_.bodies[index(i)].lifted;
    const Vector3<T> h = (inertia(i).h - lifted.h).template cast<T>();
    energy -= dot<T>(gravity, poses[index(i)].R * h + poses[index(i)].p * T(inertia(i).mass - lifted.mass));
  }
  return energy;
}

}  // namespace featherline::reference
