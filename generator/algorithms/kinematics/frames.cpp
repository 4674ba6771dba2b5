#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

/// A link or chosen frame, or one on each of several equal limbs.
struct Carried {
  int body;                ///< the folded body that carries it; -1: the world
  std::vector<int> items;  ///< by lane: places in the list of links or frames
};
using AreAlike = std::function<bool(int, int)>;

/// Those that are welded to the world, then those of the bodies, one after the other. Nothing if equal limbs carry
/// different ones. `bodies`: by item, the body that carries it.
std::optional<std::vector<Carried>> fold_carried(const model::Folding& folding,
                                                 const std::vector<int>& bodies, const AreAlike& are_alike) {
  const auto items_on = [&](int body) {
    std::vector<int> list;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      if (bodies[k] == body) list.push_back(static_cast<int>(k));
    }
    return list;
  };
  std::vector<Carried> folded;
  for (const int item : items_on(-1)) folded.push_back({-1, {item}});
  for (int i = 0; i < static_cast<int>(folding.bodies.size()); ++i) {
    const std::vector<int>& members = folding.bodies[index(i)].members;
    const std::vector<int> of_first = items_on(members.front());
    const std::size_t begin = folded.size();
    folded.resize(begin + of_first.size(), {i, {}});
    for (const int member : members) {
      const std::vector<int> own = items_on(member);
      if (!std::ranges::equal(own, of_first, are_alike)) return std::nullopt;
      for (std::size_t k = 0; k < own.size(); ++k) folded[begin + k].items.push_back(own[k]);
    }
  }
  return folded;
}

std::optional<std::vector<Carried>> fold_frames(const model::Tree& tree, const model::Folding& folding) {
  const std::vector<model::ChosenFrame>& chosen = tree.frames.chosen;
  std::vector<int> bodies =
      each(chosen, [&](const model::ChosenFrame& frame) { return tree.links[index(frame.link)].body; });
  return fold_carried(folding, bodies,
                      [&](int f, int g) { return chosen[index(f)].point == chosen[index(g)].point; });
}

std::optional<std::vector<Carried>> fold_links(const model::Tree& tree, const model::Folding& folding) {
  std::vector<int> bodies = each(tree.links, &model::Link::body);
  return fold_carried(folding, bodies, [](int, int) { return true; });
}

/// Of a robot whose limbs are equal in this, as the catalogue has asked.
std::vector<Carried> folded(const Context& c, decltype(fold_links)& fold) {
  std::optional<std::vector<Carried>> list = fold(c.full_tree(), c.folding());
  if (!list) throw InternalError("equal limbs carry different frames or links");
  return *std::move(list);
}

/// Collects what is stored, and puts it into the outputs at the end.
class Outputs {
 public:
  explicit Outputs(Context& c) : c_(c), names_(c.output_names()), frames_(c.full_tree().frames) {}

  /// Whether the function has this output: parts of it may have been left out (--frame-parts).
  bool wants(const std::string& output) const { return std::ranges::count(names_, output) > 0; }
  void position(const Carried& at, const Vector3& p) {
    for (int k = 0; k < 3; ++k) add("p", p[k], matrix_places({k}, at.items, 3));
  }
  void rotation(const Carried& at, const Matrix3& R) {
    for (int k = 0; k < 9; ++k) add("R", R(k % 3, k / 3), matrix_places({k}, at.items, 9));
  }
  /// The rows of a frame, in one column or one a lane.
  void rows(const std::string& output, const Carried& frame, const Twist& x,
            const std::vector<int>& columns = {0}) {
    for (int k = 0; k < chosen(frame.items.front()).num_rows(); ++k) {
      std::vector<int> rows = each(frame.items, [&](const int f) { return chosen(f).first_row + k; });
      add(output, k < 3 ? x.linear[k] : x.angular[k - 3], matrix_places(rows, columns, frames_.num_rows()));
    }
  }
  void columns(const std::string& output, const Carried& frame,
               const std::vector<FrameStep::Column>& columns) {
    for (const auto& [idx_v, x] : sums_of(columns))
      rows(output, frame, x, c_.folding().velocities[index(idx_v)]);
  }

  /// Whether joints follow through loops of bars: then derivatives are those of what the frame's motion is made of.
  bool has_bars() const { return c_.projection() != nullptr && !c_.projection()->followers().empty(); }
  /// Derivatives of x along steps of coordinates, or by an input.
  void derivatives(const std::string& output, const Carried& frame, const Twist& x,
                   const char* input = nullptr) {
    Context& own = c_.projection()->own();
    for (int k = 0; k < own.nv(); ++k) {
      const auto rate = [&](const Coordinates& values) {
        return input == nullptr ? rates_by_step(own, values, k) : rates_by(own, values, own.input(input), k);
      };
      rows(output, frame, changed(x, rate), {k});
    }
  }
  void rates_of_columns(const Carried& frame, const std::vector<FrameStep::Column>& columns) {
    const std::vector<Changing> moving =
        moving_positions(c_.projection()->own(), c_.projection()->own().input("v"));
    for (const auto& [idx_v, x] : sums_of(columns))
      rows("J_rate", frame, changed(x, [&](const Coordinates& values) { return rates(values, moving); }),
           {idx_v});
  }
  void write() {
    for (const std::string& output : names_) c_.output(output, entries_[output]);
  }

