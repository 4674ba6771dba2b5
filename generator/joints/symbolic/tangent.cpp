#include "algorithms/dual_quaternion.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/whole_body/whole_body.hpp"
#include "joints/symbolic/joints.hpp"

#include <cmath>

// In coefficients of the exponential map, phi is a turn [rad] in the axes of the body, theta its size, x its square.
namespace featherline::algorithms {
namespace {

/// cos(theta / 2) and sin(theta / 2) / theta. Every other coefficient but B is made of them.
struct HalfTurn {
  Scalar cosine, ratio;

  explicit HalfTurn(const Scalar& x)
      : cosine(stumpff_0(Scalar(0.25) * x)), ratio(Scalar(0.5) * stumpff_1(Scalar(0.25) * x)) {}
  /// sin(theta) / theta.
  Scalar sine() const { return Scalar(2.0) * (cosine * ratio); }
  /// A = (1 - cos(theta)) / theta^2.
  Scalar A() const { return Scalar(2.0) * (ratio * ratio); }
};

/// Entries `first` to `first + 2` of an array.
Vector3 three_of(const Coordinates& x, int first) {
  const Scalar* entry = x.data() + first;
  return {entry[0], entry[1], entry[2]};
}
Quaternion turn_of(const Coordinates& q, int first) { return {three_of(q, first), q[index(first + 3)]}; }

/// Where the coordinates of a joint are whose velocity is in the axes of its child.
struct FreeJoint {
  const model::Joint& joint;
  const model::JointRow& row = joint.row();
  bool travels = row.travels(), has_quaternion = row.quaternion() >= 0;
  int position = joint.idx_q;                        ///< in q: the first length, if it travels
  int orientation = joint.idx_q + row.num_slides();  ///< in q: the quaternion or the angle
  int linear = joint.idx_v;                          ///< in v, if it travels
  int angular = joint.idx_v + row.num_slides();      ///< in v: three entries, or one
};

/// Calls f(i, joint) for every body whose joint has coordinates of its own.
template <class F>
void for_each_own_joint(const Context& context, const F& f) {
  for (int i = 0; i < context.num_bodies(); ++i) {
    const model::Joint& joint = context.joint(i);
    if (joint.mimics < 0) f(i, joint);
  }
}

void set_three(Coordinates& x, int first, const Vector3& v) {
  for (int k = 0; k < 3; ++k) x[index(first + k)] = v[k];
}

/// V(phi) rho: where the origin of a body goes in its own axes (Sola et al., eq. 174).
Vector3 displacement(const HalfTurn& half, const Scalar& x, const Vector3& phi, const Vector3& rho) {
  const Vector3 c = cross(phi, rho);
  return rho + c * half.A() + cross(phi, c) * stumpff_3(x);
}

/// Spherical and floating joints.
void step_quaternion(Context& context, int i, const FreeJoint& joint, const Coordinates& q,
                     const Coordinates& dv, Coordinates& q_next) {
  const Vector3 phi = three_of(dv, joint.angular);
  const Scalar x = context.label(dot(phi, phi), context.of_body("turn_squared", i));
  const HalfTurn half(x);
  const Quaternion turn = turn_of(q, joint.orientation);
  if (joint.travels) {
    const Vector3 shift = rotate(turn, displacement(half, x, phi, three_of(dv, joint.linear)));
    set_three(q_next, joint.position, three_of(q, joint.position) + shift);
  }
  // A unit quaternion stays one: one step of Newton's iteration takes out the rounding of earlier steps.
  const Scalar unit = Scalar(1.5) - Scalar(0.5) * (dot(turn.u, turn.u) + turn.w * turn.w);
  const Quaternion next = turn * Quaternion{phi * (half.ratio * unit), half.cosine * unit};
  set_three(q_next, joint.orientation, next.u);
  q_next[index(joint.orientation + 3)] = next.w;
}

/// V(theta) is sin(theta / 2) / (theta / 2) times the rotation by theta / 2.
void step_planar(const FreeJoint& joint, const Coordinates& q, const Coordinates& dv, Coordinates& q_next) {
  using std::cos, std::sin;
  const auto x = index(joint.position), linear = index(joint.linear);
  const Scalar &theta = q[index(joint.orientation)], &turn = dv[index(joint.angular)];
  const Scalar &vx = dv[linear], &vy = dv[linear + 1];
  const Scalar half = Scalar(0.5) * turn, middle = theta + half;
  const Scalar ratio = stumpff_1(half * half), c = cos(middle), s = sin(middle);
  q_next[x] = q[x] + ratio * (c * vx - s * vy);
  q_next[x + 1] = q[x + 1] + ratio * (s * vx + c * vy);
  q_next[index(joint.orientation)] = theta + turn;
}

/// Logarithm of the quaternion from q0 to q1, and V^-1 of it (Sola et al., eq. 146). w = 0 gives the half turn.
void subtract_quaternion(Context& context, int i, const FreeJoint& joint, Coordinates& dv) {
  const Coordinates &q0 = context.input("q0"), &q1 = context.input("q1");
  const Quaternion from = turn_of(q0, joint.orientation);
  const Quaternion turn = conjugate(from) * turn_of(q1, joint.orientation);
  context.label(turn.u, context.of_body("half_turn", i));
  const Scalar uu = dot(turn.u, turn.u) + Scalar(smallest_square);
  const Scalar half = context.label(half_angle_ratio(uu, turn.w), context.of_body("half_angle_ratio", i));
  set_three(dv, joint.angular, turn.u * (Scalar(2.0) * half));
  if (!joint.travels) return;
  const Vector3 moved = three_of(q1, joint.position) - three_of(q0, joint.position);
  const Vector3 d = rotate(conjugate(from), moved), c = cross(turn.u, d);
  const Scalar factor = (Scalar(1.0) - half * turn.w) / uu;
  set_three(dv, joint.linear, d - c * half + cross(turn.u, c) * factor);
}

/// Angles may differ by more than pi: V is then still the one of the whole turn.
void subtract_planar(Context& context, const FreeJoint& joint, Coordinates& dv) {
  using std::cos, std::sin, std::sqrt;
  const Coordinates &q0 = context.input("q0"), &q1 = context.input("q1");
  const auto orientation = index(joint.orientation);
  const auto x = index(joint.position), linear = index(joint.linear);
  const Scalar turn = q1[orientation] - q0[orientation];
  const Scalar half = sqrt(Scalar(0.25) * (turn * turn) + Scalar(smallest_square));
  const Scalar middle = Scalar(0.5) * (q0[orientation] + q1[orientation]);
  const Scalar ratio = half / sin(half), c = cos(middle), s = sin(middle);
  const Scalar dx = q1[x] - q0[x], dy = q1[x + 1] - q0[x + 1];
  dv[linear] = ratio * (c * dx + s * dy);
  dv[linear + 1] = ratio * (c * dy - s * dx);
  dv[index(joint.angular)] = turn;
}

void keep_entries(Context& context, const Coordinates& x, int first, int count) {
  for (int k = 0; k < count; ++k) context.keep(x[index(first + k)]);
}

/// Coefficients of a turn and their derivatives with respect to x, doubled and divided by their power of theta.
struct Coefficients {
  Scalar x, sine, A, B;

