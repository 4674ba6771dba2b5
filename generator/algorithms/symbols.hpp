#pragma once

#include "algorithms/dual_quaternion.hpp"
#include "ir/scalar.hpp"
#include "joints/geometry.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <featherline/algebra/spatial.hpp>

#include <concepts>
#include <string>
#include <type_traits>
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

/// A mass and its first moment.
struct Moments {
  Scalar m{};
  Vector3 h;
};

/// Values by degree of freedom; and the entries of any other array.
using Coordinates = std::vector<Scalar>;
using Values = Coordinates;

inline Coordinates operator-(Coordinates x) {
  for (Scalar& entry : x) entry = -entry;
  return x;
}
inline Coordinates operator-(Coordinates x, const Coordinates& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= y[k];
  return x;
}
inline Coordinates operator+(Coordinates x, const Coordinates& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += y[k];
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

/// x + factor y.
inline Coordinates plus(Coordinates x, const Scalar& factor, const Coordinates& y) {
  add_multiple(x, factor, y);
  return x;
}

/// factor y.
inline Coordinates scaled(const Scalar& factor, Coordinates y) {
  for (Scalar& entry : y) entry = entry * factor;
  return y;
}

inline Vector3 to_vector(const model::Vector3& v) { return {Scalar(v.x()), Scalar(v.y()), Scalar(v.z())}; }

/// R_PB and p_PB of a frame B in a frame P.
struct Placement {
  Matrix3 R;
  Vector3 p;
};

template <class X, class T>
concept Is = std::same_as<std::remove_const_t<X>, T>;

/// f(entry, its name) for each entry of x: "w3_x", "J3_xy"; halves of spatial vectors "S3w_x", "F3n_y".
template <Is<Scalar> X, class F>
void each_entry(X& x, const std::string& name, const F& f) {
  f(x, name);
}
template <Is<Vector3> X, class F>
void each_entry(X& x, const std::string& name, const F& f) {
  f(x.x, name + "_x");
  f(x.y, name + "_y");
  f(x.z, name + "_z");
}
template <Is<Symmetric3> X, class F>
void each_entry(X& A, const std::string& name, const F& f) {
  f(A.xx, name + "_xx");
  f(A.xy, name + "_xy");
  f(A.xz, name + "_xz");
  f(A.yy, name + "_yy");
  f(A.yz, name + "_yz");
  f(A.zz, name + "_zz");
}
template <Is<Matrix3> X, class F>
void each_entry(X& A, const std::string& name, const F& f) {
  constexpr char axes[] = {'x', 'y', 'z'};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) f(A(r, c), name + '_' + axes[r] + axes[c]);
  }
}
template <Is<Motion> X, class F>
void each_entry(X& m, const std::string& name, const F& f) {
  each_entry(m.w, name + "w", f);
  each_entry(m.u, name + "u", f);
}
template <Is<Force> X, class F>
void each_entry(X& x, const std::string& name, const F& f) {
  each_entry(x.n, name + "n", f);
  each_entry(x.f, name + "f", f);
}
template <Is<Inertia> X, class F>
void each_entry(X& I, const std::string& name, const F& f) {
  each_entry(I.m, name + "m", f);
  each_entry(I.h, name + "h", f);
  each_entry(I.J, name + "J", f);
}
template <Is<Coriolis> X, class F>
void each_entry(X& B, const std::string& name, const F& f) {
  each_entry(B.K, name + "K", f);
  each_entry(B.n, name + "n", f);
  each_entry(B.f, name + "f", f);
}
/// A struct that gives its parts, each with its letter: "F_v3n_y".
template <class X, class F>
void each_entry(X& x, const std::string& name, const F& f) {
  X::each_part(x, [&](auto& part, const char* letter) { each_entry(part, letter + name, f); });
}

/// x with f applied to each of its entries.
template <class X, class F>
X map_entries(X x, const F& f) {
  each_entry(x, {}, [&](Scalar& entry, const std::string&) { entry = f(entry); });
  return x;
}

/// All entries of x, behind those that are there.
template <class X>
void append_entries(Coordinates& entries, const X& x) {
  each_entry(x, {}, [&](const Scalar& entry, const std::string&) { entries.push_back(entry); });
}

}  // namespace featherline::algorithms
