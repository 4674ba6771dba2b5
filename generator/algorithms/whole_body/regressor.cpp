#include "algorithms/whole_body/whole_body.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "model/chosen_inputs.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace featherline::algorithms {
namespace {

using model::parameters_per_body;

/// Axes whose rows are computed together.
constexpr int most_lanes = 4;

using Row = std::array<Scalar, parameters_per_body>;

/// Part of a row of ten entries: what the linear velocity u of the frame's origin gives.
struct LinearPart {
  Scalar m;
  Vector3 h;
};

/// The power of a body's inertial wrench at a motion, by inertial parameter. The wrench is
///   f = m a + U h,  n = h x a + J wd + w x J w.
LinearPart linear_powers(const BodyMotion& b, const Vector3& u) {
  return {dot(b.a, u), b.U.transposed() * u};
}

/// The whole row, for a motion with the angular velocity s and this linear part.
Row powers(const BodyMotion& b, const Vector3& s, const LinearPart& linear) {
  const Vector3 &w = b.w, &wd = b.wd;
  const Matrix3& U = b.U;
  const Vector3 h = linear.h + cross(b.a, s);
  const Scalar xy = w.x * w.y, yz = w.y * w.z, zx = w.z * w.x;
  const Scalar x = s.x * yz, y = s.y * zx, z = s.z * xy;  // each is part of two diagonal entries
  return {linear.m,
          h.x,
          h.y,
          h.z,
          s.x * wd.x + (y - z),
          s.z * (U(0, 0) - U(1, 1)) + (s.y * U(2, 1) - s.x * U(2, 0)),
          s.y * wd.y + (z - x),
          s.y * (U(2, 2) - U(0, 0)) + (s.x * U(1, 0) - s.z * U(1, 2)),
          s.x * (U(1, 1) - U(2, 2)) + (s.z * U(0, 2) - s.y * U(0, 1)),
          s.z * wd.z + (x - y)};
}

/// A joint with all six degrees of freedom, as a body behind it sees it. Its turns are about the directions of its
/// slides. So a turn about direction x moves the body's origin by p_y along z and by -p_z along y, and the rows of the
/// slides, which are needed anyway, give the linear part of the rows of the turns: 3 flops an entry, not 5.
struct SixDofJoint {
  int idx_v;
  std::array<Vector3, 3> directions;  ///< in the body's axes
  Vector3 p;                          ///< the body's origin from the joint's, along the directions

  /// Seen by the body that stands at (R, p) in the present one. `turn` takes vectors to its axes.
  template <class Turn>
  SixDofJoint seen_from(const Turn& turn, const Vector3& offset) const {
    const auto& [x, y, z] = directions;
    return {idx_v, {turn(x), turn(y), turn(z)}, p + Vector3{dot(x, offset), dot(y, offset), dot(z, offset)}};
  }
};

bool is_free(const model::Joint& joint) {
  return joint.row().num_slides() == 3 && joint.row().num_turns() == 3;
}

/// By body of the tree and inertial parameter: the column of the output.
struct Columns {
  std::vector<int> user_body;  ///< by body: its place among the user's bodies; -1 where the user has none
  std::vector<int>
      by_parameter;  ///< of the user's bodies, then of the tree's joint_columns; -1 where there is none

  /// The columns are those of `parameters`.
  Columns(const model::Tree& tree, const std::vector<int>& parameters)
      : by_parameter(index(model::num_regressor_columns(tree)), -1) {
    int users = 0, columns = 0;
    for (const model::Body& body : tree.bodies) user_body.push_back(body.user_frame ? users++ : -1);
    for (const int k : parameters) by_parameter[index(k)] = columns++;
  }
  int operator()(int body, int parameter) const {
    const int user = user_body[index(body)];
    return user < 0 ? -1 : by_parameter[index(parameters_per_body * user + parameter)];
  }
  /// Of the k-th of joint_columns.
  int of_joint(std::size_t k) const {
    const auto users = std::ranges::count_if(user_body, [](int user) { return user >= 0; });
    return by_parameter[parameters_per_body * static_cast<std::size_t>(users) + k];
  }
  int body_of_user(int user) const {
    return static_cast<int>(std::ranges::find(user_body, user) - user_body.begin());
  }
};

Columns columns_of_base(const model::Tree& tree) {
  if (tree.base_parameters == nullptr) throw InternalError("the base parameters are not computed yet");
  return {tree, tree.base_parameters->columns};
}

/// Whether lanes of axes begin at body i: it begins a limb with axes enough to fill them.
bool begins_lanes(const Context& c, int i) {
  const auto is_inside = [&](int k) { return std::ranges::count(c.path_to(k), i) > 0; };
  int siblings = 0, axes = 0;
  for (int k = 0; k < c.num_bodies(); ++k) {
    if (c.parent(k) == c.parent(i)) ++siblings;
    if (is_inside(k)) axes += c.joint(k).nv;
  }
  return siblings > 1 && axes >= most_lanes;
}

/// By degree of freedom: the rows of Y that one value fills, a lane each. Those of a joint with all six degrees of
/// freedom are alone.
std::vector<std::vector<int>> rows_in_lanes(const Context& c) {
  std::set<int> begins{c.nv()};
  for (int i = 0; i < c.num_bodies(); ++i) {
    const int first = c.joint(i).idx_v;
    if (begins_lanes(c, i)) begins.insert(first);
    for (int k = 0; is_free(c.joint(i)) && k <= 6; ++k) begins.insert(first + k);
  }
  std::vector<std::vector<int>> rows;
  for (int first = 0; first < c.nv(); first = static_cast<int>(rows.size())) {
    const int end = std::min(first + most_lanes, *begins.upper_bound(first));
    rows.insert(rows.end(), index(end - first), spaced_places(first, end - first));
  }
  return rows;
}

class Regressor {
 public:
  /// `rows`: by degree of freedom, those of Y where it has one, by lane.
  Regressor(Context& context, Columns columns, std::vector<std::vector<int>> rows)
      : c_(context),
        motions_(context, context.input("v"), context.input("a"), context.gravity()),
        columns_(std::move(columns)),
        rows_(std::move(rows)) {}

