#include "reference/contact_problem.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::reference::contacts {

Ground::Ground(const VectorXd& contact, Eigen::Index k)
    : n(contact.segment<3>(6 * k + 1).normalized()),
      gap(contact[6 * k]),
      friction(contact[6 * k + 4]),
      restitution(contact[6 * k + 5]) {}

bool Ground::bounces(const Vector3d& before, const Vector3d& free, double dt) const {
  const double landing = -gap / dt;
  return restitution > 0.0 && n.dot(before) < 0.0 && n.dot(free) < landing &&
         -restitution * n.dot(before) > landing;
}

double Ground::least_speed(const Vector3d& before, const Vector3d& free, double dt) const {
  return bounces(before, free, dt) ? -restitution * n.dot(before) : -gap / dt;
}

Vector3d Ground::projected(const Vector3d& impulse) const {
  const double pressure = std::max(0.0, n.dot(impulse)), most = friction * pressure;
  const Vector3d along = impulse - n.dot(impulse) * n;
  return pressure * n + (along.norm() > most ? most / along.norm() : 1.0) * along;
}

namespace {

/// The tree without the smoothed friction of joints whose friction is among the contacts.
Tree without_friction_of_joints(Tree tree) {
  for (const model::ContactJoint& chosen : tree.constraints.joints) {
    for (model::Body& body : tree.bodies) {
      if (body.joint.idx_v == chosen.idx_v && body.joint.mimics < 0 && chosen.friction > 0.0)
        body.joint.friction = 0.0;
    }
  }
  return tree;
}

}  // namespace

LongRows touching_rows(const Tree& tree, const State& s, const LongNumbers& q) {
  LongRows J = velocity_rows(tree, q).J;
  Solver<LongNumber> solver(tree);
  const auto bodies = solver.body_poses(q);
  for (Eigen::Index k = 0; k < J.rows() / 3; ++k) {
    const model::Constraint& contact = tree.constraints.all[static_cast<std::size_t>(k)];
    if (contact.type != model::ConstraintType::contact_sphere) continue;
    const Vector3<LongNumber> from_ground = (contact.radius * Ground(s.contact, k).n).cast<LongNumber>();
    J.middleRows<3>(3 * k) +=
        skew(from_ground) *
        solver.frame_jacobian(bodies, link_at(tree, contact.anchors.front()), Frame::local_world_aligned)
            .bottomRows(3);
  }
  return J;
}

void keep_from_jams(const Tree& tree, State& s) {
  constexpr int most = 300;  // coordinates: beyond, a state would take longer than what it judges
  if (tree.constraints.num_rows() != 3 * tree.constraints.count() || tree.nv > most) return;
  const MatrixXd J = values(touching_rows(tree, s, constant(s.q)));
  const MatrixXd D = J * Solver<double>(tree).crba(s.q).ldlt().solve(J.transpose());
  for (Eigen::Index k = 0; 3 * k < D.rows(); ++k) {
    const Vector3d n = Ground(s.contact, k).n, moved = D.block<3, 3>(3 * k, 3 * k) * n;
    const double along = std::max(0.0, n.dot(moved)), across = (moved - along * n).norm();
    s.contact[6 * k + 4] = std::min(s.contact[6 * k + 4], 0.5 * along / across);
  }
}

Problem::Problem(const Tree& tree, const State& s)
    : J(values(touching_rows(tree, s, constant(s.q)))),
      M_implicit(implicit_inertia(tree, s.q, s.dt[0])),
      free(with_rows(tree.nv, find_outputs("step")->compute(without_friction_of_joints(tree), s)[1])),
      before(J * s.v),
      joints(tree.constraints.joints) {
  D = J * M_implicit.ldlt().solve(J.transpose());
  b = J * free;
  const VectorXd without = b;
  for (Eigen::Index k = 0; k < b.size() / 3; ++k) {
    const Ground ground(s.contact, k);
    b.segment<3>(3 * k) -=
        ground.n * ground.least_speed(before.segment<3>(3 * k), without.segment<3>(3 * k), s.dt[0]);
  }
}

double pushed(const model::ContactJoint& joint, double push, double speed, double w, const State& s) {
  const double low = (joint.lower - s.q[joint.idx_q]) / s.dt[0],
               high = (joint.upper - s.q[joint.idx_q]) / s.dt[0], most = joint.friction * s.dt[0],
               alone = speed - w * push;
  // Friction alone stops the joint, or is all of it against the motion that is left; then limits stop it.
  double reached = 0.0;
  if (alone > w * most) reached = alone - w * most;
  if (alone < -w * most) reached = alone + w * most;
  const double friction = (reached - alone) / w;
  if (reached < low) return friction + (low - reached) / w;
  if (reached > high) return friction - (reached - high) / w;
  return friction;
}

Solution solved(const Problem& problem, const State& s) {
  constexpr int most = 20000;
  VectorXd impulse = VectorXd::Zero(problem.b.size()), pushes = VectorXd::Zero(problem.free.size());
  VectorXd of_joints = VectorXd::Zero(problem.b.size());  // what pushes change of the points' velocities
  double change = 1.0;
  for (int sweep = 0; sweep < most && change > 1e-15 * (impulse.norm() + pushes.norm()); ++sweep) {
    change = 0.0;
    for (Eigen::Index k = 0; k < impulse.size() / 3; ++k) {
      const Ground ground(s.contact, k);
      const auto rows = problem.D.middleRows<3>(3 * k);
      Vector3d x = impulse.segment<3>(3 * k);
      const Vector3d u = rows * impulse + problem.b.segment<3>(3 * k) + of_joints.segment<3>(3 * k);
      const double step = 1.0 / std::max(rows.middleCols<3>(3 * k).trace(), 1e-30);
      const Vector3d next = ground.projected(x - step * u);
      change += (next - x).norm();
      impulse.segment<3>(3 * k) = next;
    }
    for (const model::ContactJoint& joint : problem.joints) {
      const auto k = joint.idx_v;
      const VectorXd unit = problem.M_implicit.ldlt().solve(VectorXd::Unit(pushes.size(), k));
      const double next = pushed(joint, pushes[k], problem.velocity(impulse, pushes)[k], unit[k], s);
      of_joints += problem.J * unit * (next - pushes[k]);
      change += std::abs(next - pushes[k]);
      pushes[k] = next;
    }
  }
  return {impulse, pushes};
}

}  // namespace featherline::reference::contacts
