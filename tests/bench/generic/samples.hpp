#pragma once

#include "generic/spatial.hpp"

#include <random>
#include <vector>

namespace featherline::bench::generic {

/// Positions, velocities, and accelerations or torques; all of one length, for trees without floating joints.
struct Sample {
  VectorXd q, v, u;
};

inline std::vector<Sample> random_samples(int n, int count, double max_speed, double max_u) {
  std::mt19937 random{1};
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  const auto vector = [&](double bound) {
    return VectorXd{VectorXd::NullaryExpr(n, [&] { return bound * uniform(random); })};
  };
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    const VectorXd q = vector(3.0), v = vector(max_speed), u = vector(max_u);
    samples.push_back({q, v, u});
  }
  return samples;
}

}  // namespace featherline::bench::generic
