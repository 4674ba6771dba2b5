#include "reference/expected_groups.hpp"

/// Steps in time, by the reference dynamics. What the emitted code does with damping and springs follows from an
/// equation; here it is a robot of other joints, and the equation itself is the residual.
namespace featherline::reference {

namespace {

/// By degree of freedom: the sum over joints of a number, times the square of the multiplier;
/// and over tendons of theirs.
Eigen::MatrixXd by_coordinate(const Tree& tree, double model::Joint::*which,
                              double model::Tendon::*of_tendon) {
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(tree.nv, tree.nv);
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    if (!joint.row().can_be_damped()) continue;
    sums.diagonal().segment(joint.idx_v, joint.nv).array() +=
        joint.multiplier * joint.multiplier * joint.*which;
  }
  for (const model::Tendon& tendon : tree.tendons) add_between_ends(tendon, tendon.*of_tendon, sums);
  return sums;
}
Eigen::MatrixXd damping(const Tree& tree) {
  return by_coordinate(tree, &model::Joint::damping, &model::Tendon::damping);
}
Eigen::MatrixXd stiffness(const Tree& tree) {
  return by_coordinate(tree, &model::Joint::stiffness, &model::Tendon::stiffness);
}

template <class T>
struct Point {
  VectorX<T> q, v;
};

/// v' = v + dt a, where damping and springs act on v' and q (+) dt v'.
template <class T>
Point<T> semi_implicit(const Tree& tree, const Point<T>& x, const VectorX<T>& tau, double dt) {
  Tree implicit = tree;
  for (model::Body& body : implicit.bodies)
    body.joint.armature += dt * (body.joint.damping + dt * body.joint.stiffness);
  for (model::Tendon& tendon : implicit.tendons)
    tendon.armature += dt * (tendon.damping + dt * tendon.stiffness);
  const MatrixX<T> springs = (dt * stiffness(tree)).template cast<T>();
  VectorX<T> left = tau - springs * x.v;
  for (const model::Body& body : tree.bodies) {  // these are no armature where a free joint turns
    model::Joint damper = body.joint;
    damper.armature = dt * (damper.damping + dt * damper.stiffness);
    if (damper.row().is_free())
      left.template segment<3>(damper.idx_v) += turning_force(damper, x.v.data() + damper.idx_v);
  }
  const VectorX<T> v = x.v + Solver<T>(implicit).aba(x.q, x.v, left) * T(dt);
  return {integrate<T>(tree, x.q, v * T(dt)), v};
}

template <class T>
Point<T> runge_kutta(const Tree& tree, const Point<T>& x, const VectorX<T>& tau, double dt) {
  Solver<T> solver(tree);
  const auto moved = [&](double time, const Point<T>& rate) {
    return Point<T>{integrate<T>(tree, x.q, rate.q * T(time)), x.v + rate.v * T(time)};
  };
  const auto rate = [&](const Point<T>& at) { return Point<T>{at.v, solver.aba(at.q, at.v, tau)}; };
  const Point<T> k1 = rate(x), k2 = rate(moved(dt / 2, k1)), k3 = rate(moved(dt / 2, k2)),
                 k4 = rate(moved(dt, k3));
  const auto mean = [&](VectorX<T> Point<T>::*part) {
    return VectorX<T>((k1.*part + (k2.*part + k3.*part) * T(2.0) + k4.*part) * T(1.0 / 6.0));
  };
  return moved(dt, {mean(&Point<T>::q), mean(&Point<T>::v)});
}

template <class T>
Point<T> step(const Tree& tree, const Point<T>& x, const VectorX<T>& tau, double dt) {
  return tree.integrator == model::Integrator::rk4 ? runge_kutta(tree, x, tau, dt)
                                                   : semi_implicit(tree, x, tau, dt);
}

Outputs step_outputs(const Tree& tree, const State& s) {
  const Point<double> next = step<double>(tree, {s.q, s.v}, s.tau, s.dt[0]);
  return {array("q_next", next.q), array("v_next", next.v)};
}

/// Of the semi-implicit step: M v' + dt D v' + dt K (q + dt v' - rest) = M v + dt (tau - h), row by row. The bias of
/// the tree is h + D v + K (q - rest). The other one solves no equation.
Residual step_residual(const Tree& tree, const State& s, const Outputs& outputs) {
  const double dt = s.dt[0];
  const VectorXd v = with_rows(tree.nv, outputs[1]);
  if (tree.integrator == model::Integrator::rk4) {
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(tree.nv, tree.nv);
    const VectorXd expected = step<double>(tree, {s.q, s.v}, s.tau, dt).v;
    return residual("v_next", one, v, v.cwiseAbs(), s.v, expected + s.v);  // relative to v, too
  }
  Double solver(tree);
  const VectorXd old = solver.crba(s.q) * s.v;
  const Eigen::MatrixXd M = implicit_inertia(tree, s.q, dt);
  return residual("M (v_next - v) - dt (tau - bias)", M, v, v.cwiseAbs(),
                  dt * (solver.bias(s.q, s.v) - damping(tree) * s.v), old + dt * s.tau);
}

Moved moved_by(const Tree& tree, const State& s) {
  return [&tree, &s](const VectorXd& dq, const VectorXd& dv, const VectorXd& torque) {
    return moved_end(tree, s, dq, dv, torque);
  };
}

Outputs step_vjp(const Tree& tree, const State& s) {
  const Outputs d = step_matrices(tree.nv, moved_by(tree, s));
  const int n = tree.nv;
  const VectorXd by_state = with_rows(2 * n, d[0]).transpose() * s.w_next,
                 by_tau = with_rows(2 * n, d[1]).transpose() * s.w_next;
  return {array("wq", by_state.head(n)), array("wv", by_state.tail(n)), array("wtau", by_tau)};
}

}  // namespace

