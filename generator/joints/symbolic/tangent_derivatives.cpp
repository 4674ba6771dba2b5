#include "algorithms/matrices.hpp"
#include "algorithms/whole_body/whole_body.hpp"
#include "joints/symbolic/exponential.hpp"

namespace featherline::algorithms {
namespace {

/// B = (theta - sin(theta)) / theta^3, up to rounding for all x = theta^2. The closed form cancels below 1, the series
/// is short up to 1. Each gets x cut off at 1, and their sum counts x = 1 once too often.
Scalar third_coefficient(const Scalar& x) {
  using std::sin, std::sqrt;
  constexpr int terms = 8;  // the next one is 1 / 19!
  const Scalar beyond = x - Scalar(1.0),
               excess = Scalar(0.5) * (beyond + sqrt(beyond * beyond + Scalar(smallest_square)));
  const Scalar low = Scalar(1.0) + (beyond - excess), high = Scalar(1.0) + excess, theta = sqrt(high);
  Scalar series(0.0);
  for (int k = terms - 1; k >= 0; --k) series = Scalar(1.0 / std::tgamma(2.0 * k + 4.0)) - low * series;
  return series + ((Scalar(1.0) - sin(theta) / theta) / high - Scalar(1.0 - std::sin(1.0)));
}

/// Coefficients of a turn and their derivatives with respect to x, doubled and divided by their power of theta.
struct Coefficients {
  Scalar x, sine, A, B;

  Coefficients(Context& context, int i, const Scalar& square) : x(square) {
    const HalfTurn half(x);
    sine = context.label(half.sine(), context.of_body("sin_ratio", i));
    A = context.label(half.A(), context.of_body("A_turn", i));
    B = context.label(third_coefficient(x), context.of_body("B_turn", i));
  }
  Scalar A_slope() const { return (sine - Scalar(2.0) * A) / x; }
  Scalar B_slope() const { return (A - Scalar(3.0) * B) / x; }
};

/// u v^T.
Matrix3 outer(const Vector3& u, const Vector3& v) { return {{v * u.x, v * u.y, v * u.z}}; }
Matrix3 operator*(const Matrix3& M, const Scalar& factor) {
  return {{M.rows[0] * factor, M.rows[1] * factor, M.rows[2] * factor}};
}

/// 1 - a [phi]x + b [phi]x^2.
Matrix3 polynomial(const Vector3& phi, const Scalar& a, const Scalar& b) {
  const Scalar xx = phi.x * phi.x, yy = phi.y * phi.y, zz = phi.z * phi.z;
  const Symmetric3 square{-(yy + zz), phi.x * phi.y, phi.x * phi.z, -(xx + zz), phi.y * phi.z, -(xx + yy)};
  Matrix3 M = square.full() * b + cross_matrix(phi * -a);
  for (int k = 0; k < 3; ++k) M(k, k) += Scalar(1.0);
  return M;
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
void differentiate_quaternion(Context& context, int i, const FreeJoint& joint, SquareMatrix& dq,
                              SquareMatrix& ddv) {
  const Coordinates& dv = context.input("dv");
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
void differentiate_planar(Context& context, int i, const FreeJoint& joint, SquareMatrix& dq,
                          SquareMatrix& ddv) {
  const Coordinates& dv = context.input("dv");
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

void integrate_derivatives(Context& context) {
  SquareMatrix dq(context.nv()), ddv(context.nv());
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    if (joint.row().steps_add()) {
      for (int k = joint.idx_v; k < joint.idx_v + joint.nv; ++k) dq(k, k) = ddv(k, k) = Scalar(1.0);
      return;
    }
    context.begin_section(i, "step");
    const FreeJoint free(joint);
    if (free.has_quaternion)
      differentiate_quaternion(context, i, free, dq, ddv);
    else
      differentiate_planar(context, i, free, dq, ddv);
    for (int column = joint.idx_v; column < joint.idx_v + joint.nv; ++column) {
      for (int row = joint.idx_v; row < joint.idx_v + joint.nv; ++row) {
        context.keep(dq(row, column));
        context.keep(ddv(row, column));
      }
    }
  });
  context.output("dq", dq.column_major(), matrix);
  context.output("ddv", ddv.column_major(), matrix);
}

}  // namespace featherline::algorithms
