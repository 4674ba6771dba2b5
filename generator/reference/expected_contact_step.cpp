#include "reference/contact_problem.hpp"
#include "reference/expected.hpp"

#include <algorithm>
#include <cmath>

/// Steps with contacts, judged by the conditions that define them: impulses may not be unique.
namespace featherline::reference {
namespace {

using namespace contacts;

/// Values of a residual, and what they are relative to.
void add_rows(Residual& rows, const VectorXd& values, const VectorXd& sizes) {
  append(rows.values, values);
  append(rows.sizes, sizes);
  append(rows.factored, sizes);
}

/// What the solver promises of the conditions of points, over what is promised of equations.
constexpr double of_conditions = 1e-8 / promised_error;

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
  add_rows(rows, w * (x - ground.projected(x - u / w)), Vector3d::Constant(of_conditions * size));
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

/// The same of a joint.
void add_joint(const model::ContactJoint& joint, const Problem& problem, const State& s, const VectorXd& v,
               double push, Residual& rows) {
  const double w = problem.M_implicit.ldlt().solve(VectorXd::Unit(v.size(), joint.idx_v))[joint.idx_v],
               speed = v[joint.idx_v],
               size = std::abs(speed) + std::abs(problem.free[joint.idx_v]) + w * std::abs(push);
  add_rows(rows, VectorXd::Constant(1, w * (push - pushed(joint, push, speed, w, s))),
           VectorXd::Constant(1, of_conditions * size));
}

/// M (v' - v_free) = J^T impulse, q' = q (+) dt v', the conditions of all points, and the verdict.
Residual contact_step_residual(const Tree& tree, const State& s, const Outputs& outputs) {
  const Problem problem(tree, s);
  const VectorXd q = with_rows(tree.nq, outputs[0]), v = with_rows(tree.nv, outputs[1]),
                 impulse = with_rows(3 * tree.constraints.count(), outputs[2]);
  const std::vector<double>& status = outputs.back().values;
  const std::vector<model::ContactJoint>& joints = tree.constraints.joints;
  VectorXd pushes = problem.J.transpose() * impulse;
  if (!joints.empty()) pushes += with_rows(tree.nv, outputs[3]);
  const VectorXd zero = VectorXd::Zero(tree.nv);
  Residual rows =
      residual("M (v_next - v) - dt (tau - bias) - J^T impulse, and the conditions", problem.M_implicit, v,
               v.cwiseAbs(), zero, problem.M_implicit * problem.free + pushes);
  add_rows(rows, q - integrate<double>(tree, s.q, v * s.dt[0]), VectorXd(q.cwiseAbs().array() + 1.0));
  for (Eigen::Index k = 0; k < impulse.size() / 3; ++k)
    add_point(problem, s, k, v, impulse, status[static_cast<std::size_t>(4 + k)], rows);
  for (const model::ContactJoint& joint : joints)
    add_joint(joint, problem, s, v, outputs[3].values[static_cast<std::size_t>(joint.idx_v)], rows);
  add_rows(rows, VectorXd::Constant(1, status[2]), VectorXd::Ones(1));
  return rows;
}

Outputs contact_step(const Tree& tree, const State& s) {
  if (tree.constraints.num_rows() != 3 * tree.constraints.count()) return {};  // not points alone
  const Problem problem(tree, s);
  const auto [impulse, pushes] = solved(problem, s);
  const VectorXd v = problem.velocity(impulse, pushes), status = VectorXd::Zero(4 + tree.constraints.count());
  Outputs outputs{array("q_next", integrate<double>(tree, s.q, v * s.dt[0])), array("v_next", v),
                  array("impulse", impulse)};
  if (!problem.joints.empty()) outputs.push_back(array("joint_impulse", pushes));
  outputs.push_back(array("status", status));
  return outputs;
}

}  // namespace

std::vector<OutputFunction> expected_contact_steps() {
  const auto nothing = [](TreeRef, StateRef, const Directions&) { return std::vector<VectorXd>(); };
  const View none{{}, [](StateRef, const Outputs&) { return Outputs(); }};
  const auto entry = [&](const char* name) {
    return OutputFunction{.name = name,
                          .compute = contact_step,
                          .probes = nothing,
                          .residual = contact_step_residual,
                          .view = none};
  };
  return {entry("contact_step"), entry("contact_step_warm")};
}

}  // namespace featherline::reference
