#include "algorithms/articulated_bodies.hpp"

#include "algorithms/sparse_factor.hpp"

namespace featherline::algorithms {
namespace {

Motion unit_motion(const JointAxis& axis) { return {to_scalar(axis.angular), to_scalar(axis.linear)}; }

Motion to_child(const JointMotion& X, const Motion& m) {
  return {X.R.to_child(m.w), X.R.to_child(m.u + m.w.cross(X.p))};
}

Force to_parent(const JointMotion& X, const Force& f) {
  const Vector3 force = X.R.to_parent(f.f);
  return {X.R.to_parent(f.n) + X.p.cross(force), force};
}

std::vector<Coordinates> inverse(const SquareMatrix& D) {
  const SquareMatrix Z = SparseFactor(D).inverse();
  std::vector<Coordinates> rows(static_cast<std::size_t>(D.size()));
  for (int r = 0; r < D.size(); ++r) {
    for (int c = 0; c < D.size(); ++c) rows[static_cast<std::size_t>(r)].push_back(Z(r, c));
  }
  return rows;
}

/// A -= x y^T.
void subtract_outer(Matrix3& A, const Vector3& x, const Vector3& y) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) A(r, c) -= x[r] * y[c];
  }
}

/// A -= sum x y^T where the sum is symmetric.
void subtract_symmetric(Matrix3& A, const Vector3& x, const Vector3& y) {
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) A(c, r) = A(r, c) -= x[r] * y[c];
  }
}

}  // namespace

ArticulatedBodies::ArticulatedBodies(Tracer& tracer) : t_(tracer) {
  for (int i = 0; i < t_.num_bodies(); ++i) {
    t_.begin_section(i, "placement");
    joints_.push_back({joint_motion(t_, i), joint_axes(t_.body(i).joint), {}, {}, {}});
  }
  std::vector<Inertia> articulated(joints_.size());
  for (int i = t_.num_bodies(); i-- > 0;) {
    t_.begin_section(i, "articulated inertia");
    const model::Inertia& own = t_.body(i).inertia;
    Inertia& I = articulated[static_cast<std::size_t>(i)];
    I.J = t_.label_symmetric(Matrix3(I.J + to_scalar(own.J)), "J", i);
    I.H += cross(to_scalar(own.h));
    I.M += Matrix3::Identity() * Scalar(own.mass);
    Inertia remaining;
    eliminate(i, I, remaining);
    if (const int parent = t_.body(i).parent; parent >= 0) {
      Inertia& P = articulated[static_cast<std::size_t>(parent)];
      const Inertia moved = to_parent(joints_[static_cast<std::size_t>(i)].X, remaining);
      P = {P.J + moved.J, P.H + moved.H, P.M + moved.M};
    }
  }
}

void ArticulatedBodies::eliminate(int i, const Inertia& I, Inertia& remaining) {
  Joint& joint = joints_[static_cast<std::size_t>(i)];
  const auto n = static_cast<int>(joint.axes.size());
  for (const JointAxis& axis : joint.axes) {
    const Motion S = unit_motion(axis);
    joint.U.push_back({I.J * S.w + I.H * S.u, I.H.transpose() * S.w + I.M * S.u});
  }
  SquareMatrix D(n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      D(r, c) = dot(joint.U[static_cast<std::size_t>(std::max(r, c))],
                    unit_motion(joint.axes[static_cast<std::size_t>(std::min(r, c))]));
    }
  }
  if (n == 1) D(0, 0) += Scalar(t_.body(i).joint.armature);
  joint.D_inverse = inverse(D);
  remaining = I;
  for (std::size_t r = 0; r < joint.U.size(); ++r) {
    Force U_D;
    for (std::size_t c = 0; c < joint.U.size(); ++c) {
      const Scalar& d = joint.D_inverse[r][c];
      U_D = U_D + Force{joint.U[c].n * d, joint.U[c].f * d};
    }
    subtract_symmetric(remaining.J, U_D.n, joint.U[r].n);
    subtract_outer(remaining.H, U_D.n, joint.U[r].f);
    subtract_symmetric(remaining.M, U_D.f, joint.U[r].f);
    joint.U_D.push_back(U_D);
  }
}

/// Rotation, then shift by p: with P = [p]x and H1 = R H R^T, M1 = R M R^T:
///   M' = M1,  H' = H1 + P M1,  J' = R J R^T + P H1^T + (P H1^T)^T + P M1 P^T.
ArticulatedBodies::Inertia ArticulatedBodies::to_parent(const JointMotion& X, const Inertia& I) {
  const auto rotate = [&](const Matrix3& A) {
    Matrix3 half, full;
    for (int k = 0; k < 3; ++k) half.col(k) = X.R.to_parent(A.col(k));
    for (int k = 0; k < 3; ++k) full.row(k) = X.R.to_parent(half.row(k).transpose()).transpose();
    return full;
  };
  const Matrix3 P = cross(X.p), H1 = rotate(I.H);
  Inertia result;
  result.M = X.R.symmetric_to_parent(I.M);
  result.H = H1 + P * result.M;
  const Matrix3 A = P * H1.transpose(), B = result.H * P.transpose();  // B = H1 P^T + P M1 P^T
  const Matrix3 J = X.R.symmetric_to_parent(I.J);
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) result.J(r, c) = result.J(c, r) = J(r, c) + (A(r, c) + B(r, c));
  }
  return result;
}

Coordinates ArticulatedBodies::solve(const Coordinates& b) const {
  std::vector<Force> bias(joints_.size());
  std::vector<Coordinates> u(joints_.size());
  for (int i = t_.num_bodies(); i-- > 0;) {
    t_.begin_section(i, "force");
    const auto k = static_cast<std::size_t>(i);
    const Joint& joint = joints_[k];
    for (const JointAxis& axis : joint.axes) {
      u[k].push_back(b[static_cast<std::size_t>(axis.idx_v)] - dot(bias[k], unit_motion(axis)));
    }
    const int parent = t_.body(i).parent;
    if (parent < 0) continue;
    Force rest = bias[k];
    for (std::size_t r = 0; r < u[k].size(); ++r)
      rest = rest + Force{joint.U_D[r].n * u[k][r], joint.U_D[r].f * u[k][r]};
    Force& above = bias[static_cast<std::size_t>(parent)];
    above = above + algorithms::to_parent(joint.X, rest);
  }

  Coordinates x = zero_coordinates(t_);
  std::vector<Motion> a(joints_.size());
  for (int i = 0; i < t_.num_bodies(); ++i) {
    t_.begin_section(i, "acceleration");
    const auto k = static_cast<std::size_t>(i);
    const Joint& joint = joints_[k];
    const int parent = t_.body(i).parent;
    if (parent >= 0) a[k] = to_child(joint.X, a[static_cast<std::size_t>(parent)]);
    const Motion a_parent = a[k];
    for (std::size_t r = 0; r < joint.axes.size(); ++r) {
      Scalar rate = -dot(joint.U_D[r], a_parent);
      for (std::size_t c = 0; c < joint.axes.size(); ++c) rate += joint.D_inverse[r][c] * u[k][c];
      x[static_cast<std::size_t>(joint.axes[r].idx_v)] = rate;
      a[k] = a[k] + unit_motion(joint.axes[r]) * rate;
    }
  }
  return x;
}

}  // namespace featherline::algorithms
