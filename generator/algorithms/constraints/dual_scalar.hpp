#pragma once

#include "ir/scalar.hpp"

/// A value and its derivative along one direction. Formulas that are written for any scalar give both.
namespace featherline::algorithms {

struct Dual {
  ir::Scalar re, du;

  Dual(double value = 0.0) : re(value) {}       // NOLINT: numbers convert, as for any scalar
  Dual(const ir::Scalar& value) : re(value) {}  // NOLINT
  Dual(const ir::Scalar& value, const ir::Scalar& derivative) : re(value), du(derivative) {}

  Dual operator-() const { return {-re, -du}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.re + b.re, a.du + b.du}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.re - b.re, a.du - b.du}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.re * b.re, a.re * b.du + a.du * b.re}; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const ir::Scalar ratio = a.re / b.re;
    return {ratio, (a.du - ratio * b.du) / b.re};
  }
  friend Dual sqrt(const Dual& x) {
    const ir::Scalar root = sqrt(x.re);
    return {root, x.du.is_zero() ? ir::Scalar(0.0) : x.du / (root + root)};
  }
};

}  // namespace featherline::algorithms
