#include "cli/commands.hpp"
#include "model/overview.hpp"
#include "pipeline.hpp"
#include "run_featherline.hpp"
#include "support/random_robot.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

/// A robot from text, read as `featherline inspect` reads it.
Robot robot_from(const std::string& urdf) {
  cli::TemporaryFolder folder;
  test::write_text(folder.path() / "robot.urdf", urdf);
  Diagnostics findings;
  return read_robot((folder.path() / "robot.urdf").string(), {}, findings);
}

std::string chain(int links) {
  const std::string inertial =
      R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";
  std::string text = R"(<robot name="chain"><link name="l0"/>)";
  for (int i = 1; i <= links; ++i) {
    const std::string k = std::to_string(i);
    text += "<link name=\"l" + k + "\">" + inertial + "</link><joint name=\"j" + k +
            "\" type=\"continuous\"><parent link=\"l" + std::to_string(i - 1) + "\"/><child link=\"l" + k +
            "\"/><axis xyz=\"0 0 1\"/></joint>";
  }
  return text + "</robot>";
}

}  // namespace

TEST_CASE("text: size, mass, base, tree, coordinates") {
  const std::string text = run_featherline({"inspect", test::planar3}).out;
  CHECK(contains(text, "robot \"planar3\" (robots/planar3.urdf)"));
  CHECK(contains(text, "5 links, 3 moving bodies, nq = 3, nv = 3"));
  CHECK(contains(text, "1.2 kg in all: 1.2 kg moving, 0 kg welded to the world"));
  CHECK(contains(text, "fixed: the root link is welded to the world; --base floating lets it move"));
  CHECK(contains(text, "    + \"base_link\"\n"));
  CHECK(contains(text, "      \"link2\"  <- revolute \"joint2\", q[1] v[1]\n"));
  CHECK(contains(text, "          + \"tool\"\n"));
  const std::string floating = run_featherline({"inspect", test::planar3, "--base", "floating"}).out;
  CHECK(contains(floating, "floating \"root_joint\", q[0..6] v[0..5]"));
}

TEST_CASE("MJCF: what its joints add, positions, and a base that is free by a joint of the file") {
  cli::TemporaryFolder folder;
  const std::string file = (folder.path() / "r.xml").string();
  test::write_text(file,
                   R"(<mujoco model="r"><worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/>
    <geom size="1"/><body><joint name="knee" axis="0 1 0" armature="0.1" damping="2" stiffness="3" springref="0"/>
    <geom size="1"/></body></body></worldbody>
    <keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.5"/></keyframe></mujoco>)");
  const std::string text = run_featherline({"inspect", file, "--joint-dynamics", "model"}).out;
  CHECK(contains(text, "fixed: the root link is the world, and joint \"root\" moves freely in it"));
  CHECK(contains(text, "\"knee\"  armature 0.1, damping 2, stiffness 3, rest 0\n"));
  CHECK(contains(text, "\"home\"    0 0 1 0 0 0 1 0.5\n"));
  const auto json = nlohmann::json::parse(run_featherline({"inspect", file, "--format", "json"}).out);
  CHECK(json["bodies"][1]["joint"]["dynamics"] == nlohmann::json{{"armature", 0.1}});
  CHECK(json["positions"]["home"].size() == 8);
  const test::Answer refused = run_featherline({"inspect", file, "--base", "floating"});
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err,
                 "--base floating: joint \"root\" of the robot's file moves freely already; leave it out"));
}

TEST_CASE("JSON holds the same") {
  const auto json = nlohmann::json::parse(run_featherline({"inspect", test::planar3, "--format=json"}).out);
  CHECK(json["nq"] == 3);
  CHECK(json["base"] == "fixed");
  CHECK(json["bodies"].size() == 3);
  CHECK(json["links"].size() == 5);
  CHECK(json["bodies"][1]["joint"]["name"] == "joint2");
  CHECK(json["bodies"][1]["parent"] == 0);
  CHECK(json["bodies"][2]["joint"]["idx_v"] == 2);
  CHECK(json["input_sha256"].get<std::string>().size() == 64);
  CHECK(json["diagnostics"].is_array());
}

TEST_CASE("limits a URDF does not give are null in JSON and a dash in text") {
  const std::string pendulum = "robots/double_pendulum.urdf";
  const auto json = nlohmann::json::parse(run_featherline({"inspect", pendulum, "--format=json"}).out);
  CHECK(json["bodies"][0]["joint"]["limits"]["lower"].is_null());
  CHECK(contains(run_featherline({"inspect", pendulum}).out, "continuous      -      -"));
}

TEST_CASE("text: tables are aligned whatever characters a name has, and a cut name shows it") {
  std::string urdf = chain(3);
  const auto rename = [&](const std::string& from, const std::string& to) {
    for (std::size_t at; (at = urdf.find('"' + from + '"')) != std::string::npos;)
      urdf.replace(at, from.size() + 2, '"' + to + '"');
  };
  rename("j1", "\u80a9\u5173\u8282");  // three wide characters
  rename("j2", std::string(70, 'x') + "\u00e4");
  urdf.replace(urdf.find("<axis xyz=\"0 0 1\""), 17, "<axis xyz=\"1e-9 -0.12345678 -0.98765432\"");
  const std::string text = cli::inspect_text(robot_from(urdf));
  CHECK(contains(text, "  0  0  \"\u80a9\u5173\u8282\"                                  continuous      -"));
  CHECK(contains(text, "  1  1  \"xxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxx\u00e4\"  continuous      -"));
  CHECK(contains(text, "  2  2  \"j3\"                                      continuous      -"));
  CHECK(contains(text, "  ~0  -0.124035  -0.992278"));
  CHECK(contains(text, "\n(names with ... are cut; --format=json has them whole)\n"));
  CHECK_FALSE(contains(cli::inspect_text(robot_from(chain(3))), "are cut"));
}

