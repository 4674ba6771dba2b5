#include "algorithms/frames.hpp"

#include "algorithms/frame_motion.hpp"
#include "support/diagnostic.hpp"

#include <map>

namespace featherline::algorithms {
namespace {

using model::FrameAxes;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::vector<FoldedFrame> frames_of(const Context<Scalar>& c) {
  std::optional<std::vector<FoldedFrame>> frames = fold_frames(c.full_tree(), c.folding());
  if (!frames) throw InternalError("equal limbs carry different frames");
  return *std::move(frames);
}

/// Collects what is stored, and puts it into the outputs at the end.
class Outputs {
 public:
  explicit Outputs(Context<Scalar>& c) : c_(c), chosen_(c.full_tree().frames) {}

  /// The entries `first` to first + 2 of each frame, where a frame has `size`.
  void per_frame(const std::string& output, const FoldedFrame& frame, int size, int first,
                 const Vector3<Scalar>& x) {
    for (int k = 0; k < 3; ++k)
      add(
          output, frame, [&](int f, std::size_t) { return size * f + first + k; }, x[k]);
  }
  /// The rows of a frame.
  void rows(const std::string& output, const FoldedFrame& frame, const Twist& x) {
    column(output, frame, x, [](std::size_t) { return 0; });
  }
  /// The rows of a frame in the column of a degree of freedom.
  void column(const std::string& output, const FoldedFrame& frame, int idx_v, const Twist& x) {
    const std::vector<int>& places = c_.folding().velocities[index(idx_v)];
    column(output, frame, x,
           [&](std::size_t lane) { return places.size() > 1 ? places[lane] : places.front(); });
  }
  void write() {
    for (const std::string& output : c_.output_names()) c_.output(output, entries_[output]);
  }

 private:
  const model::ChosenFrame& chosen(int f) const { return chosen_.chosen[index(f)]; }

  template <class ColumnOf>
  void column(const std::string& output, const FoldedFrame& frame, const Twist& x,
              const ColumnOf& column_of) {
    for (int k = 0; k < chosen(frame.frames.front()).num_rows(); ++k) {
      add(
          output, frame,
          [&](int f, std::size_t lane) {
            return chosen(f).first_row + k + chosen_.num_rows() * column_of(lane);
          },
          k < 3 ? x.linear[k] : x.angular[k - 3]);
    }
  }

  template <class Place>
  void add(const std::string& output, const FoldedFrame& frame, const Place& place, const Scalar& x) {
    if (x.is_zero()) return;
    c_.keep(x);
    StoredEntry entry{{}, x};
    for (std::size_t lane = 0; lane < frame.frames.size(); ++lane)
      entry.places.push_back(place(frame.frames[lane], lane));
    entries_[output].push_back(std::move(entry));
  }

  Context<Scalar>& c_;
  const model::ChosenFrames& chosen_;
  std::map<std::string, std::vector<StoredEntry>> entries_;
};

/// A frame as the user sees it: at the point and in the axes that --frame-axes names. Rows about a point are always
/// measured at that point.
class View {
 public:
  View(const Context<Scalar>& c, const FrameMotion& motion)
      : axes_(c.full_tree().frames.axes), motion_(motion), p_(motion.position()) {
    const bool is_point = c.full_tree().frames.chosen[index(motion.frame().frames.front())].point;
    if (axes_ == FrameAxes::world && is_point) axes_ = FrameAxes::local_world_aligned;
    if (axes_ == FrameAxes::local) to_frame_ = motion.rotation().transposed();
  }

  /// A velocity, or what is linear in one.
  Twist velocity(const Twist& x) const {
    if (axes_ == FrameAxes::local) return {to_frame_ * x.linear, to_frame_ * x.angular};
    if (axes_ == FrameAxes::world) return {x.linear + cross(p_, x.angular), x.angular};
    return x;
  }
  /// An acceleration at angular velocity w. In the axes of the world it is that of the point of the body that is at the
  /// world's origin.
  Twist acceleration(const Twist& x, const Vector3<Scalar>& w) const {
    if (axes_ != FrameAxes::world) return velocity(x);
    return velocity({x.linear - cross(w, cross(w, p_)), x.angular});
  }
  /// What the views above change by if x, which is V or A, changes by dx while a step of a joint moves the frame by
  /// `step` and w by dw.
  Twist velocity_change(const Twist& x, const Twist& dx, const Twist& step) const {
    if (axes_ == FrameAxes::local) return velocity(dx - cross(step.angular, x));
    if (axes_ == FrameAxes::world) return velocity({dx.linear + cross(step.linear, x.angular), dx.angular});
    return dx;
  }
  Twist acceleration_change(const Twist& x, const Twist& dx, const Twist& step, const Vector3<Scalar>& w,
                            const Vector3<Scalar>& dw) const {
    if (axes_ != FrameAxes::world) return velocity_change(x, dx, step);
    const Vector3<Scalar> turning = cross(dw, cross(w, p_)) + cross(w, cross(dw, p_) + cross(w, step.linear));
    return velocity_change(x, {dx.linear - turning, dx.angular}, step);
  }

