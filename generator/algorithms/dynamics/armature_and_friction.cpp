#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::algorithms {
namespace {

constexpr double epsilon2 = model::friction_smoothing * model::friction_smoothing;

/// Calls f(body, its joint's degree of freedom, its multiplier) for every joint with one axis.
template <class F>
void for_each_single_axis(const Context& context, const F& f) {
  for (int i = 0; i < context.num_bodies(); ++i) {
    const std::vector<JointAxis> axes = context.axes(i);
    if (axes.size() == 1) f(i, index(axes.front().idx_v), axes.front().multiplier);
  }
}

/// sqrt(v^2 + epsilon^2).
Scalar smooth_speed(const Scalar& v) {
  using std::sqrt;
  return sqrt(v * v + Scalar(epsilon2));
}

}  // namespace

bool has_friction(const model::Tree& tree) {
  return std::any_of(tree.bodies.begin(), tree.bodies.end(),
                     [](const model::Body& body) { return body.joint.friction != 0.0; });
}

void add_joint_dynamics(const Context& context, const Coordinates& v, const Coordinates& a,
                        Coordinates& tau) {
  for_each_single_axis(context, [&](int body, std::size_t k, const Scalar& multiplier) {
    const Scalar rate = multiplier * v[k];
    const Scalar friction = context.number(body, &model::Joint::friction);
    Scalar torque = context.number(body, &model::Joint::armature) * multiplier * a[k] +
                    context.number(body, &model::Joint::damping) * rate;
    if (!is_zero(friction)) torque += friction * rate / smooth_speed(rate);
    tau[k] += multiplier * torque;
  });
}

void add_armature(const Context& context, SquareMatrix& M) {
  for_each_single_axis(context, [&](int body, std::size_t k, const Scalar& multiplier) {
    const auto i = static_cast<int>(k);
    M(i, i) += context.number(body, &model::Joint::armature) * multiplier * multiplier;
  });
}

void add_friction_derivative(const Context& context, const Coordinates& v, SquareMatrix& dtau_dv) {
  for_each_single_axis(context, [&](int body, std::size_t k, const Scalar& multiplier) {
    const Scalar friction = context.number(body, &model::Joint::friction);
    Scalar slope = context.number(body, &model::Joint::damping);
    if (!is_zero(friction)) {
      const Scalar speed = smooth_speed(multiplier * v[k]);
      slope += friction * Scalar(epsilon2) / (speed * speed * speed);
    }
    const auto i = static_cast<int>(k);
    dtau_dv(i, i) += multiplier * multiplier * slope;
  });
}

Coordinates friction_second_derivative(const Context& context, const Coordinates& v) {
  Coordinates second = context.zeros();
  for_each_single_axis(context, [&](int body, std::size_t k, const Scalar& multiplier) {
    const Scalar friction = context.number(body, &model::Joint::friction);
    if (is_zero(friction)) return;
    const Scalar rate = multiplier * v[k], speed = smooth_speed(rate), square = speed * speed;
    const Scalar factor = Scalar(-3.0) * friction * Scalar(epsilon2) * multiplier * multiplier * multiplier;
    second[k] += factor * rate / (square * square * speed);
  });
  return second;
}

}  // namespace featherline::algorithms