TEST_CASE("text: a joint without an axis shows none, and mimic joints say what they equal") {
  const std::string floating = run_featherline({"inspect", test::planar3, "--base", "floating"}).out;
  const std::size_t row = floating.find("\"root_joint\"", floating.find("\nbodies"));
  REQUIRE(row != std::string::npos);
  std::istringstream cells(floating.substr(row));
  const std::vector<std::string> words{std::istream_iterator<std::string>(cells), {}};
  REQUIRE(words.size() > 6);
  CHECK(std::vector<std::string>(words.begin() + 4, words.begin() + 7) ==
        std::vector<std::string>{"-", "-", "-"});
  const std::string fingers = run_featherline({"inspect", "robots/mobile_manipulator.urdf"}).out;
  CHECK(contains(fingers, "  = \"left_finger_slide\"\n"));
}

TEST_CASE("dot: one node per body, one edge per joint, hostile names harmless") {
  std::string urdf = chain(2);
  for (std::size_t at; (at = urdf.find("\"l2\"")) != std::string::npos;) {
    urdf.replace(at, 4, "\"&lt;b&gt;&quot;];//\\\"");
  }
  const Robot robot = robot_from(urdf);
  const std::string dot = cli::inspect_dot(robot);
  CHECK(contains(dot, "body0 -> body1"));
  CHECK(contains(dot, "world -> body0"));
  CHECK(contains(dot, "&lt;b&gt;\\&quot;];//\\\\"));
  CHECK_FALSE(contains(dot, "<b>\""));
}

TEST_CASE("dot: the title counts, the joints say axis and coordinates, long lists of merged links are cut") {
  const std::string dot = run_featherline({"inspect", test::planar3, "--format=dot"}).out;
  CHECK(contains(dot, "<b>planar3</b></font><br/>3 bodies, fixed base, nq 3, nv 3, 1.2 kg"));
  CHECK(contains(dot, "revolute y</font>, q, v[1]"));
  const std::string floating =
      run_featherline({"inspect", test::planar3, "--format=dot", "--base", "floating"}).out;
  CHECK(contains(floating, "floating</font>, q[0..6] v[0..5]"));
  std::string welded = R"(<robot name="welded"><link name="l0"/>)";
  for (int i = 1; i <= 20; ++i) {
    const std::string k = std::to_string(i);
    welded += "<link name=\"l" + k + "\"/><joint name=\"j" + k +
              "\" type=\"fixed\"><parent link=\"l0\"/><child link=\"l" + k + "\"/></joint>";
  }
  const std::string world = cli::inspect_dot(robot_from(welded + "</robot>"));
  CHECK(contains(world, "+ l0"));
  CHECK(contains(world, "and 14 more"));
  CHECK_FALSE(contains(world, "l20"));
}

TEST_CASE("mimic joints name their driver") {
  test::RobotOptions options;
  options.joints = 12;
  options.mimic = 0.5;
  const Robot robot = robot_from(test::to_urdf(test::random_robot(3, options)));
  const auto mimics = [](const model::Body& body) { return body.joint.mimics >= 0; };
  REQUIRE(std::any_of(robot.tree.bodies.begin(), robot.tree.bodies.end(), mimics));
  CHECK(contains(cli::inspect_text(robot), " * \""));
  CHECK(contains(cli::inspect_dot(robot), "label=\"mimic\""));
}

TEST_CASE("equal limbs have a line in the text and an entry in JSON") {
  const std::string quadruped = "robots/quadruped.urdf";
  const std::string text = run_featherline({"inspect", quadruped, "--base", "floating"}).out;
  CHECK(contains(
      text,
      "\nequal limbs (emitted code may compute them side by side)\n  \"front_left\", \"front_right\", "
      "\"rear_left\", \"rear_right\": 4 x 3 joints (3 revolute), on \"trunk\"\n"));
  const auto limbs = nlohmann::json::parse(
      run_featherline({"inspect", quadruped, "--base", "floating", "--format=json"}).out)["limbs"];
  REQUIRE(limbs.size() == 1);
  CHECK(limbs[0]["names"].size() == 4);
  CHECK(limbs[0]["parent"] == "trunk");
  CHECK(limbs[0]["joints"][3] ==
        nlohmann::json{"rear_right_hip_roll", "rear_right_hip_pitch", "rear_right_knee"});
  CHECK_FALSE(contains(run_featherline({"inspect", test::planar3}).out, "equal limbs"));
  const auto welded = nlohmann::json::parse(run_featherline({"inspect", quadruped, "--format=json"}).out);
  CHECK(welded["limbs"][0]["parent"].is_null());
}

TEST_CASE("depth first, siblings in the order of q, every body once") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const model::UserTree tree = test::random_tree(seed, {30});
    std::vector<int> bodies;
    for (const model::TreeLine& line : model::walk(tree)) {
      const int parent = tree.bodies[static_cast<std::size_t>(line.body)].parent;
      if (parent >= 0) {
        CHECK(std::find(bodies.begin(), bodies.end(), parent) != bodies.end());
      } else {
        CHECK(line.depth == 0);
      }
      bodies.push_back(line.body);
    }
    // The default order of q is depth first, so the walk finds it again.
    CHECK(std::is_sorted(bodies.begin(), bodies.end()));
    CHECK(bodies.size() == tree.bodies.size());
  }
}

TEST_CASE("a chain of 20,000 links is shown in bounded space") {
  const Robot robot = robot_from(chain(20000));
  CHECK(cli::inspect_text(robot).size() < 20000 * 500);
  CHECK(cli::inspect_dot(robot).size() < 20000 * 500);
}