  void run() {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "regressor");
      motions_.outward(i);
      axes_.push_back(carried_axes(i));
      if (columns_.user_body[index(members(i).front())] >= 0) add_columns(i);
    }
    add_joint_columns();
    c_.output("Y", c_.projection() != nullptr ? c_.projection()->rows(entries_) : entries_);
  }

 private:
  /// What moves a body, in its frame.
  struct Axes {
    /// By degree of freedom, at its unit speed; of those whose rows are written together, by the first.
    std::map<int, Motion> motions;
    std::vector<SixDofJoint> free;  ///< joints whose degrees of freedom are not among them
  };

  const std::vector<int>& members(int i) const { return c_.folding().bodies[index(i)].members; }

  /// The axes that move body i. Coupled joints share a degree of freedom, so their motions add up.
  Axes carried_axes(int i) {
    Axes axes;
    const JointMotion& X = motions_.joint(i);
    if (c_.parent(i) >= 0) {
      const Axes& parent = axes_[index(c_.parent(i))];
      for (const auto& [idx_v, S] : parent.motions) axes.motions[idx_v] = X.to_child(S);
      for (const SixDofJoint& joint : parent.free)
        axes.free.push_back(joint.seen_from([&](const Vector3& d) { return X.R.to_child(d); }, X.p));
    }
    if (is_free(c_.joint(i))) {
      SixDofJoint own{c_.joint(i).idx_v, {}, {}};
      for (int k = 0; k < 3; ++k) own.directions[index(k)][k] = 1.0;
      axes.free.push_back(own);
    } else {
      for (const JointAxis& axis : c_.axes(i)) {
        const std::vector<int>& rows = rows_[index(axis.idx_v)];
        const bool shares_rows = !c_.folding().has_lanes() && rows.size() > 1;
        const int first = shares_rows ? rows.front() : axis.idx_v;
        Motion& motion = axes.motions[first];
        motion =
            motion + map_entries(axis.S * axis.multiplier, [&](const Scalar& x) {
              return shares_rows ? c_.only_lane(axis.idx_v - first, static_cast<int>(rows.size()), x) : x;
            });
      }
    }
    for (const auto& [idx_v, S] : axes.motions) c_.label(S, axis_name(idx_v, i));
    for (const SixDofJoint& joint : axes.free) {
      for (int k = 0; k < 3; ++k) c_.label(joint.directions[index(k)], axis_name(joint.idx_v + k, i) + "u");
    }
    return axes;
  }

  /// "Z6_3" of v[6] and body 3: in limb lanes, those of the first limb.
  std::string axis_name(int idx_v, int i) const {
    const int first = c_.folding().velocities[index(idx_v)].front();
    return c_.of_body("Z" + std::to_string(first) + "_", i);
  }

  void add_columns(int i) {
    const auto [R, p] = c_.user_frame(i);
    const Matrix3 to_user = R.transposed();
    const BodyMotion motion = motions_.body(i).seen_from(R, p);
    for (const SixDofJoint& joint : axes_.back().free)
      add_rows(i, motion, joint.seen_from([&](const Vector3& d) { return to_user * d; }, p));
    for (const auto& [idx_v, S] : axes_.back().motions)
      add_row(i, idx_v,
              powers(motion, to_user * S.w, linear_powers(motion, to_user * (S.u + cross(S.w, p)))));
  }

  /// The rows of a free joint.
  void add_rows(int i, const BodyMotion& motion, const SixDofJoint& joint) {
    std::array<LinearPart, 3> slides;
    for (std::size_t k = 0; k < 3; ++k) {
      slides[k] = linear_powers(motion, joint.directions[k]);
      add_row(i, joint.idx_v + static_cast<int>(k), powers(motion, Vector3{}, slides[k]));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t y = (k + 1) % 3, z = (k + 2) % 3;
      const Scalar &p_y = joint.p[static_cast<int>(y)], &p_z = joint.p[static_cast<int>(z)];
      const LinearPart turn{slides[z].m * p_y - slides[y].m * p_z, slides[z].h * p_y - slides[y].h * p_z};
      add_row(i, joint.idx_v + 3 + static_cast<int>(k), powers(motion, joint.directions[k], turn));
    }
  }

  void add_row(int i, int idx_v, const Row& row) {
    for (int k = 0; k < parameters_per_body; ++k) {
      if (columns_(members(i).front(), k) < 0) continue;
      const std::vector<int> columns =
          each(members(i), [&](const int member) { return columns_(member, k); });
      store(rows_[index(idx_v)], columns, row[index(k)]);
    }
  }

  void store(const std::vector<int>& rows, const std::vector<int>& columns, const Scalar& x) {
    c_.keep(x);
    const auto is_zero = [&](int lane) { return zeros_.holds(x, lane); };
    const bool is_whole = rows.size() == 1 || c_.folding().has_lanes() ||
                          std::ranges::none_of(spaced_places(0, x.lanes()), is_zero);
    if (is_whole) entries_.push_back({matrix_places(rows, columns, c_.full_tree().nv), x});
    for (int l = 0; !is_whole && l < x.lanes(); ++l) {  // the others are structural zeros
      if (is_zero(l)) continue;
      const Scalar entry = ir::lane(x, l);
      c_.keep(entry);
      entries_.push_back({matrix_places({rows[index(l)]}, columns, c_.full_tree().nv), entry});
    }
  }

  /// Those behind the columns of bodies, limb by limb.
  void add_joint_columns() {
    const std::vector<model::JointColumn>& all = c_.full_tree().joint_columns;
    const Context each_limb = c_.folding().has_lanes() ? c_.unfolded() : c_;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const int column = columns_.of_joint(k);
      if (column < 0) continue;
      const std::map<int, Scalar> torques =
          all[k].is_rotor() ? rotor_torques(all[k].rotor) : torques_of_joint(each_limb, all[k]);
      for (const auto& [idx_v, x] : torques) {
        c_.keep(x);
        if (!x.is_zero()) entries_.push_back({matrix_places({idx_v}, {column}, c_.full_tree().nv), x});
      }
    }
  }

  /// Torques of a rotor of unit inertia about its axis s, beside those of its carrier, in which it is at rest: it has
  /// the kinetic energy ((s . w + r)^2 - (s . w)^2) / 2 for its own speed r.
  std::map<int, Scalar> rotor_torques(const model::Rotor& rotor) const {
    const int joint = columns_.body_of_user(rotor.joint);
    const int idx_v = c_.joint(joint).idx_v;
    const Scalar gear = Scalar(rotor.gear_ratio) * c_.number(joint, &model::Joint::multiplier),
                 acceleration = gear * c_.input("a")[index(idx_v)];
    std::map<int, Scalar> torques{{idx_v, gear * acceleration}};
    if (rotor.carrier < 0) return torques;
    const int carrier = columns_.body_of_user(rotor.carrier);
    const BodyMotion& motion = motions_.body(carrier);
    const Vector3 s = c_.user_frame(carrier).R * to_vector(rotor.axis);
    torques[idx_v] += gear * dot(s, motion.wd);
    const Vector3 n = s * acceleration + cross(motion.w, s * (gear * c_.input("v")[index(idx_v)]));
    const Axes& axes = axes_[index(carrier)];
    for (const auto& [k, S] : axes.motions) torques[k] += dot(S.w, n);
    for (const SixDofJoint& free : axes.free) {
      for (int k = 0; k < 3; ++k) torques[free.idx_v + 3 + k] += dot(free.directions[index(k)], n);
    }
    return torques;
  }

  Context& c_;
  BodyMotions motions_;
  Columns columns_;
  std::vector<std::vector<int>> rows_;
  ir::ZeroLanes zeros_;
  std::vector<Axes> axes_;
  std::vector<StoredEntry> entries_;
};

void write_regressor(Context& c, std::vector<std::vector<int>> rows) {
  const int count = model::num_regressor_columns(c.full_tree());
  Regressor(c, {c.full_tree(), spaced_places(0, count)}, std::move(rows)).run();
}

}  // namespace

void regressor(Context& c) { write_regressor(c, c.folding().velocities); }

void regressor_in_lanes_of_axes(Context& c) { write_regressor(c, rows_in_lanes(c)); }

void base_regressor(Context& c) {
  Regressor(c, columns_of_base(c.full_tree()), c.folding().velocities).run();
}

bool limbs_share_columns(const model::Tree& tree) {
  return std::ranges::none_of(tree.joint_columns, &model::JointColumn::is_rotor);
}

bool limbs_share_base_parameters(const model::Tree& tree) {
  if (!limbs_share_columns(tree)) return false;
  const Columns columns = columns_of_base(tree);
  for (const model::FoldedBody& folded : model::fold_bodies(tree).bodies) {
    for (const int member : folded.members) {
      for (int k = 0; k < parameters_per_body; ++k) {
        if ((columns(member, k) < 0) != (columns(folded.members.front(), k) < 0)) return false;
      }
    }
  }
  return true;
}

}  // namespace featherline::algorithms