 private:
  FrameAxes axes_;
  const FrameMotion& motion_;
  Vector3<Scalar> p_;
  Matrix3<Scalar> to_frame_;
};

void write_pose(const FrameMotion& motion, bool is_point, Outputs& outputs) {
  outputs.per_frame("p", motion.frame(), 3, 0, motion.position());
  if (is_point) return;
  const Matrix3<Scalar> R = motion.rotation();
  for (int k = 0; k < 3; ++k) outputs.per_frame("R", motion.frame(), 9, 3 * k, R.column(k));
}

/// Joints that share a degree of freedom add up.
void write_jacobian(const FrameMotion& motion, const View& view, Outputs& outputs) {
  std::map<int, Twist> columns;
  for (const FrameStep& step : motion.steps()) {
    for (const FrameStep::Column& column : step.columns) {
      const auto [found, is_new] = columns.try_emplace(column.idx_v, column.unit);
      if (!is_new) found->second = found->second + column.unit;
    }
  }
  for (const auto& [idx_v, x] : columns) outputs.column("J", motion.frame(), idx_v, view.velocity(x));
}

/// Derivatives with respect to the degrees of freedom of one frame's way. With S and T the sums of nu_k and of c_k a_k +
/// (w_k + w_lambda(k)) x nu_k from joint j to the frame, W and U the turning rate and turning acceleration since lambda(j),
/// and x written before both parts of a pair:
///
///     dV/dq_j = (w_lambda x c_j, 0) + z_j x (S, W)
///     dA/dq_j = (wd_lambda x c_j + w_lambda x (w_lambda x c_j), 0) + z_j x (T, U) + (w_lambda x z_j) x (2 S, W)
///     dA/dv_j = ((w_j + w_lambda) x c_j, w_lambda x z_j) + z_j x (2 S - nu_j, w_F - w_j)
class WayDerivatives {
 public:
  WayDerivatives(const FrameBodies& bodies, const FrameMotion& motion, const View& view, Outputs& outputs)
      : bodies_(bodies),
        c_(bodies.context()),
        motion_(motion),
        view_(view),
        outputs_(outputs),
        V_(motion.velocity()) {}

  void velocity() {
    sweep([&](const Sums& sums, const FrameStep::Column& column) {
      const Twist dV = velocity_by_q(sums, column.unit);
      add("dV_dq", column.idx_v, view_.velocity_change(V_, dV, column.unit));
    });
    write();
  }

  void acceleration() {
    A_ = motion_.acceleration();
    sweep([&](const Sums& sums, const FrameStep::Column& column) {
      const Twist by_q = acceleration_by_q(sums, column.unit);
      add("dA_dq", column.idx_v,
          view_.acceleration_change(A_, by_q, column.unit, V_.angular,
                                    velocity_by_q(sums, column.unit).angular));
      // v_j changes w by z_j, and does not move the frame.
      const Twist still{};
      add("dA_dv", column.idx_v,
          view_.acceleration_change(A_, acceleration_by_v(sums, column.unit), still, V_.angular,
                                    column.unit.angular));
    });
    write();
  }

 private:
  /// Of the way from joint j, which is included, to the frame.
  struct Sums {
    int parent, body;
    Twist V, A;              ///< (S, W), (T, U)
    Vector3<Scalar> beyond;  ///< S without nu_j
  };

  template <class Visit>
  void sweep(const Visit& visit) {
    Vector3<Scalar> S, T;
    for (const FrameStep& step : motion_.steps()) {
      const int parent = c_.parent(step.body);
      const Vector3<Scalar> beyond = S;
      S = S + step.nu;
      T = T + step.dd;
      const Sums sums{parent,
                      step.body,
                      {S, V_.angular - bodies_.w(parent)},
                      {T, bodies_.wd(motion_.frame().body) - bodies_.wd(parent)},
                      beyond};
      for (const FrameStep::Column& column : step.columns) visit(sums, column);
    }
  }

  Twist velocity_by_q(const Sums& sums, const Twist& column) const {
    const Twist turned = cross(column.angular, sums.V);
    return {cross(bodies_.w(sums.parent), column.linear) + turned.linear, turned.angular};
  }

  Twist acceleration_by_q(const Sums& sums, const Twist& column) const {
    const Vector3<Scalar> w = bodies_.w(sums.parent), wd = bodies_.wd(sums.parent);
    const Twist turned = cross(column.angular, sums.A);
    const Vector3<Scalar> rate = cross(w, column.angular), W = sums.V.angular;
    return {cross(wd, column.linear) + cross(w, cross(w, column.linear)) + turned.linear +
                cross(rate, sums.V.linear) * Scalar(2.0),
            turned.angular + cross(rate, W)};
  }

