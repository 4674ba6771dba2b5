#pragma once

#include "algorithms/dual_quaternion.hpp"
#include "ir/scalar.hpp"
#include "joints/geometry.hpp"
#include "support/index.hpp"

#include <featherline/algebra/spatial.hpp>

#include <string>
#include <vector>

/// The algebra of rigid bodies (featherline/algebra) on symbols.
namespace featherline::algorithms {

using ir::Scalar;
using Vector3 = algebra::Vector3<Scalar>;
using Matrix3 = algebra::Matrix3<Scalar>;
using Symmetric3 = algebra::Symmetric3<Scalar>;
using Motion = algebra::Motion<Scalar>;
using Force = algebra::Force<Scalar>;
using Inertia = algebra::Inertia<Scalar>;
using Coriolis = algebra::Coriolis<Scalar>;
using Quaternion = algebra::Quaternion<Scalar>;
using DualQuaternion = algebra::DualQuaternion<Scalar>;
using PureDualQuaternion = algebra::PureDualQuaternion<Scalar>;
using DualNumber = algebra::DualNumber<Scalar>;

/// Values by degree of freedom, or the entries of any other array.
using Coordinates = std::vector<Scalar>;

inline Coordinates operator-(Coordinates x) {
  for (Scalar& entry : x) entry = -entry;
  return x;
}
inline Coordinates operator-(Coordinates x, const Coordinates& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= y[k];
  return x;
}
inline Scalar dot(const Coordinates& x, const Coordinates& y) {
  Scalar sum;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}
/// Adds x y.
inline void add_multiple(Coordinates& sum, const Scalar& x, const Coordinates& y) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += y[k] * x;
}

inline Vector3 to_vector(const model::Vector3& v) { return {Scalar(v.x()), Scalar(v.y()), Scalar(v.z())}; }
inline Matrix3 to_matrix(const model::Matrix3& M) {
  Matrix3 A;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) A(r, c) = Scalar(M(r, c));
  }
  return A;
}
inline Symmetric3 to_symmetric(const model::Matrix3& M) {
  return {Scalar(M(0, 0)), Scalar(M(0, 1)), Scalar(M(0, 2)),
          Scalar(M(1, 1)), Scalar(M(1, 2)), Scalar(M(2, 2))};
}

/// x with f applied to each of its entries.
template <class F>
Scalar map_entries(const Scalar& x, const F& f) {
  return f(x);
}
template <class F>
Vector3 map_entries(const Vector3& x, const F& f) {
  return {f(x.x), f(x.y), f(x.z)};
}
template <class F>
Symmetric3 map_entries(const Symmetric3& A, const F& f) {
  return {f(A.xx), f(A.xy), f(A.xz), f(A.yy), f(A.yz), f(A.zz)};
}
template <class F>
Matrix3 map_entries(const Matrix3& A, const F& f) {
  return {{map_entries(A.rows[0], f), map_entries(A.rows[1], f), map_entries(A.rows[2], f)}};
}
template <class F>
Force map_entries(const Force& x, const F& f) {
  return {map_entries(x.n, f), map_entries(x.f, f)};
}
template <class F>
Inertia map_entries(const Inertia& I, const F& f) {
  return {f(I.m), map_entries(I.h, f), map_entries(I.J, f)};
}
template <class F>
Coriolis map_entries(const Coriolis& B, const F& f) {
  return {map_entries(B.K, f), map_entries(B.n, f), map_entries(B.f, f)};
}

/// f(entry, its name) for each entry of x: "w3_x", "J3_xy"; halves of spatial vectors "S3w_x", "F3n_y".
template <class F>
void each_entry(const Scalar& x, const std::string& name, const F& f) {
  f(x, name);
}
template <class F>
void each_entry(const Vector3& x, const std::string& name, const F& f) {
  f(x.x, name + "_x");
  f(x.y, name + "_y");
  f(x.z, name + "_z");
}
template <class F>
void each_entry(const Symmetric3& A, const std::string& name, const F& f) {
  f(A.xx, name + "_xx");
  f(A.xy, name + "_xy");
  f(A.xz, name + "_xz");
  f(A.yy, name + "_yy");
  f(A.yz, name + "_yz");
  f(A.zz, name + "_zz");
}
template <class F>
void each_entry(const Matrix3& A, const std::string& name, const F& f) {
  constexpr char axes[] = {'x', 'y', 'z'};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) f(A(r, c), name + '_' + axes[r] + axes[c]);
  }
}
template <class F>
void each_entry(const Motion& m, const std::string& name, const F& f) {
  each_entry(m.w, name + "w", f);
  each_entry(m.u, name + "u", f);
}
template <class F>
void each_entry(const Force& x, const std::string& name, const F& f) {
  each_entry(x.n, name + "n", f);
  each_entry(x.f, name + "f", f);
}
template <class F>
void each_entry(const Coriolis& B, const std::string& name, const F& f) {
  each_entry(B.K, name + "K", f);
  each_entry(B.n, name + "n", f);
  each_entry(B.f, name + "f", f);
}

/// All entries of x, behind those that are there.
template <class X>
void append_entries(Coordinates& entries, const X& x) {
  each_entry(x, {}, [&](const Scalar& entry, const std::string&) { entries.push_back(entry); });
}

}  // namespace featherline::algorithms
