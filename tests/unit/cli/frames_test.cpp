// --frames and --frame-axes through the whole tool: what is written, and what is refused.
#include "model/chosen_frames.hpp"
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

namespace frames_test {

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const std::string arm = "robots/arm7.urdf";

test::Answer generate(const std::vector<std::string>& flags, const std::filesystem::path& folder) {
  std::vector<std::string> arguments{"generate", "-o", folder.string()};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return run_featherline(arguments);
}

/// A refusal has to leave the folder empty.
void check_refusal(const std::string& frames, const std::string& message,
                   const std::vector<std::string>& more = {"--functions", "frame_poses"}) {
  const cli::TemporaryFolder folder;
  std::vector<std::string> flags{arm, "--frames", frames};
  flags.insert(flags.end(), more.begin(), more.end());
  const test::Answer answer = generate(flags, folder.path());
  CAPTURE(answer.err);
  CHECK(answer.exit_code == 2);
  CHECK(contains(answer.err, message));
  CHECK(test::names_in(folder.path()).empty());
}

/// The flag as it is written again for what it was read as.
std::string round_trip(const std::string& frames) { return model::text_of(model::parse_frames(frames)); }

}  // namespace

TEST_CASE("frames that cannot be are refused") {
  check_refusal("flnge", "--frames: there is no link \"flnge\"; did you mean \"flange\"?");
  check_refusal("gripper", "no link \"gripper\"; featherline inspect lists the links");
  check_refusal("flange:pont",
                "there is no link \"flange:pont\"; write :point at the end, behind the placement if there is "
                "one");
  check_refusal("a=flange:point@0,0,1", "write :point at the end, behind the placement");
  check_refusal("flange,flange", "two frames have the name \"flange\"; write NAME=flange for one of them");
  check_refusal("a=flange,a=link7", "two frames have the name \"a\"");
  check_refusal("a b=flange", "the name \"a b\" is not an identifier");
  check_refusal("9a=flange", "the name \"9a\" is not an identifier");
  check_refusal("=flange", "has no name before =");
  check_refusal("a=b=flange", "has two =");
  check_refusal("a=", "names no link");
  check_refusal("flange@0,0,1", "has a placement, but no name");
  check_refusal("a=flange@0,0", "has a placement of 2 numbers");
  check_refusal("a=flange@0,0,1,2", "has a placement of 4 numbers");
  check_refusal("a=flange@0,0,1,2,3,4,5", "has a placement of 7 numbers");
  check_refusal("a=flange@0,0,x", "a placement with \"x\", which is not a finite number");
  check_refusal("a=flange@0,0,1e999", "\"1e999\", which is not a finite number");
  check_refusal("a=flange@0@1", "has two @");
  check_refusal("", "\"\" is empty");
  check_refusal("flange,,link7", "\"\" is empty");
  check_refusal("flange", "none of the functions rnea depends on it", {"--functions", "rnea"});
}

TEST_CASE("axes that do not exist, or that nothing is measured in, are refused") {
  check_refusal("flange", "\"globl\" is not one of local_world_aligned, local, world",
                {"--functions", "frames", "--frame-axes", "globl"});
  const cli::TemporaryFolder folder;
  const test::Answer answer = generate({arm, "--functions", "rnea", "--frame-axes", "local"}, folder.path());
  CHECK(answer.exit_code == 2);
  CHECK(contains(answer.err, "--frame-axes: none of the functions rnea depends on it"));
}

TEST_CASE("parts that do not exist, or of a function that nobody asked for, are refused") {
  check_refusal(
      "flange",
      "--frame-parts: \"velocites\" is not one of poses, positions, velocities, jacobians, bias; did "
      "you mean \"velocities\"?",
      {"--functions", "frames", "--frame-parts", "poses,velocites"});
  check_refusal("flange", "--frame-parts: \"poses,\" has an empty item",
                {"--functions", "frames", "--frame-parts", "poses,"});
  check_refusal("flange",
                "--frame-parts: none of the functions frame_poses depends on it; leave it out, or add "
                "frame_kinematics to --functions",
                {"--functions", "frame_poses", "--frame-parts", "poses"});
}

