#include "algorithms/frame_motion.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

const model::ChosenFrame& chosen(const model::Tree& tree, int frame) {
  return tree.frames.chosen[index(frame)];
}

int body_of(const model::Tree& tree, int frame) { return tree.links[index(chosen(tree, frame).link)].body; }

/// The frames that a body carries, in the order in which the user chose them.
std::vector<int> frames_on(const model::Tree& tree, int body) {
  std::vector<int> list;
  for (int f = 0; f < static_cast<int>(tree.frames.chosen.size()); ++f) {
    if (body_of(tree, f) == body) list.push_back(f);
  }
  return list;
}

/// Which bodies are on the way to a frame.
std::vector<bool> on_the_way(const Context<Scalar>& c, const std::vector<FoldedFrame>& frames) {
  std::vector<bool> is_on_way(index(c.num_bodies()), false);
  for (const FoldedFrame& frame : frames) {
    for (int i = frame.body; i >= 0; i = c.parent(i)) is_on_way[index(i)] = true;
  }
  return is_on_way;
}

std::string section_title(const model::Tree& tree, const std::vector<int>& frames) {
  std::string title = frames.size() > 1 ? "frames" : "frame";
  for (const int f : frames) title += (f == frames.front() ? " \"" : ", \"") + chosen(tree, f).name + "\"";
  return title;
}

}  // namespace

std::optional<std::vector<FoldedFrame>> fold_frames(const model::Tree& tree, const model::Folding& folding) {
  std::vector<FoldedFrame> folded;
  for (const int f : frames_on(tree, -1)) folded.push_back({{f}, -1});
  for (std::size_t i = 0; i < folding.bodies.size(); ++i) {
    std::vector<std::vector<int>> by_lane;
    for (const int member : folding.bodies[i].members) by_lane.push_back(frames_on(tree, member));
    for (const std::vector<int>& lane : by_lane) {
      const auto is_point = [&](int f) { return chosen(tree, f).point; };
      const bool same = std::equal(lane.begin(), lane.end(), by_lane.front().begin(), by_lane.front().end(),
                                   [&](int f, int g) { return is_point(f) == is_point(g); });
      if (!same) return std::nullopt;
    }
    for (std::size_t k = 0; k < by_lane.front().size(); ++k) {
      folded.push_back({{}, static_cast<int>(i)});
      for (const std::vector<int>& lane : by_lane) folded.back().frames.push_back(lane[k]);
    }
  }
  return folded;
}

FrameBodies::FrameBodies(Context<Scalar>& context, const std::vector<FoldedFrame>& frames, Reads reads)
    : c_(context), reads_(reads), axes_(context), w_(index(context.num_bodies())), wd_(w_) {
  const std::vector<bool> is_on_way = on_the_way(context, frames);
  for (int i = 0; i < context.num_bodies(); ++i) {
    if (is_on_way[index(i)]) outward(i);
  }
}

void FrameBodies::outward(int i) {
  c_.begin_section(i, "way to the frames");
  axes_.outward(i);
  if (!has_v()) return;
  const int parent = c_.parent(i);
  const Vector3<Scalar> rate = axes_.body(i).to_world(joint_rate(c_, i, c_.input("v")).w);
  w_[index(i)] = c_.label(w(parent) + rate, c_.of_body("Ww", i));
  Vector3<Scalar> wd = this->wd(parent) + algebra::cross(w(parent), rate);
  if (has_a()) wd = wd + axes_.body(i).to_world(joint_rate(c_, i, c_.input("a")).w);
  wd_[index(i)] = c_.label(wd, c_.of_body("Wa", i));
}

