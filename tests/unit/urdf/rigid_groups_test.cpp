#include "urdf/checks/rigid_groups.hpp"

#include <doctest/doctest.h>

using namespace featherline::urdf;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

Link link(const char* name, double mass, const Matrix3d& inertia, const Vector3d& com) {
  Link result;
  result.name = name;
  result.inertial = Inertial{};
  result.inertial->mass = mass;
  result.inertial->inertia = inertia;
  result.inertial->origin.xyz = com;
  return result;
}

Joint joint(JointType type, const char* parent, const char* child, const Vector3d& xyz, const Vector3d& rpy) {
  Joint result;
  result.name = child;
  result.type = type;
  result.parent = parent;
  result.child = child;
  result.origin.xyz = xyz;
  result.origin.rpy = rpy;
  return result;
}

}  // namespace

TEST_CASE("links welded together share a group, whatever their order in the file") {
  const Vector3d zero = Vector3d::Zero();
  Description robot;
  for (const char* name : {"tool", "base", "hand", "arm"})
    robot.links.push_back(link(name, 1, Matrix3d::Zero(), zero));
  robot.joints = {joint(JointType::fixed, "hand", "tool", zero, zero),
                  joint(JointType::revolute, "base", "arm", zero, zero),
                  joint(JointType::fixed, "arm", "hand", zero, zero)};
  const auto groups = rigid_groups(robot);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].links == std::vector<int>{1});
  CHECK(groups[1].links == std::vector<int>{3, 2, 0});
  CHECK(groups[1].mass == 3.0);
}

TEST_CASE("a dumbbell of two welded balls has the inertia of the textbook") {
  const double mass = 2.0, ball = 0.1, half = 0.5;
  const Matrix3d inertia = ball * Matrix3d::Identity();
  Description robot;
  // The second ball sits at x = 1 of the first; its own frame is turned and its centre of mass shifted back.
  robot.links = {link("one", mass, inertia, Vector3d(0, 0, 0)),
                 link("two", mass, inertia, Vector3d(0.25, 0, 0))};
  robot.joints = {
      joint(JointType::fixed, "one", "two", Vector3d(1, -0.25, 0), Vector3d(0, 0, 1.5707963267948966))};
  const auto groups = rigid_groups(robot);
  REQUIRE(groups.size() == 1);
  const Matrix3d expected =
      Vector3d(2 * ball, 2 * ball + 2 * mass * half * half, 2 * ball + 2 * mass * half * half).asDiagonal();
  CHECK((groups[0].inertia - expected).cwiseAbs().maxCoeff() < 1e-15);
}

TEST_CASE("principal moments come in order, with rounding set to zero") {
  Matrix3d rod = Matrix3d::Zero();
  rod.diagonal() << 2, 0, 1;
  CHECK(principal_moments(rod).isApprox(Vector3d(0, 1, 2), 1e-15));
  const Vector3d direction = Vector3d(1, 2, 3).normalized();
  const Matrix3d tilted = 1e-7 * (Matrix3d::Identity() - direction * direction.transpose());
  const Vector3d moments = principal_moments(tilted);
  CHECK(moments[0] == 0.0);
  CHECK(moments[1] == doctest::Approx(1e-7).epsilon(1e-12));
  CHECK(principal_moments(Matrix3d::Zero()) == Vector3d::Zero());
  CHECK(principal_moments(Matrix3d(1e-300 * Matrix3d::Identity()))[0] == doctest::Approx(1e-300));
}
