#include "reference/constraint_rows.hpp"
#include "reference/expected_groups.hpp"

#include <algorithm>
#include <cmath>

/// Steps with contacts, judged by the conditions that define them: impulses may not be unique. The reference's own solution
/// is a long projected Gauss-Seidel iteration.
namespace featherline::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using model::Tree;

/// One point: its rows of J, and what `contact` says of it.
struct Ground {
  Vector3d n;
  double gap, friction, restitution;

  explicit Ground(const VectorXd& contact, Eigen::Index k)
      : n(contact.segment<3>(6 * k + 1).normalized()),
        gap(contact[6 * k]),
        friction(contact[6 * k + 4]),
        restitution(contact[6 * k + 5]) {}

  /// The least velocity along n: a point that would pass the ground bounces if it approaches, or else lands.
  double least_speed(const Vector3d& before, const Vector3d& free, double dt) const {
    const double landing = -gap / dt, bounced = -restitution * n.dot(before);
    const bool bounces = restitution > 0.0 && n.dot(before) < 0.0 && n.dot(free) < landing;
    return bounces ? std::max(bounced, landing) : landing;
  }
  /// The nearest impulse in the cone of the friction that the pressure of `impulse` allows.
  Vector3d projected(const Vector3d& impulse) const {
    const double pressure = std::max(0.0, n.dot(impulse)), most = friction * pressure;
    const Vector3d along = impulse - n.dot(impulse) * n;
    return pressure * n + (along.norm() > most ? most / along.norm() : 1.0) * along;
  }
};

/// J of the points that touch the ground: of a sphere the point of its body that is nearest.
MatrixXd touching_rows(const Tree& tree, const State& s) {
  MatrixXd J = constraint_jacobian(tree, s.q);
  Solver<double> solver(tree);
  const auto bodies = solver.body_poses(s.q);
  for (Eigen::Index k = 0; k < J.rows() / 3; ++k) {
    const model::Constraint& contact = tree.constraints.all[static_cast<std::size_t>(k)];
    if (contact.type != model::ConstraintType::contact_sphere) continue;
    model::Link point = link_at(tree, contact.anchors.front());
    const Eigen::Matrix3d& R = bodies[static_cast<std::size_t>(point.body)].R;
    point.placement.p -= R.transpose() * (contact.radius * Ground(s.contact, k).n);
    J.middleRows<3>(3 * k) = solver.frame_jacobian(bodies, point, Frame::local_world_aligned).topRows(3);
  }
  return J;
}

struct Problem {
  MatrixXd J, M_implicit, D;
  VectorXd free, before,
      b;  ///< velocities without impulses; of points before, and without less the least ones

  Problem(const Tree& tree, const State& s, const VectorXd& free_velocity)
      : J(touching_rows(tree, s)),
        M_implicit(implicit_inertia(tree, s.q, s.dt[0])),
        free(free_velocity),
        before(J * s.v) {
    D = J * M_implicit.ldlt().solve(J.transpose());
    b = J * free;
    const VectorXd without = b;
    for (Eigen::Index k = 0; k < b.size() / 3; ++k) {
      const Ground ground(s.contact, k);
      b.segment<3>(3 * k) -=
          ground.n * ground.least_speed(before.segment<3>(3 * k), without.segment<3>(3 * k), s.dt[0]);
    }
  }
};

VectorXd solved(const Problem& problem, const State& s) {
  constexpr int most = 20000;
  VectorXd impulse = VectorXd::Zero(problem.b.size());
  double change = 1.0;
  for (int sweep = 0; sweep < most && change > 1e-15 * impulse.norm(); ++sweep) {
    change = 0.0;
    for (Eigen::Index k = 0; k < impulse.size() / 3; ++k) {
      const Ground ground(s.contact, k);
      const auto rows = problem.D.middleRows<3>(3 * k);
      Vector3d x = impulse.segment<3>(3 * k);
      const Vector3d u = rows * impulse + problem.b.segment<3>(3 * k);
      const double step = 1.0 / std::max(rows.middleCols<3>(3 * k).trace(), 1e-30);
      const Vector3d next = ground.projected(x - step * u);
      change += (next - x).norm();
      impulse.segment<3>(3 * k) = next;
    }
  }
  return impulse;
}

VectorXd free_velocity(const Tree& tree, const State& s) {
  return with_rows(tree.nv, find_outputs("step")->compute(tree, s)[1]);
}

