#include "algorithms/dual_quaternion.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <array>
#include <numbers>

namespace featherline::algorithms {
namespace {

/// A joint whose spring pulls its turn and, if it travels, its origin back.
struct PoseSpring {
  int linear, angular;  ///< first entries of v; linear is -1 for a ball
  Scalar stiffness;
  Vector3 shift, turn;  ///< from rest, in the axes of the body

  /// Calls f(k, d): an entry of v, and how far it is from rest.
  template <class F>
  void for_each_entry(const F& f) const {
    for (int r = 0; r < 3 && linear >= 0; ++r) f(linear + r, shift[r]);
    for (int r = 0; r < 3; ++r) f(angular + r, turn[r]);
  }
};

Vector3 three_from(const Coordinates& x, int first) {
  return {x[index(first)], x[index(first + 1)], x[index(first + 2)]};
}

/// A half turn has w = 0, where the quotient in half_angle_ratio() has no derivative. The sum does not change other w.
constexpr double smallest_w = 1e-18;

PoseSpring pose_spring(const Context& c, int i) {
  const model::Joint& joint = c.joint(i);
  const Coordinates& q = c.input("q");
  const int slides = joint.row().num_slides(), quaternion = joint.idx_q + slides;
  PoseSpring spring{-1, joint.idx_v + slides, c.number(i, &model::Joint::stiffness), {}, {}};
  Quaternion turn{three_from(q, quaternion), q[index(quaternion + 3)]};
  if (joint.row().travels()) {
    const Coordinates rest = c.rest_pose(i);
    spring.linear = joint.idx_v;
    spring.shift = rotate(conjugate(turn), three_from(q, joint.idx_q) - three_from(rest, 0));
    turn = Quaternion{-three_from(rest, slides), rest.back()} * turn;
  }
  const Scalar half =
      half_angle_ratio(dot(turn.u, turn.u) + Scalar(smallest_square), turn.w + Scalar(smallest_w));
  spring.turn = turn.u * (Scalar(2.0) * half);
  c.hint(spring.shift, c.of_body("from_rest", i));
  c.hint(spring.turn, c.of_body("turn_from_rest", i));
  return spring;
}

std::vector<PoseSpring> pose_springs(const Context& c) {
  std::vector<PoseSpring> springs;
  for (int i = 0; i < c.num_bodies() && model::has_pose_springs(c.full_tree()); ++i) {
    if (c.joint(i).row().quaternion() >= 0 && !is_zero(c.number(i, &model::Joint::stiffness)))
      springs.push_back(pose_spring(c, i));
  }
  return springs;
}

/// (1 - (t / 2) cot(t / 2)) / t^2 and its slope, from x = t^2, for angles t of up to pi. These are partial fractions of
/// the cotangent, sums over n of 2 / ((2 pi n)^2 - x). That of n = 1 stands alone, the others are a series in
/// x / (2 pi)^2, which is at most 1/4. So nothing cancels, and no angle is an exception.
struct TurnCoefficient {
  Scalar value, slope;