TEST_CASE("chosen parts shorten the signature, in the order of the function's outputs") {
  const auto header = [](const std::string& parts) {
    const cli::TemporaryFolder folder;
    const test::Answer answer = generate(
        {arm, "--functions", "frame_kinematics", "--frames", "flange", "--frame-parts", parts, "--batch"},
        folder.path());
    CHECK_MESSAGE(answer.exit_code == 0, answer.err);
    return test::read_text(folder.path() / "arm7.hpp");
  };
  const std::string moving = header("velocities,poses");
  CHECK(contains(moving, "void frame_kinematics(const S* q, const S* v, S* p, S* R, S* V);"));
  CHECK(contains(moving, "/// Poses and velocities of the chosen frames in one pass."));
  CHECK(contains(moving,
                 "void frame_kinematics(std::ptrdiff_t count, const S* q, const S* v, S* p, S* R, S* V,"));
  CHECK(contains(moving, "--frame-parts velocities,poses"));
  CHECK(contains(header("positions,jacobians"), "void frame_kinematics(const S* q, S* p, S* J);"));
  CHECK(contains(header("bias"), "void frame_kinematics(const S* q, const S* v, S* b);"));
}

TEST_CASE("what is read is written again in the same way") {
  for (const char* text :
       {"flange", "flange:point", "a=flange", "a=flange@0.5,0,-1", "a=flange@0.5,0,-1:point",
        "a=flange@0.5,0,-1,1,2,3,link7", "x\\,y,a=b\\=c\\@d\\\\e@1,2,3", "panda::link7", "foot\\:point",
        "foot\\:point:point"}) {
    CAPTURE(text);
    CHECK(round_trip(text) == text);
  }
  CHECK(round_trip(" a = flange @ 0, 0 ,1 :point , link7 ") == "a=flange@0,0,1:point,link7");
  CHECK(model::parse_frames("foot\\:point").front().link == "foot:point");
  CHECK(model::parse_frames("x\\,y").front().link == "x,y");
}

TEST_CASE("header, C header and manifest list the frames") {
  const cli::TemporaryFolder folder;
  const test::Answer answer =
      generate({arm, "--functions", "frame_jacobians", "--c-api", "--frame-axes", "local", "--frames",
                "tool=flange@0,0,0.12,0,0,1.5707963,link3:point"},
               folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  CHECK_FALSE(contains(answer.out, "ends of the tree"));
  const std::string header = test::read_text(folder.path() / "arm7.hpp");
  CHECK(contains(header, "inline constexpr int num_frames = 2;"));
  CHECK(contains(header, "inline constexpr int num_frame_rows = 9;"));
  CHECK(contains(header, "enum class Frame {\n  tool,\n  link3,\n};"));
  CHECK(contains(header, "frame_axes = featherline::ReferenceFrame::local;"));
  const std::string c = test::read_text(folder.path() / "arm7.h");
  CHECK(contains(c, "arm7_ROW_OF_link3 = 6"));
  CHECK(contains(c, "arm7_num_frame_rows = 9,"));
  CHECK(
      contains(test::read_text(folder.path() / "arm7_c.cpp"), "int arm7_get_frame_axes(void) { return 1; }"));
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "arm7.json"));
  CHECK(manifest["frame_axes"] == "local");
  CHECK(manifest["frames"][0]["name"] == "tool");
  CHECK(manifest["frames"][0]["link"] == "flange");
  CHECK(manifest["frames"][0]["p"] == nlohmann::json{0.0, 0.0, 0.12});
  CHECK(manifest["frames"][1]["first_row"] == 6);
  CHECK(manifest["frames"][1]["rows"] == 3);
  CHECK(contains(manifest["options"],
                 "--frames tool=flange@0,0,0.12,0,0,1.5707963,link3:point --frame-axes local"));
}

