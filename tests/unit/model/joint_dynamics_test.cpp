#include "model/joint_dynamics.hpp"

#include "support/random_robot.hpp"

#include <doctest/doctest.h>

using namespace featherline;

namespace {

model::UserTree two_joint_arm() {
  test::RobotOptions options;
  options.joints = 2;
  options.types = {urdf::JointType::revolute};
  return test::random_tree(1, options);
}

}  // namespace

TEST_CASE("a star sets every joint, a later line one of them") {
  model::UserTree tree = two_joint_arm();
  const std::string first = tree.bodies[0].joint.name;
  Diagnostics findings;
  model::set_joint_dynamics(tree, "# drives\n* 0.1 0.2 0.03  # all\n\n" + first + " 1 2 3\n", "drives.txt",
                            findings);
  CHECK(findings.all().empty());
  CHECK(tree.bodies[0].joint.damping == 1.0);
  CHECK(tree.bodies[0].joint.friction == 2.0);
  CHECK(tree.bodies[0].joint.armature == 3.0);
  CHECK(tree.bodies[1].joint.damping == 0.1);
  CHECK(tree.bodies[1].joint.armature == 0.03);
}

TEST_CASE("errors name the line") {
  const auto message = [](const std::string& text) {
    model::UserTree tree = two_joint_arm();
    Diagnostics findings;
    model::set_joint_dynamics(tree, text, "drives.txt", findings);
    REQUIRE(findings.all().size() == 1);
    return std::to_string(findings.all().front().where.line) + ": " + findings.all().front().message;
  };
  CHECK(message("\n* 0.1 0.2\n") == "2: 3 words where four belong");
  CHECK(message("* 0.1 -1 0\n") == "1: \"-1\" is not a finite number of at least zero");
  CHECK(message("* 0.1 nan 0\n") == "1: \"nan\" is not a finite number of at least zero");
  CHECK(message("elbow 0 0 0\n") == "1: there is no joint \"elbow\" that turns about or slides along axes");
}
