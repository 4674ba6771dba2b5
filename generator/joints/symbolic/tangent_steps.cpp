#include "algorithms/whole_body/whole_body.hpp"

#include "joints/symbolic/exponential.hpp"

namespace featherline::algorithms {

namespace {

void set_three(Coordinates& x, int first, const Vector3& v) {
  for (int k = 0; k < 3; ++k) x[index(first + k)] = v[k];
}

/// V(phi) rho: where the origin of a body goes in its own axes (Sola et al., eq. 174).
Vector3 displacement(const HalfTurn& half, const Scalar& x, const Vector3& phi, const Vector3& rho) {
  const Scalar B = (Scalar(1.0) - half.sine()) /
                   x;  // its error is that of rounding over x, the product it scales is of order x
  const Vector3 c = cross(phi, rho);
  return rho + c * half.A() + cross(phi, c) * B;
}

/// Spherical and floating joints.
void step_quaternion(Context& context, int i, const FreeJoint& joint, Coordinates& q_next) {
  const Coordinates &q = context.input("q"), &dv = context.input("dv");
  const Vector3 phi = three_of(dv, joint.angular);
  const Scalar x = context.label(dot(phi, phi) + Scalar(smallest_square), context.of_body("turn_squared", i));
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
void step_planar(Context& context, const FreeJoint& joint, Coordinates& q_next) {
  using std::cos, std::sin, std::sqrt;
  const Coordinates &q = context.input("q"), &dv = context.input("dv");
  const auto at = [](const Coordinates& array, int k) -> const Scalar& { return array[index(k)]; };
  const Scalar &theta = at(q, joint.orientation), &turn = at(dv, joint.angular);
  const Scalar &vx = at(dv, joint.linear), &vy = at(dv, joint.linear + 1);
  const Scalar half = sqrt(Scalar(0.25) * (turn * turn) + Scalar(smallest_square)),
               middle = theta + Scalar(0.5) * turn;
  const Scalar ratio = sin(half) / half, c = cos(middle), s = sin(middle);
  const auto x = index(joint.position);
  q_next[x] = q[x] + ratio * (c * vx - s * vy);
  q_next[x + 1] = q[x + 1] + ratio * (s * vx + c * vy);
  q_next[index(joint.orientation)] = theta + turn;
}

/// Logarithm of the quaternion from q0 to q1, and V^-1 of it (Sola et al., eq. 146). atan(|u| / w) turns the
/// short way for w of either sign; w = 0 gives the half turn.
void subtract_quaternion(Context& context, int i, const FreeJoint& joint, Coordinates& dv) {
  using std::atan, std::sqrt;
  const Coordinates &q0 = context.input("q0"), &q1 = context.input("q1");
  const Quaternion from = turn_of(q0, joint.orientation);
  const Quaternion turn = conjugate(from) * turn_of(q1, joint.orientation);
  context.label(turn.u, context.of_body("half_turn", i));
  const Scalar uu = dot(turn.u, turn.u) + Scalar(smallest_square), size = sqrt(uu);
  const Scalar half = context.label(atan(size / turn.w) / size, context.of_body("half_angle_ratio", i));
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

}  // namespace

void integrate(Context& context) {
  const Coordinates &q = context.input("q"), &dv = context.input("dv");
  Coordinates q_next(q.size(), Scalar(0.0));
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    context.begin_section(i, "step");
    if (joint.row().steps_add()) {
      for (int k = 0; k < joint.nq; ++k) {
        const auto entry = index(joint.idx_q + k);
        q_next[entry] = q[entry] + dv[index(joint.idx_v + k)];
        context.keep(q_next[entry]);
      }
      return;
    }
    const FreeJoint free(joint);
    if (free.has_quaternion)
      step_quaternion(context, i, free, q_next);
    else
      step_planar(context, free, q_next);
    for (int k = 0; k < joint.nq; ++k) context.keep(q_next[index(joint.idx_q + k)]);
  });
  context.output("q_next", std::move(q_next));
}

void difference(Context& context) {
  const Coordinates &q0 = context.input("q0"), &q1 = context.input("q1");
  Coordinates dv = context.zeros();
  for_each_own_joint(context, [&](int i, const model::Joint& joint) {
    context.begin_section(i, "step");
    if (joint.row().steps_add()) {
      for (int k = 0; k < joint.nv; ++k) {
        const auto entry = index(joint.idx_q + k);
        dv[index(joint.idx_v + k)] = q1[entry] - q0[entry];
        context.keep(dv[index(joint.idx_v + k)]);
      }
      return;
    }
    const FreeJoint free(joint);
    if (free.has_quaternion)
      subtract_quaternion(context, i, free, dv);
    else
      subtract_planar(context, free, dv);
    for (int k = 0; k < joint.nv; ++k) context.keep(dv[index(joint.idx_v + k)]);
  });
  context.output("dv", std::move(dv));
}

}  // namespace featherline::algorithms
