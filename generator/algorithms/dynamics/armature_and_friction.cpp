#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::algorithms {
namespace {

constexpr double epsilon2 = model::friction_smoothing * model::friction_smoothing;

/// A degree of freedom that can have a drive and a spring, and what it has of each.
struct Driven {
  int k, body;
  Scalar multiplier, armature, damping, friction, stiffness;
};

std::vector<Driven> driven(const Context& c) {
  std::vector<Driven> list;
  for (int i = 0; i < c.num_bodies(); ++i) {
    using model::Joint;
    if (!c.joint(i).row().can_be_driven()) continue;
    for (const JointAxis& axis : c.axes(i))
      list.push_back({axis.idx_v, i, axis.multiplier, armature_of(c, i), c.number(i, &Joint::damping),
                      c.number(i, &Joint::friction), c.number(i, &Joint::stiffness)});
  }
  return list;
}

/// sqrt(v^2 + epsilon^2).
Scalar smooth_speed(const Scalar& v) {
  using std::sqrt;
  return sqrt(v * v + Scalar(epsilon2));
}

}  // namespace

Scalar armature_of(const Context& c, int i) {
  using model::Joint;
  const Scalar step = c.implicit_step();
  return c.number(i, &Joint::armature) +
         step * (c.number(i, &Joint::damping) + step * c.number(i, &Joint::stiffness));
}

bool has_friction(const model::Tree& tree) {
  return std::ranges::any_of(tree.bodies, [](const model::Body& body) { return body.joint.friction != 0.0; });
}

void add_joint_dynamics(const Context& context, const Coordinates& v, const Coordinates& a,
                        Coordinates& tau) {
  for (const auto& [k, body, multiplier, armature, damping, friction, stiffness] : driven(context)) {
    const Scalar rate = multiplier * v[index(k)];
    Scalar torque = armature * multiplier * a[index(k)] + damping * rate;
    if (!is_zero(friction)) torque += friction * rate / smooth_speed(rate);
    if (!is_zero(stiffness)) {
      const Scalar& q = context.input("q")[index(context.joint(body).idx_q)];
      const Scalar reached = multiplier * q + context.implicit_step() * rate;
      torque += stiffness * (reached - context.number(body, &model::Joint::rest));
    }
    tau[index(k)] += multiplier * torque;
  }
}

void add_armature(const Context& context, SquareMatrix& M) {
  for (const Driven& axis : driven(context))
    M(axis.k, axis.k) += axis.armature * axis.multiplier * axis.multiplier;
}

void add_friction_derivative(const Context& context, const Coordinates& v, SquareMatrix& dtau_dv) {
  for (const auto& [k, body, multiplier, armature, damping, friction, stiffness] : driven(context)) {
    Scalar slope = damping + context.implicit_step() * stiffness;
    if (!is_zero(friction)) {
      const Scalar speed = smooth_speed(multiplier * v[index(k)]);
      slope += friction * Scalar(epsilon2) / (speed * speed * speed);
    }
    dtau_dv(k, k) += multiplier * multiplier * slope;
  }
}

Coordinates spring_derivative(const Context& context) {
  Coordinates slopes = context.zeros();
  for (const Driven& axis : driven(context))
    slopes[index(axis.k)] += axis.multiplier * axis.multiplier * axis.stiffness;
  return slopes;
}

Coordinates friction_second_derivative(const Context& context, const Coordinates& v) {
  Coordinates second = context.zeros();
  for (const auto& [k, body, multiplier, armature, damping, friction, stiffness] : driven(context)) {
    if (is_zero(friction)) continue;
    const Scalar rate = multiplier * v[index(k)], speed = smooth_speed(rate), square = speed * speed;
    const Scalar factor = Scalar(-3.0) * friction * Scalar(epsilon2) * multiplier * multiplier * multiplier;
    second[index(k)] += factor * rate / (square * square * speed);
  }
  return second;
}

}  // namespace featherline::algorithms
