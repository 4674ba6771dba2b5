#pragma once

#include "model/tree.hpp"
#include "reference/algebra.hpp"
#include "reference/hyper_dual.hpp"
#include "support/index.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// The reference solver: dynamics of a Tree by the textbook's recursions, in dense 6x6 spatial algebra. It judges
/// the generated code, so it shares none of the generator's algorithms, frames or simplifications.
///
/// Source: R. Featherstone, Rigid Body Dynamics Algorithms (RBDA), Springer 2008. Every algorithm walks the bodies
/// i in the order of the tree, parents lambda(i) first, with for each body
///
///   X_i   6x6, motion vectors from lambda(i) to i coordinates         RBDA 2.24, 4.3: X_J(q) X_T(i)
///   S_i   6 x nv_i, motion subspace in i coordinates                  RBDA 3.33 and table 4.1
///   I_i   6x6 inertia about the body origin, in i coordinates         RBDA 2.63
///   v_i = X_i v_lambda + S_i qd_i                                     RBDA 5.14
///   a_i = X_i a_lambda + S_i qdd_i + c_i + v_i x S_i qd_i             RBDA 5.15, with a_0 = -gravity
///   f_i = I_i a_i + v_i x* I_i v_i                                    RBDA 5.9, and its sum over the subtree
///   tau_i = S_i^T f_i                                                 RBDA 5.11
///
/// Inside, spatial vectors are [angular; linear]. The arguments follow the public convention. q has Tree::nq entries.
/// v, a and tau have Tree::nv. For a floating joint, v is [linear; angular] in its body frame, a is the componentwise
/// derivative of v, and tau is [force; torque]. The columns of a joint's S are in that order. No other conversion is
/// needed. Quaternions must be unit. Units are SI and radians.
///
/// External forces (Tree::applied_forces) are constant in world axes, and act on the bodies: f_i has them with a minus.
///
/// Coupled mimic joints share idx_v with their driver. Their S includes the multiplier, and sums over bodies add into
/// the shared entries. With qd_all = G qd this gives G^T tau and G^T M G. Damping, friction and armature of the tree's
/// joints, usually none, come from joint.hpp, and with them what tendons add. Limits have no effect.
///
/// Rotors are rigid bodies of inertia J = I s s^T with the angular velocity w + N qd s, s and w of their carrier. The
/// inertia of the carrier has them at rest in it, so what they change is the difference to a rotor at rest.
///
/// Where loops are eliminated (model/clusters.hpp), the recursions run over all joints,
/// and results are G^T tau and G^T M G.
namespace featherline::reference {

/// The scalar of derivatives.
using Number = HyperDual<double>;
/// The scalar of constraints, in extended precision: they amplify rounding, and a judge should have digits to spare.
using LongNumber = HyperDual<long double>;

template <class T>
struct Pose {
  Matrix3<T> R = Matrix3<T>::Identity();  ///< R_WB
  Vector3<T> p = Vector3<T>::Zero();      ///< p_WB [m]

  Pose() = default;
  Pose(const Matrix3<T>& rotation, const Vector3<T>& place) : R(rotation), p(place) {}
  explicit Pose(const model::Placement& X) : R(X.R.template cast<T>()), p(X.p.template cast<T>()) {}
  /// Of C, from that of C in B.
  Pose operator*(const Pose& in_B) const { return {R * in_B.R, R * in_B.p + p}; }
};

/// From the poses of all bodies.
template <class T>
Pose<T> pose_of(const model::Link& link, const std::vector<Pose<T>>& bodies) {
  return (link.body < 0 ? Pose<T>{} : bodies[static_cast<std::size_t>(link.body)]) * Pose<T>(link.placement);
}

/// All joints of a robot, from its own coordinates; G where loops are eliminated.
template <class T>
struct AllJoints {
  VectorX<T> q, v, a;
  MatrixX<T> G;
};

enum class Frame {
  local_world_aligned,  ///< velocity of the link origin, in world axes
  local,                ///< velocity of the link origin, in link axes
  world,  ///< velocity of the point of the moving link that is at the world origin, in world axes
};

template <class T>
class Solver {
 public:
  /// Keeps a reference to `tree`. One solver per thread: calls reuse its workspace.
  explicit Solver(const model::Tree& tree);
  ~Solver();

  /// Poses in the world of all bodies, in the order of Tree::bodies.
  std::vector<Pose<T>> body_poses(const VectorX<T>& q);
  /// Positions, velocities and accelerations of all joints, and G where loops are eliminated.
  AllJoints<T> all_joints(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a);
  /// Pose of one link frame (index into Tree::links).
  Pose<T> link_pose(const VectorX<T>& q, int link) {
    return pose_of(tree_.links[index(link)], body_poses(q));
  }
  /// 6 x nv, rows [linear; angular]: J v is the velocity of the link frame.
  MatrixX<T> frame_jacobian(const VectorX<T>& q, int link, Frame frame = Frame::local_world_aligned) {
    return frame_jacobian(body_poses(q), tree_.links[index(link)], frame);
  }
  /// The same. `bodies` must be the last result of body_poses(), and this solver must not have been called in between.
  MatrixX<T> frame_jacobian(const std::vector<Pose<T>>& bodies, const model::Link& link, Frame frame) const {
    const MatrixX<T> J = own_frame_jacobian(bodies, link, frame);
    return clusters_ ? J * G_ : J;
  }

