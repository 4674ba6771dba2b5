#include "support/diagnostic.hpp"
#include "urdf/reader.hpp"

#include <doctest/doctest.h>
#include <urdf_parser/urdf_parser.h>

#include <string>

using namespace featherline;
using namespace featherline::urdf;
using Eigen::Vector3d;

namespace {

std::string robot_with(const std::string& fallback, const std::string& extension) {
  return "<robot name='r'><link name='a'/><link name='b'/>"
         "<joint name='j' type='" +
         fallback +
         "'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
         "<limit lower='-1' upper='1' velocity='1' effort='1'/>" +
         extension + "</joint></robot>";
}

Joint read_joint_of(const std::string& text) {
  Diagnostics diagnostics;
  const Description robot = read_string(text, "r.urdf", diagnostics);
  INFO(format_text(diagnostics));
  CHECK_FALSE(diagnostics.has_errors());
  REQUIRE(robot.joints.size() == 1);
  return robot.joints[0];
}

}  // namespace

TEST_CASE("the extension element gives the types URDF lacks") {
  CHECK(read_joint_of(robot_with("continuous", "<featherline_joint type='spherical'/>")).type ==
        JointType::spherical);
  const Joint cylindrical = read_joint_of(robot_with("prismatic", "<featherline_joint type='cylindrical'/>"));
  CHECK(cylindrical.type == JointType::cylindrical);
  CHECK(cylindrical.axis == Vector3d(0, 0, 1));
  const Joint helical =
      read_joint_of(robot_with("revolute", "<featherline_joint type='helical' pitch='-0.01'/>"));
  CHECK(helical.type == JointType::helical);
  CHECK(helical.pitch == -0.01);
  const Joint universal =
      read_joint_of(robot_with("fixed", "<featherline_joint type='universal' axis2='0 0.6 0.8'/>"));
  CHECK(universal.type == JointType::universal);
  CHECK(universal.axis == Vector3d(0, 0, 1));
  CHECK(universal.axis2.isApprox(Vector3d(0, 0.6, 0.8), 1e-15));
}

TEST_CASE("planar and floating joints need no extension") {
  CHECK(read_joint_of(robot_with("planar", "")).type == JointType::planar);
  CHECK(read_joint_of(robot_with("floating", "")).type == JointType::floating);
}

TEST_CASE("urdfdom reads the fallback type and minds nothing") {
  const auto model =
      ::urdf::parseURDF(robot_with("continuous", "<featherline_joint type='universal' axis2='0 1 0'/>"));
  REQUIRE(model != nullptr);
  CHECK(model->getJoint("j")->type == ::urdf::Joint::CONTINUOUS);
}
