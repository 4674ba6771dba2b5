#pragma once

#include "model/clusters.hpp"
#include "reference/solver.hpp"

/// Eliminated loops, from the loops themselves: positions by Newton's method on the gap between the ends of each loop,
/// G from Jacobians of the ends, accelerations from those of the ends. Only Newton's start is the closed form of
/// model/planar_loop.hpp.
namespace featherline::reference {

namespace detail {

/// The least-squares solution x of A x = b, whose equations agree, to the last digits.
template <class T>
MatrixX<T> solve_agreeing(const MatrixX<T>& A, const MatrixX<T>& b) {
  const MatrixX<T> At = transposed(A), AtA = At * A;
  MatrixX<T> x = solve_definite<T>(AtA, At * b);
  for (int pass = 0; pass < 2; ++pass) x = x + solve_definite<T>(AtA, At * (b - A * x));
  return x;
}

inline double real_part(double x) { return x; }
template <class Real>
double real_part(const HyperDual<Real>& x) {
  return static_cast<double>(x.re);
}

}  // namespace detail

/// Rows of all loops at positions of all joints: J, and the gaps.
template <class T>
std::pair<MatrixX<T>, VectorX<T>> Solver<T>::loop_rows(const VectorX<T>& q) {
  const model::Clusters& clusters = *clusters_;
  place(q, VectorX<T>::Zero(tree_.nv));
  const std::vector<Pose<T>> bodies = updated_poses();
  const Eigen::Index linear = std::ssize(clusters.couplings);
  MatrixX<T> J = MatrixX<T>::Zero(linear + 3 * std::ssize(clusters.ends), tree_.nv);
  VectorX<T> gaps = VectorX<T>::Zero(J.rows());
  for (Eigen::Index r = 0; r < linear; ++r) {
    const model::Constraint& coupling = clusters.couplings[static_cast<std::size_t>(r)];
    gaps[r] = T(-coupling.offset);
    for (const auto& [body, coefficient] : coupling.terms) {
      gaps[r] += T(coefficient) * q[joint(body).idx_q];
      J(r, joint(body).idx_v) += T(coefficient);
    }
  }
  Eigen::Index row = linear;
  for (const std::array<model::Link, 2>& ends : clusters.ends) {
    MatrixX<T> rows[2];
    Vector3<T> points[2];
    for (std::size_t end = 0; end < 2; ++end) {
      points[end] = pose_of(ends[end], bodies).p;
      rows[end] = own_frame_jacobian(bodies, ends[end], Frame::local_world_aligned);
    }
    for (Eigen::Index k = 0; k < 3; ++k, ++row) {
      gaps[row] = points[1][k] - points[0][k];
      for (Eigen::Index c = 0; c < tree_.nv; ++c) J(row, c) = rows[1](k, c) - rows[0](k, c);
    }
  }
  return {J, gaps};
}

/// How fast the ends of loops accelerate apart while no joint accelerates.
template <class T>
VectorX<T> Solver<T>::loop_bias(const VectorX<T>& q, const VectorX<T>& v) {
  const model::Clusters& clusters = *clusters_;
  update(q, v);
  const std::vector<Pose<T>> poses = updated_poses();
  for (int i = 0; i < count(); ++i)
    state(i).a = parent(i) < 0 ? state(i).c : state(i).X * state(parent(i)).a + state(i).c;
  VectorX<T> bias = VectorX<T>::Zero(std::ssize(clusters.couplings) + 3 * std::ssize(clusters.ends));
  Eigen::Index row = std::ssize(clusters.couplings);
  for (const std::array<model::Link, 2>& ends : clusters.ends) {
    for (std::size_t end = 0; end < 2; ++end) {
      const int i = ends[end].body;
      if (i < 0) continue;
      const Vector3<T> p = ends[end].placement.p.template cast<T>();
      const Body& body = state(i);
      const Vector3<T> w = angular(body.v), u = linear(body.v) + skew(w) * p,
                       a = linear(body.a) + skew(angular(body.a)) * p + skew(w) * u;
      const Vector3<T> in_world = poses[index(i)].R * a;
      for (Eigen::Index k = 0; k < 3; ++k) bias[row + k] += in_world[k] * T(end == 0 ? -1.0 : 1.0);
    }
    row += 3;
  }
  return bias;
}

template <class T>
AllJoints<T> Solver<T>::all_joints(const VectorX<T>& y, const VectorX<T>& v, const VectorX<T>& a) {
  if (!clusters_) return {y, v, a, {}};
  const model::Clusters& clusters = *clusters_;
  std::vector<int> dependent;  // positions and velocities
  std::vector<int> dependent_q;
  Eigen::VectorXd real(y.size());
  for (Eigen::Index k = 0; k < y.size(); ++k) real[k] = detail::real_part(y[k]);
  const auto start = model::positions_of_all_joints(clusters, real, 0.0);
  AllJoints<T> all{VectorX<T>::Zero(tree_.nq), VectorX<T>::Zero(tree_.nv), VectorX<T>::Zero(tree_.nv),
                   MatrixX<T>::Zero(tree_.nv, y.size() == 0 ? 0 : v.size())};
  if (!start) throw InternalError("the reference solver is asked for a position at which a loop stays open");
  for (Eigen::Index k = 0; k < tree_.nq; ++k) {
    const int own = clusters.positions[static_cast<std::size_t>(k)];
    all.q[k] = own >= 0 ? y[own] : T((*start)[k]);
    if (own < 0) dependent_q.push_back(static_cast<int>(k));
  }
  for (Eigen::Index k = 0; k < tree_.nv; ++k) {
    const int own = clusters.velocities[static_cast<std::size_t>(k)];
    if (own < 0) {
      dependent.push_back(static_cast<int>(k));
      continue;
    }
    all.G(k, own) = T(1);
    all.v[k] = v[own];
    all.a[k] = a[own];
  }
  const auto columns_of = [&](const MatrixX<T>& J) {
    MatrixX<T> J_d(J.rows(), std::ssize(dependent));
    for (std::size_t d = 0; d < dependent.size(); ++d)
      J_d.col(static_cast<Eigen::Index>(d)) = J.col(dependent[d]);
    return J_d;
  };
  for (int pass = 0; pass < 5; ++pass) {
    const auto [J, gaps] = loop_rows(all.q);
    const MatrixX<T> step = detail::solve_agreeing<T>(columns_of(J), MatrixX<T>(gaps));
    for (std::size_t d = 0; d < dependent_q.size(); ++d)
      all.q[dependent_q[d]] -= step(static_cast<Eigen::Index>(d), 0);
  }
  const MatrixX<T> J = loop_rows(all.q).first, J_d = columns_of(J);
  const MatrixX<T> G_d = detail::solve_agreeing<T>(J_d, MatrixX<T>(J * all.G));
  for (std::size_t d = 0; d < dependent.size(); ++d) {
    for (Eigen::Index c = 0; c < all.G.cols(); ++c)
      all.G(dependent[d], c) = T(0) - G_d(static_cast<Eigen::Index>(d), c);
  }
  all.v = all.G * v;
  const VectorX<T> bias = J * all.a + loop_bias(all.q, all.v);
  const MatrixX<T> a_d = detail::solve_agreeing<T>(J_d, MatrixX<T>(bias));
  for (std::size_t d = 0; d < dependent.size(); ++d)
    all.a[dependent[d]] = T(0) - a_d(static_cast<Eigen::Index>(d), 0);
  return all;
}

}  // namespace featherline::reference
