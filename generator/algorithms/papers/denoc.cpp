#include "algorithms/papers/papers.hpp"

#include "algorithms/dynamics/articulated_bodies.hpp"
#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/matrices.hpp"

namespace featherline::algorithms {
namespace {

/// I and C of eq. (20).
struct Matrices {
  SquareMatrix I, C;
};

/// Eq. (29) has H~_ij, which needs the rates of B_ij. Since c_ij goes from point to point, that rate is
///   dB_ij/dt = [0, 0; [u_j - u_i]x, 0] = B_ij U_j - U_i B_ij,   U_i = [0, 0; [u_i]x, 0].
/// So it splits into a part of i and one of j, and with D_i = M'_i - M_i U_i and its sum D~_i over all that i carries,
///   H~_ij + M~'_i = M~_i B_ij U_j + D~_i,
///   c_ij = p_i^T B_ji^T (M~_j (W_j + U_j) + D~_j) p_j      if i is j or carries it,
///   c_ij = p_i^T (M~_i B_ij (W_j + U_j) + D~_i B_ij) p_j   if j carries i.
/// About the body's origin M'_i = [[w]x J, 0; -[w x h]x, 0]. With the momentum f = m u + w x h, D_i is
/// [[w]x J - [h]x [u]x, 0; -[f]x, 0], which has the form of algebra::Coriolis: its moment is I v less tr(J) w.
class Complement {
 public:
  Complement(Context& context, const Coordinates& v, const OwnFrames& own_frames)
      : c_(context),
        frames_(context, own_frames),
        bodies_(index(context.num_bodies())),
        result_{SquareMatrix(context.nv()), SquareMatrix(context.nv())} {
    for (int i = 0; i < c_.num_bodies(); ++i) outward(i, v);
  }

  Matrices run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "composite body and columns");
      Body& body = bodies_[index(i)];
      c_.label(body.M.h, c_.of_body("h", i));
      c_.label(body.M.J, c_.of_body("J", i));
      c_.label(body.D, c_.of_body("D", i));
      entries(i);
      if (c_.parent(i) < 0) continue;
      Body& parent = bodies_[index(c_.parent(i))];
      frames_.add_to_parents(i, body.M, parent.M);
      frames_.add_to_parents(i, body.D, parent.D);
    }
    return std::move(result_);
  }

 private:
  /// A column of p_i.
  struct Axis {
    Motion p;
    Motion rate;  ///< (W_i + U_i) p_i
    int idx_v;
    Scalar multiplier;
    std::string name;
  };
  struct Body {
    Motion t;
    Inertia M;   ///< M~ once the children have been added
    Coriolis D;  ///< 2 D, then 2 D~
    std::vector<Axis> axes;
  };
  /// What the ancestors' columns are multiplied with.
  struct Products {
    Force momentum;  ///< M~ p
    Force rate;      ///< M~ (W + U) p + D~ p
    Vector3 row;     ///< 2 D~^T p: angular

    template <class Self, class F>
    static void each_part(Self& x, const F& f) {
      f(x.momentum, "IS");
      f(x.rate, "F_D");
      f(x.row, "DtS");
    }
  };

  void outward(int i, const Coordinates& v) {
    c_.begin_section(i, "twist");
    Body& body = bodies_[index(i)];
    if (c_.parent(i) >= 0) body.t = frames_.from_parents_frame(i, bodies_[index(c_.parent(i))].t);
    const std::vector<JointAxis> axes = c_.axes(i);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const std::string name = c_.of_axis("", i, k, axes.size());
      const Motion p = c_.label(frames_.pose(i).outward(axes[k].S), "S" + name);
      body.axes.push_back({p, {}, axes[k].idx_v, axes[k].multiplier, name});
      body.t = body.t + p * (axes[k].multiplier * v[index(axes[k].idx_v)]);
    }
    c_.label(body.t, c_.of_body("v", i));
    for (Axis& axis : body.axes) axis.rate = c_.label(cross(body.t, axis.p), "Sd" + axis.name);
    const Inertia M = c_.inertia(i, Grouping::J_xx);
    body.M = frames_.pose(i).outward(M);
    body.D = rate_of_inertia(body.M, body.t, M.J.xx + M.J.yy + M.J.zz, frames_.has_own_frame(i));
  }

  /// 2 D_i. `trace` is that of J in the body's frame; there its difference from J is a constant matrix.
  static Coriolis rate_of_inertia(const Inertia& M, const Motion& t, const Scalar& trace,
                                  bool in_body_frame) {
    if (!in_body_frame) return coriolis(M, t, M * t + Force{t.w * -trace, {}});
    const Symmetric3& J = M.J;
    const Inertia rest{M.m, M.h, {J.xx - trace, J.xy, J.xz, J.yy - trace, J.yz, J.zz - trace}};
    return coriolis(M, t, rest * t);
  }

  void entries(int i) {
    const Body& body = bodies_[index(i)];
    for (const Axis& axis : body.axes) {
      const Products own{body.M * axis.p, body.D.times(axis.p) * Scalar(0.5) + body.M * axis.rate,
                         body.D.transposed_times(axis.p)};
      c_.label(own, axis.name);
      for (const Axis& row : body.axes) {
        add_entry(c_, result_.I, row, axis, dot(own.momentum, row.p));
        add_entry(c_, result_.C, row, axis, dot(own.rate, row.p));
      }
      frames_.climb(i, own, axis.name + "m", [&](int ancestor, const Products& x) {
        for (const Axis& j : bodies_[index(ancestor)].axes) {
          add_entries(c_, result_.I, axis, j, dot(x.momentum, j.p));
          add_entry(c_, result_.C, j, axis, dot(x.rate, j.p));
          add_entry(c_, result_.C, axis, j, dot(x.momentum, j.rate) + Scalar(0.5) * dot(x.row, j.p.w));
        }
      });
    }
  }

  Context& c_;
  CommonFrames frames_;
  std::vector<Body> bodies_;
  Matrices result_;
};

}  // namespace

void mass_matrix_by_denoc(Context& context) {
  SquareMatrix M = Complement(context, context.zeros(), body_frames(context.tree())).run().I;
  add_armature(context, M);
  context.output("M", M.column_major(), matrix);
}

void coriolis_matrix_by_denoc(Context& context, const OwnFrames& own_frames) {
  SquareMatrix C = Complement(context, context.input("v"), own_frames).run().C;
  add_turning(context, context.input("v"), C);
  context.output("C", C.column_major(), matrix);
}

Coordinates acceleration_by_denoc(Context& context, const Coordinates& v, const Coordinates& tau) {
  return acceleration_by_bodies(context, v, tau, Elimination::by_axis);
}

namespace {

/// w_i of eq. (7), M_i dt_i/dt + M'_i t_i.
Force wrench_of_link(Context& c, int i, const BodyMotion& b) {
  const Inertia M = c.inertia(i, Grouping::J_xx);
  return {M.J * b.wd + cross(b.w, M.J * b.w) + cross(M.h, b.a), b.a * M.m + b.U * M.h};
}

}  // namespace

/// tau_i = p_i^T w~_i, w~_i = w_i + the sum of B_ki^T w~_k over the children k. Gravity is an acceleration of the world.
void rnea_by_denoc(Context& c) {
  const Coordinates &v = c.input("v"), &a = c.input("a");
  BodyMotions motions(c, v, a, c.felt_gravity());
  Coordinates tau = newton_euler(c, motions, wrench_of_link).tau;
  add_joint_dynamics(c, v, a, tau);
  c.output("tau", tau);
}

}  // namespace featherline::algorithms
