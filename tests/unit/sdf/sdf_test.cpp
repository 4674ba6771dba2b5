#include "formats/reader.hpp"
#include "model/build_tree.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <string>

namespace sdf_test {

using namespace featherline;
using description::Description;
using model::JointType;

Description read(const std::string& model, Diagnostics& findings) {
  return formats::read_string("<sdf version='1.12'>" + model + "</sdf>", "robot.sdf", findings);
}

Description read(const std::string& model) {
  Diagnostics findings;
  Description robot = read(model, findings);
  CHECK_MESSAGE(!findings.has_errors(), format_text(findings));
  return robot;
}

const description::Joint& joint_of(const Description& robot, const std::string& name) {
  for (const description::Joint& joint : robot.joints) {
    if (joint.name == name) return joint;
  }
  FAIL("no joint ", name);
  throw 0;
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more = "<axis/>") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
         "</child>" + more + "</joint>";
}

std::string links(const std::string& names) {
  std::string text;
  for (const char name : names) text += "<link name='" + std::string(1, name) + "'/>";
  return text;
}

TEST_CASE("screws advance as the file says, in both notations") {
  const std::string model =
      "<model name='m'>" + links("abc") +
      joint("new", "screw", "a", "b", "<axis/><screw_thread_pitch>0.02</screw_thread_pitch>") +
      joint("old", "screw", "b", "c", "<axis/><thread_pitch>-50</thread_pitch>") + "</model>";
  const Description robot = read(model);
  CHECK(joint_of(robot, "new").pitch == doctest::Approx(0.02 / (2.0 * std::numbers::pi)).epsilon(1e-15));
  CHECK(joint_of(robot, "old").pitch == 0.02);  // -50 rad/m of a left-handed thread
  CHECK(joint_of(robot, "new").type == JointType::helical);
}

TEST_CASE("a joint follows another by SDF's formula") {
  const Description robot =
      read("<model name='m'>" + links("abc") + joint("lead", "revolute", "a", "b") +
           joint("follow", "revolute", "b", "c",
                 "<axis><mimic joint='lead'><multiplier>2</multiplier><offset>0.3</offset>"
                 "<reference>0.1</reference></mimic></axis>") +
           "</model>");
  const auto& mimic = joint_of(robot, "follow").mimic;
  REQUIRE(mimic);
  CHECK(mimic->joint == "lead");
  CHECK(mimic->multiplier == 2.0);
  CHECK(mimic->offset == doctest::Approx(0.3 - 2.0 * 0.1));
}

TEST_CASE("loops are constraints of what their joint holds, and joints without such a constraint stay") {
  struct Row {
    const char* type;
    std::optional<model::ConstraintType> constraint;
  };
  for (const Row& row :
       {Row{"revolute", model::ConstraintType::loop_axis}, Row{"fixed", model::ConstraintType::loop_weld},
        Row{"ball", model::ConstraintType::loop_point}, Row{"prismatic", std::nullopt}}) {
    const Description robot =
        read("<model name='m'>" + links("abc") + joint("ab", "revolute", "a", "b") +
             joint("bc", "revolute", "b", "c") + joint("ac", row.type, "a", "c") + "</model>");
    INFO(row.type);
    REQUIRE(robot.constraints.size() == 1);
    CHECK(robot.constraints[0].name == (row.constraint ? "ac" : "bc"));
    CHECK(robot.constraints[0].type == row.constraint.value_or(model::ConstraintType::loop_axis));
    CHECK(robot.constraints[0].axis == Eigen::Vector3d::UnitZ());
  }
}

TEST_CASE("what a cut joint and a joint of two axes cannot have is an error where it would count") {
  const auto has_errors = [](model::JointDynamics dynamics, const std::string& text) {
    Diagnostics findings;
    const Description robot = read("<model name='m'>" + text + "</model>", findings);
    REQUIRE_MESSAGE(!findings.has_errors(), format_text(findings));
    model::BuildOptions options;
    options.joint_dynamics = dynamics;
    model::build_tree(robot, options, findings);
    return findings.has_errors();
  };
  const std::string damped = "<axis><dynamics><damping>1</damping></dynamics></axis>";
  const std::string loop = links("abc") + joint("ab", "revolute", "a", "b") +
                           joint("bc", "revolute", "b", "c") + joint("ac", "revolute", "a", "c", damped);
  const std::string wheel =
      links("ab") + joint("ab", "universal", "a", "b", damped + "<axis2><xyz>1 0 0</xyz></axis2>");
  for (const std::string& text : {loop, wheel}) {
    CHECK(has_errors(model::JointDynamics::model, text));
    CHECK_FALSE(has_errors(model::JointDynamics::off, text));
  }
}

