// Scalars that the .cpp files are not compiled for, through NAME.ipp: complex step and hyper-dual numbers against the
// emitted derivatives, xsimd lanes against the scalar function; inverse and forward dynamics, first and second
// derivatives.
#include <doctest/doctest.h>

#include <complex>
#include <random>
#include <vector>

#include "dog.ipp"
#include "planar.ipp"
#include "reference/hyper_dual.hpp"

#ifdef FEATHERLINE_TEST_XSIMD
#include <xsimd/xsimd.hpp>
#endif

namespace {

using Complex = std::complex<double>;
using Dual = featherline::reference::HyperDual<double>;
constexpr double h = 1e-30;
constexpr std::size_t n = planar::nv;

Complex along(double x, bool stepped) { return {x, stepped ? h : 0.0}; }
double slope(const Complex& x) { return x.imag() / h; }

template <class S>
S stepped(double x, bool step);
template <>
Complex stepped<Complex>(double x, bool step) {
  return along(x, step);
}
template <>
Dual stepped<Dual>(double x, bool step) {
  return {x, step ? 1.0 : 0.0, 0.0, 0.0};
}
double slope(const Dual& x) { return x.d1; }

/// `x` with a step along entry k; none for k < 0.
template <class S>
std::vector<S> step(const std::vector<double>& x, int k) {
  std::vector<S> list;
  for (int i = 0; i < static_cast<int>(x.size()); ++i)
    list.push_back(stepped<S>(x[static_cast<std::size_t>(i)], i == k));
  return list;
}

const std::vector<double> q{0.4, -1.1, 0.7}, v{2.0, -3.0, 1.5}, a{-1.0, 4.0, 2.5};

struct First {
  double dq[n * n], dv[n * n];
};

First planar_derivatives() {
  First d;
  planar::rnea_derivatives(q.data(), v.data(), a.data(), d.dq, d.dv);
  return d;
}

struct Second {
  double dqdq[n * n * n], dvdv[n * n * n], dqdv[n * n * n], dM[n * n * n];
};

Second planar_second() {
  Second d;
  planar::rnea_second_derivatives(q.data(), v.data(), a.data(), d.dqdq, d.dvdv, d.dqdv, d.dM);
  return d;
}

std::size_t at(std::size_t i, std::size_t j, std::size_t k) { return i + n * j + n * n * k; }

}  // namespace

TEST_CASE_TEMPLATE("rnea: a step along q and v gives the emitted derivatives", S, Complex, Dual) {
  const First d = planar_derivatives();
  for (int j = 0; j < planar::nv; ++j) {
    S tau[n];
    planar::rnea(step<S>(q, j).data(), step<S>(v, -1).data(), step<S>(a, -1).data(), tau);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(slope(tau[i]) == doctest::Approx(d.dq[i + n * static_cast<std::size_t>(j)]).epsilon(1e-12));
    planar::rnea(step<S>(q, -1).data(), step<S>(v, j).data(), step<S>(a, -1).data(), tau);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(slope(tau[i]) == doctest::Approx(d.dv[i + n * static_cast<std::size_t>(j)]).epsilon(1e-12));
  }
}

TEST_CASE_TEMPLATE("aba: a step along tau gives the emitted inverse inertia", S, Complex, Dual) {
  double Minv[n * n];
  planar::minv(q.data(), Minv);
  for (int j = 0; j < planar::nv; ++j) {
    S qdd[n];
    planar::aba(step<S>(q, -1).data(), step<S>(v, -1).data(), step<S>(a, j).data(), qdd);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(slope(qdd[i]) == doctest::Approx(Minv[i + n * static_cast<std::size_t>(j)]).epsilon(1e-11));
  }
}

TEST_CASE_TEMPLATE("rnea_derivatives: a step gives the emitted second derivatives", S, Complex, Dual) {
  const Second d = planar_second();
  for (int k = 0; k < planar::nv; ++k) {
    S dq[n * n], dv[n * n];
    planar::rnea_derivatives(step<S>(q, -1).data(), step<S>(v, k).data(), step<S>(a, -1).data(), dq, dv);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        CHECK(slope(dq[i + n * j]) ==
              doctest::Approx(d.dqdv[at(i, j, static_cast<std::size_t>(k))]).epsilon(1e-11));
        CHECK(slope(dv[i + n * j]) ==
              doctest::Approx(d.dvdv[at(i, j, static_cast<std::size_t>(k))]).epsilon(1e-11));
      }
    }
  }
}

