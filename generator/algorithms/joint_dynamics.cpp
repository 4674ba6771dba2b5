#include "algorithms/joint_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::algorithms {
namespace {

using algebra::is_zero;  // of numbers; that of symbols is found beside them

constexpr double epsilon2 = model::friction_smoothing * model::friction_smoothing;

/// Calls f(body, its joint's degree of freedom, its multiplier) for every joint with one axis.
template <class T, class F>
void for_each_single_axis(const Context<T>& context, const F& f) {
  for (int i = 0; i < context.num_bodies(); ++i) {
    const std::vector<JointAxis<T>> axes = context.axes(i);
    if (axes.size() == 1) f(i, static_cast<std::size_t>(axes.front().idx_v), axes.front().multiplier);
  }
}

/// sqrt(v^2 + epsilon^2).
template <class T>
T smooth_speed(const T& v) {
  using std::sqrt;
  return sqrt(v * v + T(epsilon2));
}

}  // namespace

bool has_friction(const model::Tree& tree) {
  return std::any_of(tree.bodies.begin(), tree.bodies.end(),
                     [](const model::Body& body) { return body.joint.friction != 0.0; });
}

template <class T>
void add_joint_dynamics(const Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
                        Coordinates<T>& tau) {
  for_each_single_axis(context, [&](int body, std::size_t k, const T& multiplier) {
    const T rate = multiplier * v[k];
    const T friction = context.number(body, &model::Joint::friction);
    T torque = context.number(body, &model::Joint::armature) * multiplier * a[k] +
               context.number(body, &model::Joint::damping) * rate;
    if (!is_zero(friction)) torque += friction * rate / smooth_speed(rate);
    tau[k] += multiplier * torque;
  });
}

template <class T>
void add_armature(const Context<T>& context, SquareMatrix<T>& M) {
  for_each_single_axis(context, [&](int body, std::size_t k, const T& multiplier) {
    const auto i = static_cast<int>(k);
    M(i, i) += context.number(body, &model::Joint::armature) * multiplier * multiplier;
  });
}

template <class T>
void add_friction_derivative(const Context<T>& context, const Coordinates<T>& v, SquareMatrix<T>& dtau_dv) {
  for_each_single_axis(context, [&](int body, std::size_t k, const T& multiplier) {
    const T friction = context.number(body, &model::Joint::friction);
    T slope = context.number(body, &model::Joint::damping);
    if (!is_zero(friction)) {
      const T speed = smooth_speed(multiplier * v[k]);
      slope += friction * T(epsilon2) / (speed * speed * speed);
    }
    const auto i = static_cast<int>(k);
    dtau_dv(i, i) += multiplier * multiplier * slope;
  });
}

template <class T>
Coordinates<T> friction_second_derivative(const Context<T>& context, const Coordinates<T>& v) {
  Coordinates<T> second = context.zeros();
  for_each_single_axis(context, [&](int body, std::size_t k, const T& multiplier) {
    const T friction = context.number(body, &model::Joint::friction);
    if (is_zero(friction)) return;
    const T rate = multiplier * v[k], speed = smooth_speed(rate), square = speed * speed;
    const T factor = T(-3.0) * friction * T(epsilon2) * multiplier * multiplier * multiplier;
    second[k] += factor * rate / (square * square * speed);
  });
  return second;
}

template void add_joint_dynamics(const Context<Scalar>&, const Coordinates<Scalar>&,
                                 const Coordinates<Scalar>&, Coordinates<Scalar>&);
template void add_joint_dynamics(const Context<double>&, const Coordinates<double>&,
                                 const Coordinates<double>&, Coordinates<double>&);
template void add_armature(const Context<Scalar>&, SquareMatrix<Scalar>&);
template void add_armature(const Context<double>&, SquareMatrix<double>&);
template void add_friction_derivative(const Context<Scalar>&, const Coordinates<Scalar>&,
                                      SquareMatrix<Scalar>&);
template void add_friction_derivative(const Context<double>&, const Coordinates<double>&,
                                      SquareMatrix<double>&);
template Coordinates<Scalar> friction_second_derivative(const Context<Scalar>&, const Coordinates<Scalar>&);
template Coordinates<double> friction_second_derivative(const Context<double>&, const Coordinates<double>&);

}  // namespace featherline::algorithms
