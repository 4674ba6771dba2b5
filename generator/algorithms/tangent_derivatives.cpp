#include "algorithms/exponential.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/tangent_steps.hpp"

namespace featherline::algorithms {
namespace {

/// B = (theta - sin(theta)) / theta^3, up to rounding for all x = theta^2. The closed form cancels below 1, the series
/// is short up to 1. Each gets x cut off at 1, and their sum counts x = 1 once too often.
template <class T>
T third_coefficient(const T& x) {
  using std::sin, std::sqrt;
  constexpr int terms = 8;  // the next one is 1 / 19!
  const T beyond = x - T(1.0), excess = T(0.5) * (beyond + sqrt(beyond * beyond + T(smallest_square)));
  const T low = T(1.0) + (beyond - excess), high = T(1.0) + excess, theta = sqrt(high);
  T series(0.0);
  for (int k = terms - 1; k >= 0; --k) series = T(1.0 / std::tgamma(2.0 * k + 4.0)) - low * series;
  return series + ((T(1.0) - sin(theta) / theta) / high - T(1.0 - std::sin(1.0)));
}

/// Coefficients of a turn and their derivatives with respect to x, doubled and divided by their power of theta.
template <class T>
struct Coefficients {
  T x, sine, A, B;

  Coefficients(Context<T>& context, int i, const T& square) : x(square) {
    const HalfTurn<T> half(x);
    sine = context.label(half.sine(), context.of_body("sin_ratio", i));
    A = context.label(half.A(), context.of_body("A_turn", i));
    B = context.label(third_coefficient(x), context.of_body("B_turn", i));
  }
  T A_slope() const { return (sine - T(2.0) * A) / x; }
  T B_slope() const { return (A - T(3.0) * B) / x; }
};

/// u v^T.
template <class T>
Matrix3<T> outer(const Vector3<T>& u, const Vector3<T>& v) {
  return {{v * u.x, v * u.y, v * u.z}};
}
template <class T>
Matrix3<T> operator*(const Matrix3<T>& M, const T& factor) {
  return {{M.rows[0] * factor, M.rows[1] * factor, M.rows[2] * factor}};
}

/// 1 - a [phi]x + b [phi]x^2.
template <class T>
Matrix3<T> polynomial(const Vector3<T>& phi, const T& a, const T& b) {
  const T xx = phi.x * phi.x, yy = phi.y * phi.y, zz = phi.z * phi.z;
  const Symmetric3<T> square{-(yy + zz), phi.x * phi.y, phi.x * phi.z, -(xx + zz), phi.y * phi.z, -(xx + yy)};
  Matrix3<T> M = square.full() * b + cross_matrix(phi * -a);
  for (int k = 0; k < 3; ++k) M(k, k) += T(1.0);
  return M;
}

template <class T>
void set_block(SquareMatrix<T>& M, int row, int column, const Matrix3<T>& block) {
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) M(row + r, column + c) = block(r, c);
  }
}

/// d (V(-phi) rho) / d phi, where V(-phi) rho = rho - A phi x rho + B phi x (phi x rho).
template <class T>
Matrix3<T> displacement_slope(const Coefficients<T>& c, const Vector3<T>& phi, const Vector3<T>& rho) {
  const Vector3<T> moment = cross(phi, rho);
  const Vector3<T> along_phi = cross(phi, moment) * c.B_slope() - moment * c.A_slope() - rho * (c.B + c.B);
  Matrix3<T> D = outer(along_phi, phi) + outer(phi * c.B, rho) + cross_matrix(rho * c.A);
  const T diagonal = c.B * dot(phi, rho);
  for (int k = 0; k < 3; ++k) D(k, k) += diagonal;
  return D;
}

/// Adjoint and right Jacobian of spherical and floating joints (Sola et al., appendices B and D). With r = R^T V rho,
/// the upper right blocks are -[r]x R^T and D - [r]x J: the derivative of r = V(-phi) rho has a part for R^T.
template <class T>
void differentiate_quaternion(Context<T>& context, int i, const FreeJoint& joint, SquareMatrix<T>& dq,
                              SquareMatrix<T>& ddv) {
  const Coordinates<T>& dv = context.input("dv");
  const Vector3<T> phi = three_of(dv, joint.angular);
  const T x = context.label(dot(phi, phi) + T(smallest_square), context.of_body("turn_squared", i));
  const Coefficients<T> c(context, i, x);
  const Matrix3<T> R_back = polynomial(phi, c.sine, c.A), J = polynomial(phi, c.A, c.B);
  context.label(R_back, context.of_body("R_back", i));
  context.label(J, context.of_body("Jr", i));
  set_block(dq, joint.angular, joint.angular, R_back);
  set_block(ddv, joint.angular, joint.angular, J);
  if (!joint.travels) return;
  set_block(dq, joint.linear, joint.linear, R_back);
  set_block(ddv, joint.linear, joint.linear, J);
  const Vector3<T> rho = three_of(dv, joint.linear), r = J * rho;  // J = V(-phi)
  context.label(r, context.of_body("r_back", i));
  const Matrix3<T> minus_r = cross_matrix(-r);
  set_block(dq, joint.linear, joint.angular, minus_r * R_back);
  set_block(ddv, joint.linear, joint.angular, displacement_slope(c, phi, rho) + minus_r * J);
}

/// The same in the plane (Sola et al., appendix C).
template <class T>
void differentiate_planar(Context<T>& context, int i, const FreeJoint& joint, SquareMatrix<T>& dq,
                          SquareMatrix<T>& ddv) {
  const Coordinates<T>& dv = context.input("dv");
  const auto linear = static_cast<std::size_t>(joint.linear);
  const T &theta = dv[static_cast<std::size_t>(joint.angular)], &x = dv[linear], &y = dv[linear + 1];
  const T square = context.label(theta * theta + T(smallest_square), context.of_body("turn_squared", i));
  const Coefficients<T> coefficients(context, i, square);
  const T &V_diagonal = coefficients.sine, V_off = theta * coefficients.A, B = theta * coefficients.B;
  const T c = T(1.0) - theta * V_off, s = theta * coefficients.sine;
  const int vx = joint.linear, vy = vx + 1, turn = joint.angular;
  const auto set = [&](SquareMatrix<T>& M, const T& diagonal, const T& off, const T& last_x,
                       const T& last_y) {
    M(vx, vx) = M(vy, vy) = diagonal;
    M(vx, vy) = off;
    M(vy, vx) = -off;
    M(vx, turn) = last_x;
    M(vy, turn) = last_y;
    M(turn, turn) = T(1.0);
  };
  set(dq, c, s, V_off * x - V_diagonal * y, V_diagonal * x + V_off * y);
  set(ddv, V_diagonal, V_off, B * x - coefficients.A * y, coefficients.A * x + B * y);
}

}  // namespace

template <class T>
void integrate_derivatives(Context<T>& context) {
  SquareMatrix<T> dq(context.nv()), ddv(context.nv());
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    if (joint.row().moves_on_axes()) {
      for (int k = joint.idx_v; k < joint.idx_v + joint.nv; ++k) dq(k, k) = ddv(k, k) = T(1.0);
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

template void integrate_derivatives(Context<Scalar>&);
template void integrate_derivatives(Context<double>&);

}  // namespace featherline::algorithms
