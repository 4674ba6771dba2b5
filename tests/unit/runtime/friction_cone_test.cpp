// Rows of friction cones, against the cone itself, by sampling.
#include <featherline/friction_cone.hpp>

#include <Eigen/Geometry>

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace {

using Eigen::Vector3d;
constexpr double pi = 3.14159265358979323846;

template <int facets>
void check_pyramid() {
  using Rows = Eigen::Matrix<double, featherline::friction_cone_rows(facets), 3>;
  std::mt19937 random(facets);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto vector = [&] { return Vector3d(any(random), any(random), any(random)); };
  int inside = 0, outside = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vector3d normal = k % 4 == 0 ? Vector3d(0.0, 0.0, 3.0) : 2.0 * vector();
    const double friction = k % 8 == 0 ? 0.0 : std::abs(any(random)) * 1.5;
    Rows A;
    featherline::put_friction_cone<facets>(normal.data(), friction, A.data());
    const Vector3d n = normal.normalized(), f = friction == 0.0 ? Vector3d(n * any(random)) : vector();
    const double pressed = n.dot(f), along = (f - pressed * n).norm();
    const bool holds = (A * f).maxCoeff() <= 1e-12;
    if (holds) CHECK(along <= friction * pressed + 1e-9);
    if (pressed >= 0.0 && along <= friction * std::cos(pi / facets) * pressed) CHECK(holds);
    (holds ? inside : outside) += 1;
    // At an edge, friction is that of the cone.
    const Vector3d facet = A.row(0).transpose() + friction * std::cos(pi / facets) * n;
    const Vector3d edge = n + friction * (Eigen::AngleAxisd(pi / facets, n) * facet);
    CHECK((A * edge).maxCoeff() == doctest::Approx(0.0).epsilon(1e-12));
    CHECK(facet.norm() == doctest::Approx(1.0));
  }
  CHECK(inside > 1000);
  CHECK(outside > 1000);
}

}  // namespace

TEST_CASE("pyramids are inside of the friction cone, and touch it at their edges") {
  check_pyramid<3>();
  check_pyramid<4>();
  check_pyramid<8>();
}

TEST_CASE("rows of several points come one after the other; a normal of zero gives NaN") {
  const double contact[] = {0.1, 0.0, 0.6, 0.8, 0.5, 0.0, 0.2, 0.0, 0.0, 0.0, 0.7, 0.0};
  double all[30], first[15];
  featherline::put_friction_cones<4>(2, contact, all);
  featherline::put_friction_cone<4>(contact + 1, 0.5, first);
  for (int k = 0; k < 15; ++k) {
    CHECK(all[k] == first[k]);
    CHECK(std::isnan(all[15 + k]));
  }
}