  /// The sum of (w_k + w_lambda(k)) x nu_k has v_j in nu_j, and in all w from body j on.
  Twist acceleration_by_v(const Sums& sums, const Twist& column) const {
    const Vector3<Scalar> w = bodies_.w(sums.parent), w_j = bodies_.w(sums.body);
    return {cross(w + w_j, column.linear) + cross(column.angular, sums.V.linear + sums.beyond),
            cross(w, column.angular) + cross(column.angular, V_.angular - w_j)};
  }

  void add(const std::string& output, int idx_v, const Twist& x) {
    const auto [found, is_new] = columns_[output].try_emplace(idx_v, x);
    if (!is_new) found->second = found->second + x;
  }
  void write() {
    for (const auto& [output, columns] : columns_) {
      for (const auto& [idx_v, x] : columns) outputs_.column(output, motion_.frame(), idx_v, x);
    }
  }

  const FrameBodies& bodies_;
  const Context<Scalar>& c_;
  const FrameMotion& motion_;
  const View& view_;
  Outputs& outputs_;
  Twist V_, A_;
  std::map<std::string, std::map<int, Twist>> columns_;  ///< joints that share a degree of freedom add up
};

/// Runs `each` on all frames, and writes what it put into the outputs.
template <class Each>
void for_frames(Context<Scalar>& c, Reads reads, const Each& each) {
  const std::vector<FoldedFrame> frames = frames_of(c);
  const FrameBodies bodies(c, frames, reads);
  Outputs outputs(c);
  for (const FoldedFrame& frame : frames) {
    const FrameMotion motion(bodies, frame);
    each(bodies, motion, View(c, motion), outputs);
  }
  outputs.write();
}

bool is_point(const Context<Scalar>& c, const FrameMotion& motion) {
  return c.full_tree().frames.chosen[index(motion.frame().frames.front())].point;
}

}  // namespace

void frame_poses(Context<Scalar>& c) {
  for_frames(c, Reads::q, [&](const FrameBodies&, const FrameMotion& motion, const View&, Outputs& outputs) {
    write_pose(motion, is_point(c, motion), outputs);
  });
}

void frame_velocities(Context<Scalar>& c) {
  for_frames(c, Reads::q_v,
             [](const FrameBodies&, const FrameMotion& motion, const View& view, Outputs& outputs) {
               outputs.rows("V", motion.frame(), view.velocity(motion.velocity()));
             });
}

void frame_accelerations(Context<Scalar>& c) {
  for_frames(c, Reads::q_v_a,
             [](const FrameBodies&, const FrameMotion& motion, const View& view, Outputs& outputs) {
               outputs.rows("A", motion.frame(),
                            view.acceleration(motion.acceleration(), motion.velocity().angular));
             });
}

void frame_jacobians(Context<Scalar>& c) {
  for_frames(c, Reads::q,
             [](const FrameBodies&, const FrameMotion& motion, const View& view, Outputs& outputs) {
               write_jacobian(motion, view, outputs);
             });
}

void frame_bias(Context<Scalar>& c) {
  for_frames(c, Reads::q_v,
             [](const FrameBodies&, const FrameMotion& motion, const View& view, Outputs& outputs) {
               outputs.rows("b", motion.frame(),
                            view.acceleration(motion.acceleration(), motion.velocity().angular));
             });
}

void frame_velocity_derivatives(Context<Scalar>& c) {
  for_frames(c, Reads::q_v,
             [](const FrameBodies& bodies, const FrameMotion& motion, const View& view, Outputs& outputs) {
               WayDerivatives(bodies, motion, view, outputs).velocity();
             });
}

void frame_acceleration_derivatives(Context<Scalar>& c) {
  for_frames(c, Reads::q_v_a,
             [](const FrameBodies& bodies, const FrameMotion& motion, const View& view, Outputs& outputs) {
               WayDerivatives(bodies, motion, view, outputs).acceleration();
             });
}

void frame_kinematics(Context<Scalar>& c) {
  for_frames(c, Reads::q_v,
             [&](const FrameBodies&, const FrameMotion& motion, const View& view, Outputs& outputs) {
               write_pose(motion, is_point(c, motion), outputs);
               const Twist V = motion.velocity();
               outputs.rows("V", motion.frame(), view.velocity(V));
               write_jacobian(motion, view, outputs);
               outputs.rows("b", motion.frame(), view.acceleration(motion.acceleration(), V.angular));
             });
}

bool frames_fit_limbs(const model::Tree& tree) {
  return fold_frames(tree, model::fold_bodies(tree)).has_value();
}

}  // namespace featherline::algorithms
