#include "cli/output_files.hpp"
#include "model/build_tree.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

namespace joints_test {

// --lock and --lock-all-but through the whole tool: what is written, and what is refused.

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const std::string arm = "robots/arm6.urdf", mobile = "robots/mobile_manipulator.urdf";

/// A refusal has to leave the folder empty.
void check_refusal(const std::string& robot, const std::vector<std::string>& flags,
                   const std::string& message) {
  const cli::TemporaryFolder folder;
  std::vector<std::string> arguments{"generate", robot, "--functions", "rnea", "-o", folder.path().string()};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const test::Answer answer = run_featherline(arguments);
  CHECK(answer.exit_code == 2);
  CHECK(answer.err == "featherline: error: " + message + "\n");
  CHECK(test::names_in(folder.path()).empty());
}

nlohmann::json inspect(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"inspect", "--format=json"});
  const test::Answer answer = run_featherline(flags);
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  return nlohmann::json::parse(answer.out);
}

std::vector<std::string> joints(const nlohmann::json& robot) {
  std::vector<std::string> names;
  for (const auto& body : robot["bodies"]) names.push_back(body["joint"]["name"]);
  return names;
}

using Names = std::vector<std::string>;

constexpr const char* how = "; write JOINT=VALUE, or JOINT=A:B:... for a joint with several coordinates";

}  // namespace

TEST_CASE("locks that cannot be are refused") {
  const auto refused = [](const std::string& lock, const std::string& message) {
    check_refusal(arm, {"--lock", lock}, "--lock: " + message);
  };
  refused("elbw=0", "there is no joint \"elbw\"; did you mean \"elbow\"?");
  refused("gripper=0", "there is no joint \"gripper\"; featherline inspect lists the joints");
  refused("tool_joint=0", "joint \"tool_joint\" is fixed in the robot's file; leave it out");
  refused("elbow=0,elbow=1", "joint \"elbow\" is given twice; leave one out");
  refused("elbow", std::string("\"elbow\" has no value") + how);
  refused("elbow=0=1", std::string("\"elbow=0=1\" has two =") + how);
  refused("=1", std::string("\"=1\" names no joint") + how);
  refused("", std::string("\"\" has no value") + how);
  refused("elbow=", std::string("\"elbow=\" has the value \"\", which is not a finite number") + how);
  refused("elbow=1e999",
          std::string("\"elbow=1e999\" has the value \"1e999\", which is not a finite number") + how);
  refused("elbow=90deg",
          std::string("\"elbow=90deg\" has the value \"90deg\", which is not a finite number") + how);
  refused("elbow=0:1",
          "revolute joint \"elbow\" has 1 number in q, and 2 are given; elbow=0 is its neutral position");
  refused("waist=0,shoulder=0,elbow=0,wrist_roll=0,wrist_pitch=0,flange_roll=0",
          "all joints are locked, so nothing of the robot is left to move; leave one free, or let the robot "
          "float "
          "(--base floating)");
  check_refusal(
      mobile, {"--lock", "base_motion=1"},
      "--lock: planar joint \"base_motion\" has 3 numbers in q, and 1 is given; base_motion=0:0:0 is its "
      "neutral position");
}

TEST_CASE("a joint that leads a moving one cannot be locked alone") {
  check_refusal(
      mobile, {"--lock", "left_finger_slide=0.02"},
      "--lock: joint \"left_finger_slide\" cannot be locked alone, because joints that move mimic it: "
      "\"right_finger_slide\"; lock them, too (right_finger_slide=0.02 keeps the first in step), leave "
      "\"left_finger_slide\" free, or pass --mimic independent");
  CHECK(inspect({mobile, "--lock", "left_finger_slide=0.02,right_finger_slide=0.01"})["nq"] == 10);
  CHECK(inspect({mobile, "--lock", "left_finger_slide=0.02", "--mimic=independent"})["nq"] == 11);
  const auto follower = inspect({mobile, "--lock", "right_finger_slide=0.01"});
  CHECK(follower["nq"] == 11);
  CHECK(follower["locked_joints"][0]["q"] == nlohmann::json{0.01});
}

