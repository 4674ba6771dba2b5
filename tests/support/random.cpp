#include "support/random.hpp"

namespace featherline::test {

double Random::uniform(double lower, double upper) {
  const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
  return lower + (upper - lower) * unit;
}

int Random::below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }

Eigen::VectorXd Random::vector(int size, double bound) {
  Eigen::VectorXd v(size);
  for (double& x : v) x = uniform(-bound, bound);
  return v;
}

namespace {

/// Rejection: a point of the cube that lies in the ball (and not near its centre), projected to the sphere.
Eigen::VectorXd on_sphere(Random& random, int dimension) {
  for (;;) {
    const Eigen::VectorXd v = random.vector(dimension, 1.0);
    if (v.norm() <= 1.0 && v.norm() > 0.01) return v.normalized();
  }
}

}  // namespace

Eigen::Vector3d Random::unit3() { return on_sphere(*this, 3); }

Eigen::Vector4d Random::quaternion() { return on_sphere(*this, 4); }

}  // namespace featherline::test
