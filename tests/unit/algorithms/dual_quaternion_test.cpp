// The algebra of dual quaternions against rotation matrices, and the rules that paper 004 states for it.
#include "algorithms/dual_quaternion.hpp"
#include "support/random.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include <complex>

using namespace featherline;
using namespace featherline::algebra;

namespace {

using Complex = std::complex<double>;
constexpr double rounding = 1e-14;

Vector3<double> random_vector(test::Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}
PureDualQuaternion<double> random_pure(test::Random& random) {
  return {random_vector(random), random_vector(random)};
}
Quaternion<double> random_unit(test::Random& random) {
  const Eigen::Vector4d r = random.quaternion();
  return {{r[0], r[1], r[2]}, r[3]};
}
DualQuaternion<double> random_pose(test::Random& random) {
  const Quaternion<double> r = random_unit(random);
  return pose(r, random_vector(random));
}

Eigen::Vector3d eigen(const Vector3<double>& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d matrix(const Quaternion<double>& r) {
  return Eigen::Quaterniond(r.w, r.u.x, r.u.y, r.u.z).toRotationMatrix();
}

double distance(const Vector3<double>& a, const Vector3<double>& b) { return (eigen(a) - eigen(b)).norm(); }
double distance(const Quaternion<double>& a, const Quaternion<double>& b) {
  return distance(a.u, b.u) + std::abs(a.w - b.w);
}
template <class Pair>
double distance(const Pair& a, const Pair& b) {
  return distance(a.P, b.P) + distance(a.D, b.D);
}

/// l s as full dual quaternions.
DualQuaternion<double> product(const PureDualQuaternion<double>& l, const PureDualQuaternion<double>& s) {
  return DualQuaternion<double>{{l.P, 0.0}, {l.D, 0.0}} * DualQuaternion<double>{{s.P, 0.0}, {s.D, 0.0}};
}
PureDualQuaternion<double> imaginary(const DualQuaternion<double>& x) { return {x.P.u, x.D.u}; }

// Complex numbers with a tiny imaginary part carry derivatives.
constexpr double tiny = 1e-100;
Vector3<Complex> moving(const Vector3<double>& x, const Vector3<double>& rate) {
  return {{x.x, tiny * rate.x}, {x.y, tiny * rate.y}, {x.z, tiny * rate.z}};
}
Quaternion<Complex> moving(const Quaternion<double>& x, const Quaternion<double>& rate) {
  return {moving(x.u, rate.u), {x.w, tiny * rate.w}};
}
Vector3<double> rate_of(const Vector3<Complex>& x) {
  return {x.x.imag() / tiny, x.y.imag() / tiny, x.z.imag() / tiny};
}
/// d Ad(x) s / dt for the rates of x and s.
PureDualQuaternion<double> rate_of_Ad(const DualQuaternion<double>& x, const DualQuaternion<double>& x_rate,
                                      const PureDualQuaternion<double>& s,
                                      const PureDualQuaternion<double>& s_rate) {
  const DualQuaternion<Complex> along{moving(x.P, x_rate.P), moving(x.D, x_rate.D)};
  const PureDualQuaternion<Complex> moved =
      Ad(along, PureDualQuaternion<Complex>{moving(s.P, s_rate.P), moving(s.D, s_rate.D)});
  return {rate_of(moved.P), rate_of(moved.D)};
}

}  // namespace

TEST_CASE("a pose is a unit dual quaternion, and products are poses one after the other") {
  test::Random random(1);
  const Quaternion<double> r = random_unit(random), s = random_unit(random);
  const Vector3<double> p = random_vector(random), d = random_vector(random);
  const DualQuaternion<double> x = pose(r, p), one{{{}, 1.0}, {{}, 0.0}};
  CHECK(distance(x * conjugate(x), one) <= rounding);
  CHECK(distance(conjugate(x) * x, one) <= rounding);
  CHECK((matrix(r * s) - matrix(r) * matrix(s)).norm() <= rounding);
  CHECK(distance(x * pose(s, d), pose(r * s, p + rotate(r, d))) <= rounding);
}

TEST_CASE("Ad of a quaternion is its rotation matrix") {
  test::Random random(2);
  const Quaternion<double> r = random_unit(random);
  const Vector3<double> v = random_vector(random);
  CHECK((eigen(Ad(r, v)) - matrix(r) * eigen(v)).norm() <= rounding);
  CHECK((eigen(rotate(r, v)) - matrix(r) * eigen(v)).norm() <= rounding);
}

TEST_CASE("Ad of a pose moves twists and wrenches to another point and other axes") {
  test::Random random(3);
  const Quaternion<double> r = random_unit(random);
  const Vector3<double> p = random_vector(random);
  const PureDualQuaternion<double> xi = random_pure(random), zeta = random_pure(random),
                                   moved = Ad(pose(r, p), xi);
  const Eigen::Vector3d P = matrix(r) * eigen(xi.P);
  CHECK((eigen(moved.P) - P).norm() <= rounding);
  CHECK((eigen(moved.D) - matrix(r) * eigen(xi.D) - eigen(p).cross(P)).norm() <= rounding);
  // The power of a wrench in a motion is the same in all frames.
  CHECK(inner(Ad(pose(r, p), zeta), moved).D == doctest::Approx(inner(zeta, xi).D).epsilon(rounding));
}

TEST_CASE("Ad of a product is that of its factors, and that of the conjugate its inverse") {
  test::Random random(4);
  const DualQuaternion<double> x = random_pose(random), y = random_pose(random);
  const PureDualQuaternion<double> xi = random_pure(random);
  CHECK(distance(Ad(x * y, xi), Ad(x, Ad(y, xi))) <= rounding);
  CHECK(distance(Ad(conjugate(x), Ad(x, xi)), xi) <= rounding);
}

TEST_CASE(
    "cross and inner products of pure dual quaternions are parts of the product, eqs. (7), (8) and (30)") {
  test::Random random(5);
  const PureDualQuaternion<double> l = random_pure(random), s = random_pure(random);
  const DualQuaternion<double> ls = product(l, s), sl = product(s, l);
  CHECK(distance(cross(l, s), imaginary((ls + sl * -1.0) * 0.5)) <= rounding);
  const DualQuaternion<double> inner_product = (ls + sl) * -0.5;
  CHECK(distance(imaginary(inner_product), PureDualQuaternion<double>{}) <= rounding);
  CHECK(inner(l, s).P == doctest::Approx(inner_product.P.w).epsilon(rounding));
  CHECK(inner(l, s).D == doctest::Approx(inner_product.D.w).epsilon(rounding));
}

TEST_CASE("L3 of an inertia tensor is the product with its matrix, eq. (12)") {
  test::Random random(6);
  const algebra::Symmetric3<double> I{1.0, 0.2, -0.3, 2.0, 0.4, 3.0};
  const Vector3<double> w = random_vector(random);
  CHECK(distance(L3(I.full(), w), I * w) <= rounding);
}

TEST_CASE("rates of poses and of moved twists, eqs. (4), (5) and (9)") {
  test::Random random(7);
  const Quaternion<double> r = random_unit(random);
  const Vector3<double> p = random_vector(random), w = random_vector(random), pd = random_vector(random);
  const DualQuaternion<double> x = pose(r, p);
  // Eq. (5): omega + eps (dp/dt + p x omega), in the axes that p is in.
  const PureDualQuaternion<double> xi{w, pd + cross(p, w)}, s = random_pure(random), sd = random_pure(random);
  const DualQuaternion<double> x_rate = DualQuaternion<double>{{xi.P, 0.0}, {xi.D, 0.0}} * x * 0.5;
  const Quaternion<double> r_rate = Quaternion<double>{w, 0.0} * r * 0.5;
  const DualQuaternion<double> expected{
      r_rate, (Quaternion<double>{pd, 0.0} * r + Quaternion<double>{p, 0.0} * r_rate) * 0.5};
  CHECK(distance(x_rate, expected) <= rounding);
  // The same twist in the moving axes: dx/dt = x xi / 2, and omega + eps dp/dt, eq. (6).
  const PureDualQuaternion<double> own = Ad(conjugate(x), xi);
  CHECK(distance(x_rate, x * DualQuaternion<double>{{own.P, 0.0}, {own.D, 0.0}} * 0.5) <= rounding);
  CHECK(distance(own, PureDualQuaternion<double>{rotate(conjugate(r), w), rotate(conjugate(r), pd)}) <=
        rounding);
  CHECK(distance(rate_of_Ad(x, x_rate, s, sd), Ad(x, sd) + cross(xi, Ad(x, s))) <= rounding);
}
