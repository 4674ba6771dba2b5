#include "formats/reader.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

using namespace featherline;
using namespace featherline::description;
using namespace featherline::formats;
using Eigen::Vector3d;

namespace {

const std::string arm = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="zeta"/>
  <link name="alpha">
    <visual><geometry><mesh filename="package://does_not/exist.dae"/></geometry></visual>
    <inertial>
      <origin rpy="0.1 0.2 0.3"
              xyz="1 2 3"/>
      <mass value="4"/>
      <inertia ixx="0.5" ixy="0.01" ixz="0.02" iyy="0.6" iyz="0.03" izz="0.7"/>
    </inertial>
  </link>
  <link name="mid"/>
  <joint name="second" type="prismatic">
    <parent link="zeta"/>
    <child link="mid"/>
    <axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" velocity="2" effort="30"/>
    <dynamics damping="0.7" friction="0.1"/>
  </joint>
  <joint name="first" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 0.5"/>
    <parent link="mid"/>
    <child link="alpha"/>
    <axis xyz="0 0.6 0.8"/>
    <limit lower="-1" upper="1" velocity="2" effort="30"/>
    <mimic joint="second" multiplier="2" offset="0.25"/>
  </joint>
</robot>
)";

Description read(const std::string& text) {
  Diagnostics diagnostics;
  Description description = read_string(text, "arm.urdf", diagnostics);
  INFO(format_text(diagnostics));
  CHECK_FALSE(diagnostics.has_errors());
  return description;
}

}  // namespace

TEST_CASE("links are read as written, in document order, with lines") {
  const Description robot = read(arm);
  CHECK(robot.name == "arm");
  CHECK(robot.file == "arm.urdf");
  CHECK(robot.line == 2);
  REQUIRE(robot.links.size() == 3);
  CHECK(robot.links[0].name == "zeta");
  CHECK_FALSE(robot.links[0].inertial.has_value());
  CHECK(robot.links[1].name == "alpha");
  CHECK(robot.links[2].name == "mid");
  const Inertial& inertial = robot.links[1].inertial.value();
  CHECK(inertial.mass == 4.0);
  CHECK(inertial.origin.xyz == Vector3d(1, 2, 3));
  CHECK(inertial.origin.rpy == Vector3d(0.1, 0.2, 0.3));
  Eigen::Matrix3d expected;
  expected << 0.5, 0.01, 0.02, 0.01, 0.6, 0.03, 0.02, 0.03, 0.7;
  CHECK(inertial.inertia == expected);
  CHECK(robot.links[1].line == 4);
  CHECK(inertial.line == 6);
  CHECK(inertial.mass_line == 9);
  CHECK(inertial.inertia_line == 10);
}

TEST_CASE("joints are read as written, in document order, with lines") {
  const Description robot = read(arm);
  REQUIRE(robot.joints.size() == 2);
  const Joint& second = robot.joints[0];
  CHECK(second.name == "second");
  CHECK(second.type == JointType::prismatic);
  CHECK(second.parent == "zeta");
  CHECK(second.child == "mid");
  CHECK(second.axis == Vector3d(1, 0, 0));
  CHECK(second.limits.value().lower == -0.5);
  CHECK(second.limits->upper == 0.5);
  CHECK(second.limits->velocity == 2.0);
  CHECK(second.limits->effort == 30.0);
  CHECK(second.dynamics.value().damping == 0.7);
  CHECK(second.dynamics->friction == 0.1);
  CHECK_FALSE(second.mimic.has_value());
  const Joint& first = robot.joints[1];
  CHECK(first.name == "first");
  CHECK(first.origin.xyz == Vector3d(0, 0, 1));
  CHECK(first.origin.rpy == Vector3d(0, 0, 0.5));
  CHECK(first.axis.isApprox(Vector3d(0, 0.6, 0.8), 1e-15));
  CHECK(first.mimic.value().joint == "second");
  CHECK(first.mimic->multiplier == 2.0);
  CHECK(first.mimic->offset == 0.25);
  CHECK(first.line == 21);
  CHECK(first.parent_line == 23);
  CHECK(first.child_line == 24);
  CHECK(first.axis_line == 25);
}

TEST_CASE(
    "rotor inertia of a transmission is armature, by Drake's gear ratio, or else by a mechanical reduction") {
  const auto armature = [](const std::string& actuator) {
    std::string text = arm;
    text.insert(text.rfind("</robot>"), "<transmission name='t'> <joint name='second'/> <actuator name='m'>" +
                                            actuator + "</actuator> </transmission>");
    return read(text).joints.front().dynamics.value().armature;
  };
  const std::string rotor = "<drake:rotor_inertia value='0.25'/>",
                    reduction = "<mechanicalReduction>-4</mechanicalReduction>";
  CHECK(armature(rotor) == 0.25);
  CHECK(armature(reduction) == 0.0);
  CHECK(armature(reduction + rotor) == 4.0);
  CHECK(armature(reduction + rotor + "<drake:gear_ratio value='8'/>") == 16.0);
}

TEST_CASE("an axis of any length becomes a unit vector, without overflow or underflow") {
  for (const char* axis : {"0 0.003 0.004", "0 3e14 4e14", "0 3e-300 4e-300"}) {
    INFO(axis);
    std::string text = arm;
    text.replace(text.find("0 0.6 0.8"), 9, axis);
    CHECK(read(text).joints[1].axis.isApprox(Vector3d(0, 0.6, 0.8), 1e-14));
  }
}