 private:
  /// Joints that share a degree of freedom add up.
  std::map<int, Twist> sums_of(const std::vector<FrameStep::Column>& columns) const {
    std::map<int, Twist> sums;
    for (const FrameStep::Column& column : columns) {
      const auto [found, is_new] = sums.try_emplace(column.idx_v, column.unit);
      if (!is_new) found->second = found->second + column.unit;
    }
    return c_.projection() != nullptr ? c_.projection()->project(sums) : sums;
  }
  static Twist changed(const Twist& x, const std::function<Coordinates(const Coordinates&)>& f) {
    const Coordinates y = f({x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z});
    return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
  }
  const model::ChosenFrame& chosen(int f) const { return frames_.chosen[index(f)]; }

  void add(const std::string& output, const Scalar& x, std::vector<int> places) {
    if (x.is_zero()) return;
    c_.keep(x);
    entries_[output].push_back({std::move(places), x});
  }

  Context& c_;
  std::vector<std::string> names_;
  const model::ChosenFrames& frames_;
  std::map<std::string, std::vector<StoredEntry>> entries_;
};

std::vector<FrameStep::Column> all_columns(const FrameMotion& motion) {
  std::vector<FrameStep::Column> columns;
  for (const FrameStep& step : motion.steps())
    columns.insert(columns.end(), step.columns.begin(), step.columns.end());
  return columns;
}

void write_frame(const Carried& frame, const FrameMotion& motion, Outputs& outputs) {
  if (outputs.wants("p")) outputs.position(frame, motion.position());
  if (outputs.wants("R") && !motion.is_point()) outputs.rotation(frame, motion.rotation());
  if (outputs.wants("V")) outputs.rows("V", frame, motion.velocity());
  if (outputs.wants("J")) outputs.columns("J", frame, all_columns(motion));
  for (const char* output : {"A", "b"}) {
    if (outputs.wants(output)) outputs.rows(output, frame, motion.acceleration());
  }
  if (outputs.has_bars()) {
    if (outputs.wants("J_rate")) outputs.rates_of_columns(frame, all_columns(motion));
    if (outputs.wants("dV_dq")) outputs.derivatives("dV_dq", frame, motion.velocity());
    if (outputs.wants("dA_dq")) outputs.derivatives("dA_dq", frame, motion.acceleration());
    if (outputs.wants("dA_dv")) outputs.derivatives("dA_dv", frame, motion.acceleration(), "v");
    return;
  }
  if (outputs.wants("J_rate")) outputs.columns("J_rate", frame, FrameDerivatives(motion).rates());
  if (outputs.wants("dV_dq")) outputs.columns("dV_dq", frame, FrameDerivatives(motion).velocity_by_q());
  if (outputs.wants("dA_dq")) {
    const FrameDerivatives derivatives(motion);
    outputs.columns("dA_dq", frame, derivatives.acceleration_by_q());
    outputs.columns("dA_dv", frame, derivatives.acceleration_by_v());
  }
}

BodyFrame body_frame(const model::Tree& tree, const Carried& frame, model::FrameAxes axes) {
  const model::ChosenFrame& first = tree.frames.chosen[index(frame.items.front())];
  BodyFrame result{frame.body, {}, first.point, axes, "F" + std::to_string(frame.items.front() + 1)};
  for (const int f : frame.items)
    result.in_body.push_back(model::frame_in_body(tree, tree.frames.chosen[index(f)]));
  return result;
}

/// Calls visit(frame, its motion in the axes that axes_of(a chosen frame) says) for the chosen frames.
template <class Axes, class Visit>
void for_each_frame(Context& c, const Axes& axes_of, const Visit& visit) {
  const std::vector<Carried> frames = folded(c, fold_frames);
  std::vector<int> ends = each(frames, &Carried::body);
  JointRates rates;
  if (c.has_input("v")) rates.v = c.input("v");
  if (c.has_input("a")) rates.a = c.input("a");
  const FrameBodies bodies(c, ends, rates);
  for (const Carried& frame : frames) {
    std::vector<std::string> names =
        each(frame.items, [&](const int f) { return c.full_tree().frames.chosen[index(f)].name; });
    c.begin_section(quoted_title("frame", names));
    const auto axes = axes_of(c.full_tree().frames.chosen[index(frame.items.front())]);
    visit(frame, FrameMotion(bodies, body_frame(c.full_tree(), frame, axes)));
  }
}
template <class Visit>
void for_each_frame(Context& c, const Visit& visit) {
  const model::FrameAxes axes = c.full_tree().frames.axes;
  for_each_frame(
      c, [axes](const model::ChosenFrame&) { return axes; }, visit);
}

