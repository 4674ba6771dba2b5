#include "algorithms/papers/papers.hpp"

#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Vector = Vector3;
using Pure = PureDualQuaternion;

/// A joint between the world and a body, seen from the body.
struct JointOnPath {
  struct Axis {
    int idx_v;
    Pure s;  ///< twist of the body at unit rate of the coordinate
  };
  std::vector<Axis> axes;

  Pure twist_at(const Values& v) const {
    Pure sum;
    for (const Axis& axis : axes) sum = sum + axis.s * v[index(axis.idx_v)];
    return sum;
  }
};

/// A column of J of a body, and of dJ/dt. Coupled joints share a column.
struct Column {
  int idx_v;
  Motion J, Jd;
};

Motion motion(const Pure& xi) { return {xi.P, xi.D}; }

/// Bodies from the root outward.
class BodyTwists {
 public:
  explicit BodyTwists(Context& context) : c_(context) {}

  /// Computes those of body i, the next one.
  void outward(int i) {
    const DualQuaternion x = joint_pose(c_, i), inward = conjugate(x);
    const int parent = c_.parent(i);
    turns_.push_back(parent < 0 ? x.P : turns_[index(parent)] * x.P);
    std::vector<JointOnPath> path;
    if (parent >= 0) path = paths_[index(parent)];
    for (JointOnPath& joint : path) {
      for (JointOnPath::Axis& axis : joint.axes) axis.s = Ad(inward, axis.s);
    }
    path.emplace_back();
    for (const JointAxis& axis : c_.axes(i))
      path.back().axes.push_back({axis.idx_v, twist(axis.S) * axis.multiplier});
    label(i, path);
    paths_.push_back(std::move(path));
  }

  /// A vector of world axes, in those of the last body.
  Vector in_axes(const Vector& x) const { return Ad(conjugate(turns_.back()), x); }

  /// The columns of the last body at the rates v. By lemma 2.1, eq. (9), that of an axis of body j changes by
  /// xi x column, where xi is the motion of j as the last body sees it: minus the joints between them.
  std::vector<Column> columns(const Values& v) const {
    std::vector<Column> columns;
    Pure seen;
    for (std::size_t k = paths_.back().size(); k-- > 0;) {
      const JointOnPath& joint = paths_.back()[k];
      for (const JointOnPath::Axis& axis : joint.axes) add(columns, axis.idx_v, axis.s, cross(seen, axis.s));
      seen = seen + -joint.twist_at(v);
    }
    return columns;
  }

  /// omega of the last body, by eq. (32).
  Vector angular_velocity(const Values& v) const {
    Vector w;
    for (const JointOnPath& joint : paths_.back()) w = w + joint.twist_at(v).P;
    return w;
  }

 private:
  static void add(std::vector<Column>& columns, int idx_v, const Pure& s, const Pure& rate) {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& column) { return column.idx_v == idx_v; });
    if (found == columns.end()) {
      columns.push_back({idx_v, motion(s), motion(rate)});
    } else {
      found->J = found->J + motion(s);
      found->Jd = found->Jd + motion(rate);
    }
  }

  void label(int i, const std::vector<JointOnPath>& path) {
    for (std::size_t k = 0; k < path.size(); ++k) {
      for (std::size_t l = 0; l < path[k].axes.size(); ++l)
        c_.label(motion(path[k].axes[l].s),
                 c_.of_body("J", i) + "_" + std::to_string(k) + "_" + std::to_string(l));
    }
  }

  Context& c_;
  std::vector<Quaternion> turns_;  ///< of bodies in the world
  std::vector<std::vector<JointOnPath>> paths_;
};

/// Calls visit(i, twists) for each body, whose twists are then the last ones.
template <class Visit>
void for_each_body(Context& c, const Visit& visit) {
  BodyTwists twists(c);
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "Jacobian and its products");
    twists.outward(i);
    visit(i, twists);
  }
}

void add(Context& c, Scalar& sum, const Scalar& x) {
  sum += x;
  c.keep(sum);
}

}  // namespace

void mass_matrix_by_gauss(Context& c) {
  SquareMatrix M(c.nv());
  for_each_body(c, [&](int i, const BodyTwists& twists) {
    const Inertia Psi = c.inertia(i, Grouping::J_xx);
    const std::vector<Column> columns = twists.columns(c.zeros());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Force momentum = Psi * columns[k].J;
      for (std::size_t l = 0; l <= k; ++l) {
        Scalar& entry = M(columns[l].idx_v, columns[k].idx_v);
        add(c, entry, dot(momentum, columns[l].J));
        M(columns[k].idx_v, columns[l].idx_v) = entry;
      }
    }
  });
  add_armature(c, M);
  c.output("M", M.column_major(), matrix);
}

void coriolis_matrix_by_gauss(Context& c) {
  const Values& v = c.input("v");
  SquareMatrix C(c.nv());
  for_each_body(c, [&](int i, const BodyTwists& twists) {
    const Inertia Psi = c.inertia(i, Grouping::J_xx);
    const Vector w = c.label(twists.angular_velocity(v), c.of_body("w", i));
    const Vector s = c.label(Psi.J * w, c.of_body("s", i));
    const std::vector<Column> columns = twists.columns(v);
    for (const Column& column : columns) {
      const Motion& J = column.J;
      const Force turning{cross(Psi.h, cross(w, J.u)) - cross(s, J.w), cross(w, (Psi * J).f)};
      const Force force = turning + Psi * column.Jd;
      for (const Column& row : columns) add(c, C(row.idx_v, column.idx_v), dot(force, row.J));
    }
  });
  c.output("C", C.column_major(), matrix);
}

void gravity_by_gauss(Context& c) {
  Values tau = c.zeros();
  for_each_body(c, [&](int i, const BodyTwists& twists) {
    const Inertia I = c.inertia(i, Grouping::second_moment_zz);
    const Vector g = c.label(twists.in_axes(c.gravity()), c.of_body("g", i));
    const Force weight{cross(I.h, g), g * I.m};
    for (const Column& column : twists.columns(c.zeros()))
      add(c, tau[index(column.idx_v)], -dot(weight, column.J));
  });
  c.output("tau", tau);
}

}  // namespace featherline::algorithms
