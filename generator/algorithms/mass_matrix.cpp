#include "algorithms/mass_matrix.hpp"

#include "algorithms/common_frames.hpp"
#include "algorithms/joint_friction.hpp"
#include "algorithms/tracer.hpp"
#include "model/regroup.hpp"

#include <vector>

namespace featherline::algorithms {
namespace {

class CompositeRigidBody {
 public:
  explicit CompositeRigidBody(Tracer& tracer)
      : t_(tracer), composite_(static_cast<std::size_t>(t_.num_bodies())), M_(t_.tree().nv) {}

  SquareMatrix run() {
    for (int i = 0; i < t_.num_bodies(); ++i) {
      t_.begin_section(i, "placement");
      joints_.push_back(joint_motion(t_, i));
    }
    for (int i = t_.num_bodies(); i-- > 0;) {
      t_.begin_section(i, "composite inertia and columns");
      gather(i);
      columns(i);
      if (t_.body(i).parent >= 0) add_to_parent(i);
    }
    return M_;
  }

 private:
  SymbolicInertia& composite(int i) { return composite_[static_cast<std::size_t>(i)]; }
  const JointMotion& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }

  void gather(int i) {
    const model::Inertia& own = t_.body(i).inertia;
    SymbolicInertia& c = composite(i);
    c.m += Scalar(own.mass);
    c.h = t_.label(Vector3(c.h + to_scalar(own.h)), "h", i);
    c.J = t_.label_symmetric(Matrix3(c.J + to_scalar(own.J)), "J", i);
  }

  /// I^C S_k for each axis of body i, dotted with the axes of i and of all its ancestors.
  void columns(int i) {
    const std::vector<JointAxis> axes = joint_axes(t_.body(i).joint);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const SymbolicInertia& c = composite(i);
      const Vector3 angular = to_scalar(axes[k].angular), linear = to_scalar(axes[k].linear);
      Force F{c.J * angular + c.h.cross(linear), linear * c.m + angular.cross(c.h)};
      for (std::size_t l = 0; l <= k; ++l) add_entry(axes[l], axes[k], F, l == k);
      climb(i, axes[k], F);
    }
  }

  void climb(int i, const JointAxis& column, Force F) {
    for (int j = i; t_.body(j).parent >= 0;) {
      const Vector3 f = joint(j).R.to_parent(F.f);
      F = {joint(j).R.to_parent(F.n) + joint(j).p.cross(f), f};
      j = t_.body(j).parent;
      for (const JointAxis& row : joint_axes(t_.body(j).joint)) add_entry(row, column, F, false);
    }
  }

  /// Coupled joints share a coordinate, so entries add up; an off-diagonal pair of axes with the same coordinate
  /// counts twice, once for each of its places.
  void add_entry(const JointAxis& row, const JointAxis& column, const Force& F, bool same_axis) {
    const Scalar product = to_scalar(row.angular).dot(F.n) + to_scalar(row.linear).dot(F.f);
    const Scalar x = Scalar(row.multiplier * column.multiplier) * product;
    M_(row.idx_v, column.idx_v) += x;
    if (row.idx_v != column.idx_v) {
      M_(column.idx_v, row.idx_v) = M_(row.idx_v, column.idx_v);
    } else if (!same_axis) {
      M_(row.idx_v, column.idx_v) += x;
    }
  }

  /// Parallel axes with the origin moved by p: J' = R J R^T + (2 g.p) 1 - g p^T - p g^T, g = R h + m p / 2.
  void add_to_parent(int i) {
    const SymbolicInertia& c = composite(i);
    const Vector3& p = joint(i).p;
    const Vector3 Rh = joint(i).R.to_parent(c.h);
    const Vector3 g = Rh + p * (c.m * Scalar(0.5));
    SymbolicInertia& parent = composite(t_.body(i).parent);
    parent.m += c.m;
    parent.h += Rh + p * c.m;
    parent.J += joint(i).R.symmetric_to_parent(c.J) + parallel_axis(g, p);
  }

  Tracer& t_;
  std::vector<JointMotion> joints_;
  std::vector<SymbolicInertia> composite_;
  SquareMatrix M_;
};

}  // namespace

SquareMatrix mass_matrix(Tracer& tracer) {
  SquareMatrix M = CompositeRigidBody(tracer).run();
  add_armature(tracer, M);
  return M;
}

ir::Function trace_mass_matrix(const model::CanonicalTree& tree) {
  const model::CanonicalTree grouped = regroup_inertias(tree, model::Grouping::J_xx);
  Tracer tracer(grouped, "mass_matrix", "link frames", {{"q", tree.nq}}, {{"M", tree.nv * tree.nv}});
  tracer.store_all(0, mass_matrix(tracer).column_major());
  return tracer.take();
}

}  // namespace featherline::algorithms
