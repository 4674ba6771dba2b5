#include "algorithms/dynamics/dynamics.hpp"

#include "algorithms/derivatives/common_frames.hpp"

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

}  // namespace

SquareMatrix joint_space_inertia(Context& context) {
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

}  // namespace featherline::algorithms
