// The vectors of the loops over scalars that are expression templates.
#include <featherline/algebra/spatial.hpp>
#include <featherline/detail/pack.hpp>

#include <doctest/doctest.h>
#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include <type_traits>

using namespace featherline::algebra;
using namespace featherline::detail;

TEST_CASE("sums and products are values of the scalar, not expressions of it") {
  using Real = Eigen::AutoDiffScalar<Eigen::Vector2d>;
  const Real x(3.0, 2, 0), y(5.0, 2, 1), one(1.0);
  const Vector3<Real> a{x, y, one}, b{y, one, x};
  const Vector3<Real> turned = cross(a, b) + a - b;
  CHECK(turned.x.value() == 5.0 * 3.0 - 1.0 + 3.0 - 5.0);
  CHECK(turned.x.derivatives() == Eigen::Vector2d(5.0 + 1.0, 3.0 - 1.0));
  static_assert(std::is_same_v<decltype(dot(a, b)), Real>);
  CHECK(dot(Force<Real>{a, b}, Motion<Real>{b, a}).value() == 2.0 * (15.0 + 5.0 + 3.0));
}

TEST_CASE("a scalar meets a pack in all its lanes") {
  const Pack<double> lanes = Pack<double>{} + 2.0;
  const Vector3<double> a{1.0, 2.0, 3.0};
  const Vector3<Pack<double>> b{lanes, lanes, lanes};
  double sum[PackOf<double>::width];
  store_pack<double>(dot(a, b), sum);
  for (const double lane : sum) CHECK(lane == 12.0);
}