TEST_CASE("frames alone ask for their functions; without them the ends of the tree are taken, and named") {
  const cli::TemporaryFolder chosen, leaves;
  const test::Answer with = generate({"robots/planar3.urdf", "--frames", "tool"}, chosen.path());
  CHECK_MESSAGE(with.exit_code == 0, with.err);
  CHECK(contains(with.out, "frame_kinematics"));
  CHECK(contains(with.out, "rnea_derivatives"));
  const test::Answer without =
      generate({"robots/quadruped.urdf", "--functions", "frame_poses"}, leaves.path());
  CHECK_MESSAGE(without.exit_code == 0, without.err);
  CHECK(
      contains(without.out,
               "frames: front_left_foot, front_right_foot, rear_left_foot, rear_right_foot, the links at the "
               "ends of the tree; --frames chooses others"));
}

TEST_CASE("rotors and other parts of a body with further joints are not taken; feet, tools and sensors are") {
  const auto link = [](const std::string& name, bool has_mass) {
    return "<link name='" + name + "'>" +
           (has_mass ? "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                       "iyz='0'/></inertial>"
                     : "") +
           "</link>";
  };
  const auto joint = [](const std::string& type, const std::string& parent, const std::string& child) {
    return "<joint name='to_" + child + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
           child + "'/><axis xyz='0 1 0'/></joint>";
  };
  const cli::TemporaryFolder folder;
  const std::string robot = (folder.path() / "leg.urdf").string();
  test::write_text(
      robot, "<robot name='leg'>" + link("trunk", true) + link("hip_rotor", true) + link("camera", false) +
                 link("thigh", true) + link("knee_rotor", true) + link("shank", true) + link("foot", true) +
                 joint("fixed", "trunk", "hip_rotor") + joint("fixed", "trunk", "camera") +
                 joint("continuous", "trunk", "thigh") + joint("fixed", "thigh", "knee_rotor") +
                 joint("continuous", "thigh", "shank") + joint("fixed", "shank", "foot") + "</robot>");
  const std::vector<std::string> flags{robot, "--functions", "frame_poses", "--base=floating"};
  const test::Answer answer = generate(flags, folder.path() / "out");
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  CHECK(contains(answer.out, "frames: camera, foot, the links at the ends of the tree"));
}

TEST_CASE("quarter turns in decimals are exact in frames, too") {
  const auto flops = [](const std::string& frame) {
    const cli::TemporaryFolder folder;
    const test::Answer answer =
        generate({arm, "--functions", "frame_poses", "--frames", frame}, folder.path());
    CHECK_MESSAGE(answer.exit_code == 0, answer.err);
    return nlohmann::json::parse(
               test::read_text(folder.path() / "arm7.json"))["functions"]["frame_poses"]["flops"]
        .get<int>();
  };
  CHECK(flops("a=flange@0,0,0.1,1.57079632679,0,1.57079632679") == flops("a=flange@0,0,0.1"));
}

TEST_CASE("names that are no good in C++ become others") {
  const cli::TemporaryFolder folder;
  const test::Answer answer = generate(
      {arm, "--functions", "frame_poses", "--frames", "int=flange,frames=link3,nq=link4"}, folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  const std::string header = test::read_text(folder.path() / "arm7.hpp");
  CHECK(contains(header, "enum class Frame {\n  int_frame,"));
  CHECK_FALSE(contains(header, "\n  frames,"));
  CHECK_FALSE(contains(header, "\n  nq,"));
}

TEST_CASE("inspect shows the frames") {
  const std::vector<std::string> flags{"inspect", arm, "--frames", "tool=flange@0,0,0.12,link3:point"};
  const test::Answer text = run_featherline(flags);
  CHECK_MESSAGE(text.exit_code == 0, text.err);
  CHECK(contains(
      text.out,
      "chosen frames (origin in the link), their rows at the frame's origin, in the axes of the world"));
  CHECK(contains(text.out, "\"tool\""));
  std::vector<std::string> as_json = flags;
  as_json.emplace_back("--format=json");
  CHECK(nlohmann::json::parse(run_featherline(as_json).out)["frames"][0]["name"] == "tool");
}

}  // namespace frames_test
