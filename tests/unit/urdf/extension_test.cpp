#include "formats/reader.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>
#include <urdf_parser/urdf_parser.h>

#include <string>

namespace extension_test {

using namespace featherline;
using namespace featherline::description;
using namespace featherline::formats;
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

// <featherline_constraint>, which closes loops and holds wheels. What is wrong with it is in tests/errors/cases.

using model::ConstraintType;

namespace {

std::string robot_with(const std::string& constraints) {
  return "<robot name='r'><link name='a'/><link name='b'/>"
         "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint>" +
         constraints + "</robot>";
}

Description read(const std::string& constraints) {
  Diagnostics diagnostics;
  Description robot = read_string(robot_with(constraints), "r.urdf", diagnostics);
  INFO(format_text(diagnostics));
  CHECK_FALSE(diagnostics.has_errors());
  return robot;
}

Constraint read_one(const std::string& constraint) {
  const Description robot = read(constraint);
  REQUIRE(robot.constraints.size() == 1);
  return robot.constraints[0];
}

const std::string two_ends = "<first link='a'/><second link='b'/>";
const std::string loop =
    "<featherline_constraint name='c' type='point'>" + two_ends + "</featherline_constraint>";

}  // namespace

TEST_CASE("a loop has two frames") {
  const Constraint pin = read_one(
      "<featherline_constraint name='pin' type='axis' axis='0 0.6 0.8'>\n"
      "<first link='a' xyz='1 2 3'/>\n<second link='b' rpy='0.1 0.2 0.3'/></featherline_constraint>");
  CHECK(pin.name == "pin");
  CHECK(pin.type == ConstraintType::loop_axis);
  CHECK(pin.axis.isApprox(Vector3d(0, 0.6, 0.8), 1e-15));
  REQUIRE(pin.ends.size() == 2);
  CHECK(pin.ends[0].link == "a");
  CHECK(pin.ends[0].origin.xyz == Vector3d(1, 2, 3));
  CHECK(pin.ends[0].origin.rpy == Vector3d::Zero());
  CHECK(pin.ends[1].link == "b");
  CHECK(pin.ends[1].origin.rpy == Vector3d(0.1, 0.2, 0.3));
  CHECK(pin.ends[1].line == 3);
}

TEST_CASE("a frame of a loop may be turned by a quaternion") {
  const Constraint pin = read_one(
      "<featherline_constraint name='pin' type='weld'><first link='a' quat_xyzw='0 0 2 0'/><second "
      "link='b'/></featherline_constraint>");
  REQUIRE(pin.ends.size() == 2);
  CHECK(rotation(pin.ends[0].origin).diagonal() == Vector3d(-1, -1, 1));
  CHECK(rotation(pin.ends[1].origin) == Eigen::Matrix3d::Identity());
}

TEST_CASE("the order of first and second is theirs, not that of the document") {
  const Constraint pin = read_one(
      "<featherline_constraint name='pin' type='weld'><second link='b'/><first "
      "link='a'/></featherline_constraint>");
  CHECK(pin.type == ConstraintType::loop_weld);
  REQUIRE(pin.ends.size() == 2);
  CHECK(pin.ends[0].link == "a");
}

TEST_CASE("wheels and links that do not slide have one frame") {
  const Constraint wheel = read_one(
      "<featherline_constraint name='w' type='rolling' axis='0 1 0' radius='0.25'><on link='b'/>"
      "</featherline_constraint>");
  CHECK(wheel.type == ConstraintType::rolling);
  CHECK(wheel.radius == 0.25);
  CHECK(wheel.axis == Vector3d(0, 1, 0));
  CHECK(wheel.ends.size() == 1);
  const Constraint keel =
      read_one("<featherline_constraint name='k' type='no_sliding'><on link='b'/></featherline_constraint>");
  CHECK(keel.type == ConstraintType::no_sliding);
  CHECK(keel.axis == Vector3d(0, 0, 1));
}

TEST_CASE("constraints keep the order of the document, and the dump shows them") {
  const Description robot =
      read("<featherline_constraint name='z' type='point'>" + two_ends + "</featherline_constraint>" +
           "<featherline_constraint name='y' type='weld'>" + two_ends + "</featherline_constraint>");
  REQUIRE(robot.constraints.size() == 2);
  CHECK(robot.constraints[0].name == "z");
  CHECK(dump(robot).find("constraint \"y\" loop_weld") != std::string::npos);
}

TEST_CASE("places that look like millimetres and turns that look like degrees are told") {
  Diagnostics diagnostics;
  read_string(robot_with("<featherline_constraint name='pin' type='point'><first link='a' xyz='120 0 0'/>"
                         "<second link='b' rpy='0 90 0'/></featherline_constraint>"),
              "r.urdf", diagnostics);
  const std::string text = format_text(diagnostics);
  CHECK(text.find("constraint \"pin\" is 120 m from link \"a\": this looks like millimetres") != text.npos);
  CHECK(text.find("constraint \"pin\" is turned by 90 rad: this looks like degrees") != text.npos);
}

TEST_CASE("urdfdom passes over the element, and the reader says nothing") {
  CHECK(::urdf::parseURDF(robot_with(loop)) != nullptr);
  Diagnostics diagnostics;
  read_string(robot_with(loop), "r.urdf", diagnostics);
  CHECK_MESSAGE(diagnostics.all().empty(), format_text(diagnostics));
}

}  // namespace extension_test
