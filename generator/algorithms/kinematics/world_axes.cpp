#include "algorithms/kinematics/world_axes.hpp"

namespace featherline::algorithms {
namespace {

/// Whether E turns about z.
bool keeps_z(const Matrix3& E) {
  return is_zero(E(0, 2)) && is_zero(E(1, 2)) && is_zero(E(2, 0)) && is_zero(E(2, 1)) &&
         E(2, 2) == Scalar(1.0);
}

Turn composed(const Turn& a, const Turn& b) { return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s}; }

}  // namespace

Vector3 BodyAxes::to_shared(const Vector3& v) const {
  return {turn.c * v.x - turn.s * v.y, turn.s * v.x + turn.c * v.y, v.z};
}

Vector3 BodyAxes::to_own(const Vector3& v) const {
  return {turn.c * v.x + turn.s * v.y, turn.c * v.y - turn.s * v.x, v.z};
}

Matrix3 BodyAxes::R_WB() const {
  if (turn.c == Scalar(1.0) && turn.s == Scalar(0.0)) return R_WG;
  Matrix3 R;
  for (int r = 0; r < 3; ++r) {
    const Vector3& row = R_WG.rows[r];
    R.rows[r] = {row.x * turn.c + row.y * turn.s, row.y * turn.c - row.x * turn.s, row.z};
  }
  return R;
}

Matrix3 BodyAxes::followed_by(const Matrix3& E) const {
  if (!keeps_z(E)) return R_WB() * E;
  return BodyAxes{R_WG, composed(turn, Turn{E(0, 0), E(1, 0)})}.R_WB();
}

void WorldAxes::outward(int i) {
  BodyAxes& axes = axes_[index(i)];
  if (i == root_) {
    for (int r = 0; r < 3; ++r) axes.R_WG(r, r) = Scalar(1.0);
    return;
  }
  const JointMotion X = joint_motion(c_, i);
  const bool has_angle = c_.joint(i).row().angle() >= 0;
  Step& step = steps_[index(i)];
  step = {false, has_angle ? c_.placement(i).R : X.R.matrix(), X.p};
  step.shares = c_.parent(i) >= 0 && keeps_z(step.R_PG);
  if (step.shares) {
    axes = body(c_.parent(i));
    axes.turn = composed(axes.turn, Turn{step.R_PG(0, 0), step.R_PG(1, 0)});
  } else {
    axes.R_WG = c_.parent(i) < 0 ? step.R_PG : body(c_.parent(i)).R_WB() * step.R_PG;
    c_.label(axes.R_WG, c_.of_body("G", i));
  }
  if (!has_angle) return;
  axes.turn = composed(axes.turn, joint_turn(c_, i));
  if (!step.shares) return;
  c_.label(axes.turn.c, c_.of_body("cos", i));
  c_.label(axes.turn.s, c_.of_body("sin", i));
}

Vector3 WorldAxes::to_parent(int i, const Vector3& v) const {
  const Step& step = steps_[index(i)];
  if (step.shares) return v;
  const Vector3 in_parent = step.R_PG * v;
  return c_.parent(i) < 0 ? in_parent : body(c_.parent(i)).to_shared(in_parent);
}

Matrix3 WorldAxes::rotation_of_parent(int i, const Matrix3& R_AG) const {
  if (shares(i) || c_.parent(i) < 0) return R_AG;
  const Turn& turn = body(c_.parent(i)).turn;
  // R_AP Rz^T, as R_AP = R_AG R_PG^T.
  return BodyAxes{R_AG * steps_[index(i)].R_PG.transposed(), {turn.c, -turn.s}}.R_WB();
}

Vector3 WorldAxes::offset(int i) const {
  const Vector3& p = steps_[index(i)].p_PB;
  return c_.parent(i) < 0 ? p : body(c_.parent(i)).to_shared(p);
}

}  // namespace featherline::algorithms
