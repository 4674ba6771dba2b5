#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::algorithms {
namespace {

constexpr double epsilon2 = model::friction_smoothing * model::friction_smoothing;

/// A joint with one axis, and what it has of each.
struct SingleAxis {
  int k;  ///< its degree of freedom
  Scalar multiplier, armature, damping, friction;
};

std::vector<SingleAxis> single_axes(const Context& c) {
  std::vector<SingleAxis> list;
  for (int i = 0; i < c.num_bodies(); ++i) {
    using model::Joint;
    if (const std::vector<JointAxis> axes = c.axes(i); axes.size() == 1)
      list.push_back({axes.front().idx_v, axes.front().multiplier, c.number(i, &Joint::armature),
                      c.number(i, &Joint::damping), c.number(i, &Joint::friction)});
  }
  return list;
}

/// sqrt(v^2 + epsilon^2).
Scalar smooth_speed(const Scalar& v) {
  using std::sqrt;
  return sqrt(v * v + Scalar(epsilon2));
}

}  // namespace

bool has_friction(const model::Tree& tree) {
  return std::ranges::any_of(tree.bodies, [](const model::Body& body) { return body.joint.friction != 0.0; });
}

void add_joint_dynamics(const Context& context, const Coordinates& v, const Coordinates& a,
                        Coordinates& tau) {
  for (const auto& [k, multiplier, armature, damping, friction] : single_axes(context)) {
    const Scalar rate = multiplier * v[index(k)];
    Scalar torque = armature * multiplier * a[index(k)] + damping * rate;
    if (!is_zero(friction)) torque += friction * rate / smooth_speed(rate);
    tau[index(k)] += multiplier * torque;
  }
}

void add_armature(const Context& context, SquareMatrix& M) {
  for (const SingleAxis& axis : single_axes(context))
    M(axis.k, axis.k) += axis.armature * axis.multiplier * axis.multiplier;
}

void add_friction_derivative(const Context& context, const Coordinates& v, SquareMatrix& dtau_dv) {
  for (const auto& [k, multiplier, armature, damping, friction] : single_axes(context)) {
    Scalar slope = damping;
    if (!is_zero(friction)) {
      const Scalar speed = smooth_speed(multiplier * v[index(k)]);
      slope += friction * Scalar(epsilon2) / (speed * speed * speed);
    }
    dtau_dv(k, k) += multiplier * multiplier * slope;
  }
}

Coordinates friction_second_derivative(const Context& context, const Coordinates& v) {
  Coordinates second = context.zeros();
  for (const auto& [k, multiplier, armature, damping, friction] : single_axes(context)) {
    if (is_zero(friction)) continue;
    const Scalar rate = multiplier * v[index(k)], speed = smooth_speed(rate), square = speed * speed;
    const Scalar factor = Scalar(-3.0) * friction * Scalar(epsilon2) * multiplier * multiplier * multiplier;
    second[index(k)] += factor * rate / (square * square * speed);
  }
  return second;
}

}  // namespace featherline::algorithms
