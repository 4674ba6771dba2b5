#include "algorithms/whole_body/whole_body.hpp"

#include "algorithms/dynamics/body_motion.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <map>

namespace featherline::algorithms {
namespace {

using model::parameters_per_body;

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

/// The places of user's bodies among the bodies of the tree; -1 where the user has none.
std::vector<int> user_bodies(const model::Tree& tree) {
  std::vector<int> places;
  int next = 0;
  for (const model::Body& body : tree.bodies) places.push_back(body.user_frame ? next++ : -1);
  return places;
}

const model::BaseParameters& base_parameters_of(const model::Tree& tree) {
  if (tree.base_parameters == nullptr) throw InternalError("the base parameters are not computed yet");
  return *tree.base_parameters;
}

/// By parameter: its column of the output, -1 where there is none.
using Columns = std::vector<int>;

Columns columns_of_base(const model::Tree& tree) {
  Columns columns(index(parameters_per_body * num_user_bodies(tree)), -1);
  int next = 0;
  for (const int k : base_parameters_of(tree).columns) columns[index(k)] = next++;
  return columns;
}

class Regressor {
 public:
  Regressor(Context& context, Columns columns)
      : c_(context),
        motions_(context, context.input("v"), context.input("a")),
        columns_(std::move(columns)),
        user_bodies_(user_bodies(context.full_tree())) {}

  void run() {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "regressor");
      motions_.outward(i);
      axes_.push_back(carried_axes(i));
      if (user_bodies_[index(first(i))] >= 0) add_columns(i);
    }
    write();
  }

 private:
  /// What moves a body, in its frame.
  struct Axes {
    std::map<int, Motion> motions;  ///< by degree of freedom, at its unit speed
    std::vector<SixDofJoint> free;  ///< joints whose degrees of freedom are not among them
  };
  struct Entry {
    int body, idx_v, parameter;
    Scalar value;
  };

  int first(int i) const { return c_.folding().bodies[index(i)].members.front(); }

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
      const Scalar zero(0.0), one(1.0);
      axes.free.push_back({c_.joint(i).idx_v,
                           {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}},
                           {zero, zero, zero}});
    } else {
      for (const JointAxis& axis : c_.axes(i))
        axes.motions[axis.idx_v] = axes.motions[axis.idx_v] + axis.S * axis.multiplier;
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
    const Matrix3 R = c_.user_frame_R(i), to_user = R.transposed();
    const Vector3 p = c_.user_frame_p(i);
    const BodyMotion motion = motions_.body(i).seen_from(R, p);
    for (const SixDofJoint& joint : axes_.back().free)
      add_rows(i, motion, joint.seen_from([&](const Vector3& d) { return to_user * d; }, p));
    for (const auto& [idx_v, S] : axes_.back().motions)
      add_row(i, idx_v,
              powers(motion, to_user * S.w, linear_powers(motion, to_user * (S.u + cross(S.w, p)))));
  }

  /// The rows of a free joint.
  void add_rows(int i, const BodyMotion& motion, const SixDofJoint& joint) {
    const Vector3 none{Scalar(0.0), Scalar(0.0), Scalar(0.0)};
    std::array<LinearPart, 3> slides;
    for (std::size_t k = 0; k < 3; ++k) {
      slides[k] = linear_powers(motion, joint.directions[k]);
      add_row(i, joint.idx_v + static_cast<int>(k), powers(motion, none, slides[k]));
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
      if (column(first(i), k) < 0) continue;
      c_.keep(row[index(k)]);
      entries_.push_back({i, idx_v, k, row[index(k)]});
    }
  }

  int column(int member, int parameter) const {
    const int body = user_bodies_[index(member)];
    return columns_[index(parameters_per_body * body + parameter)];
  }

  /// One place for each limb that the entry's body stands for.
  std::vector<int> places(const Entry& entry) const {
    const std::vector<int>& rows = c_.folding().velocities[index(entry.idx_v)];
    std::vector<int> list;
    for (const int member : c_.folding().bodies[index(entry.body)].members) {
      const int row = rows.size() > 1 ? rows[list.size()] : rows.front();
      list.push_back(row + c_.full_tree().nv * column(member, entry.parameter));
    }
    return list;
  }

  void write() {
    std::vector<StoredEntry> stored;
    for (const Entry& entry : entries_) stored.push_back({places(entry), entry.value});
    c_.output("Y", stored);
  }

  Context& c_;
  BodyMotions motions_;
  Columns columns_;
  std::vector<int> user_bodies_;
  std::vector<Axes> axes_;
  std::vector<Entry> entries_;
};

}  // namespace

void regressor(Context& c) {
  Columns all(index(parameters_per_body * num_user_bodies(c.full_tree())));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  Regressor(c, all).run();
}

void base_regressor(Context& c) { Regressor(c, columns_of_base(c.full_tree())).run(); }

bool limbs_share_base_parameters(const model::Tree& tree) {
  const Columns columns = columns_of_base(tree);
  const std::vector<int> places = user_bodies(tree);
  const auto has = [&](int member, int k) {
    const int body = places[index(member)];
    return body >= 0 && columns[index(parameters_per_body * body + k)] >= 0;
  };
  for (const model::FoldedBody& folded : model::fold_bodies(tree).bodies) {
    for (const int member : folded.members) {
      for (int k = 0; k < parameters_per_body; ++k) {
        if (has(member, k) != has(folded.members.front(), k)) return false;
      }
    }
  }
  return true;
}

}  // namespace featherline::algorithms
