#include "model/tree.hpp"

#include "joints/geometry.hpp"
#include "support/random.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using model::Inertia;
using model::Matrix3;
using model::Placement;
using model::Vector3;

namespace {

struct Particle {
  double mass;
  Vector3 r;
};

Inertia of_particles(const std::vector<Particle>& particles, const Placement& X_PB) {
  Inertia sum;
  for (const Particle& particle : particles) {
    const Vector3 r = X_PB.R * particle.r + X_PB.p;
    sum += {particle.mass, particle.mass * r,
            particle.mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose())};
  }
  return sum;
}

}  // namespace

TEST_CASE("the inertia of particles, summed in either frame, is the same") {
  test::Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Particle> particles;
    for (int k = 0; k < 5; ++k) particles.push_back({random.uniform(0.1, 2.0), random.vector(3, 1.0)});
    const Placement X_PB{model::rotation_from_rpy(random.vector(3, 3.0)), random.vector(3, 2.0)};
    const Inertia moved = of_particles(particles, {}).expressed_in(X_PB);
    const Inertia expected = of_particles(particles, X_PB);
    CHECK(moved.mass == expected.mass);
    CHECK((moved.h - expected.h).cwiseAbs().maxCoeff() <= 1e-14 * expected.mass * 4.0);
    CHECK((moved.J - expected.J).cwiseAbs().maxCoeff() <= 1e-14 * expected.J.norm());
    CHECK(moved.J == Matrix3(moved.J.transpose()));
  }
}

TEST_CASE("a massless body with rotational inertia keeps it when moved") {
  const Inertia rotor{0.0, Vector3::Zero(), Vector3(1.0, 2.0, 3.0).asDiagonal()};
  const Inertia moved = rotor.expressed_in({Matrix3::Identity(), Vector3(1.0, -2.0, 0.5)});
  CHECK(moved.J == rotor.J);
  CHECK(moved.h == Vector3::Zero());
}