/// Values of a residual, and what they are relative to.
void add_rows(Residual& rows, const VectorXd& values, const VectorXd& sizes) {
  append(rows.values, values);
  append(rows.sizes, sizes);
  append(rows.factored, sizes);
}

/// The natural map of a point, x - P(x - u / w) for the impulse x, as a velocity; and 1 where the mode is another one.
void add_point(const Problem& problem, const State& s, Eigen::Index k, const VectorXd& v,
               const VectorXd& impulse, double mode, Residual& rows) {
  const Ground ground(s.contact, k);
  const auto J = problem.J.middleRows<3>(3 * k);
  const Vector3d x = impulse.segment<3>(3 * k), change = J * (v - problem.free),
                 u = problem.b.segment<3>(3 * k) + change;
  const double w = std::max(problem.D.block<3, 3>(3 * k, 3 * k).trace(), 1e-30);
  const double size = (J.cwiseAbs() * v.cwiseAbs() + problem.b.segment<3>(3 * k).cwiseAbs()).maxCoeff() +
                      w * x.norm() + problem.before.segment<3>(3 * k).norm();
  add_rows(rows, w * (x - ground.projected(x - u / w)), Vector3d::Constant(size));
  constexpr double clear = 1e-6;  // closer to the border any of two modes is right
  const double pressure = ground.n.dot(x), along = (x - pressure * ground.n).norm(),
               slip = (u - ground.n.dot(u) * ground.n).norm();
  const bool is_open = w * pressure < clear * size,
             is_inside = along < (1.0 - clear) * ground.friction * pressure;
  const bool is_wrong = (mode == 0.0 && !is_open) || (mode == 1.0 && slip > clear * size) ||
                        (mode == 2.0 && is_inside && !is_open) || std::floor(mode) != mode || mode < 0.0 ||
                        mode > 2.0;
  add_rows(rows, VectorXd::Constant(1, is_wrong ? 1.0 : 0.0), VectorXd::Ones(1));
}

/// M (v' - v_free) = J^T impulse, q' = q (+) dt v', the conditions of all points, and the verdict.
Residual contact_step_residual(const Tree& tree, const State& s, const Outputs& outputs) {
  const Problem problem(tree, s, free_velocity(tree, s));
  const VectorXd q = with_rows(tree.nq, outputs[0]), v = with_rows(tree.nv, outputs[1]),
                 impulse = with_rows(3 * tree.constraints.count(), outputs[2]);
  const std::vector<double>& status = outputs[3].values;
  const VectorXd pushes = problem.J.transpose() * impulse, zero = VectorXd::Zero(tree.nv);
  Residual rows =
      residual("M (v_next - v) - dt (tau - bias) - J^T impulse, and the conditions", problem.M_implicit, v,
               v.cwiseAbs(), zero, problem.M_implicit * problem.free + pushes);
  add_rows(rows, q - integrate<double>(tree, s.q, v * s.dt[0]), VectorXd(q.cwiseAbs().array() + 1.0));
  for (Eigen::Index k = 0; k < impulse.size() / 3; ++k)
    add_point(problem, s, k, v, impulse, status[static_cast<std::size_t>(4 + k)], rows);
  add_rows(rows, VectorXd::Constant(1, status[2]), VectorXd::Ones(1));
  return rows;
}

Outputs contact_step(const Tree& tree, const State& s) {
  if (tree.constraints.num_rows() != 3 * tree.constraints.count()) return {};  // not points alone
  const Problem problem(tree, s, free_velocity(tree, s));
  const VectorXd impulse = solved(problem, s),
                 v = problem.free + problem.M_implicit.ldlt().solve(problem.J.transpose() * impulse),
                 status = VectorXd::Zero(4 + tree.constraints.count());
  return {array("q_next", integrate<double>(tree, s.q, v * s.dt[0])), array("v_next", v),
          array("impulse", impulse), array("status", status)};
}

}  // namespace

std::vector<OutputFunction> expected_contact_steps() {
  const auto nothing = [](TreeRef, StateRef, const Directions&) { return std::vector<VectorXd>(); };
  const View none{{}, [](StateRef, const Outputs&) { return Outputs(); }};
  return {{.name = "contact_step",
           .compute = contact_step,
           .probes = nothing,
           .residual = contact_step_residual,
           .view = none}};
}

}  // namespace featherline::reference
