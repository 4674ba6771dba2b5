#include "algorithms/dynamics/articulated_bodies.hpp"

#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"

#include <iterator>

namespace featherline::algorithms {
ArticulatedBodies::ArticulatedBodies(Context& context, Elimination elimination, Load* load) : c_(context) {
  for (int i = 0; i < c_.num_bodies(); ++i) {
    c_.begin_section(i, "placement");
    joints_.push_back({joint_motion(c_, i), blocks(i, elimination)});
  }
  std::vector<ArticulatedInertia> articulated(joints_.size());
  for (int i = c_.num_bodies(); i-- > 0;) {
    c_.begin_section(i, "articulated inertia");
    Joint& joint = joints_[index(i)];
    ArticulatedInertia& I = articulated[index(i)];
    const Inertia own = c_.inertia(i, Grouping::J_xx);
    I = I + ArticulatedInertia{own.J, cross_matrix(own.h), {own.m, 0.0, 0.0, own.m, 0.0, own.m}};
    c_.label(I, c_.of_body("", i));
    for (std::size_t k = joint.blocks.size(); k-- > 0;) eliminate(i, joint.blocks[k], I);
    if (load != nullptr) take(i, *load);
    c_.add_to_parent(i, articulated, [&] { return I.to_parent(joint.X); });
  }
}

std::pair<Force, Scalar> ArticulatedBodies::geared(int i) const {
  std::pair<Force, Scalar> sum{{}, 0.0};
  for (int r = 0; r < c_.num_bodies(); ++r) {
    if (!c_.joint(r).turns_rotor || c_.joint(r).mimics != i) continue;
    const Scalar N = c_.number(r, &model::Joint::multiplier), I = c_.inertia(r, Grouping::J_xx).J.zz;
    const Vector3 axis = joints_[index(r)].X.R.to_parent(Vector3{0.0, 0.0, 1.0});
    sum.first.n = sum.first.n + joints_[index(i)].X.R.to_child(axis) * (N * I);
    sum.second += N * N * I;
  }
  return sum;
}

std::vector<ArticulatedBodies::Block> ArticulatedBodies::blocks(int i, Elimination elimination) const {
  if (c_.joint(i).turns_rotor) return {};
  const std::vector<JointAxis> axes = c_.axes(i);
  std::vector<Block> list;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (k == 0 || elimination == Elimination::by_axis) list.push_back({{}, SquareMatrix(0)});
    list.back().axes.push_back({axes[k].S, axes[k].idx_v, c_.of_axis("", i, k, axes.size())});
  }
  return list;
}

void ArticulatedBodies::eliminate(int i, Block& block, ArticulatedInertia& I) const {
  const int n = static_cast<int>(block.axes.size());
  const auto axis = [&](int k) -> Axis& { return block.axes[index(k)]; };
  for (Axis& a : block.axes) a.U = I * a.S;
  SquareMatrix D(n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) D(r, c) = dot(axis(std::max(r, c)).U, axis(std::min(r, c)).S);
  }
  if (c_.joint(i).row().can_be_damped()) {
    for (int r = 0; r < n; ++r) D(r, r) += armature_of(c_, i);
  }
  if (const auto [couple, inertia] = geared(i); !is_zero(inertia)) {
    axis(0).U = axis(0).U + couple;
    D(0, 0) += inertia;
  }
  block.D_inverse = SparseFactor(D).inverse();
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) axis(r).U_D = axis(r).U_D + axis(c).U * block.D_inverse(r, c);
    c_.label(axis(r).U_D, "UD" + axis(r).name);
    I = I.minus(axis(r).U_D, axis(r).U);
  }
}

void ArticulatedBodies::take(int i, Load& load) const {
  const Joint& joint = joints_[index(i)];
  Force& taken = load.wrenches[index(i)];
  c_.label(taken, c_.of_body("P", i));
  for (auto block = joint.blocks.rbegin(); block != joint.blocks.rend(); ++block) {
    for (const Axis& axis : block->axes)
      c_.label(load.b[index(axis.idx_v)] -= dot(taken, axis.S), "e" + axis.name);
    if (c_.parent(i) < 0 && std::next(block) == joint.blocks.rend()) break;  // the world needs no more
    for (const Axis& axis : block->axes) taken = taken + axis.U_D * load.b[index(axis.idx_v)];
  }
  c_.add_to_parent(i, load.wrenches, [&] { return joint.X.to_parent(taken); });
}

Coordinates ArticulatedBodies::solve(const Coordinates& b) const {
  Load load{b, std::vector<Force>(joints_.size())};
  for (int i = c_.num_bodies(); i-- > 0;) {
    c_.begin_section(i, "force");
    take(i, load);
  }
  return accelerations(load.b);
}

Coordinates ArticulatedBodies::accelerations(const Coordinates& u) const {
  Coordinates x = c_.zeros();
  std::vector<Motion> a(joints_.size());
  for (int i = 0; i < c_.num_bodies(); ++i) {
    c_.begin_section(i, "acceleration");
    const Joint& joint = joints_[index(i)];
    Motion& moved = a[index(i)];
    if (c_.parent(i) >= 0) moved = joint.X.to_child(a[index(c_.parent(i))]);
    for (const auto& [axes, D_inverse] : joint.blocks) {
      const Motion before = moved;
      for (int r = 0; r < D_inverse.size(); ++r) {
        const Axis& axis = axes[index(r)];
        Scalar& rate = x[index(axis.idx_v)];
        rate = -dot(axis.U_D, before);
        for (int c = 0; c < D_inverse.size(); ++c) rate += D_inverse(r, c) * u[index(axes[index(c)].idx_v)];
        c_.keep(rate);
        moved = moved + axis.S * rate;
      }
    }
    c_.label(moved, c_.of_body("A", i));
  }
  return x;
}

Coordinates acceleration_by_bodies(Context& c, const Coordinates& v, const Coordinates& tau,
                                   Elimination elimination) {
  const Coordinates none = c.zeros();
  Coordinates drives = none;
  add_joint_dynamics(c, v, none, drives);
  BodyMotions motions(c, v, none, c.felt_gravity());
  ArticulatedBodies::Load load{tau - drives, wrenches_alone(c, motions)};
  for (int i = 0; i < c.num_bodies(); ++i) {
    if (!c.joint(i).turns_rotor) continue;
    for (const JointAxis& axis : c.axes(i))
      load.b[index(axis.idx_v)] -= axis.multiplier * dot(load.wrenches[index(i)], axis.S);
  }
  return ArticulatedBodies(c, elimination, &load).accelerations(load.b);
}

Coordinates acceleration_by_articulated_bodies(Context& c, const Coordinates& v, const Coordinates& tau) {
  return acceleration_by_bodies(c, v, tau, Elimination::by_joint);
}

}  // namespace featherline::algorithms