TEST_CASE("different limits of two axes are left out, and a note says so") {
  Diagnostics findings;
  const std::string axes = "<axis/><axis2><xyz>1 0 0</xyz><limit><upper>1</upper></limit></axis2>";
  const Description robot = read(
      "<model name='m'>" + links("ab") + joint("ab", "universal", "a", "b", axes) + "</model>", findings);
  CHECK(*robot.joints.front().limits->upper == std::numeric_limits<double>::infinity());
  CHECK(format_text(findings).find("have different limits, which are left out") != std::string::npos);
}

TEST_CASE("a static model is welded to the world, and dynamics are off unless asked for") {
  const Description still = read("<model name='m'><static>true</static><pose>1 0 0 0 0 0</pose>" +
                                 links("ab") + joint("ab", "revolute", "a", "b") + "</model>");
  REQUIRE(still.joints.size() == 2);
  for (const description::Joint& weld : still.joints) {
    CHECK(weld.type == JointType::fixed);
    CHECK(weld.parent == "world");
    CHECK(weld.origin.xyz == Eigen::Vector3d::UnitX());
  }
  CHECK_FALSE(still.armature_by_default);
}

TEST_CASE("without a joint to the world the uppermost link is the base, and turned joints keep their q") {
  const Description robot =
      read("<model name='m'><pose>0 0 1 0 0 0</pose>" + links("abc") + joint("ab", "revolute", "a", "b") +
           joint("cb", "revolute", "c", "b", "<pose relative_to='b'>0 0 0 0 0 0</pose><axis/>") + "</model>");
  CHECK(joint_of(robot, "ab").parent == "a");
  CHECK(joint_of(robot, "cb").parent == "b");
  CHECK(joint_of(robot, "cb").axis == -Eigen::Vector3d::UnitZ());
  CHECK_FALSE(robot.gravity);
}

TEST_CASE("a joint may turn about a point beside its child") {
  const Description robot =
      read("<model name='m'>" + links("ab") +
           joint("ab", "revolute", "a", "b", "<pose>0 0.5 0 0 0 0</pose><axis/>") + "</model>");
  CHECK(joint_of(robot, "ab").origin.xyz == 0.5 * Eigen::Vector3d::UnitY());
  CHECK(joint_of(robot, "b_fixed").origin.xyz == -0.5 * Eigen::Vector3d::UnitY());
}

TEST_CASE("a quaternion of any length and degrees place what they place") {
  const Description robot = read(
      "<model name='m'><link name='a'/><link name='b'><pose rotation_format='quat_xyzw'>1 2 3 0 0 2 "
      "2</pose></link>"
      "<link name='c'><pose degrees='true'>1 2 3 0 0 90</pose></link>" +
      joint("ab", "revolute", "a", "b") + joint("ac", "revolute", "a", "c") + "</model>");
  for (const char* name : {"ab", "ac"}) {
    const Eigen::Matrix3d R = description::rotation(joint_of(robot, name).origin);
    CHECK((R.col(0) - Eigen::Vector3d::UnitY()).norm() < 1e-15);
    CHECK(joint_of(robot, name).origin.xyz == Eigen::Vector3d(1.0, 2.0, 3.0));
  }
}

TEST_CASE("all files are named, and one that includes itself is an error of its own line") {
  Diagnostics findings;
  const Description robot = formats::read_file("tests/unit/sdf/models/mechanism.sdf", findings);
  CHECK_FALSE(findings.has_errors());
  const std::string folder = "tests/unit/sdf/models/";
  CHECK(robot.other_files == std::vector<std::string>{folder + "claw/claw.sdf", folder + "claw/model.config",
                                                      folder + "rail.sdf"});
  CHECK(*robot.gravity == Eigen::Vector3d(0.0, 0.5, -9.7));

  const std::filesystem::path file = std::filesystem::temp_directory_path() / "featherline_sdf_test_loop.sdf";
  std::ofstream(file) << "<sdf version='1.9'><model name='m'>\n<include><uri>" << file.filename().string()
                      << "</uri></include></model></sdf>";
  Diagnostics loop;
  formats::read_file(file.string(), loop);
  std::filesystem::remove(file);
  REQUIRE(loop.all().size() == 1);
  CHECK(loop.all().front().message.find("includes itself") != std::string::npos);
  CHECK(loop.all().front().where.line == 2);
}

}  // namespace sdf_test
