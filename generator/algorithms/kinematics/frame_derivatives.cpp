#include "algorithms/kinematics/frame_motion.hpp"

namespace featherline::algorithms {
namespace {

using algebra::cross;
using model::FrameAxes;

const Scalar two(2.0);

}  // namespace

FrameDerivatives::FrameDerivatives(const FrameMotion& motion)
    : motion_(motion), steps_(motion.steps()), before_(steps_.size() + 1), from_(steps_.size() + 1) {
  std::vector<Sums> own;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const FrameStep& step = steps_[k];
    // dd has (w_k-1 + w_k) x nu, of which a spatial acceleration has w_k-1 x nu.
    const Vector3 spatial = step.dd - cross(step.w, step.nu) + cross(before_[k].nu, step.y);
    own.push_back({step.nu, step.dd, step.y, step.yd, spatial});
    before_[k + 1] = before_[k] + own[k];
  }
  for (std::size_t k = steps_.size(); k-- > 0;) from_[k] = own[k] + from_[k + 1];
}

FrameDerivatives::Place FrameDerivatives::place(std::size_t k) const {
  std::size_t first = k, end = k + 1;
  while (steps_[first].is_parallel) --first;
  while (end < steps_.size() && steps_[end].is_parallel) ++end;
  const bool turns_about_z = steps_[k].turns_about_z;
  Place at;
  at.before = before_[k];
  at.from = from_[k];
  at.next = from_[k + 1];
  at.w = at.before.y;
  at.wd = at.before.yd;
  at.w_k = steps_[k].w;
  at.w_group = before_[first].y;
  at.wd_group = before_[first].yd;
  for (std::size_t i = first; i < k; ++i) at.wd_group = at.wd_group + cross(at.w_group, steps_[i].y);
  at.other = turns_about_z ? &from_[end] : &from_[k];
  at.other_next = turns_about_z ? &from_[end] : &from_[k + 1];
  at.is_single = steps_[k].columns.size() == 1;
  at.carrier = &before_[at.is_single ? k : k + 1];
  at.behind = &from_[at.is_single ? k : k + 1];
  at.w_of_axes = turns_about_z ? &before_[first].y : &steps_[k].w;
  return at;
}

FrameDerivatives::Columns FrameDerivatives::columns(Derivative derivative) const {
  Columns list;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const Place at = place(k);
    for (const auto& [idx_v, unit] : steps_[k].columns)
      list.push_back({idx_v, (this->*derivative)(at, unit)});
  }
  return list;
}

Twist FrameDerivatives::column_of_velocity_by_q(const Place& at, const Twist& unit) const {
  const auto& [c, z] = unit;
  switch (motion_.axes()) {
    case FrameAxes::local_world_aligned:
      return {cross(at.w, c) + cross(z, at.from.nu), cross(z, at.other->y)};
    case FrameAxes::local:
      return {cross(at.w, c) - cross(z, at.before.nu), -cross(z, at.w_group)};
    case FrameAxes::world:
      break;
  }
  // The spatial cross product of the column and what moves behind it. The joint's own motion gives nothing.
  const Sums& sums = at.is_single ? at.next : at.from;
  return {cross(z, sums.nu) + cross(c, sums.y), cross(z, at.other->y)};
}

Twist FrameDerivatives::column_of_acceleration_by_q(const Place& at, const Twist& unit) const {
  const auto& [c, z] = unit;
  const Vector3 rate = cross(at.w_group, z);  // w x z
  const Vector3 carried = cross(at.wd, c) + cross(at.w, cross(at.w, c)) + cross(rate, at.from.nu) * two;
  switch (motion_.axes()) {
    case FrameAxes::local_world_aligned:
      return {carried + cross(z, at.from.dd), cross(z, at.other->yd) + cross(rate, at.other->y)};
    case FrameAxes::local:
      return {carried - cross(z, at.before.dd), cross(rate, at.from.y) - cross(z, at.wd_group)};
    case FrameAxes::world:
      break;
  }
  const Twist spatial = spatial_by_q(at, unit), dV = column_of_velocity_by_q(at, unit),
              V = motion_.velocity();
  return {spatial.linear + cross(dV.angular, V.linear) + cross(V.angular, dV.linear), spatial.angular};
}

/// Of the spatial acceleration: X x (sum of spatial accelerations) + (V_k-1 x X) x (sum of X v), both from joint k on.
Twist FrameDerivatives::spatial_by_q(const Place& at, const Twist& unit) const {
  const auto& [c, z] = unit;
  const Sums& sums = at.is_single ? at.next : at.from;
  const Vector3 rate = cross(at.w_group, z), shift = cross(at.w, c) + cross(at.before.nu, z);
  return {cross(z, sums.spatial) + cross(c, sums.yd) + cross(rate, sums.nu) + cross(shift, sums.y),
          cross(z, at.other->yd) + cross(rate, at.other->y)};
}

Twist FrameDerivatives::column_of_acceleration_by_v(const Place& at, const Twist& unit) const {
  const auto& [c, z] = unit;
  const Vector3 angular = cross(at.w_group, z) + cross(z, at.other_next->y);
  if (motion_.axes() != FrameAxes::world)
    return {cross(at.w + at.w_k, c) + cross(z, at.from.nu + at.next.nu), angular};
  const Twist V = motion_.velocity();
  const Vector3 spatial =
      cross(at.w, c) + cross(at.before.nu, z) + cross(z, at.next.nu) + cross(c, at.next.y);
  return {spatial + cross(z, V.linear) + cross(V.angular, c), angular};
}

/// In the frame's axes, less what these turn by. About the world's origin, the spatial cross product of the motion of
/// joint k's body and the column.
Twist FrameDerivatives::rate_of_column(const Place& at, const Twist& unit) const {
  const auto& [c, z] = unit;
  switch (motion_.axes()) {
    case FrameAxes::local_world_aligned:
      return {cross(at.carrier->y, c) + cross(z, at.behind->nu), cross(*at.w_of_axes, z)};
    case FrameAxes::local:
      return {cross(z, at.next.nu) - cross(at.next.y, c), cross(z, at.other_next->y)};
    case FrameAxes::world:
      break;
  }
  return {cross(at.carrier->y, c) + cross(at.carrier->nu, z), cross(*at.w_of_axes, z)};
}

}  // namespace featherline::algorithms
