#include "algorithms/dynamics/articulated_bodies.hpp"

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

ArticulatedInertia ArticulatedInertia::operator+(const Inertia& own) const {
  const Scalar zero(0.0);
  return {J + own.J, H + cross_matrix(own.h), M + Symmetric3{own.m, zero, zero, own.m, zero, own.m}};
}

ArticulatedInertia ArticulatedInertia::minus(const Force& x, const Force& y) const {
  return {minus_symmetric(J, x.n, y.n), minus_outer(H, x.n, y.f), minus_symmetric(M, x.f, y.f)};
}

/// Rotation, then shift by p: with P = [p]x and H1 = R H R^T, M1 = R M R^T:
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

ArticulatedBodies::ArticulatedBodies(Context& context) : c_(context) {
  for (int i = 0; i < c_.num_bodies(); ++i) {
    c_.begin_section(i, "placement");
    joints_.push_back({joint_motion(c_, i), c_.axes(i), {}, {}, {}});
  }
  std::vector<ArticulatedInertia> articulated(joints_.size());
  for (int i = c_.num_bodies(); i-- > 0;) {
    c_.begin_section(i, "articulated inertia");
    const auto k = index(i);
    const ArticulatedInertia I = articulated[k] + c_.inertia(i, Grouping::J_xx);
    label(c_, i, I);
    const ArticulatedInertia remaining = eliminate(i, I);
    c_.add_to_parent(i, articulated, [&] { return remaining.to_parent(joints_[k].X); });
  }
}

ArticulatedInertia ArticulatedBodies::eliminate(int i, const ArticulatedInertia& I) {
  Joint& joint = joints_[index(i)];
  for (const JointAxis& axis : joint.axes) joint.U.push_back(I * axis.S);
  invert_D(i, joint);
  ArticulatedInertia remaining = I;
  for (std::size_t r = 0; r < joint.U.size(); ++r) {
    Force U_D;
    for (std::size_t c = 0; c < joint.U.size(); ++c) U_D = U_D + joint.U[c] * joint.D_inverse[r][c];
    c_.label(U_D, c_.of_axis("UD", i, r, joint.U.size()));
    remaining = remaining.minus(U_D, joint.U[r]);
    joint.U_D.push_back(U_D);
  }
  return remaining;
}

void ArticulatedBodies::invert_D(int i, Joint& joint) const {
  const int n = static_cast<int>(joint.axes.size());
  SquareMatrix D(n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      D(r, c) = dot(joint.U[index(std::max(r, c))], joint.axes[index(std::min(r, c))].S);
    }
  }
  if (n == 1) D(0, 0) += c_.number(i, &model::Joint::armature);
  const SquareMatrix Z = SparseFactor(D).inverse();
  for (int r = 0; r < n; ++r) {
    Coordinates row;
    for (int c = 0; c < n; ++c) row.push_back(Z(r, c));
    joint.D_inverse.push_back(row);
  }
}

/// By joint and axis: b minus what the joints further out take of it.
std::vector<Coordinates> ArticulatedBodies::torques(const Coordinates& b) const {
  std::vector<Force> bias(joints_.size());
  std::vector<Coordinates> u(joints_.size());
  for (int i = c_.num_bodies(); i-- > 0;) {
    c_.begin_section(i, "force");
    const auto k = index(i);
    const Joint& joint = joints_[k];
    c_.label(bias[k], c_.of_body("P", i));
    for (const JointAxis& axis : joint.axes) {
      u[k].push_back(b[index(axis.idx_v)] - dot(bias[k], axis.S));
      c_.label(u[k].back(), c_.of_axis("e", i, u[k].size() - 1, joint.axes.size()));
    }
    if (c_.parent(i) < 0) continue;
    Force rest = bias[k];
    for (std::size_t r = 0; r < u[k].size(); ++r) rest = rest + joint.U_D[r] * u[k][r];
    c_.add_to_parent(i, bias, [&] { return joint.X.to_parent(rest); });
  }
  return u;
}

Coordinates ArticulatedBodies::solve(const Coordinates& b) const {
  const std::vector<Coordinates> u = torques(b);
  Coordinates x = c_.zeros();
  std::vector<Motion> a(joints_.size());
  for (int i = 0; i < c_.num_bodies(); ++i) {
    c_.begin_section(i, "acceleration");
    const auto k = index(i);
    const Joint& joint = joints_[k];
    if (c_.parent(i) >= 0) a[k] = joint.X.to_child(a[index(c_.parent(i))]);
    const Motion a_parent = a[k];
    for (std::size_t r = 0; r < joint.axes.size(); ++r) {
      Scalar rate = -dot(joint.U_D[r], a_parent);
      for (std::size_t c = 0; c < joint.axes.size(); ++c) rate += joint.D_inverse[r][c] * u[k][c];
      x[index(joint.axes[r].idx_v)] = rate;
      c_.keep(rate);
      a[k] = a[k] + joint.axes[r].S * rate;
    }
    c_.label(a[k], c_.of_body("A", i));
  }
  return x;
}

}  // namespace featherline::algorithms