TEST_CASE("a unit axis keeps its exact numbers") {
  std::string text = arm;
  text.replace(text.find("0 0.6 0.8"), 9, "0 -1 0");
  CHECK(read(text).joints[1].axis == Vector3d(0, -1, 0));
}

TEST_CASE("lines of attributes, not of their element, are reported") {
  std::string text = arm;
  text.replace(text.find("1 2 3"), 5, "1 2 x");
  Diagnostics diagnostics;
  read_string(text, "arm.urdf", diagnostics);
  REQUIRE(diagnostics.count(Severity::error) == 1);
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity != Severity::error) continue;
    CHECK(finding.where.line == 8);
    CHECK(finding.where.element == "robot/link \"alpha\"/inertial/origin");
  }
}

TEST_CASE("carriage returns and a byte order mark change nothing") {
  std::string text = "\xef\xbb\xbf" + arm;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) text.insert(at, "\r");
  const Description robot = read(text);
  CHECK(robot.joints[1].line == 21);
  CHECK(robot.links[1].inertial->origin.xyz == Vector3d(1, 2, 3));
}

TEST_CASE("what could be read is returned beside the errors") {
  std::string text = arm;
  text.replace(text.find("\"4\""), 3, "\"4kg\"");
  Diagnostics diagnostics;
  const Description robot = read_string(text, "arm.urdf", diagnostics);
  CHECK(diagnostics.has_errors());
  CHECK(robot.links.size() == 3);
  CHECK(robot.joints.size() == 2);
}

TEST_CASE("a file is read from disk, and hashed as it lies there") {
  const auto path = std::filesystem::temp_directory_path() / "featherline_reader_test.urdf";
  std::ofstream(path, std::ios::binary) << arm;
  Diagnostics diagnostics;
  const Description from_file = read_file(path.string(), diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(from_file.file == path.string());
  CHECK(from_file.sha256 == read(arm).sha256);
  std::filesystem::remove(path);
}

TEST_CASE("files that cannot be read are told as such") {
  Diagnostics diagnostics;
  read_file("no/such/file.urdf", diagnostics);
  read_file(".", diagnostics);
  CHECK(format_text(diagnostics) ==
        ".: error: is a directory; name the file of the robot inside\n"
        "no/such/file.urdf: error: cannot be opened: No such file or directory; check the path and its "
        "permissions\n");
}

TEST_CASE("files of other formats are named, however they begin") {
  const auto told = [](const std::string& text, const std::string& name) {
    Diagnostics diagnostics;
    read_string(text, name, diagnostics);
    CHECK(diagnostics.all().size() == 1);
    return format_text(diagnostics);
  };
  CHECK(told(std::string("PXR-USDC\0\0\1", 11), "arm.usd").find("this is USD") != std::string::npos);
  CHECK(told(std::string("\x80\0\0\1", 4), "arm.STL").find("this is a mesh (STL)") != std::string::npos);
  CHECK(told("{\"asset\": {}}", "arm.gltf").find("this is a mesh (glTF)") != std::string::npos);
  for (const char* name : {"arm.zip", "arm.urdf"})
    CHECK(told("PK\x03\x04", name).find("this is a zip archive") != std::string::npos);
  CHECK(told("\xef\xbb\xbf \n<HTML><br></HTML>", "arm.urdf").find("this is a web page") != std::string::npos);
  CHECK(told("<mujocoinclude/>", "arm.xml")
            .find("the top-level element is <mujocoinclude>: a part for other files of MJCF, not a model by "
                  "itself; give the file that includes it, with <robot> (URDF) or <mujoco> (MJCF) or <sdf> "
                  "(SDF)") != std::string::npos);
  for (const std::string part : {"virtual_joint", "end_effector", "disable_default_collisions"})
    CHECK(told("<robot name='r'><" + part + "/></robot>", "r").find("this is SRDF") != std::string::npos);
}

TEST_CASE("the name of a file alone does not make it another format") {
  Diagnostics diagnostics;
  read_string(arm, "arm.stl", diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  Diagnostics empty;
  read_string("", "arm.urdf", empty);
  CHECK(format_text(empty).find("holds no XML element") != std::string::npos);
}

TEST_CASE("every truncation of a robot is an error, never a crash or a smaller robot") {
  for (std::size_t length = 0; length + 9 < arm.size(); length += 3) {
    Diagnostics diagnostics;
    read_string(arm.substr(0, length), "arm.urdf", diagnostics);
    INFO(length);
    CHECK(diagnostics.has_errors());
  }
}

TEST_CASE("nothing is printed to the console") {
  // urdfdom writes to std::cerr through console_bridge unless it is silenced.
  std::string text = arm;
  text.replace(text.find("    <limit lower=\"-1\""), 57, "");
  std::ostringstream captured;
  std::streambuf* const err = std::cerr.rdbuf(captured.rdbuf());
  std::streambuf* const out = std::cout.rdbuf(captured.rdbuf());
  Diagnostics diagnostics;
  read_string(text, "arm.urdf", diagnostics);
  std::cerr.rdbuf(err);
  std::cout.rdbuf(out);
  CHECK(captured.str().empty());
  CHECK(format_text(diagnostics).find("urdfdom, the parser of the ROS tools, refuses") != std::string::npos);
}

TEST_CASE("our own robots give neither error nor warning") {
  for (const auto& entry : std::filesystem::directory_iterator("robots")) {
    if (entry.path().extension() != ".urdf") continue;
    Diagnostics findings;
    formats::read_file(entry.path().string(), findings);
    INFO(format_text(findings));
    CHECK_FALSE(findings.has_errors());
    CHECK_FALSE(findings.has_warnings());
  }
}
