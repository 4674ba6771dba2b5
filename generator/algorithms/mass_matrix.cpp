#include "algorithms/mass_matrix.hpp"

#include "algorithms/common_frames.hpp"
#include "algorithms/joint_dynamics.hpp"

namespace featherline::algorithms {
namespace {

template <class T>
class CompositeRigidBodies {
 public:
  explicit CompositeRigidBodies(Context<T>& context)
      : c_(context),
        frames_(context, body_frames(context.tree())),
        composites_(static_cast<std::size_t>(context.num_bodies())),
        M_(context.nv()) {}

  SquareMatrix<T> run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "composite inertia and columns");
      Inertia<T>& I = composites_[static_cast<std::size_t>(i)];
      I = I + c_.inertia(i, Grouping::J_xx);
      c_.label(I.h, c_.of_body("h", i));
      c_.label(I.J, c_.of_body("J", i));
      columns(i, I);
      if (c_.parent(i) < 0) continue;
      Inertia<T>& parent = composites_[static_cast<std::size_t>(c_.parent(i))];
      parent = parent + c_.at_parent(i, frames_.to_parents_frame(i, I));
    }
    return std::move(M_);
  }

 private:
  /// I^C S_k for each axis of body i, dotted with the axes of i and of all its ancestors.
  void columns(int i, const Inertia<T>& I) {
    const std::vector<JointAxis<T>> axes = c_.axes(i);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const JointAxis<T>& column = axes[k];
      const Force<T> F = I * column.S;
      for (std::size_t l = 0; l <= k; ++l) add_entry(axes[l], column, F, l == k);
      climb(
          c_, frames_, i, F, [](const Pose<T>& X, const Force<T>& f) { return X.outward(f); },
          [&](int j, const Force<T>& f) {
            for (const JointAxis<T>& row : c_.axes(j)) add_entry(row, column, f, false);
          });
    }
  }

  /// Coupled joints share a coordinate, so entries add up; an off-diagonal pair of axes with the same coordinate
  /// counts twice, once for each of its places.
  void add_entry(const JointAxis<T>& row, const JointAxis<T>& column, const Force<T>& F, bool same_axis) {
    const T x = row.multiplier * column.multiplier * dot(F, row.S);
    T& entry = M_(row.idx_v, column.idx_v);
    entry += x;
    c_.keep(entry);
    if (row.idx_v != column.idx_v) {
      M_(column.idx_v, row.idx_v) = entry;
    } else if (!same_axis) {
      entry += x;
    }
  }

  Context<T>& c_;
  CommonFrames<T> frames_;
  std::vector<Inertia<T>> composites_;
  SquareMatrix<T> M_;
};

}  // namespace

template <class T>
SquareMatrix<T> joint_space_inertia(Context<T>& context) {
  SquareMatrix<T> M = CompositeRigidBodies<T>(context).run();
  add_armature(context, M);
  for (int r = 0; r < M.size(); ++r) {
    for (int c = 0; c <= r; ++c) context.label(M(r, c), "Mq_" + std::to_string(r) + "_" + std::to_string(c));
  }
  return M;
}

template <class T>
void mass_matrix(Context<T>& context) {
  context.output("M", joint_space_inertia(context).column_major(), matrix);
}

template SquareMatrix<Scalar> joint_space_inertia(Context<Scalar>&);
template SquareMatrix<double> joint_space_inertia(Context<double>&);
template void mass_matrix(Context<Scalar>&);
template void mass_matrix(Context<double>&);

}  // namespace featherline::algorithms
