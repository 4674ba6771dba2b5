#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/papers/papers.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Pure = PureDualQuaternion;

/// The twist omega + eps v of a motion.
Pure twist(const Motion& m) { return {m.w, m.u}; }

// Newton-Euler, section 3.

/// All in the frame c of the body.
struct MovingBody {
  DualQuaternion x;                            ///< the pose of c in the parent's frame
  Quaternion r{{0.0, 0.0, 0.0}, Scalar(1.0)};  ///< the turn of c in the world
  Pure xi, xid;                                ///< twist, and its rate
  Pure zeta;                                   ///< wrench on the body and all that it carries
};

void label(Context& c, const Pure& x, const char* P, const char* D, int i) {
  c.label(x.P, c.of_body(P, i));
  c.label(x.D, c.of_body(D, i));
}

MovingBody moving_body(Context& c, int i, const MovingBody& parent, const Coordinates& v,
                       const Coordinates& a) {
  MovingBody b;
  b.x = joint_pose(c, i);
  b.r = parent.r * b.x.P;
  const DualQuaternion inward = conjugate(b.x);
  const Pure carried = Ad(inward, parent.xi);
  const Pure joint = twist(joint_rate(c, i, v)), joint_rate_of_change = twist(joint_rate(c, i, a));
  b.xi = carried + joint;                                                          // (19)
  b.xid = Ad(inward, parent.xid) + joint_rate_of_change + cross(-joint, carried);  // (20), (21)
  label(c, b.xi, "w", "v", i);
  label(c, b.xid, "wd", "vd", i);
  return b;
}

/// Eqs. (23) to (26) about the origin.
Pure inertial_wrench(const Context& c, int i, const MovingBody& b) {
  const Inertia I = c.inertia(i, Grouping::second_moment_zz);
  const Matrix3 J = I.J.full();
  const Vector3 g = Ad(conjugate(b.r), c.felt_gravity());
  const Vector3 acceleration = b.xid.D + cross(b.xi.P, b.xi.D) - g;
  return {acceleration * I.m + cross(b.xid.P, I.h) + cross(b.xi.P, cross(b.xi.P, I.h)),
          L3(J, b.xid.P) + cross(b.xi.P, L3(J, b.xi.P)) + cross(I.h, acceleration)};
}

Pure external_wrench(const Context& c, int i, const MovingBody& b) {
  const Quaternion to_body = conjugate(b.r);
  Pure sum;
  Vector3 moments;
  for (const LinkForce& force : c.link_forces(i)) {
    const Vector3 f = Ad(to_body, force.f);
    sum = sum + Pure{f, cross(force.p, f)};
    moments = moments + force.m;
  }
  return sum + Pure{{}, Ad(to_body, moments)};
}

Coordinates torques(Context& c, const Coordinates& v, const Coordinates& a) {
  std::vector<MovingBody> bodies;
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "twist");
    bodies.push_back(moving_body(c, i, c.parent(i) < 0 ? MovingBody() : bodies[index(c.parent(i))], v, a));
  }
  Coordinates tau = c.zeros();
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "wrench");
    MovingBody& b = bodies[index(i)];
    b.zeta = b.zeta + inertial_wrench(c, i, b);
    if (c.has_forces()) b.zeta = b.zeta + -external_wrench(c, i, b);
    label(c, b.zeta, "f", "n", i);
    for (const JointAxis& axis : c.axes(i))
      c.add(tau[index(axis.idx_v)], axis.multiplier, inner(b.zeta, twist(axis.S)).D);  // (30)
    if (c.parent(i) < 0) continue;
    Pure& parent = bodies[index(c.parent(i))].zeta;
    parent = parent + Ad(b.x, b.zeta);  // (29)
  }
  return tau;
}

void write_torques(Context& c, const Coordinates& v, const Coordinates& a) {
  Coordinates tau = torques(c, v, a);
  add_joint_dynamics(c, v, a, tau);
  c.output("tau", tau);
}

// Gauss's principle of least constraint, section 4.

/// A joint between the world and a body, seen from the body.
struct JointOnPath {
  struct Axis {
    int idx_v;
    Pure s;  ///< twist of the body at unit rate of the coordinate
  };
  std::vector<Axis> axes;

