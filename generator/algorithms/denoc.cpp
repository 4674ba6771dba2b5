#include "algorithms/denoc.hpp"

#include "algorithms/body_motion.hpp"
#include "algorithms/joint_dynamics.hpp"
#include "algorithms/matrices.hpp"

namespace featherline::algorithms {
namespace {

/// I and C of eq. (20).
template <class T>
struct Matrices {
  SquareMatrix<T> I, C;
};

/// Eq. (29) has H~_ij, which needs the rates of B_ij. Since c_ij goes from point to point, that rate is
///   dB_ij/dt = [0, 0; [u_j - u_i]x, 0] = B_ij U_j - U_i B_ij,   U_i = [0, 0; [u_i]x, 0].
/// So it splits into a part of i and one of j, and with D_i = M'_i - M_i U_i and its sum D~_i over all that i carries,
///   H~_ij + M~'_i = M~_i B_ij U_j + D~_i,
///   c_ij = p_i^T B_ji^T (M~_j (W_j + U_j) + D~_j) p_j      if i is j or carries it,
///   c_ij = p_i^T (M~_i B_ij (W_j + U_j) + D~_i B_ij) p_j   if j carries i.
/// About the body's origin M'_i = [[w]x J, 0; -[w x h]x, 0]. With the momentum f = m u + w x h, D_i is
/// [[w]x J - [h]x [u]x, 0; -[f]x, 0], which has the form of algebra::Coriolis: its moment is I v less tr(J) w.
template <class T>
class Complement {
 public:
  Complement(Context<T>& context, const Coordinates<T>& v, const OwnFrames& own_frames)
      : c_(context),
        frames_(context, own_frames),
        bodies_(static_cast<std::size_t>(context.num_bodies())),
        result_{SquareMatrix<T>(context.nv()), SquareMatrix<T>(context.nv())} {
    for (int i = 0; i < c_.num_bodies(); ++i) outward(i, v);
  }

  Matrices<T> run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "composite body and columns");
      Body& body = bodies_[static_cast<std::size_t>(i)];
      c_.label(body.M.h, c_.of_body("h", i));
      c_.label(body.M.J, c_.of_body("J", i));
      c_.label(body.D, c_.of_body("D", i));
      entries(i);
      if (c_.parent(i) < 0) continue;
      Body& parent = bodies_[static_cast<std::size_t>(c_.parent(i))];
      parent.M = parent.M + c_.at_parent(i, frames_.to_parents_frame(i, body.M));
      parent.D = parent.D + c_.at_parent(i, frames_.to_parents_frame(i, body.D));
    }
    return std::move(result_);
  }

 private:
  /// A column of p_i.
  struct Axis {
    Motion<T> p;
    Motion<T> rate;  ///< (W_i + U_i) p_i
    int idx_v;
    T multiplier;
    std::string name;
  };
  struct Body {
    Motion<T> t;
    Inertia<T> M;   ///< M~ once the children have been added
    Coriolis<T> D;  ///< 2 D, then 2 D~
    std::vector<Axis> axes;
  };
  /// What the ancestors' columns are multiplied with.
  struct Products {
    Force<T> momentum;  ///< M~ p
    Force<T> rate;      ///< M~ (W + U) p + D~ p
    Vector3<T> row;     ///< 2 D~^T p: angular

    Products outward(const Pose<T>& X) const {
      return {X.outward(momentum), X.outward(rate), X.outward(row)};
    }
  };

  void outward(int i, const Coordinates<T>& v) {
    c_.begin_section(i, "twist");
    Body& body = bodies_[static_cast<std::size_t>(i)];
    if (c_.parent(i) >= 0)
      body.t = frames_.from_parents_frame(i, bodies_[static_cast<std::size_t>(c_.parent(i))].t);
    const std::vector<JointAxis<T>> axes = c_.axes(i);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const std::string name = c_.of_axis("", i, k, axes.size());
      const Motion<T> p = c_.label(frames_.pose(i).outward(axes[k].S), "S" + name);
      body.axes.push_back({p, {}, axes[k].idx_v, axes[k].multiplier, name});
      body.t = body.t + p * (axes[k].multiplier * v[static_cast<std::size_t>(axes[k].idx_v)]);
    }
    c_.label(body.t, c_.of_body("v", i));
    for (Axis& axis : body.axes) axis.rate = c_.label(cross(body.t, axis.p), "Sd" + axis.name);
    const Inertia<T> M = c_.inertia(i, Grouping::J_xx);
    body.M = frames_.pose(i).outward(M);
    body.D = rate_of_inertia(body.M, body.t, M.J.xx + M.J.yy + M.J.zz, frames_.has_own_frame(i));
  }

  /// 2 D_i. `trace` is that of J in the body's frame; there its difference from J is a constant matrix.
  static Coriolis<T> rate_of_inertia(const Inertia<T>& M, const Motion<T>& t, const T& trace,
                                     bool in_body_frame) {
    if (!in_body_frame) return coriolis(M, t, M * t + Force<T>{t.w * -trace, {}});
    const Symmetric3<T>& J = M.J;
    const Inertia<T> rest{M.m, M.h, {J.xx - trace, J.xy, J.xz, J.yy - trace, J.yz, J.zz - trace}};
    return coriolis(M, t, rest * t);
  }

  void entries(int i) {
    const Body& body = bodies_[static_cast<std::size_t>(i)];
    for (const Axis& axis : body.axes) {
      Products x{body.M * axis.p, body.D.times(axis.p) * T(0.5) + body.M * axis.rate,
                 body.D.transposed_times(axis.p)};
      label(x, axis.name);
      for (const Axis& row : body.axes) {
        add(result_.I, row, axis, dot(x.momentum, row.p));
        add(result_.C, row, axis, dot(x.rate, row.p));
      }
      climb(
          c_, frames_, i, x,
          [&](const Pose<T>& X, const Products& below) {
            const Products moved = below.outward(X);
            label(moved, axis.name + "m");
            return moved;
          },
          [&](int j, const Products& at) {
            for (const Axis& ancestor : bodies_[static_cast<std::size_t>(j)].axes)
              of_ancestor(ancestor, axis, at);
          });
    }
  }

  void of_ancestor(const Axis& j, const Axis& i, const Products& x) {
    const T entry = dot(x.momentum, j.p);
    add(result_.I, i, j, entry);
    add(result_.I, j, i, entry);
    add(result_.C, j, i, dot(x.rate, j.p));
    add(result_.C, i, j, dot(x.momentum, j.rate) + T(0.5) * dot(x.row, j.p.w));
  }

  void label(const Products& x, const std::string& name) {
    c_.label(x.momentum, "IS" + name);
    c_.label(x.rate, "F_D" + name);
    c_.label(x.row, "DtS" + name);
  }

  /// Coupled joints share a coordinate, so entries add up.
  void add(SquareMatrix<T>& A, const Axis& row, const Axis& column, const T& x) {
    T& entry = A(row.idx_v, column.idx_v);
    entry += row.multiplier * column.multiplier * x;
    c_.keep(entry);
  }

  Context<T>& c_;
  CommonFrames<T> frames_;
  std::vector<Body> bodies_;
  Matrices<T> result_;
};

