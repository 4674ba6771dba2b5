#include "algorithms/dynamics/dynamics.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/derivatives/rates.hpp"

namespace featherline::algorithms {
namespace {

/// Coupled joints share a coordinate. A pair of their axes counts twice, once for each of its places.
void add_pair(Context& c, SquareMatrix& M, const JointAxis& row, const JointAxis& column, const Scalar& x) {
  add_entry(c, M, row, column, x);
  if (row.idx_v == column.idx_v)
    add_entry(c, M, row, column, x);
  else
    M(column.idx_v, row.idx_v) = M(row.idx_v, column.idx_v);
}

/// I^C S_k for each axis of body i, dotted with the axes of i and of all its ancestors.
void add_columns(Context& c, const CommonFrames& frames, int i, const Inertia& I, SquareMatrix& M) {
  const std::vector<JointAxis> axes = c.axes(i);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Force F = I * axes[k].S;
    const std::string name = c.of_axis("IS", i, k, axes.size());
    c.hint(F, name);
    for (std::size_t l = 0; l < k; ++l) add_pair(c, M, axes[l], axes[k], dot(F, axes[l].S));
    add_entry(c, M, axes[k], axes[k], dot(F, axes[k].S));
    frames.climb(i, F, {}, [&](int j, const Force& f) {
      c.hint(f, name + c.of_body("_", j));
      for (const JointAxis& row : c.axes(j)) add_pair(c, M, row, axes[k], dot(f, row.S));
    });
  }
}

/// The inertia of a body and all it carries, in its frame, and the rate of its entries.
struct ChangingInertia {
  Inertia I, rate;

  template <class Self, class F>
  static void each_part(Self& x, const F& f) {
    f(x.I, "");
    f(x.rate, "rate_");
  }
  friend ChangingInertia operator+(const ChangingInertia& x, const ChangingInertia& y) {
    return {x.I + y.I, x.rate + y.rate};
  }
  /// As the parent sees it, against which the body moves with v.
  ChangingInertia moving(const Motion& v) const {
    const Coriolis B = coriolis(I, v, I * v);
    return {I, rate + Inertia{Scalar(0.0), B.f, B.K}};
  }
};

/// As add_columns(), for d/dt (I^C S_k).
void add_rates(Context& c, const CommonFrames& frames, int i, const ChangingInertia& x, const Coordinates& v,
               SquareMatrix& M_rate) {
  const std::vector<JointAxis> axes = c.axes(i);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Force F = x.I * axes[k].S, rate = x.rate * axes[k].S;
    const std::string name = c.of_axis("IS", i, k, axes.size());
    c.hint(rate, "rate_" + name);
    for (std::size_t l = 0; l < k; ++l) add_pair(c, M_rate, axes[l], axes[k], dot(rate, axes[l].S));
    add_entry(c, M_rate, axes[k], axes[k], dot(rate, axes[k].S));
    for (int below = i, j = c.parent(i); j >= 0; below = j, j = c.parent(j)) {
      rate = frames.to_parents_frame(below, rate + cross_dual(joint_rate(c, below, v), F));
      F = frames.to_parents_frame(below, F);
      c.hint(F, name + c.of_body("_", j));
      c.hint(rate, "rate_" + name + c.of_body("_", j));
      for (const JointAxis& row : c.axes(j)) add_pair(c, M_rate, row, axes[k], dot(rate, row.S));
    }
  }
}

}  // namespace

SquareMatrix joint_space_inertia(Context& context) {
  if (context.has_clusters()) {
    AllJoints joints(context);
    return joints.inertia(joint_space_inertia(joints.context()));
  }
  const CommonFrames frames(context, body_frames(context.tree()));
  std::vector<Inertia> composites(index(context.num_bodies()));
  SquareMatrix M(context.nv());
  for (int i = context.num_bodies(); i-- > 0;) {
    context.begin_section(i, "composite inertia and columns");
    Inertia& I = composites[index(i)];
    I = I + context.inertia(i, Grouping::J_xx);
    context.label(I.h, context.of_body("h", i));
    context.label(I.J, context.of_body("J", i));
    add_columns(context, frames, i, I, M);
    context.add_to_parent(i, composites, [&] { return frames.to_parents_frame(i, I); });
  }
  add_armature(context, M);
  for (int r = 0; r < M.size(); ++r) {
    for (int c = 0; c <= r; ++c) context.label(M(r, c), "Mq_" + std::to_string(r) + "_" + std::to_string(c));
  }
  return M;
}

void mass_matrix(Context& context) {
  context.output("M", joint_space_inertia(context).column_major(), matrix);
}

void mass_matrix_rate(Context& context) {
  const Coordinates& v = context.input("v");
  if (context.has_clusters())
    return context.output(
        "M_rate", rates(joint_space_inertia(context).column_major(), moving_positions(context, v)), matrix);
  const CommonFrames frames(context, body_frames(context.tree()));
  std::vector<ChangingInertia> composites(index(context.num_bodies()));
  SquareMatrix M_rate(context.nv());
  for (int i = context.num_bodies(); i-- > 0;) {
    context.begin_section(i, "composite inertia, its rate, and columns");
    ChangingInertia& x = composites[index(i)];
    x.I = x.I + context.inertia(i, Grouping::J_xx);
    context.label(x.I.h, context.of_body("h", i));
    context.label(x.I.J, context.of_body("J", i));
    context.label(x.rate.h, context.of_body("rate_h", i));
    context.label(x.rate.J, context.of_body("rate_J", i));
    add_rates(context, frames, i, x, v, M_rate);
    context.add_to_parent(i, composites,
                          [&] { return frames.to_parents_frame(i, x.moving(joint_rate(context, i, v))); });
  }
  context.output("M_rate", M_rate.column_major(), matrix);
}

}  // namespace featherline::algorithms
