#include "algorithms/joint_friction.hpp"

namespace featherline::algorithms {
namespace {

using model::friction_smoothing;

/// Calls f(joint, its degree of freedom, its multiplier) for every joint with one axis.
template <class F>
void for_each_single_axis(const Tracer& tracer, const F& f) {
  for (int i = 0; i < tracer.num_bodies(); ++i) {
    const std::vector<JointAxis> axes = joint_axes(tracer.body(i).joint);
    if (axes.size() == 1) f(tracer.body(i).joint, axes.front().idx_v, axes.front().multiplier);
  }
}

/// sqrt(v^2 + epsilon^2).
Scalar smooth_speed(const Scalar& v) { return sqrt(v * v + Scalar(friction_smoothing * friction_smoothing)); }

}  // namespace

void add_joint_friction(Tracer& tracer, const Coordinates& v, const Coordinates& a, Coordinates& tau) {
  for_each_single_axis(tracer, [&](const model::Joint& joint, int idx_v, double multiplier) {
    const auto k = static_cast<std::size_t>(idx_v);
    const Scalar rate = Scalar(multiplier) * v[k];
    Scalar torque = Scalar(joint.armature * multiplier) * a[k] + Scalar(joint.damping) * rate;
    if (joint.friction != 0.0) torque += Scalar(joint.friction) * rate / smooth_speed(rate);
    tau[k] += Scalar(multiplier) * torque;
  });
}

void add_armature(Tracer& tracer, SquareMatrix& M) {
  for_each_single_axis(tracer, [&](const model::Joint& joint, int idx_v, double multiplier) {
    M(idx_v, idx_v) += Scalar(joint.armature * multiplier * multiplier);
  });
}

void add_joint_friction_derivative(Tracer& tracer, const Coordinates& v, SquareMatrix& dtau_dv) {
  for_each_single_axis(tracer, [&](const model::Joint& joint, int idx_v, double multiplier) {
    Scalar slope = joint.damping;
    if (joint.friction != 0.0) {
      const Scalar speed = smooth_speed(Scalar(multiplier) * v[static_cast<std::size_t>(idx_v)]);
      slope += Scalar(joint.friction * friction_smoothing * friction_smoothing) / (speed * speed * speed);
    }
    dtau_dv(idx_v, idx_v) += Scalar(multiplier * multiplier) * slope;
  });
}

Coordinates joint_friction_second_derivative(Tracer& tracer, const Coordinates& v) {
  Coordinates second = zero_coordinates(tracer);
  for_each_single_axis(tracer, [&](const model::Joint& joint, int idx_v, double multiplier) {
    if (joint.friction == 0.0) return;
    const auto k = static_cast<std::size_t>(idx_v);
    const Scalar rate = Scalar(multiplier) * v[k], speed = smooth_speed(rate), square = speed * speed;
    const double factor = -3.0 * joint.friction * friction_smoothing * friction_smoothing;
    second[k] += Scalar(factor * multiplier * multiplier * multiplier) * rate / (square * square * speed);
  });
  return second;
}

}  // namespace featherline::algorithms
