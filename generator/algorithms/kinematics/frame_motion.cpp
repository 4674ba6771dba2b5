#include "algorithms/kinematics/frame_motion.hpp"

#include <algorithm>
#include <set>

namespace featherline::algorithms {
using algebra::cross;
using model::FrameAxes;

FrameBodies::FrameBodies(Context& c, const std::vector<int>& ends, JointRates joint_rates, FrameRoot of)
    : context(c), rates(std::move(joint_rates)), root(of), axes(c, of.body) {
  std::set<int> on_the_way;
  for (const int end : ends) {
    for (const int i : c.path_to(end)) {
      if (i >= root.body) on_the_way.insert(i);
    }
  }
  for (const int i : on_the_way) {
    c.begin_section(i, "way to the frames");
    axes.outward(i);
  }
}

FrameMotion::FrameMotion(const FrameBodies& bodies, BodyFrame frame)
    : bodies_(bodies), c_(bodies.context), frame_(std::move(frame)), axes_(frame_.axes) {
  if (is_point() && axes_ == FrameAxes::world) axes_ = FrameAxes::local_world_aligned;
  const Placement X = c_.in_lanes(frame_.in_body);
  R_BF_ = X.R;
  p_BF_ = X.p;
  list_steps();
  walk_inward();
  if (axes_ == FrameAxes::local) set_rotations();
  if (axes_ == FrameAxes::world) set_points();
  const FrameStep still{};
  const FrameStep* before = &still;
  for (FrameStep& step : steps_) {
    add_columns(step);
    if (bodies_.rates.v) add_rates(step, *before);
    before = &step;
  }
}

void FrameMotion::list_steps() {
  const int end = bodies_.root.moves ? -1 : bodies_.root.body;
  for (const int i : c_.path_to(frame_.body)) {
    if (i <= end) continue;
    FrameStep step{};
    step.body = i;
    step.R_AG = bodies_.axes.body(i).R_WG;
    step.turns_about_z = std::ranges::all_of(
        c_.axes(i), [](const JointAxis& axis) { return axis.S.w.x.is_zero() && axis.S.w.y.is_zero(); });
    step.is_parallel =
        step.turns_about_z && !steps_.empty() && steps_.back().turns_about_z && bodies_.axes.shares(i);
    steps_.push_back(step);
  }
}

/// The way to the frame's origin from those of the bodies, and from the world's.
void FrameMotion::walk_inward() {
  p_ = steps_.empty() ? p_BF_ : body_axes(steps_.back()).to_shared(p_BF_);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    step->d = c_.label(p_, name("d", *step));
    p_ = bodies_.axes.offset(step->body) + bodies_.axes.to_parent(step->body, p_);
  }
  c_.label(p_, name("p"));
}

/// To the frame's axes, one body after the other inwards.
void FrameMotion::set_rotations() {
  if (steps_.empty()) return;
  const Turn& turn = body_axes(steps_.back()).turn;
  Matrix3 R = BodyAxes{R_BF_.transposed(), {turn.c, -turn.s}}.R_WB();
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    step->R_AG = c_.label(R, name("G", *step));
    R = bodies_.axes.rotation_of_parent(step->body, R);
  }
}

/// From the bodies' origins to the world's.
void FrameMotion::set_points() {
  Vector3 p;
  const FrameStep* before = nullptr;
  for (FrameStep& step : steps_) {
    const Vector3 offset = bodies_.axes.offset(step.body);
    p = p + (before == nullptr ? offset : before->R_AG * offset);
    step.d = -c_.label(p, c_.of_body("Wp", step.body));
    before = &step;
  }
}

void FrameMotion::add_columns(FrameStep& step) {
  const BodyAxes& axes = body_axes(step);
  for (const JointAxis& axis : c_.axes(step.body)) {
    const Vector3 w = axes.to_shared(axis.S.w * axis.multiplier),
                  u = axes.to_shared(axis.S.u * axis.multiplier), z = step.R_AG * w;
    const Vector3 c =
        axes_ == FrameAxes::world ? step.R_AG * u + cross(z, step.d) : step.R_AG * (u + cross(w, step.d));
    const int entry = c_.folding().velocities[index(axis.idx_v)].front();
    step.columns.push_back({axis.idx_v, {c_.label(c, name("J") + "_" + std::to_string(entry)), z}});
  }
}

Vector3 FrameMotion::turned(const FrameStep& step, const Coordinates& rates) const {
  return step.R_AG * body_axes(step).to_shared(joint_rate(c_, step.body, rates).w);
}

Vector3 FrameMotion::carried(const FrameStep& step, const Coordinates& rates, const Vector3& y) const {
  if (step.columns.size() == 1) {
    const FrameStep::Column& column = step.columns.front();
    return column.unit.linear * rates[index(column.idx_v)];
  }
  // Linear and turning parts are the same for all frames, and d in A is needed anyway: 12 flops, where six columns take
  // 36.
  const Vector3 u = step.R_AG * body_axes(step).to_shared(joint_rate(c_, step.body, rates).u);
  return u + cross(y, axes_ == FrameAxes::world ? step.d : step.R_AG * step.d);
}

void FrameMotion::add_rates(FrameStep& step, const FrameStep& before) {
  const Vector3& w = before.w;
  const auto named = [&](const std::string& quantity) {
    return axes_ == FrameAxes::local ? name(quantity, step) : c_.of_body("W" + quantity, step.body);
  };
  step.y = turned(step, *bodies_.rates.v);
  step.w = c_.label(w + step.y, named("w"));
  step.nu = c_.label(carried(step, *bodies_.rates.v, step.y), name("n", step));
  step.yd = cross(w, step.y);
  step.dd = cross(step.w + w, step.nu);
  if (const auto& a = bodies_.rates.a) {
    const Vector3 turning = turned(step, *a);
    step.yd = turning + step.yd;
    step.dd = carried(step, *a, turning) + step.dd;
  }
  step.wd = c_.label(before.wd + step.yd, named("wd"));
}

Vector3 FrameMotion::way_to(const FrameMotion& other) const {
  const Vector3 way = other.p_BF_ - p_BF_;
  return steps_.empty() ? way : steps_.back().R_AG * body_axes(steps_.back()).to_shared(way);
}

Matrix3 FrameMotion::rotation() const {
  if (frame_.body == bodies_.root.body) return R_BF_;
  return c_.label(bodies_.axes.body(frame_.body).followed_by(R_BF_), name("R"));
}

Twist FrameMotion::velocity() const {
  Twist sum;
  for (const FrameStep& step : steps_) sum = {sum.linear + step.nu, step.w};
  c_.label(sum.linear, name("v"));
  return sum;
}

Twist FrameMotion::acceleration() const {
  Twist sum;
  for (const FrameStep& step : steps_) sum = {sum.linear + step.dd, step.wd};
  c_.label(sum.linear, name("a"));
  return sum;
}

std::string FrameMotion::name(const std::string& letter, const FrameStep& step) const {
  return name(letter) + c_.of_body("_", step.body);
}

}  // namespace featherline::algorithms
