#include "algorithms/dynamics/dynamics.hpp"

#include "algorithms/derivatives/common_frames.hpp"

namespace featherline::algorithms {
namespace {

class CompositeRigidBodies {
 public:
  explicit CompositeRigidBodies(Context& context)
      : c_(context),
        frames_(context, body_frames(context.tree())),
        composites_(index(context.num_bodies())),
        M_(context.nv()) {}

  SquareMatrix run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "composite inertia and columns");
      Inertia& I = composites_[index(i)];
      I = I + c_.inertia(i, Grouping::J_xx);
      c_.label(I.h, c_.of_body("h", i));
      c_.label(I.J, c_.of_body("J", i));
      columns(i, I);
      c_.add_to_parent(i, composites_, [&] { return frames_.to_parents_frame(i, I); });
    }
    return std::move(M_);
  }

 private:
  /// I^C S_k for each axis of body i, dotted with the axes of i and of all its ancestors.
  void columns(int i, const Inertia& I) {
    const std::vector<JointAxis> axes = c_.axes(i);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const JointAxis& column = axes[k];
      const Force F = I * column.S;
      const std::string name = c_.of_axis("IS", i, k, axes.size());
      c_.hint(F, name);
      for (std::size_t l = 0; l <= k; ++l) add_entry(axes[l], column, F, l == k);
      climb(
          c_, frames_, i, F, [](const Pose& X, const Force& f) { return X.outward(f); },
          [&](int j, const Force& f) {
            c_.hint(f, name + c_.of_body("_", j));
            for (const JointAxis& row : c_.axes(j)) add_entry(row, column, f, false);
          });
    }
  }

  /// Coupled joints share a coordinate, so entries add up; an off-diagonal pair of axes with the same coordinate
  /// counts twice, once for each of its places.
  void add_entry(const JointAxis& row, const JointAxis& column, const Force& F, bool same_axis) {
    const Scalar x = row.multiplier * column.multiplier * dot(F, row.S);
    Scalar& entry = M_(row.idx_v, column.idx_v);
    entry += x;
    c_.keep(entry);
    if (row.idx_v != column.idx_v) {
      M_(column.idx_v, row.idx_v) = entry;
    } else if (!same_axis) {
      entry += x;
    }
  }

  Context& c_;
  CommonFrames frames_;
  std::vector<Inertia> composites_;
  SquareMatrix M_;
};

}  // namespace

SquareMatrix joint_space_inertia(Context& context) {
  SquareMatrix M = CompositeRigidBodies(context).run();
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
