#include "algorithms/kinematics/kinematics.hpp"

#include "algorithms/kinematics/frame_motion.hpp"
#include "support/diagnostic.hpp"

#include <map>

namespace featherline::algorithms {
namespace {

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

std::string section_title(const model::Tree& tree, const std::vector<int>& frames) {
  std::string title = frames.size() > 1 ? "frames" : "frame";
  for (const int f : frames) title += (f == frames.front() ? " \"" : ", \"") + chosen(tree, f).name + "\"";
  return title;
}

/// A frame, or one on each of several equal limbs.
struct FoldedFrame {
  std::vector<int> frames;  ///< by lane: places in model::ChosenFrames
  int body = -1;            ///< the folded body that carries it; -1: the world
};

/// Nothing if equal limbs carry different frames.
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

std::vector<FoldedFrame> frames_of(const Context& c) {
  std::optional<std::vector<FoldedFrame>> frames = fold_frames(c.full_tree(), c.folding());
  if (!frames) throw InternalError("equal limbs carry different frames");
  return *std::move(frames);
}

/// Collects what is stored, and puts it into the outputs at the end.
class Outputs {
 public:
  explicit Outputs(Context& c) : c_(c), chosen_(c.full_tree().frames) {}

  /// Whether the function has this output: parts of it may have been left out (--frame-parts).
  bool wants(const std::string& output) const {
    const std::vector<std::string> names = c_.output_names();
    return std::find(names.begin(), names.end(), output) != names.end();
  }
  /// The entries `first` to first + 2 of each frame, where a frame has `size`.
  void per_frame(const std::string& output, const FoldedFrame& frame, int size, int first, const Vector3& x) {
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

  Context& c_;
  const model::ChosenFrames& chosen_;
  std::map<std::string, std::vector<StoredEntry>> entries_;
};

void write_pose(const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
  if (outputs.wants("p")) outputs.per_frame("p", frame, 3, 0, motion.position());
  if (motion.is_point() || !outputs.wants("R")) return;
  const Matrix3 R = motion.rotation();
  for (int k = 0; k < 3; ++k) outputs.per_frame("R", frame, 9, 3 * k, R.column(k));
}

/// Joints that share a degree of freedom add up.
void write_columns(const std::string& output, const FoldedFrame& frame,
                   const std::vector<FrameStep::Column>& columns, Outputs& outputs) {
  std::map<int, Twist> sums;
  for (const FrameStep::Column& column : columns) {
    const auto [found, is_new] = sums.try_emplace(column.idx_v, column.unit);
    if (!is_new) found->second = found->second + column.unit;
  }
  for (const auto& [idx_v, x] : sums) outputs.column(output, frame, idx_v, x);
}

void write_jacobian(const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
  std::vector<FrameStep::Column> columns;
  for (const FrameStep& step : motion.steps())
    columns.insert(columns.end(), step.columns.begin(), step.columns.end());
  write_columns("J", frame, columns, outputs);
}

BodyFrame body_frame(const model::Tree& tree, const FoldedFrame& frame) {
  BodyFrame result{frame.body,
                   {},
                   chosen(tree, frame.frames.front()).point,
                   tree.frames.axes,
                   "F" + std::to_string(frame.frames.front() + 1)};
  for (const int f : frame.frames) result.in_body.push_back(model::frame_in_body(tree, chosen(tree, f)));
  return result;
}

/// Which inputs the function has.
enum class Reads { q, q_v, q_v_a };

/// Runs `write` on all frames.
void for_frames(Context& c, Reads reads, void (*write)(const FoldedFrame&, const FrameMotion&, Outputs&)) {
  const std::vector<FoldedFrame> frames = frames_of(c);
  std::vector<int> ends;
  for (const FoldedFrame& frame : frames) ends.push_back(frame.body);
  JointRates rates;
  if (reads != Reads::q) rates.v = c.input("v");
  if (reads == Reads::q_v_a) rates.a = c.input("a");
  const FrameBodies bodies(c, ends, rates);
  Outputs outputs(c);
  for (const FoldedFrame& frame : frames) {
    c.begin_section(section_title(c.full_tree(), frame.frames));
    write(frame, FrameMotion(bodies, body_frame(c.full_tree(), frame)), outputs);
  }
  outputs.write();
}

}  // namespace

void frame_poses(Context& c) { for_frames(c, Reads::q, write_pose); }

void frame_velocities(Context& c) {
  for_frames(c, Reads::q_v, [](const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
    outputs.rows("V", frame, motion.velocity());
  });
}

void frame_accelerations(Context& c) {
  for_frames(c, Reads::q_v_a, [](const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
    outputs.rows("A", frame, motion.acceleration());
  });
}

void frame_jacobians(Context& c) { for_frames(c, Reads::q, write_jacobian); }

void frame_bias(Context& c) {
  for_frames(c, Reads::q_v, [](const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
    outputs.rows("b", frame, motion.acceleration());
  });
}

void frame_velocity_derivatives(Context& c) {
  for_frames(c, Reads::q_v, [](const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
    write_columns("dV_dq", frame, FrameDerivatives(motion).velocity_by_q(), outputs);
  });
}

void frame_acceleration_derivatives(Context& c) {
  for_frames(c, Reads::q_v_a, [](const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
    const FrameDerivatives derivatives(motion);
    write_columns("dA_dq", frame, derivatives.acceleration_by_q(), outputs);
    write_columns("dA_dv", frame, derivatives.acceleration_by_v(), outputs);
  });
}

void frame_kinematics(Context& c) {
  for_frames(c, c.has_input("v") ? Reads::q_v : Reads::q,
             [](const FoldedFrame& frame, const FrameMotion& motion, Outputs& outputs) {
               write_pose(frame, motion, outputs);
               if (outputs.wants("V")) outputs.rows("V", frame, motion.velocity());
               if (outputs.wants("J")) write_jacobian(frame, motion, outputs);
               if (outputs.wants("b")) outputs.rows("b", frame, motion.acceleration());
             });
}

bool frames_fit_limbs(const model::Tree& tree) {
  return fold_frames(tree, model::fold_bodies(tree)).has_value();
}

}  // namespace featherline::algorithms
