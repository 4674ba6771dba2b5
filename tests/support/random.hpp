#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <random>

namespace featherline::test {

/// Seeded numbers that are the same with every standard library (the distributions of <random> are not).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// In [lower, upper).
  double uniform(double lower, double upper);
  /// In 0 .. count - 1.
  int below(int count);
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  /// Entries in [-bound, bound).
  Eigen::VectorXd vector(int size, double bound);
  /// Uniform on the sphere.
  Eigen::Vector3d unit3();
  /// Unit quaternion [x y z w], uniform over rotations.
  Eigen::Vector4d quaternion();

 private:
  std::mt19937_64 engine_;
};

}  // namespace featherline::test