  /// Inverse dynamics tau(q, v, a): recursive Newton-Euler, RBDA table 5.1.
  VectorX<T> rnea(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a);
  /// C(q, v) v + g(q), less the torques of external forces.
  VectorX<T> bias(const VectorX<T>& q, const VectorX<T>& v);
  /// g(q), without external forces.
  VectorX<T> gravity(const VectorX<T>& q);
  /// Mass matrix, both triangles: composite rigid bodies, RBDA table 6.2.
  MatrixX<T> crba(const VectorX<T>& q);
  /// Forward dynamics a(q, v, tau): articulated bodies, RBDA table 7.1. With coupled mimic joints, the articulated
  /// inertia of a subtree does not include all that moves with its joint, nor with tendons and rotors. Then M a = tau -
  /// bias is solved densely instead. The result has infinities or NaNs if M is singular.
  VectorX<T> aba(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau);
  /// M^-1, both triangles, by a dense L D L^T factorisation.
  MatrixX<T> minv(const VectorX<T>& q);

  /// Kinetic energy [J], from the bodies' velocities.
  T kinetic_energy(const VectorX<T>& q, const VectorX<T>& v);
  /// Potential energy [J], less that of what forces lift. It is zero if the centre of mass of every body is at the
  /// height of the world origin.
  T potential_energy(const VectorX<T>& q);

 private:
  struct Body;

  void place(const VectorX<T>& q, const VectorX<T>& v);
  void update(const VectorX<T>& q, const VectorX<T>& v);
  Body& state(int i) { return bodies_[index(i)]; }
  const Body& state(int i) const { return bodies_[index(i)]; }
  const model::Joint& joint(int i) const { return tree_.bodies[index(i)].joint; }
  const model::Inertia& inertia(int i) const { return tree_.bodies[index(i)].inertia; }
  int parent(int i) const { return tree_.bodies[index(i)].parent; }
  int count() const { return static_cast<int>(tree_.bodies.size()); }
  Vector6<T> carried_acceleration(int i) const;
  Vector3<T> felt_gravity() const;
  std::vector<Pose<T>> updated_poses() const;
  std::vector<Vector6<T>> wrenches(const std::vector<model::AppliedForce>& forces) const;
  VectorX<T> inverse_dynamics(const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a,
                              const std::vector<model::AppliedForce>& forces);
  /// J wd + w x J w of a rotor while its joint has these rates, in its carrier.
  Vector3<T> rotor_moment(const model::Rotor& rotor, const T& rate, const T& acceleration) const;
  /// The row that takes v to s . w of the carrier of a rotor.
  VectorX<T> carrier_turn(const model::Rotor& rotor) const;
  /// The coordinate of v that turns a rotor, and how fast.
  std::pair<int, T> rotor_gear(const model::Rotor& rotor) const {
    return {joint(rotor.joint).idx_v, T(rotor.gear_ratio * joint(rotor.joint).multiplier)};
  }
  MatrixX<T> own_frame_jacobian(const std::vector<Pose<T>>& bodies, const model::Link& link,
                                Frame frame) const;
  MatrixX<T> own_crba(const VectorX<T>& q);
  std::pair<MatrixX<T>, VectorX<T>> loop_rows(const VectorX<T>& q);
  VectorX<T> loop_bias(const VectorX<T>& q, const VectorX<T>& v);
  void articulate(int i, const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& tau);

  std::shared_ptr<const model::Clusters> clusters_;  ///< null if there are none
  std::optional<model::Tree> of_all_joints_;         ///< if there are
  const model::Tree& tree_;                          ///< it, or the robot's
  int nv_;                                           ///< of the robot
  MatrixX<T> G_;                                     ///< at the last position of body_poses()
  std::vector<Body> bodies_;
};

extern template class Solver<double>;
extern template class Solver<Number>;
extern template class Solver<LongNumber>;

/// A step in the tangent space, q (+) dv. q has nq entries, and dv has the coordinates of v. Each joint moves for unit
/// time with the constant velocity dv in its body frame. Lie derivatives are derivatives along these steps: D_j f(q) =
/// d/de f(q (+) e e_j) at e = 0.
template <class T>
VectorX<T> integrate(const model::Tree& tree, VectorX<T> q, const VectorX<T>& dv);

extern template VectorX<double> integrate(const model::Tree&, VectorX<double>, const VectorX<double>&);
extern template VectorX<Number> integrate(const model::Tree&, VectorX<Number>, const VectorX<Number>&);
extern template VectorX<LongNumber> integrate(const model::Tree&, VectorX<LongNumber>,
                                              const VectorX<LongNumber>&);

}  // namespace featherline::reference
