#include "joints/geometry.hpp"
#include "joints/joint_table.hpp"
#include "model/build_tree.hpp"
#include "model/canonical.hpp"
#include "model/tree.hpp"
#include "support/random.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace featherline;
using model::Coordinate;
using model::JointRow;
using model::JointType;
using model::Motion;

namespace {

int count(const JointRow& row, Coordinate kind) {
  return static_cast<int>(std::count(row.coordinates.begin(), row.coordinates.end(), kind));
}

}  // namespace

TEST_CASE("every joint type has one row and a name of its own") {
  std::set<std::string> names;
  std::set<JointType> types;
  for (const JointRow& row : model::joint_table()) {
    names.insert(row.name());
    types.insert(row.type);
    CHECK(&model::row_of(row.type) == &row);
    CHECK(model::find_joint_type(row.name()) == &row);
  }
  CHECK(names.size() == model::joint_table().size());
  CHECK(types.size() == model::joint_table().size());
  CHECK(model::find_joint_type("Revolute") == nullptr);
  CHECK(model::joint_type_names(true) == "fixed, revolute, continuous, prismatic, floating or planar");
}

TEST_CASE("coordinates and motions of a row belong together") {
  for (const JointRow& row : model::joint_table()) {
    CAPTURE(row.name());
    const bool has_quaternion = row.quaternion() >= 0;
    CHECK(count(row, Coordinate::quaternion) == (has_quaternion ? 4 : 0));
    CHECK(row.nq() == row.nv() + (has_quaternion ? 1 : 0));
    CHECK(count(row, Coordinate::length) == row.num_slides());
    CHECK(count(row, Coordinate::angle) == (has_quaternion ? 0 : row.num_turns()));
    if (has_quaternion) CHECK(row.num_turns() == 3);
    if (row.is_split()) {
      CHECK(row.unidentifiable == model::Unidentifiable::nothing);
      for (const Motion& motion : row.motions)
        CHECK(model::row_of(model::type_with_one_axis(motion.kind)).has_one_axis());
    }
  }
}

TEST_CASE("a canonical tree has as many coordinates and no joint with several axes") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const model::UserTree tree = test::random_tree(seed, {.joints = 12});
    const model::CanonicalTree canonical = model::canonicalise(tree);
    int nv = 0;
    for (const model::Body& body : canonical.bodies) {
      CHECK_FALSE(body.joint.row().is_split());
      if (body.joint.row().has_one_axis()) CHECK(body.joint.axis == model::Vector3::UnitZ());
      nv += body.joint.nv;
    }
    CHECK(nv == tree.nv);
  }
}

namespace {

model::UserTree two_joint_arm() {
  test::RobotOptions options;
  options.joints = 2;
  options.types = {model::JointType::revolute};
  return test::random_tree(1, options);
}

}  // namespace

TEST_CASE("a star sets every joint, a later line one of them") {
  model::UserTree tree = two_joint_arm();
  const std::string first = tree.bodies[0].joint.name;
  Diagnostics findings;
  model::set_joint_dynamics(tree, "# drives\n* 0.1 0.2 0.03  # all\n\n" + first + " 1 2 3 4 -5\n",
                            "drives.txt", findings);
  CHECK(findings.all().empty());
  CHECK(tree.bodies[0].joint.damping == 1.0);
  CHECK(tree.bodies[0].joint.friction == 2.0);
  CHECK(tree.bodies[0].joint.armature == 3.0);
  CHECK(tree.bodies[0].joint.stiffness == 4.0);
  CHECK(tree.bodies[0].joint.rest == -5.0);
  CHECK(tree.bodies[1].joint.damping == 0.1);
  CHECK(tree.bodies[1].joint.armature == 0.03);
}

TEST_CASE("a ball has a spring where a line names it") {
  test::RobotOptions options;
  options.joints = 2;
  options.types = {model::JointType::spherical};
  model::UserTree tree = test::random_tree(1, options);
  const std::string first = tree.bodies[0].joint.name;
  Diagnostics findings;
  model::set_joint_dynamics(tree, "* 1 0 0 7 0\n" + first + " 1 0 0 4 0\n", "drives.txt", findings);
  CHECK(findings.all().empty());
  CHECK(tree.bodies[0].joint.stiffness == 4.0);
  CHECK(tree.bodies[1].joint.stiffness == 0.0);
  model::set_joint_dynamics(tree, "\n" + first + " 1 0 0 4 0.5\n", "drives.txt", findings);
  REQUIRE(findings.all().size() == 1);
  CHECK(
      format(findings.all().front()) ==
      "drives.txt:2: error: the spring of a ball is at rest where the ball is not turned; write 0 for REST");
}

TEST_CASE("errors name the line") {
  const auto message = [](const std::string& text) {
    model::UserTree tree = two_joint_arm();
    Diagnostics findings;
    model::set_joint_dynamics(tree, text, "drives.txt", findings);
    REQUIRE(findings.all().size() == 1);
    return std::to_string(findings.all().front().where.line) + ": " + findings.all().front().message;
  };
  CHECK(message("\n* 0.1 0.2\n") == "2: 3 words where four or six belong");
  CHECK(message("* 0.1 -1 0\n") == "1: \"-1\" is not a finite number of at least zero");
  CHECK(message("* 0.1 nan 0\n") == "1: \"nan\" is not a finite number of at least zero");
  CHECK(message("* 0 0 0 -1 0\n") == "1: \"-1\" is not a finite number of at least zero");
  CHECK(message("* 0 0 0 1\n") == "1: 5 words where four or six belong");
  CHECK(message("elbow 0 0 0\n") == "1: there is no joint \"elbow\" that turns about or slides along axes");
}

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