  Coefficients(Context& context, int i, const Scalar& square) : x(square) {
    const HalfTurn half(x);
    sine = context.label(half.sine(), context.of_body("sin_ratio", i));
    A = context.label(half.A(), context.of_body("A_turn", i));
    B = context.label(stumpff_3(x), context.of_body("B_turn", i));
  }
  Scalar A_slope() const { return (sine - Scalar(2.0) * A) / x; }
  Scalar B_slope() const { return (A - Scalar(3.0) * B) / x; }
};

/// u v^T.
Matrix3 outer(const Vector3& u, const Vector3& v) { return {{v * u.x, v * u.y, v * u.z}}; }
Matrix3 operator*(const Matrix3& M, const Scalar& factor) {
  return {{M.rows[0] * factor, M.rows[1] * factor, M.rows[2] * factor}};
}

void set_block(SquareMatrix& M, int row, int column, const Matrix3& block) {
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) M(row + r, column + c) = block(r, c);
  }
}

/// d (V(-phi) rho) / d phi, where V(-phi) rho = rho - A phi x rho + B phi x (phi x rho).
Matrix3 displacement_slope(const Coefficients& c, const Vector3& phi, const Vector3& rho) {
  const Vector3 moment = cross(phi, rho);
  const Vector3 along_phi = cross(phi, moment) * c.B_slope() - moment * c.A_slope() - rho * (c.B + c.B);
  Matrix3 D = outer(along_phi, phi) + outer(phi * c.B, rho) + cross_matrix(rho * c.A);
  const Scalar diagonal = c.B * dot(phi, rho);
  for (int k = 0; k < 3; ++k) D(k, k) += diagonal;
  return D;
}