TEST_CASE("all but some are locked, those that mimic a locked joint in step with it") {
  check_refusal(arm, {"--lock-all-but", "elbw"},
                "--lock-all-but: there is no joint \"elbw\"; did you mean \"elbow\"?");
  check_refusal(arm, {"--lock-all-but", "tool_joint"},
                "--lock-all-but: joint \"tool_joint\" is fixed in the robot's file; leave it out");
  check_refusal(arm, {"--lock-all-but", "elbow", "--lock", "elbow=1"},
                "--lock-all-but: --lock has joint \"elbow\", too; take it out of one of them");
  const auto robot = inspect({mobile, "--lock-all-but", "elbow,wrist_1", "--lock", "left_finger_slide=0.02"});
  CHECK(joints(robot) == Names{"elbow", "wrist_1"});
  CHECK(robot["locked_joints"].size() == 8);
  for (const auto& joint : robot["locked_joints"]) {
    const bool is_finger = contains(joint["name"], "finger");
    CHECK(joint["q"] == (is_finger                        ? nlohmann::json{0.02}
                         : joint["name"] == "base_motion" ? nlohmann::json{0.0, 0.0, 0.0}
                                                          : nlohmann::json{0.0}));
  }
  CHECK(joints(inspect({mobile, "--lock-all-but", "left_finger_slide"})) ==
        Names{"left_finger_slide", "right_finger_slide"});
  check_refusal(
      mobile, {"--lock-all-but", "right_finger_slide"},
      "--lock: joint \"left_finger_slide\" cannot be locked alone, because joints that move mimic it: "
      "\"right_finger_slide\"; lock them, too (right_finger_slide=0 keeps the first in step), leave "
      "\"left_finger_slide\" free, or pass --mimic independent");
}

TEST_CASE("a position outside the limits is a warning") {
  const test::Answer answer = run_featherline({"inspect", arm, "--lock", "elbow=7"});
  CHECK(answer.exit_code == 0);
  CHECK(contains(answer.err, "warning: joint \"elbow\" is locked at 7, outside its limits (from "));
  CHECK(contains(answer.err, "give a position within the limits to --lock; this one is used as given"));
}

TEST_CASE("a robot that floats may have all its joints locked") {
  const auto robot = inspect({arm, "--base=floating", "--lock",
                              "waist=0,shoulder=0,elbow=0,wrist_roll=0,wrist_pitch=0,flange_roll=0"});
  CHECK(joints(robot) == Names{"root_joint"});
}

TEST_CASE("what is read is written again in the same way") {
  for (const char* text : {"a=1", "a=-0.5,b=1e-09", "a=0:0:0:1", "a\\,b\\=c\\\\d=1", "a:b=1"})
    CHECK(model::text_of(model::parse_locks(text)) == text);
  CHECK(model::text_of(model::parse_locks(" a = 1 : 2 , b=3")) == "a=1:2,b=3");
  CHECK(model::parse_locks("x\\,y=1").front().joint == "x,y");
}

TEST_CASE("inspect and manifest name locked joints") {
  const Names flags{arm, "--lock", "elbow=0.5", "--lock", "wrist_pitch=0.25"};
  const auto with = [&](const Names& first) {
    Names arguments = first;
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_featherline(arguments);
  };
  const std::string text = with({"inspect"}).out;
  CHECK(contains(text, "+ marks links that fixed and locked joints merge into the one above"));
  CHECK(contains(text, "+ \"forearm\"  <- revolute \"elbow\", locked at 0.5\n"));
  CHECK(contains(with({"inspect", "--format=dot"}).out, "+ forearm (revolute elbow, locked at 0.5)"));
  CHECK(contains(with({"inspect", "--format=html", "--functions=rnea"}).out, "locked at 0.5"));
  const cli::TemporaryFolder folder;
  const test::Answer answer = with({"generate", "--functions=rnea", "-o", folder.path().string()});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "arm6.json"));
  CHECK(manifest["nq"] == 4);
  CHECK(manifest["locked_joints"][0] ==
        nlohmann::json{{"name", "elbow"}, {"type", "revolute"}, {"child", "forearm"}, {"q", {0.5}}});
  CHECK(contains(manifest["options"], " --lock elbow=0.5,wrist_pitch=0.25"));
}

TEST_CASE("files that name all joints stay valid when some are locked") {
  const cli::TemporaryFolder folder;
  const std::string order = (folder.path() / "order").string(), drives = (folder.path() / "drives").string();
  test::write_text(order, "waist\nshoulder\nelbow\nwrist_roll\nwrist_pitch\nflange_roll\n");
  test::write_text(drives, "elbow 1 2 3\nwaist 1 2 3\n");
  const Names flags{arm, "--lock", "elbow=0.5", "--joint-order", order, "--joint-dynamics", drives};
  CHECK(joints(inspect(flags)) == Names{"waist", "shoulder", "wrist_roll", "wrist_pitch", "flange_roll"});
}

TEST_CASE("a loop of locked joints is refused as one of fixed joints is; one with a locked joint stays") {
  const std::string four_bar = "robots/four_bar.urdf";
  const test::Answer closed = run_featherline(
      {"inspect", four_bar, "--base=floating", "--lock", "crank_joint=0,coupler_joint=0,rocker_joint=0"});
  CHECK(closed.exit_code == 1);
  CHECK(contains(closed.err, "the two links of constraint \"pin\" never move relative to each other"));
  const cli::TemporaryFolder folder;
  const test::Answer open = run_featherline({"generate", four_bar, "--functions", "constraints", "--lock",
                                             "rocker_joint=0.5", "-o", folder.path().string()});
  CHECK_MESSAGE(open.exit_code == 0, open.err);
}

