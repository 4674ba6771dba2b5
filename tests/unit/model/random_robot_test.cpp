// The random robots of the property tests, through the front end and without it.
#include "support/random_robot.hpp"

#include "support/relative_error.hpp"
#include "urdf/reader.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace featherline;

TEST_CASE("a random robot written as URDF reads back as the same tree, without an error") {
  test::RobotOptions options;
  options.joints = 14;
  options.mimic = 0.3;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const urdf::Description robot = test::random_robot(seed, options);
    Diagnostics findings;
    const urdf::Description read = urdf::read_string(test::to_urdf(robot), "random.urdf", findings);
    for (const Diagnostic& finding : findings.all()) CAPTURE(finding.message);
    REQUIRE_FALSE(findings.has_errors());
    const model::UserTree direct = test::tree_of(robot), through = model::build_tree(read, {}, findings);
    REQUIRE_FALSE(findings.has_errors());
    REQUIRE(through.bodies.size() == direct.bodies.size());
    CHECK(through.nq == direct.nq);
    CHECK(through.nv == direct.nv);
    for (std::size_t i = 0; i < direct.bodies.size(); ++i) {
      const model::Body &a = direct.bodies[i], &b = through.bodies[i];
      CHECK(a.joint.name == b.joint.name);
      CHECK(a.joint.type == b.joint.type);
      CHECK(a.parent == b.parent);
      CHECK(a.joint.mimics == b.joint.mimics);
      CHECK(a.joint.idx_v == b.joint.idx_v);
      CHECK(a.joint.pitch == b.joint.pitch);
      CHECK(test::relative_error(a.joint.placement.R, b.joint.placement.R) <= 1e-15);
      CHECK(test::relative_error(a.joint.placement.p, b.joint.placement.p) <= 1e-15);
      CHECK(test::relative_error(a.joint.axis, b.joint.axis) <= 1e-15);
      if (a.joint.type == model::JointType::universal) {
        CHECK(test::relative_error(a.joint.axis2, b.joint.axis2) <= 1e-15);
      }
      CHECK(test::relative_error(a.inertia.J, b.inertia.J) <= 1e-15);
    }
  }
}

TEST_CASE("every joint type occurs, and at the root and away from it over a few seeds") {
  std::set<model::JointType> at_root, away;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    test::RobotOptions options;
    options.joints = 9;
    std::set<model::JointType> here;
    for (const model::Body& body : test::random_tree(seed, options).bodies) {
      (body.parent < 0 ? at_root : away).insert(body.joint.type);
      here.insert(body.joint.type);
    }
    CHECK(here.size() == 9);
  }
  CHECK(at_root.size() == 9);
  CHECK(away.size() == 9);
}

TEST_CASE("states respect their bounds and are reproducible") {
  const model::UserTree tree = test::random_tree(3);
  const test::State state = test::random_state(tree, 7), again = test::random_state(tree, 7);
  CHECK(state.q == again.q);
  CHECK(state.v.cwiseAbs().maxCoeff() <= 10.0);
  CHECK(state.a.cwiseAbs().maxCoeff() <= 50.0);
  CHECK(state.a.cwiseAbs().maxCoeff() > 10.0);
  for (const model::Body& body : tree.bodies) {
    if (body.joint.type == model::JointType::spherical) {
      CHECK(state.q.segment<4>(body.joint.idx_q).norm() == doctest::Approx(1.0).epsilon(1e-14));
    }
    if (body.joint.type == model::JointType::floating) {
      CHECK(state.q.segment<4>(body.joint.idx_q + 3).norm() == doctest::Approx(1.0).epsilon(1e-14));
    }
  }
}