  Pure twist_at(const Coordinates& v) const {
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

/// A body: its turn in the world, and the joints from the world to it.
struct BodyOnPath {
  Quaternion r;
  std::vector<JointOnPath> joints;

  /// A vector of world axes, in those of the body.
  Vector3 in_axes(const Vector3& x) const { return Ad(conjugate(r), x); }

  /// The columns at the rates v. By lemma 2.1, eq. (9), that of an axis of body j changes by xi x column, where xi is
  /// the motion of j as this body sees it: minus the joints between them.
  std::vector<Column> columns(const Coordinates& v) const {
    std::vector<Column> columns;
    Pure seen;
    for (std::size_t k = joints.size(); k-- > 0;) {
      for (const auto& [idx_v, s] : joints[k].axes) {
        const Motion J = motion(s), Jd = motion(cross(seen, s));
        const auto column = std::ranges::find(columns, idx_v, &Column::idx_v);
        if (column == columns.end())
          columns.push_back({idx_v, J, Jd});
        else
          *column = {idx_v, column->J + J, column->Jd + Jd};
      }
      seen = seen + -joints[k].twist_at(v);
    }
    return columns;
  }

  /// omega, by eq. (32).
  Vector3 angular_velocity(const Coordinates& v) const {
    Vector3 w;
    for (const JointOnPath& joint : joints) w = w + joint.twist_at(v).P;
    return w;
  }
};

/// Calls visit(i, body) for each body, from the root outward.
template <class Visit>
void for_each_body(Context& c, const Visit& visit) {
  std::vector<BodyOnPath> bodies;
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "Jacobian and its products");
    const DualQuaternion x = joint_pose(c, i), inward = conjugate(x);
    const int parent = c.parent(i);
    BodyOnPath body;
    if (parent >= 0) body = bodies[index(parent)];
    body.r = parent < 0 ? x.P : body.r * x.P;
    for (JointOnPath& joint : body.joints) {
      for (JointOnPath::Axis& axis : joint.axes) axis.s = Ad(inward, axis.s);
    }
    body.joints.emplace_back();
    for (const JointAxis& axis : c.axes(i))
      body.joints.back().axes.push_back({axis.idx_v, twist(axis.S) * axis.multiplier});
    for (std::size_t k = 0; k < body.joints.size(); ++k) {
      for (std::size_t l = 0; l < body.joints[k].axes.size(); ++l)
        c.label(motion(body.joints[k].axes[l].s),
                c.of_body("J", i) + "_" + std::to_string(k) + "_" + std::to_string(l));
    }
    visit(i, body);
    bodies.push_back(std::move(body));
  }
}

void add(Context& c, Scalar& sum, const Scalar& x) {
  sum += x;
  c.keep(sum);
}

}  // namespace

void rnea_by_dual_quaternions(Context& c) { write_torques(c, c.input("v"), c.input("a")); }
void bias_by_dual_quaternions(Context& c) { write_torques(c, c.input("v"), c.zeros()); }
void gravity_by_dual_quaternions(Context& c) {
  Coordinates tau = torques(c, c.zeros(), c.zeros());
  lift(c, tau);
  c.output("tau", tau);
}

void mass_matrix_by_gauss(Context& c) {
  SquareMatrix M(c.nv());
  for_each_body(c, [&](int i, const BodyOnPath& body) {
    const Inertia Psi = c.inertia(i, Grouping::J_xx);
    const std::vector<Column> columns = body.columns(c.zeros());
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
  const Coordinates& v = c.input("v");
  SquareMatrix C(c.nv());
  for_each_body(c, [&](int i, const BodyOnPath& body) {
    const Inertia Psi = c.inertia(i, Grouping::J_xx);
    const Vector3 w = c.label(body.angular_velocity(v), c.of_body("w", i));
    const Vector3 s = c.label(Psi.J * w, c.of_body("s", i));
    const std::vector<Column> columns = body.columns(v);
    for (const auto& [idx_v, J, Jd] : columns) {
      const Force turning{cross(Psi.h, cross(w, J.u)) - cross(s, J.w), cross(w, (Psi * J).f)};
      const Force force = turning + Psi * Jd;
      for (const Column& row : columns) add(c, C(row.idx_v, idx_v), dot(force, row.J));
    }
  });
  add_turning(c, v, C);
  c.output("C", C.column_major(), matrix);
}

void gravity_by_gauss(Context& c) {
  Coordinates tau = c.zeros();
  for_each_body(c, [&](int i, const BodyOnPath& body) {
    const Inertia I = c.inertia(i, Grouping::second_moment_zz);
    const Vector3 g = c.label(body.in_axes(c.felt_gravity()), c.of_body("g", i));
    const Force weight{cross(I.h, g), g * I.m};
    for (const Column& column : body.columns(c.zeros()))
      add(c, tau[index(column.idx_v)], -dot(weight, column.J));
  });
  lift(c, tau);
  c.output("tau", tau);
}

}  // namespace featherline::algorithms