TEST_CASE("check compiles a robot with locked joints") {
  const test::Answer answer =
      run_featherline({"check", arm, "--lock", "elbow=0.5", "--functions", "rnea", "--states", "5"});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
}

// Damping, friction and rotor inertia of joints through the whole tool.

// Damping and friction are part of bias, and no part of C v.
TEST_CASE("the Coriolis matrix of a robot with friction passes its verification") {
  cli::TemporaryFolder folder;
  const test::Answer answer =
      run_featherline({"generate", "robots/arm7.urdf", "--joint-dynamics", "urdf", "--functions",
                       "bias,coriolis_matrix", "-o", (folder.path() / "out").string()});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
}

TEST_CASE("springs, dampers and rotors of an MJCF file pass the verification") {
  cli::TemporaryFolder folder;
  const test::Answer answer =
      run_featherline({"generate", "tests/unit/mjcf/models/mechanism.xml", "--joint-dynamics", "model",
                       "--functions", "dynamics,derivatives", "-o", (folder.path() / "out").string()});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
}

TEST_CASE("forces that lift bodies, rotors and dampers of free joints pass the verification") {
  cli::TemporaryFolder folder;
  for (const char* formulation : {"Gauss", "piecewise frames"}) {
    const bool is_gauss = formulation == std::string("Gauss");
    const test::Answer answer = run_featherline(
        {"generate", "tests/unit/mjcf/models/drives.xml", "--joint-dynamics", "model", "--parameters",
         is_gauss ? "gravity,payload:lower" : "gravity", "--functions",
         is_gauss ? "rnea,gravity,coriolis_matrix,potential_energy,step"
                  : "coriolis_matrix,aba_derivatives,rnea_second_derivatives,rnea_vector_hessian",
         "--formulation", std::string("coriolis_matrix=") + formulation, "-o",
         (folder.path() / formulation).string()});
    CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  }
  const std::string lifted = (folder.path() / "arm.xml").string();
  std::ofstream(lifted)
      << "<mujoco><worldbody><body pos='1 2 3' euler='20 30 0'><joint/><geom size='0.1' pos='1 0 2'/>"
         "<body pos='0 0 1' gravcomp='0.5'><joint axis='1 0 0'/><geom size='0.1' pos='0 1 0'/>"
         "</body></body></worldbody></mujoco>";
  const test::Answer answer =
      run_featherline({"generate", lifted, "--joint-dynamics", "model", "--functions",
                       "rnea,gravity,rnea_derivatives,potential_energy", "-o", lifted + ".out"});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
}

/// Emitted code without its comments and spaces, and the constants in it.
std::string code_of(const std::string& text, std::vector<double>& constants) {
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("//"));
    for (std::size_t at = line.find("S("); at != line.npos; at = line.find("S(", at + 1)) {
      const std::size_t end = line.find(')', at);
      constants.push_back(std::strtod(line.c_str() + at + 2, nullptr));
      line.erase(at + 2, end - at - 2);
    }
    std::erase(line, ' ');
    code += line;
  }
  return code;
}

TEST_CASE("a robot written as URDF, as SDF and as MJCF becomes the same code") {
  cli::TemporaryFolder folder;
  std::string code;
  std::vector<double> constants;
  for (const std::string ending : {"urdf", "sdf", "xml"}) {
    const auto out = folder.path() / ending;
    const test::Answer answer =
        run_featherline({"generate", "tests/unit/sdf/models/arm." + ending, "--joint-dynamics", "model",
                         "--functions", "rnea,aba,frame_poses", "--frames", "tool", "-o", out.string()});
    REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
    std::string own;
    std::vector<double> numbers;
    for (const char* function : {"rnea", "aba", "frame_poses"})
      own += code_of(test::read_text(out / ("arm_" + std::string(function) + ".ipp")), numbers);
    if (ending == "urdf") std::tie(code, constants) = std::tie(own, numbers);
    INFO(ending);
    CHECK(own == code);
    REQUIRE(numbers.size() == constants.size());
    CHECK(numbers.size() > 100);
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(std::abs(numbers[i] - constants[i]) < 1e-12);
  }
}

TEST_CASE("a position that the file names is a constant, with quaternions as q has them") {
  cli::TemporaryFolder folder;
  const test::Answer answer =
      run_featherline({"generate", "tests/unit/mjcf/models/matter.xml", "--functions=rnea", "--name=matter",
                       "-o", folder.path().string()});
  REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
  CHECK(contains(test::read_text(folder.path() / "matter.hpp"),
                 "namespace positions {\ninline constexpr double home[] = {\n    0.1, 0.2, 0.3, 0.5, -0.5, "
                 "0.5, 0.5, 0.1,"));
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "matter.json"));
  CHECK(manifest["positions"]["home"] ==
        nlohmann::json{0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
}

}  // namespace joints_test
