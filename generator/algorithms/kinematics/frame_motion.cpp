#include "algorithms/kinematics/frame_motion.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using algebra::cross;
using model::FrameAxes;

/// Which bodies are on the way to the ends.
std::vector<bool> on_the_way(const Context& c, const std::vector<int>& ends) {
  std::vector<bool> is_on_way(index(c.num_bodies()), false);
  for (const int end : ends) {
    for (int i = end; i >= 0; i = c.parent(i)) is_on_way[index(i)] = true;
  }
  return is_on_way;
}

}  // namespace

FrameBodies::FrameBodies(Context& context, const std::vector<int>& ends, JointRates rates, FrameRoot root)
    : c_(context), rates_(std::move(rates)), root_(root), axes_(context, root.body) {
  const std::vector<bool> is_on_way = on_the_way(context, ends);
  for (int i = std::max(root.body, 0); i < context.num_bodies(); ++i) {
    if (!is_on_way[index(i)]) continue;
    if (root_.body >= 0 && !is_behind_root(i)) continue;
    context.begin_section(i, "way to the frames");
    axes_.outward(i);
  }
}

bool FrameBodies::is_behind_root(int i) const {
  while (i >= 0 && i != root_.body) i = c_.parent(i);
  return i == root_.body;
}

FrameMotion::FrameMotion(const FrameBodies& bodies, BodyFrame frame)
    : bodies_(bodies), c_(bodies.context()), frame_(std::move(frame)), axes_(frame_.axes) {
  if (is_point() && axes_ == FrameAxes::world) axes_ = FrameAxes::local_world_aligned;
  const auto entry = [&](const auto& of) {
    std::vector<double> lanes;
    for (const model::Placement& X : frame_.in_body) lanes.push_back(of(X));
    return c_.number_in_lanes(lanes);
  };
  for (int k = 0; k < 9; ++k)
    R_BF_(k / 3, k % 3) = entry([&](const model::Placement& X) { return X.R(k / 3, k % 3); });
  for (int k = 0; k < 3; ++k) p_BF_[k] = entry([&](const model::Placement& X) { return X.p[k]; });

  list_steps();
  walk_inward();
  if (axes_ == FrameAxes::local) set_rotations();
  if (axes_ == FrameAxes::world) set_points();
  const FrameStep* before = nullptr;
  for (FrameStep& step : steps_) {
    add_columns(step);
    if (bodies_.rates().v) add_rates(step, before);
    before = &step;
  }
}

void FrameMotion::list_steps() {
  const FrameRoot& root = bodies_.root();
  const int end = root.moves ? -1 : root.body;
  for (int i = frame_.body; i != end; i = c_.parent(i)) {
    FrameStep step{};
    step.body = i;
    step.R_AG = bodies_.axes().body(i).R_WG;
    step.turns_about_z = true;
    for (const JointAxis& axis : c_.axes(i))
      step.turns_about_z = step.turns_about_z && axis.S.w.x.is_zero() && axis.S.w.y.is_zero();
    steps_.push_back(step);
  }
  std::reverse(steps_.begin(), steps_.end());
  for (std::size_t k = 1; k < steps_.size(); ++k)
    steps_[k].is_parallel =
        steps_[k].turns_about_z && steps_[k - 1].turns_about_z && bodies_.axes().shares(steps_[k].body);
}

/// The way to the frame's origin from those of the bodies, and from the world's.
void FrameMotion::walk_inward() {
  p_ = steps_.empty() ? p_BF_ : body_axes(steps_.back()).to_shared(p_BF_);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    step->d = c_.label(p_, name("d", *step));
    p_ = bodies_.axes().offset(step->body) + bodies_.axes().to_parent(step->body, p_);
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
    R = bodies_.axes().rotation_of_parent(step->body, R);
  }
}

/// From the bodies' origins to the world's.
void FrameMotion::set_points() {
  Vector3 p;
  const FrameStep* before = nullptr;
  for (FrameStep& step : steps_) {
    const Vector3 offset = bodies_.axes().offset(step.body);
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

void FrameMotion::add_rates(FrameStep& step, const FrameStep* before) {
  const Vector3 still, w = before == nullptr ? still : before->w;
  const auto named = [&](const std::string& quantity) {
    return axes_ == FrameAxes::local ? name(quantity, step) : c_.of_body("W" + quantity, step.body);
  };
  step.y = turned(step, *bodies_.rates().v);
  step.w = c_.label(w + step.y, named("w"));
  step.nu = c_.label(carried(step, *bodies_.rates().v, step.y), name("n", step));
  step.yd = cross(w, step.y);
  step.dd = cross(step.w + w, step.nu);
  if (const auto& a = bodies_.rates().a) {
    const Vector3 turning = turned(step, *a);
    step.yd = turning + step.yd;
    step.dd = carried(step, *a, turning) + step.dd;
  }
  step.wd = c_.label((before == nullptr ? still : before->wd) + step.yd, named("wd"));
}

Matrix3 FrameMotion::rotation() const {
  if (frame_.body == bodies_.root().body) return R_BF_;
  return c_.label(bodies_.axes().body(frame_.body).followed_by(R_BF_), name("R"));
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

std::string FrameMotion::name(const std::string& letter) const { return letter + frame_.suffix; }

std::string FrameMotion::name(const std::string& letter, const FrameStep& step) const {
  return name(letter) + c_.of_body("_", step.body);
}

}  // namespace featherline::algorithms