FrameMotion::FrameMotion(const FrameBodies& bodies, const FoldedFrame& frame)
    : bodies_(bodies), c_(bodies.context()), frame_(frame) {
  const model::Tree& tree = c_.full_tree();
  const auto entry = [&](const auto& of) {
    std::vector<double> lanes;
    for (const int f : frame_.frames) lanes.push_back(of(model::frame_in_body(tree, chosen(tree, f))));
    return c_.number_in_lanes(lanes);
  };
  for (int k = 0; k < 9; ++k)
    R_BF_(k / 3, k % 3) = entry([&](const model::Placement& X) { return X.R(k / 3, k % 3); });
  for (int k = 0; k < 3; ++k) p_[k] = entry([&](const model::Placement& X) { return X.p[k]; });

  c_.begin_section(section_title(tree, frame_.frames));
  if (frame_.body >= 0) p_ = bodies_.axes().body(frame_.body).to_shared(p_);
  for (int i = frame_.body; i >= 0; i = c_.parent(i)) {
    add_step(i, p_);
    p_ = bodies_.axes().offset(i) + bodies_.axes().to_parent(i, p_);
    if (c_.parent(i) >= 0) c_.label(p_, name("d") + c_.of_body("_", c_.parent(i)));
  }
  c_.label(p_, name("p"));
}

void FrameMotion::add_step(int i, const Vector3<Scalar>& d) {
  const BodyAxes<Scalar>& axes = bodies_.axes().body(i);
  FrameStep step{i, d, {}, {}, {}};
  for (const JointAxis<Scalar>& axis : c_.axes(i)) {
    const Vector3<Scalar> w = axes.to_shared(axis.S.w * axis.multiplier),
                          u = axes.to_shared(axis.S.u * axis.multiplier);
    step.columns.push_back({axis.idx_v, {axes.R_WG * (u + algebra::cross(w, d)), axes.R_WG * w}});
    c_.label(step.columns.back().unit.linear, name("J") + "_" + std::to_string(first_of(axis.idx_v)));
  }
  if (bodies_.has_v()) add_rates(step);
  steps_.push_back(std::move(step));
}

Vector3<Scalar> FrameMotion::carried(const FrameStep& step, const Coordinates<Scalar>& rates) const {
  if (step.columns.size() == 1) {
    const FrameStep::Column& column = step.columns.front();
    return column.unit.linear * rates[index(column.idx_v)];
  }
  // Linear and turning parts are the same for all frames, and d in world axes is needed anyway: 12 flops, where six
  // columns take 36.
  const BodyAxes<Scalar>& axes = bodies_.axes().body(step.body);
  const Motion<Scalar> rate = joint_rate(c_, step.body, rates);
  return axes.to_world(rate.u) + algebra::cross(axes.to_world(rate.w), axes.R_WG * step.d);
}

void FrameMotion::add_rates(FrameStep& step) const {
  const int i = step.body, parent = c_.parent(i);
  step.nu = c_.label(carried(step, c_.input("v")), name("n") + c_.of_body("_", i));
  step.dd = algebra::cross(bodies_.w(i) + bodies_.w(parent), step.nu);
  if (bodies_.has_a()) step.dd = carried(step, c_.input("a")) + step.dd;
}

Matrix3<Scalar> FrameMotion::rotation() const {
  if (frame_.body < 0) return R_BF_;
  const BodyAxes<Scalar>& body = bodies_.axes().body(frame_.body);
  return c_.label(body.followed_by(R_BF_), name("R"));
}

Twist FrameMotion::velocity() const {
  Twist sum{{}, bodies_.w(frame_.body)};
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) sum.linear = sum.linear + step->nu;
  c_.label(sum.linear, name("v"));
  return sum;
}

Twist FrameMotion::acceleration() const {
  Twist sum{{}, bodies_.wd(frame_.body)};
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) sum.linear = sum.linear + step->dd;
  c_.label(sum.linear, name("a"));
  return sum;
}

std::string FrameMotion::name(const std::string& letter) const {
  return letter + "F" + std::to_string(frame_.frames.front() + 1);
}

int FrameMotion::first_of(int idx_v) const { return c_.folding().velocities[index(idx_v)].front(); }

}  // namespace featherline::algorithms