  explicit TurnCoefficient(const Scalar& x) {
    /// Riemann's zeta(2 k) - 1 for k = 1, 2, ...
    constexpr std::array<double, 15> zeta{
        6.4493406684822644e-01, 8.2323233711138192e-02, 1.7343061984449140e-02, 4.0773561979443394e-03,
        9.9457512781808534e-04, 2.4608655330804830e-04, 6.1248135058704830e-05, 1.5282259408651872e-05,
        3.8172932649998398e-06, 9.5396203387279611e-07, 2.3845050272773299e-07, 5.9608189051259480e-08,
        1.4901554828365042e-08, 3.7253340247884571e-09, 9.3132743241966818e-10};
    constexpr double period = 4.0 * std::numbers::pi * std::numbers::pi;
    const Scalar y = x * Scalar(1.0 / period), first = Scalar(1.0) / (Scalar(1.0) - y);
    Scalar series(0.0), slopes(0.0);
    for (std::size_t k = zeta.size(); k-- > 0;) {
      if (k > 0) slopes = Scalar(static_cast<double>(k) * zeta[k]) + y * slopes;
      series = Scalar(zeta[k]) + y * series;
    }
    value = (first + series) * Scalar(2.0 / period);
    slope = (first * first + slopes) * Scalar(2.0 / (period * period));
  }
};

/// Jr^-1(phi) = 1 + [phi]x / 2 + c [phi]x^2: what a step of the joint adds to phi (Sola et al., eq. 144).
Matrix3 turn_slope(const PoseSpring& spring, const TurnCoefficient& c) {
  return polynomial(spring.turn, Scalar(-0.5), c.value);
}

}  // namespace

void add_pose_springs(const Context& context, const Coordinates& v, Coordinates& tau) {
  for (const PoseSpring& spring : pose_springs(context)) {
    spring.for_each_entry([&](int k, const Scalar& d) {
      tau[index(k)] += spring.stiffness * (d + context.implicit_step() * v[index(k)]);
    });
  }
}

void add_pose_springs_by_v(const Context& context, SquareMatrix& dtau_dv) {
  for (const PoseSpring& spring : pose_springs(context)) {
    spring.for_each_entry(
        [&](int k, const Scalar&) { dtau_dv(k, k) += context.implicit_step() * spring.stiffness; });
  }
}

void add_pose_springs_by_q(const Context& context, SquareMatrix& dtau_dq) {
  for (const PoseSpring& spring : pose_springs(context)) {
    const auto add = [&](int row, int column, const Matrix3& X) {
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) dtau_dq(row + r, column + c) += spring.stiffness * X(r, c);
      }
    };
    add(spring.angular, spring.angular, turn_slope(spring, TurnCoefficient(dot(spring.turn, spring.turn))));
    if (spring.linear < 0) continue;
    for (int k = spring.linear; k < spring.linear + 3; ++k) dtau_dq(k, k) += spring.stiffness;
    add(spring.linear, spring.angular, cross_matrix(spring.shift));
  }
}

void for_each_pose_spring(const Context& context,
                          const std::function<void(int, int, int, const Scalar&)>& add) {
  for (const PoseSpring& spring : pose_springs(context)) {
    const Scalar& k = spring.stiffness;
    const Vector3& phi = spring.turn;
    const Scalar x = dot(phi, phi);
    const TurnCoefficient c(x);
    const Matrix3 J = turn_slope(spring, c);
    for (int step = 0; step < 3; ++step) {
      // dphi . phi is phi[step], because Jr^T phi = phi.
      const Vector3 dphi{J(0, step), J(1, step), J(2, step)};
      const Matrix3 half = cross_matrix(dphi * Scalar(0.5));
      const Scalar growth = Scalar(2.0) * phi[step];
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          Scalar square = phi[i] * phi[j], rate = dphi[i] * phi[j] + phi[i] * dphi[j];  // of [phi]x^2
          if (i == j) square -= x;
          if (i == j) rate -= growth;
          add(spring.angular + i, spring.angular + j, spring.angular + step,
              k * (half(i, j) + c.slope * growth * square + c.value * rate));
        }
      }
    }
    if (spring.linear < 0) continue;
    const Vector3& y = spring.shift;  // which changes by its step, and by y x turn
    for (int step = 0; step < 3; ++step) {
      const Vector3 unit = to_vector(model::Vector3::Unit(step)), dy = cross(y, unit);
      const Matrix3 by_slide = cross_matrix(unit), by_turn = cross_matrix(dy);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          add(spring.linear + i, spring.angular + j, spring.linear + step, k * by_slide(i, j));
          add(spring.linear + i, spring.angular + j, spring.angular + step, k * by_turn(i, j));
        }
      }
    }
  }
}

}  // namespace featherline::algorithms
