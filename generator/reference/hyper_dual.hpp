#pragma once

#include <Eigen/Core>

#include <cmath>
#include <type_traits>

namespace featherline::reference {

/// A hyper-dual number re + d1 e1 + d2 e2 + d12 e1 e2 with e1^2 = e2^2 = 0 (Fike and Alonso, AIAA 2011-886). It carries
/// derivatives along two directions through any formula and, in d12, the mixed second derivative. They are exact to
/// rounding.
template <class Real>
struct HyperDual {
  Real re{}, d1{}, d2{}, d12{};

  HyperDual() = default;
  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>>
  HyperDual(N value) : re(static_cast<Real>(value)) {}  // NOLINT: numbers are hyper-dual numbers
  HyperDual(Real value, Real first, Real second, Real mixed) : re(value), d1(first), d2(second), d12(mixed) {}

  static HyperDual e1() { return {0, 1, 0, 0}; }
  static HyperDual e2() { return {0, 0, 1, 0}; }

  HyperDual operator-() const { return {-re, -d1, -d2, -d12}; }
  HyperDual& operator+=(const HyperDual& b) { return *this = *this + b; }
  HyperDual& operator-=(const HyperDual& b) { return *this = *this - b; }
  HyperDual& operator*=(const HyperDual& b) { return *this = *this * b; }
  HyperDual& operator/=(const HyperDual& b) { return *this = *this / b; }

  friend HyperDual operator+(const HyperDual& a, const HyperDual& b) {
    return {a.re + b.re, a.d1 + b.d1, a.d2 + b.d2, a.d12 + b.d12};
  }
  friend HyperDual operator-(const HyperDual& a, const HyperDual& b) {
    return {a.re - b.re, a.d1 - b.d1, a.d2 - b.d2, a.d12 - b.d12};
  }
  friend HyperDual operator*(const HyperDual& a, const HyperDual& b) {
    return {a.re * b.re, a.re * b.d1 + a.d1 * b.re, a.re * b.d2 + a.d2 * b.re,
            a.re * b.d12 + a.d1 * b.d2 + a.d2 * b.d1 + a.d12 * b.re};
  }
  friend HyperDual operator/(const HyperDual& a, const HyperDual& b) {
    const Real ratio = a.re / b.re, first = (a.d1 - ratio * b.d1) / b.re,
               second = (a.d2 - ratio * b.d2) / b.re;
    return {ratio, first, second, (a.d12 - first * b.d2 - second * b.d1 - ratio * b.d12) / b.re};
  }
  friend bool operator==(const HyperDual& a, const HyperDual& b) {
    return a.re == b.re && a.d1 == b.d1 && a.d2 == b.d2 && a.d12 == b.d12;
  }
  friend bool operator!=(const HyperDual& a, const HyperDual& b) { return !(a == b); }

  friend HyperDual sin(const HyperDual& x) {
    const Real s = std::sin(x.re), c = std::cos(x.re);
    return x.chain(s, c, -s);
  }
  friend HyperDual cos(const HyperDual& x) {
    const Real s = std::sin(x.re), c = std::cos(x.re);
    return x.chain(c, -s, -c);
  }
  friend HyperDual sqrt(const HyperDual& x) {
    const Real root = std::sqrt(x.re), slope = 1 / (root + root);
    return x.chain(root, slope, -slope / (x.re + x.re));
  }
  friend HyperDual atan(const HyperDual& x) {
    const Real slope = 1 / (1 + x.re * x.re);
    return x.chain(std::atan(x.re), slope, -2 * x.re * slope * slope);
  }

 private:
  /// f(*this), from f and its first two derivatives at `re`.
  HyperDual chain(Real f, Real slope, Real curvature) const {
    return {f, slope * d1, slope * d2, slope * d12 + curvature * d1 * d2};
  }
};

/// x times a number, e.g. Number::e1() for derivatives along x.
template <class Real>
Eigen::Matrix<HyperDual<Real>, Eigen::Dynamic, 1> lifted(const Eigen::VectorXd& x,
                                                         const HyperDual<Real>& unit) {
  Eigen::Matrix<HyperDual<Real>, Eigen::Dynamic, 1> numbers(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) numbers[i] = HyperDual<Real>(x[i]) * unit;
  return numbers;
}

/// One part of every entry, e.g. part(x, &HyperDual<double>::d1).
template <class Real, int rows, int columns>
Eigen::Matrix<Real, rows, columns> part(const Eigen::Matrix<HyperDual<Real>, rows, columns>& x,
                                        Real HyperDual<Real>::*which) {
  Eigen::Matrix<Real, rows, columns> parts(x.rows(), x.cols());
  for (Eigen::Index i = 0; i < x.size(); ++i) parts.data()[i] = x.data()[i].*which;
  return parts;
}

}  // namespace featherline::reference
