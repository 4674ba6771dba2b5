#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace featherline::algorithms {
namespace {

constexpr double epsilon2 = model::friction_smoothing * model::friction_smoothing;

/// A coordinate that a drive acts on, and how far the drive goes for each unit of it.
struct End {
  int idx_q, k;
  Scalar factor;
};

/// What a degree of freedom of a joint, or a tendon, has of a drive and a spring.
/// Its coordinate is the sum over the ends.
struct Driven {
  std::vector<End> ends;
  Scalar armature, damping, friction, stiffness, rest;

  Scalar rate(const Coordinates& v) const {
    return sum([&](const End& end) { return end.factor * v[index(end.k)]; });
  }
  Scalar position(const Coordinates& q) const {
    return sum([&](const End& end) { return end.factor * q[index(end.idx_q)]; });
  }
  template <class Term>
  Scalar sum(const Term& term) const {
    Scalar total = term(ends.front());
    for (std::size_t e = 1; e < ends.size(); ++e) total += term(ends[e]);
    return total;
  }
  /// Adds x to the entries of all pairs of ends.
  void add_to(SquareMatrix& A, const Scalar& x) const {
    for (const End& row : ends) {
      for (const End& column : ends) A(row.k, column.k) += row.factor * column.factor * x;
    }
  }
};

/// In a step, damping and springs are armature, too.
Scalar implicit_armature(const Context& c, const Scalar& armature, const Scalar& damping,
                         const Scalar& stiffness) {
  const Scalar step = c.implicit_step();
  return armature + step * (damping + step * stiffness);
}

/// Whether a step with contacts has the friction of a coordinate among these.
bool is_hard(const Context& c, int idx_v) {
  return c.has_input(contacts) &&
         std::ranges::any_of(c.full_tree().constraints.joints,
                             [&](const auto& joint) { return joint.idx_v == idx_v && joint.friction > 0.0; });
}

std::vector<Driven> driven(const Context& c) {
  std::vector<Driven> list;
  for (int i = 0; i < c.num_bodies(); ++i) {
    using model::Joint;
    const model::JointRow& row = c.joint(i).row();
    if (!row.can_be_damped() || (row.is_free() && !model::has_damped_free_joint(c.full_tree()))) continue;
    const bool has_pose = row.quaternion() >= 0;  // whose spring is in pose_springs.cpp
    for (const JointAxis& axis : c.axes(i))
      list.push_back({{{c.joint(i).idx_q, axis.idx_v, axis.multiplier}},
                      armature_of(c, i),
                      c.number(i, &Joint::damping),
                      is_hard(c, axis.idx_v) ? Scalar(0.0) : c.number(i, &Joint::friction),
                      has_pose ? Scalar(0.0) : c.number(i, &Joint::stiffness),
                      c.number(i, &Joint::rest)});
  }
  for (const model::Tendon& tendon : c.full_tree().tendons) {
    std::vector<End> ends;
    for (const auto& [idx_q, idx_v, coefficient] : tendon.ends) ends.push_back({idx_q, idx_v, coefficient});
    list.push_back({std::move(ends), implicit_armature(c, tendon.armature, tendon.damping, tendon.stiffness),
                    tendon.damping, tendon.friction, tendon.stiffness, tendon.rest});
  }
  return list;
}

/// sqrt(v^2 + epsilon^2).
Scalar smooth_speed(const Scalar& v) {
  using std::sqrt;
  return sqrt(v * v + Scalar(epsilon2));
}

/// The second derivative of the friction by the rate, times the factors.
Scalar change_of_friction(const Driven& drive, const Coordinates& v,
                          std::initializer_list<Scalar> factors = {}) {
  const Scalar rate = drive.rate(v), speed = smooth_speed(rate), square = speed * speed;
  Scalar number = Scalar(-3.0) * drive.friction * Scalar(epsilon2);
  for (const Scalar& factor : factors) number = number * factor;
  return number * rate / (square * square * speed);
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

std::map<int, Scalar> torques_of_joint(const Context& c, const model::JointColumn& column) {
  std::map<int, Scalar> torques;
  for (int i = 0; i < c.num_bodies(); ++i) {
    if (c.joint(i).name != column.joint) continue;
    for (const auto& [S, idx_v, factor] : c.axes(i)) {
      const Scalar rate = factor * c.input("v")[index(idx_v)];
      const auto unit = [&]() -> Scalar {
        switch (column.kind) {
          case model::ColumnKind::armature:
            return factor * c.input("a")[index(idx_v)];
          case model::ColumnKind::damping:
            return rate;
          case model::ColumnKind::friction:
            return rate / smooth_speed(rate);
          case model::ColumnKind::stiffness:
            return factor * c.input("q")[index(c.joint(i).idx_q)] - c.number(i, &model::Joint::rest);
          case model::ColumnKind::offset:
          case model::ColumnKind::rotor:
            break;
        }
        return 1.0;
      };
      torques[idx_v] += factor * unit();
    }
  }
  return torques;
}

Scalar armature_of(const Context& c, int i) {
  using model::Joint;
  return implicit_armature(c, c.number(i, &Joint::armature) + c.number(i, &Joint::geared),
                           c.number(i, &Joint::damping), c.number(i, &Joint::stiffness));
}

void add_joint_dynamics(const Context& context, const Coordinates& v, const Coordinates& a,
                        Coordinates& tau) {
  for (const Driven& drive : driven(context)) {
    const Scalar rate = drive.rate(v);
    Scalar torque = drive.sum([&](const End& end) { return drive.armature * end.factor * a[index(end.k)]; }) +
                    drive.damping * rate;
    if (!is_zero(drive.friction)) torque += drive.friction * rate / smooth_speed(rate);
    if (!is_zero(drive.stiffness)) {
      const Scalar reached = drive.position(context.input("q")) + context.implicit_step() * rate;
      torque += drive.stiffness * (reached - drive.rest);
    }
    for (const End& end : drive.ends) tau[index(end.k)] += end.factor * torque;
  }
  for (const auto& [k, armature] : turning(context)) {
    const Vector3 x = cross(part(v, k + 3), part(v, k)) * armature;
    for (int r = 0; r < 3; ++r) tau[index(k + r)] += x[r];
  }
  add_pose_springs(context, v, tau);
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

void for_each_product_of_rates(const Context& context, const Coordinates& v,
                               const std::function<void(int, int, int, const Scalar&)>& add) {
  for (const Driven& drive : driven(context)) {
    if (drive.ends.size() == 1 || is_zero(drive.friction)) continue;
    const Scalar slope = change_of_friction(drive, v);
    for (const End& i : drive.ends) {
      for (const End& j : drive.ends) {
        for (const End& k : drive.ends) add(i.k, j.k, k.k, i.factor * j.factor * k.factor * slope);
      }
    }
  }
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
  for (const Driven& drive : driven(context)) {
    for (const End& row : drive.ends) {
      for (const End& column : drive.ends) M(row.k, column.k) += drive.armature * row.factor * column.factor;
    }
  }
}

void add_friction_derivative(const Context& context, const Coordinates& v, SquareMatrix& dtau_dv) {
  for (const Driven& drive : driven(context)) {
    Scalar slope = drive.damping + context.implicit_step() * drive.stiffness;
    if (!is_zero(drive.friction)) {
      const Scalar speed = smooth_speed(drive.rate(v));
      slope += drive.friction * Scalar(epsilon2) / (speed * speed * speed);
    }
    drive.add_to(dtau_dv, slope);
  }
  add_turning(context, v, dtau_dv);
  for (const auto& [k, armature] : turning(context)) add_block(dtau_dv, k, k + 3, part(v, k) * -armature);
  add_pose_springs_by_v(context, dtau_dv);
}

void add_spring_derivative(const Context& context, SquareMatrix& dtau_dq) {
  SquareMatrix springs(context.nv());  // numbers: their sums cost nothing
  for (const Driven& drive : driven(context)) drive.add_to(springs, drive.stiffness);
  for (int r = 0; r < springs.size(); ++r) {
    for (int c = 0; c < springs.size(); ++c) dtau_dq(r, c) += springs(r, c);
  }
  add_pose_springs_by_q(context, dtau_dq);
}

Coordinates friction_second_derivative(const Context& context, const Coordinates& v) {
  Coordinates second = context.zeros();
  for (const Driven& drive : driven(context)) {
    if (drive.ends.size() > 1 || is_zero(drive.friction)) continue;
    const auto& [idx_q, k, factor] = drive.ends.front();
    second[index(k)] += change_of_friction(drive, v, {factor, factor, factor});
  }
  return second;
}

}  // namespace featherline::algorithms