TEST_CASE_TEMPLATE("rnea_second_derivatives: steps along q and v meet in the third derivative", S, Complex,
                   Dual) {
  const std::vector<S> q0 = step<S>(q, -1), v0 = step<S>(v, -1), a0 = step<S>(a, -1);
  S by_q[4][n * n * n], by_v[4][n * n * n];
  for (int l = 0; l < planar::nv; ++l) {
    planar::rnea_second_derivatives(step<S>(q, l).data(), v0.data(), a0.data(), by_q[0], by_q[1], by_q[2],
                                    by_q[3]);
    for (int k = 0; k < planar::nv; ++k) {
      planar::rnea_second_derivatives(q0.data(), step<S>(v, k).data(), a0.data(), by_v[0], by_v[1], by_v[2],
                                      by_v[3]);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          // d3 tau_i / (dq_l dv_j dv_k), by the step along q and by the one along v.
          const double one = slope(by_q[1][at(i, j, static_cast<std::size_t>(k))]);
          const double other = slope(by_v[2][at(i, static_cast<std::size_t>(l), j)]);
          CHECK(one == doctest::Approx(other).epsilon(1e-11));
        }
      }
    }
  }
  const Second d = planar_second();
  double largest = 0.0;
  for (std::size_t i = 0; i < n * n * n; ++i) largest = std::max(largest, std::abs(d.dvdv[i]));
  CHECK(largest > 0.01);  // or the comparisons above said nothing
}

TEST_CASE("a floating base: complex step along v and tau") {
  constexpr int m = dog::nv;
  std::vector<double> x(dog::nq, 0.3), u(m, 0.7), w(m, -0.4);
  double dq[m * m], dv[m * m];
  dog::rnea_derivatives(x.data(), u.data(), w.data(), dq, dv);
  for (int j = 0; j < m; ++j) {
    Complex tau[m];
    dog::rnea(step<Complex>(x, -1).data(), step<Complex>(u, j).data(), step<Complex>(w, -1).data(), tau);
    for (int i = 0; i < m; ++i) CHECK(slope(tau[i]) == doctest::Approx(dv[i + m * j]).epsilon(1e-11));
  }
}

TEST_CASE_TEMPLATE("the derivative of a step and back is one, at tiny and at large angles", S, Complex,
                   Dual) {
  std::vector<double> position(dog::nq, 0.2);
  const double quaternion[] = {0.1, -0.7, 0.5, 0.5};
  std::copy(std::begin(quaternion), std::end(quaternion), position.begin() + 3);
  for (const double size : {0.0, 1e-12, 1e-4, 0.4, 1.0, 1.7}) {
    CAPTURE(size);
    std::vector<double> dv(dog::nv, size);
    for (int k = 0; k < dog::nv; ++k) {
      S next[dog::nq], back[dog::nv];
      dog::integrate(step<S>(position, -1).data(), step<S>(dv, k).data(), next);
      dog::difference(step<S>(position, -1).data(), next, back);
      for (int i = 0; i < dog::nv; ++i)
        CHECK(slope(back[i]) == doctest::Approx(i == k ? 1.0 : 0.0).epsilon(1e-10));
    }
  }
}

#ifdef FEATHERLINE_TEST_XSIMD

namespace {

using Lanes = xsimd::batch<double>;

/// Two states in the first and the last lane; what is between them repeats the first.
std::vector<Lanes> pair_up(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<Lanes> list;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double numbers[Lanes::size];
    std::fill(numbers, numbers + Lanes::size, x[i]);
    numbers[Lanes::size - 1] = y[i];
    list.push_back(Lanes::load_unaligned(numbers));
  }
  return list;
}

void check_lanes(const std::vector<Lanes>& lanes, const std::vector<double>& first,
                 const std::vector<double>& last) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    CHECK(lanes[i].get(0) == doctest::Approx(first[i]).epsilon(1e-11));
    CHECK(lanes[i].get(Lanes::size - 1) == doctest::Approx(last[i]).epsilon(1e-11));
  }
}

/// call(q, v, a, outputs, tensor size) for lanes and for each of two states.
template <class InLanes, class InDoubles>
void compare_lanes(std::size_t size, const InLanes& in_lanes, const InDoubles& in_doubles) {
  const std::vector<double> q2{-0.9, 0.2, 1.3}, v2{-1.0, 0.5, 2.5}, a2{3.0, 1.0, -2.0};
  std::vector<Lanes> lanes(size);
  in_lanes(pair_up(q, q2).data(), pair_up(v, v2).data(), pair_up(a, a2).data(), lanes.data());
  std::vector<double> first(size), last(size);
  in_doubles(q.data(), v.data(), a.data(), first.data());
  in_doubles(q2.data(), v2.data(), a2.data(), last.data());
  check_lanes(lanes, first, last);
}

template <class S>
void first_order(const S* x, const S* u, const S* w, S* y) {
  planar::rnea_derivatives(x, u, w, y, y + n * n);
}
template <class S>
void second_order(const S* x, const S* u, const S* w, S* y) {
  planar::rnea_second_derivatives(x, u, w, y, y + n * n * n, y + 2 * n * n * n, y + 3 * n * n * n);
}

}  // namespace

TEST_CASE("xsimd: lanes equal the scalar function") {
  compare_lanes(n, planar::rnea<Lanes>, planar::rnea<double>);
  compare_lanes(n, planar::aba<Lanes>, planar::aba<double>);
  compare_lanes(2 * n * n, first_order<Lanes>, first_order<double>);
  compare_lanes(4 * n * n * n, second_order<Lanes>, second_order<double>);
}

#endif
