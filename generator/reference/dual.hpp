#pragma once

#include <Eigen/Core>

#include <cmath>
#include <complex>
#include <type_traits>

namespace featherline::reference {

/// A dual number re + du eps with eps^2 = 0. It carries one exact directional derivative through any formula. Over
/// std::complex<double> the imaginary direction carries a second derivative (complex step). Then `du.imag() / h` is a
/// mixed second derivative without cancellation.
template <class T>
struct Dual {
  T re{}, du{};

  Dual() = default;
  Dual(const T& value) : re(value) {}  // NOLINT: numbers are dual numbers
  Dual(const T& value, const T& derivative) : re(value), du(derivative) {}
  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N> && !std::is_same_v<N, T>>>
  Dual(N value) : re(static_cast<double>(value)) {}  // NOLINT

  Dual operator-() const { return {-re, -du}; }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.re + b.re, a.du + b.du}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.re - b.re, a.du - b.du}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.re * b.re, a.re * b.du + a.du * b.re}; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T ratio = a.re / b.re;
    return {ratio, (a.du - ratio * b.du) / b.re};
  }
  friend bool operator==(const Dual& a, const Dual& b) { return a.re == b.re && a.du == b.du; }
  friend bool operator!=(const Dual& a, const Dual& b) { return !(a == b); }
};

template <class T>
Dual<T> sin(const Dual<T>& x) {
  using std::cos;
  using std::sin;
  return {sin(x.re), x.du * cos(x.re)};
}

template <class T>
Dual<T> cos(const Dual<T>& x) {
  using std::cos;
  using std::sin;
  return {cos(x.re), -x.du * sin(x.re)};
}

template <class T>
Dual<T> atan(const Dual<T>& x) {
  using std::atan;
  return {atan(x.re), x.du / (T(1.0) + x.re * x.re)};
}

template <class T>
Dual<T> sqrt(const Dual<T>& x) {
  using std::sqrt;
  const T root = sqrt(x.re);
  return {root, x.du / (root + root)};
}

}  // namespace featherline::reference

namespace Eigen {
template <class T>
struct NumTraits<featherline::reference::Dual<T>> : NumTraits<double> {
  using Real = featherline::reference::Dual<T>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 4,
    AddCost = 4,
    MulCost = 12
  };
};
}  // namespace Eigen
