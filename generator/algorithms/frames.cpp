#include "algorithms/frames.hpp"

#include "algorithms/frame_derivatives.hpp"
#include "algorithms/frame_motion.hpp"
#include "support/diagnostic.hpp"

#include <map>

namespace featherline::algorithms {
namespace {

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

void write_pose(const FrameMotion& motion, Outputs& outputs) {
  outputs.per_frame("p", motion.frame(), 3, 0, motion.position());
  if (motion.is_point()) return;
  const Matrix3<Scalar> R = motion.rotation();
  for (int k = 0; k < 3; ++k) outputs.per_frame("R", motion.frame(), 9, 3 * k, R.column(k));
}

/// Joints that share a degree of freedom add up.
void write_columns(const std::string& output, const FrameMotion& motion,
                   const std::vector<FrameStep::Column>& columns, Outputs& outputs) {
  std::map<int, Twist> sums;
  for (const FrameStep::Column& column : columns) {
    const auto [found, is_new] = sums.try_emplace(column.idx_v, column.unit);
    if (!is_new) found->second = found->second + column.unit;
  }
  for (const auto& [idx_v, x] : sums) outputs.column(output, motion.frame(), idx_v, x);
}

void write_jacobian(const FrameMotion& motion, Outputs& outputs) {
  std::vector<FrameStep::Column> columns;
  for (const FrameStep& step : motion.steps())
    columns.insert(columns.end(), step.columns.begin(), step.columns.end());
  write_columns("J", motion, columns, outputs);
}

/// Runs `write` on all frames.
void for_frames(Context<Scalar>& c, Reads reads, void (*write)(const FrameMotion&, Outputs&)) {
  const std::vector<FoldedFrame> frames = frames_of(c);
  const FrameBodies bodies(c, frames, reads);
  Outputs outputs(c);
  for (const FoldedFrame& frame : frames) write(FrameMotion(bodies, frame), outputs);
  outputs.write();
}

}  // namespace

void frame_poses(Context<Scalar>& c) { for_frames(c, Reads::q, write_pose); }

void frame_velocities(Context<Scalar>& c) {
  for_frames(c, Reads::q_v, [](const FrameMotion& motion, Outputs& outputs) {
    outputs.rows("V", motion.frame(), motion.velocity());
  });
}

void frame_accelerations(Context<Scalar>& c) {
  for_frames(c, Reads::q_v_a, [](const FrameMotion& motion, Outputs& outputs) {
    outputs.rows("A", motion.frame(), motion.acceleration());
  });
}

void frame_jacobians(Context<Scalar>& c) { for_frames(c, Reads::q, write_jacobian); }

void frame_bias(Context<Scalar>& c) {
  for_frames(c, Reads::q_v, [](const FrameMotion& motion, Outputs& outputs) {
    outputs.rows("b", motion.frame(), motion.acceleration());
  });
}

void frame_velocity_derivatives(Context<Scalar>& c) {
  for_frames(c, Reads::q_v, [](const FrameMotion& motion, Outputs& outputs) {
    write_columns("dV_dq", motion, FrameDerivatives(motion).velocity_by_q(), outputs);
  });
}

void frame_acceleration_derivatives(Context<Scalar>& c) {
  for_frames(c, Reads::q_v_a, [](const FrameMotion& motion, Outputs& outputs) {
    const FrameDerivatives derivatives(motion);
    write_columns("dA_dq", motion, derivatives.acceleration_by_q(), outputs);
    write_columns("dA_dv", motion, derivatives.acceleration_by_v(), outputs);
  });
}

void frame_kinematics(Context<Scalar>& c) {
  for_frames(c, Reads::q_v, [](const FrameMotion& motion, Outputs& outputs) {
    write_pose(motion, outputs);
    outputs.rows("V", motion.frame(), motion.velocity());
    write_jacobian(motion, outputs);
    outputs.rows("b", motion.frame(), motion.acceleration());
  });
}

bool frames_fit_limbs(const model::Tree& tree) {
  return fold_frames(tree, model::fold_bodies(tree)).has_value();
}

}  // namespace featherline::algorithms
