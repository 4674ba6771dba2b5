#include "algorithms/dynamics/articulated_bodies.hpp"

#include "algorithms/dynamics/dynamics.hpp"

#include <iterator>

namespace featherline::algorithms {
namespace {

/// A - x y^T.
Matrix3 minus_outer(const Matrix3& A, const Vector3& x, const Vector3& y) {
  return {{A.rows[0] - y * x.x, A.rows[1] - y * x.y, A.rows[2] - y * x.z}};
}

/// A - x y^T where the sum of all that is subtracted is symmetric.
Symmetric3 minus_symmetric(const Symmetric3& A, const Vector3& x, const Vector3& y) {
  return {A.xx - x.x * y.x, A.xy - x.x * y.y, A.xz - x.x * y.z,
          A.yy - x.y * y.y, A.yz - x.y * y.z, A.zz - x.z * y.z};
}

}  // namespace

/// Symmetric 6 x 6 inertia [J, H; H^T, M] of a body that carries joints which are free to move.
struct ArticulatedInertia {
  Symmetric3 J;
  Matrix3 H;
  Symmetric3 M;

  Force operator*(const Motion& m) const { return {J * m.w + H * m.u, H.transposed() * m.w + M * m.u}; }
  ArticulatedInertia operator+(const ArticulatedInertia& other) const {
    return {J + other.J, H + other.H, M + other.M};
  }
  /// Less x y^T, where the sum of all that is subtracted is symmetric.
  ArticulatedInertia minus(const Force& x, const Force& y) const {
    return {minus_symmetric(J, x.n, y.n), minus_outer(H, x.n, y.f), minus_symmetric(M, x.f, y.f)};
  }
  ArticulatedInertia to_parent(const JointMotion& X) const;

  template <class Self, class F>
  static void each_part(Self& I, const F& f) {
    f(I.J, "J");
    f(I.H, "H");
    f(I.M, "M");
  }
};

/// About the parent's origin, in the parent's axes: rotation, then shift by p. With P = [p]x and H1 = R H R^T,
/// M1 = R M R^T:
///   M' = M1,  H' = H1 + P M1,  J' = R J R^T + P H1^T + (P H1^T)^T + P M1 P^T.
ArticulatedInertia ArticulatedInertia::to_parent(const JointMotion& X) const {
  Matrix3 half, H1;
  for (int k = 0; k < 3; ++k) half.rows[k] = X.R.to_parent(H.column(k));  // (R H)^T
  for (int k = 0; k < 3; ++k) H1.rows[k] = X.R.to_parent(half.column(k));
  const Matrix3 P = cross_matrix(X.p);
  ArticulatedInertia result;
  result.M = X.R.to_parent(M);
  result.H = H1 + P * result.M.full();
  const Matrix3 A = P * H1.transposed(), B = result.H * P.transposed();  // B = H1 P^T + P M1 P^T
  const Symmetric3 J1 = X.R.to_parent(J);
  const auto entry = [&](int r, int c) { return J1(r, c) + (A(r, c) + B(r, c)); };
  result.J = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  return result;
}

ArticulatedBodies::ArticulatedBodies(Context& context, Elimination elimination) : c_(context) {
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

Coordinates ArticulatedBodies::torques(Coordinates b) const {
  std::vector<Force> bias(joints_.size());
  for (int i = c_.num_bodies(); i-- > 0;) {
    c_.begin_section(i, "force");
    const Joint& joint = joints_[index(i)];
    Force& taken = bias[index(i)];
    c_.label(taken, c_.of_body("P", i));
    for (auto block = joint.blocks.rbegin(); block != joint.blocks.rend(); ++block) {
      for (const Axis& axis : block->axes)
        c_.label(b[index(axis.idx_v)] -= dot(taken, axis.S), "e" + axis.name);
      if (c_.parent(i) < 0 && std::next(block) == joint.blocks.rend()) break;  // the world needs no more
      for (const Axis& axis : block->axes) taken = taken + axis.U_D * b[index(axis.idx_v)];
    }
    c_.add_to_parent(i, bias, [&] { return joint.X.to_parent(taken); });
  }
  return b;
}

Coordinates ArticulatedBodies::solve(const Coordinates& b) const {
  const Coordinates u = torques(b);
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

}  // namespace featherline::algorithms