/// Adjoint and right Jacobian of spherical and floating joints (Sola et al., appendices B and D). With r = R^T V rho,
/// the upper right blocks are -[r]x R^T and D - [r]x J: the derivative of r = V(-phi) rho has a part for R^T.
void differentiate_quaternion(Context& context, int i, const FreeJoint& joint, const Coordinates& dv,
                              SquareMatrix& dq, SquareMatrix& ddv) {
  const Vector3 phi = three_of(dv, joint.angular);
  const Scalar x = context.label(dot(phi, phi) + Scalar(smallest_square), context.of_body("turn_squared", i));
  const Coefficients c(context, i, x);
  const Matrix3 R_back = polynomial(phi, c.sine, c.A), J = polynomial(phi, c.A, c.B);
  context.label(R_back, context.of_body("R_back", i));
  context.label(J, context.of_body("Jr", i));
  set_block(dq, joint.angular, joint.angular, R_back);
  set_block(ddv, joint.angular, joint.angular, J);
  if (!joint.travels) return;
  set_block(dq, joint.linear, joint.linear, R_back);
  set_block(ddv, joint.linear, joint.linear, J);
  const Vector3 rho = three_of(dv, joint.linear), r = J * rho;  // J = V(-phi)
  context.label(r, context.of_body("r_back", i));
  const Matrix3 minus_r = cross_matrix(-r);
  set_block(dq, joint.linear, joint.angular, minus_r * R_back);
  set_block(ddv, joint.linear, joint.angular, displacement_slope(c, phi, rho) + minus_r * J);
}

/// The same in the plane (Sola et al., appendix C).
void differentiate_planar(Context& context, int i, const FreeJoint& joint, const Coordinates& dv,
                          SquareMatrix& dq, SquareMatrix& ddv) {
  const auto linear = index(joint.linear);
  const Scalar &theta = dv[index(joint.angular)], &x = dv[linear], &y = dv[linear + 1];
  const Scalar square =
      context.label(theta * theta + Scalar(smallest_square), context.of_body("turn_squared", i));
  const Coefficients coefficients(context, i, square);
  const Scalar &V_diagonal = coefficients.sine, V_off = theta * coefficients.A, B = theta * coefficients.B;
  const Scalar c = Scalar(1.0) - theta * V_off, s = theta * coefficients.sine;
  const int vx = joint.linear, vy = vx + 1, turn = joint.angular;
  const auto set = [&](SquareMatrix& M, const Scalar& diagonal, const Scalar& off, const Scalar& last_x,
                       const Scalar& last_y) {
    M(vx, vx) = M(vy, vy) = diagonal;
    M(vx, vy) = off;
    M(vy, vx) = -off;
    M(vx, turn) = last_x;
    M(vy, turn) = last_y;
    M(turn, turn) = Scalar(1.0);
  };
  set(dq, c, s, V_off * x - V_diagonal * y, V_diagonal * x + V_off * y);
  set(ddv, V_diagonal, V_off, B * x - coefficients.A * y, coefficients.A * x + B * y);
}

}  // namespace

Matrix3 rotation_of(const Vector3& phi) {
  const HalfTurn half(dot(phi, phi));
  const Scalar zero(0.0), one(1.0);
  const Matrix3 identity{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  return Rotation(identity, Quaternion{phi * half.ratio, half.cosine}).matrix();
}

Scalar half_angle_ratio(const Scalar& uu, const Scalar& w) {
  using std::atan, std::sqrt;
  const Scalar size = sqrt(uu);
  return atan(size / w) / size;
}

Matrix3 polynomial(const Vector3& phi, const Scalar& a, const Scalar& b) {
  const Scalar xx = phi.x * phi.x, yy = phi.y * phi.y, zz = phi.z * phi.z;
  const Symmetric3 square{-(yy + zz), phi.x * phi.y, phi.x * phi.z, -(xx + zz), phi.y * phi.z, -(xx + yy)};
  Matrix3 M = square.full() * b + cross_matrix(phi * -a);
  for (int k = 0; k < 3; ++k) M(k, k) += Scalar(1.0);
  return M;
}

Matrix3 left_jacobian(const Vector3& phi) {
  const Scalar x = dot(phi, phi);
  return polynomial(-phi, HalfTurn(x).A(), stumpff_3(x));
}

Coordinates position_after(Context& context, const Coordinates& q, const Coordinates& dv) {
  Coordinates q_next(q.size(), Scalar(0.0));
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    context.begin_section(i, "step");
    const FreeJoint free{joint};
    if (joint.row().steps_add()) {
      for (int k = 0; k < joint.nq; ++k)
        q_next[index(joint.idx_q + k)] = q[index(joint.idx_q + k)] + dv[index(joint.idx_v + k)];
    } else if (free.has_quaternion) {
      step_quaternion(context, i, free, q, dv, q_next);
    } else {
      step_planar(free, q, dv, q_next);
    }
    keep_entries(context, q_next, joint.idx_q, joint.nq);
  });
  return q_next;
}

