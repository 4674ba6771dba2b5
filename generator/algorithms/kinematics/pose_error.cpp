#include "algorithms/kinematics/frame_motion.hpp"

#include "algorithms/whole_body/whole_body.hpp"

namespace featherline::algorithms {
using algebra::cross;
using algebra::dot;

namespace {

/// 1 or -1; 1 for zero. Rounding of numbers of the size of one never leaves what is added here.
Scalar sign_of(const Scalar& x) {
  using std::sqrt;
  const Scalar beside = x + Scalar(1.3e-15);
  return beside / sqrt(beside * beside + Scalar(smallest_square));
}

/// A quaternion of the rotation, four to eight times as long as a unit one. The matrix 4 q q^T is linear in R. Its
/// columns all lie along q, so those that point the same way are added: some of them are long.
Quaternion quaternion_of(const Context& context, const std::string& suffix, const Matrix3& R) {
  const Scalar one(1.0);
  const Scalar x = R(2, 1) - R(1, 2), y = R(0, 2) - R(2, 0), z = R(1, 0) - R(0, 1);
  const Scalar xy = R(0, 1) + R(1, 0), xz = R(0, 2) + R(2, 0), yz = R(1, 2) + R(2, 1);
  const Scalar xx = one + R(0, 0) - R(1, 1) - R(2, 2), yy = one - R(0, 0) + R(1, 1) - R(2, 2),
               zz = one - R(0, 0) - R(1, 1) + R(2, 2);
  const Quaternion columns[] = {{{xx, xy, xz}, x}, {{xy, yy, yz}, y}, {{xz, yz, zz}, z}};
  Quaternion sum{{x, y, z}, one + R(0, 0) + R(1, 1) + R(2, 2)};
  const auto hint = [&](const Quaternion& q, const std::string& name) {
    context.hint(q.u, name + suffix);
    context.hint(q.w, name + suffix + "_w");
  };
  hint(sum, "Q");
  for (int k = 0; k < 3; ++k) {
    hint(columns[k], "Q" + std::string(1, "xyz"[k]));
    const Scalar sign = context.hint(sign_of(sum.u[k]), "sign" + suffix);
    sum = {sum.u + columns[k].u * sign, sum.w + columns[k].w * sign};
    hint(sum, "q");
  }
  return sum;
}

}  // namespace

PoseError::PoseError(const Context& context, const std::string& suffix, const Matrix3& R, const Vector3& p) {
  const Scalar one(1.0), half(0.5);
  context.hint(R, "E" + suffix);
  context.hint(p, "shift" + suffix);
  const Quaternion turn = quaternion_of(context, suffix, R);
  const Scalar uu = dot(turn.u, turn.u) + Scalar(smallest_square), ratio = half_angle_ratio(uu, turn.w);
  const Vector3 phi = context.hint(turn.u * (Scalar(2.0) * ratio), "phi" + suffix);
  // Of the square x of the angle: b = (1 - g) / x, where g is half the angle over its tangent, which is 1/12 + x / 720
  // + ..., and its slope (g + g^2 + x / 4 - 2) / (2 x^2). Rounding would make quotients by x^2 large for small angles,
  // where what they scale is below 1e-12: there they are taken as smaller than they are.
  const Scalar x = Scalar(4.0) * (ratio * ratio) * uu, g = ratio * turn.w, twelfth(1.0 / 12.0),
               per_square = one / (x * x + Scalar(1e-12)),
               b = twelfth + x * (one - g - twelfth * x) * per_square;
  const Scalar twice_slope = (g + g * g + Scalar(0.25) * x - Scalar(2.0)) * per_square;
  context.hint(b, "b" + suffix);
  const Vector3 moment = context.hint(cross(phi, p), "moment" + suffix),
                bent = context.hint(cross(phi, moment), "bent" + suffix);
  error_ = {p - moment * half + bent * b, phi};
  back_ = context.hint(polynomial(phi, -half, b), "back" + suffix);
  const Scalar along = b * dot(phi, p);
  const Vector3 to_phi = bent * twice_slope - p * (Scalar(2.0) * b);
  slope_ = cross_matrix(p * half);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) slope_(r, c) += b * (phi[r] * p[c]) + to_phi[r] * phi[c];
    slope_(r, r) += along;
  }
  context.hint(slope_, "slope" + suffix);
}

Twist PoseError::rate(const Twist& velocity) const {
  const Vector3 turning = back_ * velocity.angular;
  return {back_ * velocity.linear + slope_ * turning, turning};
}

}  // namespace featherline::algorithms
