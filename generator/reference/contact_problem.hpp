#pragma once

#include "reference/expected_groups.hpp"

#include <Eigen/Cholesky>

/// The problem of a step with contacts, as the reference poses and solves it.
namespace featherline::reference::contacts {

/// Less friction where a point would jam: pushed along its cone it has to leave the ground, with at least half of the
/// speed that it gets along the normal. Where it need not, there are several solutions or none (Painleve).
void keep_from_jams(const model::Tree& tree, State& s);

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using model::Tree;

/// One point: what `contact` says of it.
struct Ground {
  Vector3d n;
  double gap, friction, restitution;

  explicit Ground(const VectorXd& contact, Eigen::Index k);

  /// Whether it bounces: it approaches, would pass the ground, and restitution asks for more than landing.
  bool bounces(const Vector3d& before, const Vector3d& free, double dt) const;
  /// The least velocity along n: a point that would pass the ground bounces if it approaches, or else lands.
  double least_speed(const Vector3d& before, const Vector3d& free, double dt) const;
  /// The nearest impulse in the cone of the friction that the pressure of `impulse` allows.
  Vector3d projected(const Vector3d& impulse) const;
};

/// The impulse that a joint gets alone: limits keep its speed between those that reach them in the step, and friction
/// is against it. `speed` is that with the impulse `push`, w what a unit impulse changes of it.
double pushed(const model::ContactJoint& joint, double push, double speed, double w, const State& s);

/// J of the points that touch the ground: of a sphere the one that is nearest, which stays below its centre.
LongRows touching_rows(const Tree& tree, const State& s, const LongNumbers& q);

struct Problem {
  MatrixXd J, M_implicit, D;
  VectorXd free, before,
      b;  ///< velocities without impulses; of points before, and without less the least ones
  std::vector<model::ContactJoint> joints;

  Problem(const Tree& tree, const State& s);
  /// v_next of impulses, on points and on coordinates.
  VectorXd velocity(const VectorXd& impulse, const VectorXd& pushes) const {
    return free + M_implicit.ldlt().solve(J.transpose() * impulse + pushes);
  }
};

/// Impulses on points, and on coordinates, by a long projected Gauss-Seidel iteration.
struct Solution {
  VectorXd impulse, pushes;
};
Solution solved(const Problem& problem, const State& s);

}  // namespace featherline::reference::contacts
