#pragma once

#include "model/constraints.hpp"

#include <featherline/algebra/spatial.hpp>

#include <vector>

/// The equations of the constraints of model/constraints.hpp, each once, for any scalar: J, its rate and their
/// derivatives all come from these.
namespace featherline::algorithms {

/// Where a frame is and how it moves: velocity and acceleration of its origin, angular velocity and acceleration. All
/// in one set of axes, those of the root that motion is relative to. d: how far its origin is from where it is held. r:
/// the way from it to the point of a sphere that touches the ground, which does not turn with the frame.
template <class T>
struct FrameState {
  algebra::Matrix3<T> R;
  algebra::Vector3<T> p, u, w, ud, wd;
  algebra::Vector3<T> d = {}, r = {};
};

/// The errors of a constraint, their rates, and what is held at zero. The position error of a contact is zero
/// without an anchor.
template <class T>
struct ConstraintRows {
  std::vector<T> e, de, dde;
};

template <class T>
void append(std::vector<T>& rows, const algebra::Vector3<T>& x) {
  rows.insert(rows.end(), {x.x, x.y, x.z});
}

template <class T>
ConstraintRows<T> contact_rows(const FrameState<T>& F, bool is_weld) {
  ConstraintRows<T> rows;
  append(rows.e, F.d);
  append(rows.de, F.u + cross(F.w, F.r));
  append(rows.dde, F.ud + cross(F.wd, F.r));
  if (is_weld) {
    append(rows.de, F.w);
    append(rows.dde, F.wd);
  }
  rows.e.resize(rows.de.size(), T(0.0));
  return rows;
}

/// Position error of turning: 2 tan(t / 2) n for a turn R by the angle t about n. It is the rotation vector up to third
/// order, and grows without bound towards half a turn, where 1e-18 keeps it and its derivative from 0 / 0, in float,
/// too.
template <class T>
algebra::Vector3<T> turning_error(const algebra::Matrix3<T>& R) {
  const T scale = T(2.0) / (R(0, 0) + R(1, 1) + R(2, 2) + T(1.0) + T(1e-18));
  return algebra::Vector3<T>{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)} * scale;
}

/// The motion of F2 as an observer on F1 sees it.
template <class T>
ConstraintRows<T> loop_rows(model::ConstraintType type, const FrameState<T>& F1, const FrameState<T>& F2) {
  const algebra::Matrix3<T> to_F1 = F1.R.transposed();
  const algebra::Vector3<T> r = F2.p - F1.p, rate = F2.u - F1.u, seen = rate - cross(F1.w, r);
  ConstraintRows<T> rows;
  append(rows.e, to_F1 * r);
  append(rows.de, to_F1 * seen);
  append(rows.dde, to_F1 * (F2.ud - F1.ud - cross(F1.wd, r) - cross(F1.w, rate + seen)));
  if (type == model::ConstraintType::loop_point) return rows;
  const algebra::Vector3<T> turning = to_F1 * (F2.w - F1.w),
                            turning_rate = to_F1 * (F2.wd - F1.wd - cross(F1.w, F2.w));
  if (type == model::ConstraintType::loop_axis) {
    const algebra::Vector3<T> n = to_F1 * F2.R.column(2);
    rows.e.insert(rows.e.end(), {-n.y, n.x});
    rows.de.insert(rows.de.end(), {turning.x, turning.y});
    rows.dde.insert(rows.dde.end(), {turning_rate.x, turning_rate.y});
    return rows;
  }
  append(rows.e, turning_error(to_F1 * F2.R));
  append(rows.de, turning);
  append(rows.dde, turning_rate);
  return rows;
}

/// A thin wheel on a horizontal plane. With the axle n: forward f = n x up / |n x up|, sideways s = up x f, and
/// rho = f x n from the lowest point to the centre, at unit radius. f and s turn about up at the rate y. A wheel that
/// lies has no forward direction: 1e-30 keeps its rows from 0 / 0, in float, too.
template <class T>
ConstraintRows<T> rolling_rows(const FrameState<T>& F, double radius) {
  using std::sqrt;
  const algebra::Vector3<T> n = F.R.column(2), nd = cross(F.w, n);
  const T horizontal = n.x * n.x + n.y * n.y + T(1e-30), size = sqrt(horizontal);
  const algebra::Vector3<T> f{n.y / size, -n.x / size, T(0.0)}, s{-f.y, f.x, T(0.0)};
  const T y = (n.x * nd.y - n.y * nd.x) / horizontal, r(radius);
  const algebra::Vector3<T> rho = cross(f, n), rhod = cross(s * y, n) + cross(f, nd);
  const algebra::Vector3<T> c = F.u - cross(F.w, rho) * r,
                            cd = F.ud - (cross(F.wd, rho) + cross(F.w, rhod)) * r;
  ConstraintRows<T> rows;
  rows.e.assign(3, T(0.0));
  rows.de = {dot(f, c), dot(s, c), c.z};
  rows.dde = {dot(f, cd) + y * dot(s, c), dot(s, cd) - y * dot(f, c), cd.z};
  return rows;
}

/// Along some of three axes, which are fixed in the world or turn with the frame.
template <class T>
ConstraintRows<T> rows_along(const std::vector<int>& axes, const std::optional<model::Matrix3>& in_world,
                             const FrameState<T>& F) {
  ConstraintRows<T> rows;
  for (const int k : axes) {
    algebra::Vector3<T> n = F.R.column(k), nd = cross(F.w, n);
    if (in_world) {
      nd = algebra::Vector3<T>{};
      for (int i = 0; i < 3; ++i) n[i] = T((*in_world)(i, k));
    }
    rows.e.push_back(dot(n, F.d));
    rows.de.push_back(dot(n, F.u));
    rows.dde.push_back(dot(n, F.ud) + dot(nd, F.u));
  }
  return rows;
}

/// `frames`: F, or F1 and F2.
template <class T>
ConstraintRows<T> constraint_rows(const model::Constraint& constraint,
                                  const std::vector<FrameState<T>>& frames) {
  using model::ConstraintType;
  switch (constraint.type) {
    case ConstraintType::contact_point:
    case ConstraintType::contact_sphere:
    case ConstraintType::contact_weld:
      return contact_rows(frames[0], constraint.type == ConstraintType::contact_weld);
    case ConstraintType::rolling:
      return rolling_rows(frames[0], constraint.radius);
    case ConstraintType::no_sliding:
    case ConstraintType::contact_normal:
      return rows_along({2}, constraint.world_axes, frames[0]);
    case ConstraintType::contact_friction:
      return rows_along({0, 1}, constraint.world_axes, frames[0]);
    case ConstraintType::loop_point:
    case ConstraintType::loop_axis:
    case ConstraintType::loop_weld:
    case ConstraintType::coupling:  // has no frames: constraint_motion.cpp
      break;
  }
  return loop_rows(constraint.type, frames[0], frames[1]);
}

}  // namespace featherline::algorithms
