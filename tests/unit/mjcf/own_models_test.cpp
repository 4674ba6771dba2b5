#include "unit/mjcf/mujoco_values.hpp"

#include "formats/reader.hpp"
#include "model/build_tree.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string content_of(const char* path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

// The values are those of MuJoCo 3.14.0 (the npm package @mujoco/mujoco). NAME.json was computed from NAME.xml.
TEST_CASE("models of our own have MuJoCo's numbers") {
  const std::string folder = "tests/unit/mjcf/models/";
  for (const std::string name : {"matter", "mechanism", "attached", "drives", "springs", "tendons"})
    featherline::test::compare_with_mujoco(folder + name + ".xml", folder + name + ".json");
}

TEST_CASE("forces that are not read are errors where they would count") {
  using namespace featherline;
  const auto has_errors = [](model::JointDynamics dynamics, const std::string& joint,
                             const std::string& tendon) {
    Diagnostics findings;
    const std::string body =
        "<worldbody><body><joint name='j' " + joint + "/><geom size='1'/></body></worldbody>";
    const std::string tendons = "<tendon><fixed " + tendon + "><joint joint='j' coef='2'/></fixed></tendon>";
    const auto robot = formats::read_string("<mujoco>" + body + tendons + "</mujoco>", "m.xml", findings);
    model::BuildOptions options;
    options.joint_dynamics = dynamics;
    if (!findings.has_errors()) model::build_tree(robot, options, findings);
    return findings.has_errors();
  };
  using Dynamics = model::JointDynamics;
  CHECK_FALSE(has_errors(Dynamics::model, "", ""));
  CHECK(has_errors(Dynamics::model, "springdamper='1 1'", ""));
  CHECK_FALSE(has_errors(Dynamics::model, "", "stiffness='3'"));
  CHECK(has_errors(Dynamics::model, "", "stiffness='3 1'"));
  CHECK(has_errors(Dynamics::model, "", "stiffness='3' springlength='0 1'"));
  CHECK_FALSE(has_errors(Dynamics::armature, "", "stiffness='3' springlength='0 1'"));
  CHECK_FALSE(has_errors(Dynamics::model, "", "damping='3' springlength='0 1'"));
  CHECK(has_errors(Dynamics::off, "", "armature='-3'"));
  CHECK_FALSE(has_errors(Dynamics::armature, "springdamper='1 1'", "stiffness='3'"));
  CHECK(has_errors(Dynamics::model, "actuatorgravcomp='true'", ""));
  const std::string another = "/><geom size='1'/></body><body gravcomp='1'><joint ";
  CHECK(has_errors(Dynamics::model, another + "type='free' frictionloss='1'", ""));
  CHECK_FALSE(has_errors(Dynamics::model, another + "type='free' stiffness='1'", ""));
  CHECK(has_errors(Dynamics::model, another + "type='ball' stiffness='1 2'", ""));
  CHECK_FALSE(has_errors(Dynamics::model, another + "type='free' armature='1' damping='1'", ""));
  CHECK_FALSE(has_errors(Dynamics::armature, another + "type='free' frictionloss='1'", ""));
}

TEST_CASE("a model that cannot be attached is an error in the file that names it") {
  const auto said_of = [](const std::string& file) {
    featherline::Diagnostics findings;
    const std::string text = "<mujoco><asset><model name='m' file='" + file + "'/></asset></mujoco>";
    featherline::formats::read_string(text, "m.xml", findings);
    return format_text(findings);
  };
  CHECK(said_of("tests/unit/mjcf/models/parts/ring.xml").find("parts/ring.xml:3: error: ") !=
        std::string::npos);
  CHECK(said_of("robots/arm6.urdf").find("is unknown") != std::string::npos);
}

TEST_CASE(
    "a mesh file of MuJoCo's own format that is cut off, or whose faces or numbers are wrong, is an error") {
  const std::string good = content_of("tests/unit/mjcf/models/meshes/wedge.msh");
  const auto said_of = [](const std::string& bytes) {
    const auto path = std::filesystem::temp_directory_path() / "featherline_mjcf_test.msh";
    std::ofstream(path, std::ios::binary) << bytes;
    featherline::Diagnostics findings;
    featherline::formats::read_string("<mujoco><asset><mesh name='m' file='" + path.string() +
                                          "'/></asset><worldbody><body><joint/><geom type='mesh' mesh='m'/>"
                                          "</body></worldbody></mujoco>",
                                      "m.xml", findings);
    std::filesystem::remove(path);
    return format_text(findings);
  };
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  CHECK(said_of(good).find("error") == std::string::npos);
  CHECK(said_of(good.substr(0, 100)).find("is not an MSH file of the size") != std::string::npos);
  CHECK(said_of(with(8, "\xff\xff\xff\xff")).find("is not an MSH file of the size") != std::string::npos);
  CHECK(said_of(with(good.size() - 4, "\x7f\x7f")).find("without a vertex") != std::string::npos);
  CHECK(said_of(with(16, std::string("\0\0\xc0\x7f", 4))).find("not a number of metres") !=
        std::string::npos);
}

TEST_CASE("keyframes of an attached model are left out, and a note says so") {
  featherline::Diagnostics findings;
  const auto robot = featherline::formats::read_string(
      "<mujoco><asset><model name='m' file='tests/errors/robots/crane.xml'/></asset><worldbody>"
      "<attach model='m' body='mast' prefix='left '/></worldbody></mujoco>",
      "m.xml", findings);
  CHECK_FALSE(findings.has_errors());
  CHECK(robot.positions.empty());
  CHECK(format_text(findings).find("keyframes of an attached model are left out") != std::string::npos);
}

TEST_CASE("a joint that an equality locks is locked, or independent where mimics are") {
  using namespace featherline;
  Diagnostics findings;
  const auto robot = formats::read_string(
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='a' ref='0.3'/><geom size='1'/><body>"
      "<joint name='b' type='slide'/><geom size='1'/></body></body></worldbody>"
      "<equality><joint joint1='a' polycoef='0.2'/></equality></mujoco>",
      "m.xml", findings);
  for (const bool coupled : {true, false}) {
    description::Description locked = robot;
    model::lock_joints(locked, {}, coupled, false, findings);
    CHECK(locked.joints[0].locked.has_value() == coupled);
    if (coupled) CHECK(locked.joints[0].locked->position.front() == doctest::Approx(0.5));
    CHECK_FALSE(locked.joints[1].locked.has_value());
  }
  CHECK_FALSE(findings.has_errors());
}

TEST_CASE("the page for users of MuJoCo shows the code that this test tries") {
  const std::string mark = "// [page]\n", text = content_of("tests/coming_from_mujoco/convert.hpp");
  const std::size_t begin = text.find(mark) + mark.size();
  const std::string code = text.substr(begin, text.find(mark, begin) - begin);
  REQUIRE(code.size() > 500);
  CHECK(content_of("runtime/guide/coming_from_mujoco.md").find(code) != std::string::npos);
}