/// The error of a frame, with its velocity for each column of the Jacobian.
void write_pose_error(Context& c, const Carried& frame, const FrameMotion& motion, Outputs& outputs) {
  const auto wanted = [&](const char* input, int row, int height) {
    return c.entry(input, matrix_places({row}, frame.items, height));
  };
  Vector3 p = motion.position();
  for (int k = 0; k < 3; ++k) p[k] -= wanted(wanted_pose[0], k, 3);
  std::vector<FrameStep::Column> columns = all_columns(motion);
  Twist error{p, {}};
  if (!motion.is_point()) {
    Matrix3 to_wanted;
    for (int k = 0; k < 9; ++k) to_wanted(k / 3, k % 3) = wanted(wanted_pose[1], k, 9);
    const PoseError pose(c, motion.frame().suffix, to_wanted * motion.rotation(), to_wanted * p);
    error = pose.error();
    for (FrameStep::Column& column : columns) {
      column.unit = pose.rate(column.unit);
      const std::string entry = motion.frame().suffix + "_" + std::to_string(column.idx_v);
      c.hint(column.unit.linear, "e" + entry);
      c.hint(column.unit.angular, "turn" + entry);
    }
  }
  if (outputs.wants("e")) outputs.rows("e", frame, error);
  if (outputs.wants("de_dq")) outputs.columns("de_dq", frame, columns);
}

}  // namespace

void frame_kinematics(Context& c) {
  Outputs outputs(c);
  for_each_frame(
      c, [&](const Carried& frame, const FrameMotion& motion) { write_frame(frame, motion, outputs); });
  outputs.write();
}

void frame_poses_vjp(Context& c) {
  Coordinates values, weights;
  for_each_frame(c, [&](const Carried& frame, const FrameMotion& motion) {
    const auto add = [&](const Scalar& x, const char* weight, int row, int height) {
      values.push_back(x);
      weights.push_back(c.entry(weight, matrix_places({row}, frame.items, height)));
    };
    for (int k = 0; k < 3; ++k) add(motion.position()[k], pose_weights[0], k, 3);
    const Matrix3 R = motion.rotation();
    for (int k = 0; k < 9 && !motion.is_point(); ++k) add(R(k % 3, k / 3), pose_weights[1], k, 9);
  });
  Context& own = c.projection() != nullptr ? c.projection()->own() : c;
  own.output("wq", Gradient(own, values, weights).by_steps());
}

void frame_pose_errors(Context& c) {
  Outputs outputs(c);
  for_each_frame(
      c,
      [](const model::ChosenFrame& frame) {
        return frame.point ? model::FrameAxes::local_world_aligned : model::FrameAxes::local;
      },
      [&](const Carried& frame, const FrameMotion& motion) { write_pose_error(c, frame, motion, outputs); });
  outputs.write();
}

bool frames_fit_limbs(const model::Tree& tree) {
  return fold_frames(tree, model::fold_bodies(tree)).has_value();
}

void link_poses(Context& c) {
  WorldAxes axes(c);
  std::vector<Vector3> origins;
  Outputs outputs(c);
  const std::vector<Carried> links = folded(c, fold_links);
  auto link = links.begin();
  const auto each_link_on = [&](int body, const auto& write) {
    for (; link != links.end() && link->body == body; ++link) {
      const auto [R, p] =
          c.in_lanes(each(link->items, [&](int l) { return c.full_tree().links[index(l)].placement; }));
      write(R, p);
    }
  };
  each_link_on(-1, [&](const Matrix3& R, const Vector3& p) {
    outputs.position(*link, p);
    outputs.rotation(*link, R);
  });
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "poses");
    axes.outward(i);
    const BodyAxes& body = axes.body(i);
    const int parent = c.parent(i);
    const Vector3 offset = axes.offset(i);
    const Vector3 p_WB = parent < 0 ? offset : origins[index(parent)] + axes.body(parent).R_WG * offset;
    origins.push_back(c.label(p_WB, c.of_body("p", i)));
    each_link_on(i, [&](const Matrix3& R_BL, const Vector3& p_BL) {
      // R_WB is there already, unless the link turns with the joint's axis.
      const bool turns_with_joint = R_BL(2, 2) == Scalar(1.0);
      outputs.position(*link, p_WB + (turns_with_joint ? body.to_world(p_BL) : body.R_WB() * p_BL));
      outputs.rotation(*link, body.followed_by(R_BL));
    });
  }
  outputs.write();
}

bool links_fit_limbs(const model::Tree& tree) {
  return fold_links(tree, model::fold_bodies(tree)).has_value();
}

}  // namespace featherline::algorithms