/// tau_i = p_i^T w~_i, w~_i = w_i + the sum of B_ki^T w~_k over the children k, with what each body needs,
/// w_i = M_i dt_i/dt + M'_i t_i, eq. (7). Gravity is an acceleration of the world.
template <class T>
Coordinates<T> inverse_dynamics_by_denoc(Context<T>& c, const Coordinates<T>& v, const Coordinates<T>& a) {
  BodyMotions<T> motions(c, v, a);
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "motion");
    motions.outward(i);
  }
  Coordinates<T> tau = c.zeros();
  std::vector<Force<T>> wrenches(static_cast<std::size_t>(c.num_bodies()));
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "force");
    const Inertia<T> M = c.inertia(i, Grouping::J_xx);
    const BodyMotion<T>& b = motions.body(i);
    Force<T>& total = wrenches[static_cast<std::size_t>(i)];
    total = total + Force<T>{M.J * b.wd + cross(b.w, M.J * b.w) + cross(M.h, b.a), b.a * M.m + b.U * M.h};
    if (c.has_forces()) total = total + c.label(motions.external_wrench(i), c.of_body("fext", i)) * T(-1.0);
    c.label(total.f, c.of_body("f", i));
    c.label(total.n, c.of_body("n", i));
    for (const JointAxis<T>& axis : c.axes(i)) {
      T& torque = tau[static_cast<std::size_t>(axis.idx_v)];
      torque += axis.multiplier * dot(total, axis.S);
      c.keep(torque);
    }
    if (c.parent(i) < 0) continue;
    Force<T>& parent = wrenches[static_cast<std::size_t>(c.parent(i))];
    parent = parent + c.at_parent(i, motions.joint(i).to_parent(total));
  }
  add_joint_dynamics(c, v, a, tau);
  return tau;
}

}  // namespace

template <class T>
void mass_matrix_by_denoc(Context<T>& context) {
  SquareMatrix<T> M = Complement<T>(context, context.zeros(), body_frames(context.tree())).run().I;
  add_armature(context, M);
  context.output("M", M.column_major(), matrix);
}

template <class T>
void coriolis_matrix_by_denoc(Context<T>& context, const OwnFrames& own_frames) {
  context.output("C", Complement<T>(context, context.input("v"), own_frames).run().C.column_major(), matrix);
}

template <class T>
void rnea_by_denoc(Context<T>& context) {
  context.output("tau", inverse_dynamics_by_denoc(context, context.input("v"), context.input("a")));
}

template void mass_matrix_by_denoc(Context<Scalar>&);
template void mass_matrix_by_denoc(Context<double>&);
template void coriolis_matrix_by_denoc(Context<Scalar>&, const OwnFrames&);
template void coriolis_matrix_by_denoc(Context<double>&, const OwnFrames&);
template void rnea_by_denoc(Context<Scalar>&);
template void rnea_by_denoc(Context<double>&);

}  // namespace featherline::algorithms
