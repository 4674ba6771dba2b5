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
    const model::JointRow& row = c.joint(i).row();
    if (!row.can_be_damped() || (row.is_free() && !model::has_damped_free_joint(c.full_tree()))) continue;
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

/// A free joint with armature: its first entry of v.
struct Turning {
  int k;
  Scalar armature;
};

std::vector<Turning> turning(const Context& c) {
  std::vector<Turning> list;
  for (int i = 0; i < c.num_bodies() && model::has_damped_free_joint(c.full_tree()); ++i) {
    if (c.joint(i).row().is_free()) list.push_back({c.joint(i).idx_v, c.number(i, &model::Joint::armature)});
  }
  return list;
}

Vector3 part(const Coordinates& v, int k) { return {v[index(k)], v[index(k + 1)], v[index(k + 2)]}; }

/// Adds [x]x.
void add_block(SquareMatrix& A, int row, int column, const Vector3& x) {
  const Matrix3 X = cross_matrix(x);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) A(row + r, column + c) += X(r, c);
  }
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
  for (const auto& [k, armature] : turning(context)) {
    const Vector3 x = cross(part(v, k + 3), part(v, k)) * armature;
    for (int r = 0; r < 3; ++r) tau[index(k + r)] += x[r];
  }
  lift(context, tau);
}

void lift(const Context& context, Coordinates& tau) {
  if (!context.has_lifted()) return;
  Context lifted = context.lifted();
  const Coordinates weight = gravity_torques(lifted);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= weight[k];
}

void add_turning(const Context& context, const Coordinates& v, SquareMatrix& C) {
  for (const auto& [k, armature] : turning(context)) add_block(C, k, k, part(v, k + 3) * armature);
}

void for_each_turning(const Context& context, const std::function<void(int, int, int, const Scalar&)>& add) {
  for (const auto& [k, armature] : turning(context)) {
    for (int i = 0; i < 3; ++i) {  // of w x u: w_j u_l - w_l u_j
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      for (const auto& [w, u, x] : {std::tuple(j, l, armature), std::tuple(l, j, -armature)}) {
        add(k + i, k + 3 + w, k + u, x);
        add(k + i, k + u, k + 3 + w, x);
      }
    }
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
  add_turning(context, v, dtau_dv);
  for (const auto& [k, armature] : turning(context)) add_block(dtau_dv, k, k + 3, part(v, k) * -armature);
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