void integrate(Context& context) {
  context.output("q_next", position_after(context, context.input("q"), context.input("dv")));
}

void difference(Context& context) {
  const Coordinates &q0 = context.input("q0"), &q1 = context.input("q1");
  Coordinates dv = context.zeros();
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    context.begin_section(i, "step");
    const FreeJoint free{joint};
    if (joint.row().steps_add()) {
      for (int k = 0; k < joint.nv; ++k)
        dv[index(joint.idx_v + k)] = q1[index(joint.idx_q + k)] - q0[index(joint.idx_q + k)];
    } else if (free.has_quaternion) {
      subtract_quaternion(context, i, free, dv);
    } else {
      subtract_planar(context, free, dv);
    }
    keep_entries(context, dv, joint.idx_v, joint.nv);
  });
  context.output("dv", std::move(dv));
}

PositionDerivatives position_derivatives(Context& context, const Coordinates& dv) {
  SquareMatrix dq(context.nv()), ddv(context.nv());
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    if (joint.row().steps_add()) {
      for (int k = joint.idx_v; k < joint.idx_v + joint.nv; ++k) dq(k, k) = ddv(k, k) = Scalar(1.0);
      return;
    }
    context.begin_section(i, "step");
    const FreeJoint free{joint};
    if (free.has_quaternion)
      differentiate_quaternion(context, i, free, dv, dq, ddv);
    else
      differentiate_planar(context, i, free, dv, dq, ddv);
    for (int column = joint.idx_v; column < joint.idx_v + joint.nv; ++column) {
      for (int row = joint.idx_v; row < joint.idx_v + joint.nv; ++row) {
        context.keep(dq(row, column));
        context.keep(ddv(row, column));
      }
    }
  });
  return {std::move(dq), std::move(ddv)};
}

void integrate_derivatives(Context& context) {
  const PositionDerivatives d = position_derivatives(context, context.input("dv"));
  context.output("dq", d.dq.column_major(), matrix);
  context.output("ddv", d.ddv.column_major(), matrix);
}

/// A quaternion t changes by t (phi, 0) / 2, the origin by the rotated linear step.
Coordinates slopes_by_steps(const Context& context, const Coordinates& slopes) {
  const Coordinates& q = context.input("q");
  Coordinates steps = context.zeros();
  for_each_own_joint(context, [&](int, const model::Joint& joint) {
    const FreeJoint free{joint};
    if (joint.row().steps_add()) {
      for (int k = 0; k < joint.nv; ++k) steps[index(joint.idx_v + k)] = slopes[index(joint.idx_q + k)];
      return;
    }
    if (!free.has_quaternion) {
      const Scalar &theta = q[index(free.orientation)], c = cos(theta), s = sin(theta);
      const Scalar &x = slopes[index(free.position)], &y = slopes[index(free.position + 1)];
      steps[index(free.linear)] = c * x + s * y;
      steps[index(free.linear + 1)] = c * y - s * x;
      steps[index(free.angular)] = slopes[index(free.orientation)];
      return;
    }
    const Quaternion back = conjugate(turn_of(q, free.orientation));
    set_three(steps, free.angular, (back * turn_of(slopes, free.orientation)).u * Scalar(0.5));
    if (free.travels) set_three(steps, free.linear, rotate(back, three_of(slopes, free.position)));
  });
  return steps;
}

/// The transpose of slopes_by_steps().
Coordinates rates_by_steps(const Context& context, const Coordinates& v) {
  const Coordinates& q = context.input("q");
  Coordinates rates(q.size(), Scalar(0.0));
  for_each_own_joint(context, [&](int, const model::Joint& joint) {
    const FreeJoint free{joint};
    if (joint.row().steps_add()) {
      for (int k = 0; k < joint.nv; ++k) rates[index(joint.idx_q + k)] = v[index(joint.idx_v + k)];
      return;
    }
    if (!free.has_quaternion) {
      const Scalar &theta = q[index(free.orientation)], c = cos(theta), s = sin(theta);
      const Scalar &x = v[index(free.linear)], &y = v[index(free.linear + 1)];
      rates[index(free.position)] = c * x - s * y;
      rates[index(free.position + 1)] = s * x + c * y;
      rates[index(free.orientation)] = v[index(free.angular)];
      return;
    }
    const Quaternion turn = turn_of(q, free.orientation);
    const Quaternion rate = turn * Quaternion{three_of(v, free.angular) * Scalar(0.5), Scalar(0.0)};
    set_three(rates, free.orientation, rate.u);
    rates[index(free.orientation + 3)] = rate.w;
    if (free.travels) set_three(rates, free.position, rotate(turn, three_of(v, free.linear)));
  });
  return rates;
}

}  // namespace featherline::algorithms