Eigen::MatrixXd implicit_inertia(const Tree& tree, const VectorXd& q, double dt) {
  return Double(tree).crba(q) + dt * damping(tree) + dt * dt * stiffness(tree);
}

VectorXd impulse_of_step(const Tree& tree, const State& s, const VectorXd& v_next) {
  Double solver(tree);
  const double dt = s.dt[0];
  return implicit_inertia(tree, s.q, dt) * v_next - solver.crba(s.q) * s.v +
         dt * (solver.bias(s.q, s.v) - damping(tree) * s.v);
}

VectorXd moved_end(const Tree& tree, const State& s, const VectorXd& dq, const VectorXd& dv,
                   const VectorXd& torque) {
  const auto along = [](const VectorXd& x, const VectorXd& d) {
    return VectorX<Number>(lifted<double>(x, 1.0) + lifted(d, Number::e1()));
  };
  const Point<Number> start{integrate<Number>(tree, lifted<double>(s.q, 1.0), lifted(dq, Number::e1())),
                            along(s.v, dv)};
  const Point<Number> end = step<Number>(tree, start, along(s.tau, torque), s.dt[0]);
  VectorXd moved(2 * tree.nv);
  moved << tangent_of_rate(tree, end.q), part(end.v, &Number::d1);
  return moved;
}

Outputs step_matrices(int n, const Moved& moved) {
  const VectorXd none = VectorXd::Zero(n);
  const auto by_state = [&](const VectorXd& e) { return moved(e.head(n), e.tail(n), none); };
  const auto by_tau = [&](const VectorXd& e) { return moved(none, none, e); };
  return {array("A", columns(2 * n, by_state)), array("B", columns(n, by_tau))};
}

std::vector<VectorXd> step_products(int n, const Moved& moved, const Directions& d) {
  const VectorXd none = VectorXd::Zero(n), by_q = moved(d.y, none, none), by_v = moved(none, d.y, none);
  return {Eigen::Vector4d(d.x.dot(by_q.head(n)), d.x.dot(by_v.head(n)), d.x.dot(by_q.tail(n)),
                          d.x.dot(by_v.tail(n))),
          moved(none, none, d.x)};
}

std::vector<OutputFunction> expected_steps() {
  return {{.name = "step", .compute = step_outputs, .residual = step_residual},
          {.name = "rollout_end", .compute = step_outputs, .residual = step_residual},
          {.name = "rollout",
           .compute =
               [](TreeRef t, StateRef s) {
                 const Outputs next = step_outputs(t, s);
                 return Outputs{{"q_all", next[0].values}, {"v_all", next[1].values}};
               },
           .residual = step_residual},
          {.name = "step_derivatives",
           .compute = [](TreeRef t, StateRef s) { return step_matrices(t.nv, moved_by(t, s)); },
           .probes = [](TreeRef t, StateRef s,
                        const Directions& d) { return step_products(t.nv, moved_by(t, s), d); }},
          {.name = "step_vjp", .compute = step_vjp}};
}

}  // namespace featherline::reference
