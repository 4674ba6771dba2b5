// --contacts, --stabilisation and <featherline_constraint> through the whole tool: what is written, and what is
// refused.
#include "model/chosen_frames.hpp"
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

namespace constraints_test {

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const std::string arm = "robots/arm7.urdf", linkage = "robots/four_bar.urdf",
                  quadruped = "robots/quadruped.urdf";

test::Answer generate(const std::vector<std::string>& flags, const std::filesystem::path& folder) {
  std::vector<std::string> arguments{"generate", "-o", folder.string()};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return run_featherline(arguments);
}

/// A refusal has to leave the folder empty.
void check_refusal(const std::vector<std::string>& flags, const std::string& message) {
  const cli::TemporaryFolder folder;
  const test::Answer answer = generate(flags, folder.path());
  CAPTURE(message);
  CAPTURE(answer.err);
  CHECK(answer.exit_code == 2);
  CHECK(contains(answer.err, message));
  CHECK(test::names_in(folder.path()).empty());
}

void check_contacts_refused(const std::string& contacts, const std::string& message) {
  check_refusal({arm, "--functions", "delassus", "--contacts", contacts}, message);
}

/// What is said of a run that succeeds.
std::string warnings_of(const std::vector<std::string>& flags) {
  const cli::TemporaryFolder folder;
  const test::Answer answer = generate(flags, folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  return answer.err;
}

}  // namespace

TEST_CASE("contacts that cannot be are refused") {
  check_contacts_refused("flnge", "--contacts: there is no link \"flnge\"; did you mean \"flange\"?");
  check_contacts_refused("flange:wled",
                         "no link \"flange:wled\"; write :point or :weld or :normal or :friction or :sphere "
                         "at the end, behind the "
                         "placement if there is one; did you mean :weld?");
  check_contacts_refused("flange:nromal@0,0,1", "has a placement, but no name; did you mean :normal?");
  check_contacts_refused("flange:normal@0,0,0", "\"flange:normal@0,0,0\" has a zero axis; write LINK");
  check_contacts_refused("flange:normal@0,1", "has an axis of 2 numbers");
  check_contacts_refused("flange:friction@0,0,1,2", "has an axis of 4 numbers");
  check_contacts_refused("flange:normal@0,x,1", "has an axis with \"x\", which is not a finite number");
  check_contacts_refused(
      "flange:normal@locl:0,0,1",
      "has an axis in unknown axes: \"locl\" is not one of local, world; did you mean \"local\"?");
  check_contacts_refused("flange:normal,flange:normal@1,0,0",
                         "two contacts have the name \"flange_normal\"; write NAME=flange for one of them");
  check_contacts_refused("flange,flange:weld",
                         "two contacts have the name \"flange\"; write NAME=flange for one of them");
  check_contacts_refused("a b=flange", "the name \"a b\" is not an identifier; use letters");
  check_contacts_refused(
      "flange:ball=.1",
      "in \"flange:ball=.1\" the name \"flange:ball\" is not an identifier; what stands behind a "
      "colon is point or weld or normal or friction or sphere");
  check_contacts_refused("a=flange@0,0", "has a placement of 2 numbers");
  check_contacts_refused("flange@0,0,1", "has a placement, but no name");
  check_contacts_refused("", "\"\" is empty");
  check_contacts_refused(
      "base_link",
      "--contacts: link \"base_link\" does not move, so a contact on it holds nothing; leave it out, "
      "or pass --base floating");
  check_refusal({linkage, "--functions", "delassus", "--contacts", "pin=rocker"},
                "--contacts: the constraint on line 56 of the robot's file has the name \"pin\", too");
}

TEST_CASE("functions of constraints need some, and constraints need functions") {
  check_refusal({arm, "--functions", "delassus"},
                "--functions: delassus: the robot has no constraints; choose contacts with --contacts LINK");
  check_refusal({arm, "--functions", "rnea,constraints"},
                "--functions: constraints: the robot has no constraints");
  check_refusal(
      {arm, "--functions", "rnea", "--contacts", "flange"},
      "--contacts: none of the functions rnea depends on it; leave it out, or add contact_step or the group "
      "constraints to --functions");
}

TEST_CASE("a stabilisation or an integrator that has no effect is refused") {
  const std::string depend =
      "; leave it out, or add one that does: constrained_dynamics, constrained_dynamics_derivatives";
  check_refusal({arm, "--functions", "rnea", "--stabilisation", "1,1"},
                "--stabilisation: none of the functions rnea depends on it" + depend);
  check_refusal({linkage, "--functions", "delassus,impulse_dynamics", "--stabilisation", "0,1"},
                "--stabilisation: none of the functions impulse_dynamics, delassus depends on it" + depend);
  check_refusal({arm, "--stabilisation", "0,1"}, "--stabilisation: none of the functions");
  check_refusal({arm, "--integrator", "rk4"}, "--integrator: none of the functions");
  check_refusal(
      {arm, "--functions", "constrained_dynamics", "--contacts", "flange", "--stabilisation", "9,1"},
      "--stabilisation: KP is 9, and none of the constraints has a position to hold, as loops have; "
      "contacts and wheels hold velocity: write 0,1, or give contacts a position with --parameters anchors");
}

TEST_CASE("steps take contacts on the trunk, and on a leg that is not like the others") {
  const std::string feet = "front_left_foot,front_right_foot,rear_left_foot,rear_right_foot";
  const std::vector<std::string> flags{"robots/quadruped.urdf", "--base",       "floating",
                                       "--functions",           "contact_step", "--contacts"};
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{feet, "--lock", "front_left_knee=-1.6"}, {"trunk," + feet}}) {
    std::vector<std::string> all = flags;
    all.insert(all.end(), more.begin(), more.end());
    CHECK(warnings_of(all).find("error") == std::string::npos);
  }
}

TEST_CASE("spheres need a radius, and only steps with contacts take them") {
  const std::string six = "robots/arm6.urdf";
  for (const char* contact : {"flange:sphere", "flange:sphere=", "flange:sphere=0", "flange:sphere=-1",
                              "flange:sphere=x", "flange:sphere=inf"}) {
    check_refusal({six, "--functions", "contact_step", "--contacts", contact},
                  "has no radius above zero [m] behind :sphere=");
  }
  check_refusal(
      {six, "--functions", "contact_step,delassus", "--contacts", "flange:sphere=0.1"},
      "--functions: delassus: contact \"flange\" is a sphere, and only steps know the ground that it "
      "touches; ask for contact_step, or write flange:point");
  const auto check_sensitivities = [&](const std::string& parameters, const std::string& message) {
    std::vector<std::string> arguments = {six, "--functions", "contact_step_sensitivities", "--contacts",
                                          "flange:sphere=0.1"};
    if (!parameters.empty()) arguments.insert(arguments.end(), {"--parameters", parameters});
    check_refusal(arguments, message);
  };
  check_sensitivities("", "contact_step_sensitivities: no parameters are chosen that they depend on");
  check_sensitivities("gravity,placement:elbow",
                      "contact_step_sensitivities cannot take placements and gears as inputs; leave out the "
                      "function, or placement and gear");
  check_refusal({six, "--functions", "contact_step", "--contacts", "flange:weld"},
                "it takes contact points and spheres alone, and \"flange\" is contact_weld; write LINK or "
                "LINK:sphere=RADIUS in --contacts");
  check_refusal({"robots/four_bar.urdf", "--functions", "contact_step", "--contacts", "coupler"},
                "and \"pin\" is loop_axis; eliminate the loop (--eliminate)");
  CHECK(model::parse_contacts("foot\\:sphere").front().radius == 0.0);
  const auto check_joints = [&](const std::string& part, const std::string& functions,
                                const std::string& message) {
    check_refusal({six, "--functions", functions, "--contacts", "flange", "--contact-joints", part}, message);
  };
  check_joints("stops", "contact_step", "stops");
  check_joints(
      "friction", "contact_step",
      "--contact-joints friction: no joint with a coordinate of its own has friction; give them some with "
      "--joint-dynamics, or leave it out");
  check_joints("limits", "contact_step,contact_step_derivatives",
               "--contact-joints: limits and friction of joints have no derivatives; leave out "
               "contact_step_derivatives, or --contact-joints");
  check_joints("limits", "constrained_dynamics",
               "--contact-joints: none of the functions constrained_dynamics depends on it");
}

TEST_CASE("limbs with redundant points have lanes in steps, which do not invert rows of limbs") {
  const auto exit_code = [](const std::string& function, const std::string& formulation) {
    const cli::TemporaryFolder folder;
    const std::string contacts =
        "a=left_sole@0.1,0,0,b=left_sole,c=left_sole@0,0.1,0,d=right_sole@0.1,0,0,e=right_sole,"
        "f=right_sole@0,0.1,0";
    return generate({"robots/humanoid.urdf", "--base", "floating", "--functions", function, "--formulation",
                     function + "=" + formulation, "--contacts", contacts},
                    folder.path())
        .exit_code;
  };
  CHECK(exit_code("contact_step", "limb lanes by trunk factor") == 0);
  CHECK(exit_code("constrained_dynamics", "sparse factor") == 0);
  CHECK(exit_code("constrained_dynamics", "limb lanes") == 2);
}

TEST_CASE("gains that are not two numbers of at least zero are refused") {
  const auto check_gains = [](const std::string& gains, const std::string& message) {
    check_refusal({linkage, "--functions", "delassus", "--stabilisation", gains}, message);
  };
  check_gains("100", "\"100\" is not two numbers; write KP,KD");
  check_gains("1,2,3", "\"1,2,3\" is not two numbers; write KP,KD");
  check_gains("a,1", "\"a\" is not a finite number");
  check_gains("1,inf", "\"inf\" is not a finite number");
  check_gains("-1,1", "negative gain");
}

TEST_CASE("what is read is written again in the same way") {
  for (const char* text :
       {"flange:point", "flange:weld", "a=flange@0.5,0,-1:weld", "a=flange@0.5,0,-1,1,2,3:point,b",
        "foot\\:weld:weld", "foot:normal", "foot:normal@0,0.6,0.8,b:friction@local:1,0,-2,c",
        "a=foot@1,2,3,4,5,6:normal@local:0,0,1,b=foot@1,2,3:friction,c", "a\\:normal:normal",
        "a=b\\:normal@0,0,1", "foot:sphere=0.02,a=foot@1,2,3:sphere=0.5,b", "a\\:sphere:sphere=1"}) {
    CAPTURE(text);
    CHECK(model::text_of(model::parse_contacts(text)) == text);
  }
  CHECK(model::parse_contacts("foot\\:weld").front().link == "foot:weld");
  CHECK(model::parse_contacts("foot\\:weld").front().kind.empty());
  CHECK(model::parse_contacts("a=b\\:normal@0,0,1").front().placement.size() == 3);
}

TEST_CASE("header, C header and manifest list the constraints, contacts first") {
  const cli::TemporaryFolder folder;
  const test::Answer answer =
      generate({linkage, "--functions", "constrained_dynamics,constraint_residual", "--c-api", "--contacts",
                "tip=rocker@0.1,0,0:weld", "--stabilisation", "100,20"},
               folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  const std::string header = test::read_text(folder.path() / "four_bar.hpp");
  CHECK(contains(header, "inline constexpr int num_constraints = 2;"));
  CHECK(contains(header, "inline constexpr int num_constraint_rows = 11;"));
  CHECK(contains(header, "inline constexpr int num_residual_rows = 5;"));
  CHECK(contains(header,
                 "{\"tip\", \"contact_weld\", 0, 6, -1, 2},\n    {\"pin\", \"loop_axis\", 6, 5, 0, -1},"));
  CHECK(contains(header, "/// - contact_weld: velocity of the frame's origin, then angular velocity"));
  CHECK(contains(header, "Stabilised after Baumgarte"));
  const std::string c = test::read_text(folder.path() / "four_bar.h");
  CHECK(contains(c, "four_bar_CONSTRAINT_pin = 1,"));
  CHECK(contains(c, "four_bar_LAMBDA_OF_pin = 6"));
  CHECK(contains(test::read_text(folder.path() / "four_bar_c.cpp"),
                 "int four_bar_get_num_constraint_rows(void) { return 11; }"));
  CHECK(contains(test::read_text(folder.path() / "four_bar_c.cpp"), "constexpr int rows[] = { 2, -1 };"));
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "four_bar.json"));
  CHECK(manifest["stabilisation"] == nlohmann::json{100.0, 20.0});
  CHECK(manifest["constraints"][0]["type"] == "contact_weld");
  CHECK(manifest["constraints"][0]["links"] == nlohmann::json{"rocker"});
  CHECK(manifest["constraints"][1]["links"] == nlohmann::json{"coupler", "rocker"});
  CHECK(manifest["constraints"][1]["first_row"] == 6);
  CHECK(manifest["constraints"][1]["first_residual"] == 0);
  CHECK(manifest["constraints"][0]["normal_row"] == 2);
  CHECK(manifest["constraints"][1]["normal_row"] == -1);
  CHECK(manifest["constraints"][1]["placements"][1]["p"] == nlohmann::json{0.2, 0.0, 0.0});
  CHECK(contains(manifest["options"], "--contacts tip=rocker@0.1,0,0:weld --stabilisation 100,20"));
}

TEST_CASE(
    "a foot's normal and friction are two contacts; header, manifest and inspect say along which axes") {
  const cli::TemporaryFolder folder;
  const std::string feet =
      "front_left_foot:normal,front_left_foot:friction,ice=rear_left_foot:normal@local:0,0,1";
  const test::Answer answer = generate(
      {quadruped, "--base", "floating", "--functions", "constrained_dynamics,delassus", "--contacts", feet},
      folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  CHECK(contains(test::read_text(folder.path() / "quadruped.hpp"),
                 "{\"front_left_foot_normal\", \"contact_normal\", 0, 1, -1, 0},\n"
                 "    {\"front_left_foot_friction\", \"contact_friction\", 1, 2, -1, -1},\n"
                 "    {\"ice\", \"contact_normal\", 3, 1, -1, 3},"));
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "quadruped.json"));
  CHECK(manifest["constraints"][1]["world_axes"][2] == nlohmann::json{0.0, 0.0, 1.0});
  CHECK_FALSE(manifest["constraints"][2].contains("world_axes"));
  CHECK(contains(manifest["options"], "--contacts " + feet));
  const test::Answer text = run_featherline({"inspect", quadruped, "--base", "floating", "--contacts", feet});
  CHECK(contains(text.out, "contact_normal along 0 0 1 of the world"));
  CHECK(contains(text.out, "contact_normal along 0 0 1 of the link"));
}

TEST_CASE("contacts alone ask for their functions") {
  const cli::TemporaryFolder folder;
  const test::Answer answer =
      generate({"robots/planar3.urdf", "--contacts", "tool", "--stabilisation", "0,10"}, folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  CHECK(contains(answer.out, "constrained_dynamics_derivatives"));
  CHECK(contains(answer.out, "rnea_derivatives"));
}

TEST_CASE("joints with motors are named once, exist, and move by motors") {
  const auto check = [](const std::string& robot, const std::string& base, const std::string& joints,
                        const std::string& message) {
    check_refusal({robot, "--base", base, "--contacts", robot == quadruped ? "trunk" : "tool", "--functions",
                   "constrained_inverse_dynamics", "--actuated", joints},
                  "--actuated: " + message);
  };
  const std::string manipulator = "robots/mobile_manipulator.urdf";
  check(quadruped, "floating", "front_left_kne",
        "there is no joint \"front_left_kne\"; did you mean \"front_left_knee\"?");
  check(quadruped, "floating", "front_left_knee,front_left_knee",
        "joint \"front_left_knee\" is named twice; name it once");
  check(quadruped, "floating", "imu_joint",
        "joint \"imu_joint\" is fixed in the robot's file, so no motor moves it; leave it out");
  check(quadruped, "floating", "root_joint",
        "joint \"root_joint\" moves freely, so it has no motor; leave it out");
  check(manipulator, "fixed", "right_finger_slide",
        "joint \"right_finger_slide\" mimics \"left_finger_slide\" and has no torque of its own; name "
        "\"left_finger_slide\"");
  check_refusal({arm, "--functions", "rnea", "--actuated", "axis1"},
                "--actuated: none of the functions rnea depends on it; leave it out, or add one that does: "
                "constrained_inverse_dynamics, constrained_inverse_dynamics_derivatives");
}

TEST_CASE("the header says which joints have motors, and a note which joints of loops count as without") {
  const cli::TemporaryFolder folder, named;
  const test::Answer answer =
      generate({linkage, "--functions", "constrained_inverse_dynamics"}, folder.path());
  CHECK(contains(answer.err,
                 "note: constrained_inverse_dynamics: loops go through the joints \"crank_joint\", "
                 "\"coupler_joint\", \"rocker_joint\", which count as joints without motors; name all joints "
                 "that have motors with --actuated JOINT,..."));
  CHECK(contains(test::read_text(folder.path() / "four_bar.hpp"),
                 "bool actuated[] = {\n    false, false, false\n};"));
  const test::Answer answer_named = generate(
      {linkage, "--functions", "constrained_inverse_dynamics", "--actuated", "crank_joint"}, named.path());
  CHECK_FALSE(contains(answer_named.err, "motors"));
  const auto manifest = nlohmann::json::parse(test::read_text(named.path() / "four_bar.json"));
  CHECK(manifest["without_motor"] == nlohmann::json{1, 2});
  CHECK(contains(manifest["options"], "--actuated crank_joint"));
}

TEST_CASE("the group all leaves functions of constraints out where there is none") {
  const cli::TemporaryFolder folder;
  const test::Answer answer = run_featherline({"generate", "robots/double_pendulum.urdf", "--functions",
                                               "all", "-o", folder.path().string(), "--no-verify"});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  CHECK_FALSE(contains(answer.out + answer.err, "constrained_dynamics"));
}

TEST_CASE("constraints of the robot's file that no function knows are told") {
  CHECK(contains(warnings_of({linkage, "--functions", "rnea,aba"}),
                 "four_bar.urdf:56: warning: the constraint of the robot's file has no effect: rnea, aba are "
                 "computed without it; add constrained dynamics, e.g. --functions dynamics,constraints"));
  CHECK(contains(warnings_of({linkage, "--functions", "rnea"}), "no effect: rnea is computed without it;"));
  CHECK_FALSE(contains(warnings_of({linkage, "--functions", "rnea,delassus"}), "no effect"));
}

TEST_CASE("rows that depend on each other are told, with the rank") {
  CHECK(contains(
      warnings_of({linkage, "--functions", "delassus"}),
      "the constraints have 5 rows on 3 degrees of freedom, and 2 of rank at a random state: rows of \"pin\" "
      "depend on rows before them; accelerations are right if the constraints do not contradict each other; "
      "forces in these rows are not determined"));
  CHECK(contains(
      warnings_of({quadruped, "--base", "floating", "--functions", "delassus", "--contacts",
                   "front_left_foot:weld,again=front_left_foot"}),
      "the constraints have 9 rows on 18 degrees of freedom, and 6 of rank at a random state: rows of "
      "\"again\" depend"));
  CHECK(warnings_of({quadruped, "--base", "floating", "--functions", "delassus", "--contacts",
                     "front_left_foot,front_right_foot,rear_left_foot,rear_right_foot"})
            .empty());
}

TEST_CASE("inspect shows the constraints") {
  const std::vector<std::string> flags{"inspect", linkage, "--contacts", "tip=rocker@0.1,0,0"};
  const test::Answer text = run_featherline(flags);
  CHECK_MESSAGE(text.exit_code == 0, text.err);
  CHECK(contains(text.out, "constraints (rows of lambda)"));
  CHECK(contains(text.out, "\"pin\"       loop_axis      \"coupler\", \"rocker\"  3..7"));
  std::vector<std::string> as_json = flags;
  as_json.emplace_back("--format=json");
  CHECK(nlohmann::json::parse(run_featherline(as_json).out)["constraints"][1]["name"] == "pin");
}

TEST_CASE("inspect shows what eliminated loops leave") {
  const char* const leg = "robots/parallelogram_leg.urdf";
  const test::Answer text = run_featherline({"inspect", leg, "--eliminate", "pin"});
  CHECK_MESSAGE(text.exit_code == 0, text.err);
  CHECK(contains(text.out, "follows from a loop"));
  CHECK(contains(text.out, "clusters (joints that eliminated loops tie together)"));
  const auto json =
      nlohmann::json::parse(run_featherline({"inspect", leg, "--eliminate", "pin", "--format=json"}).out);
  CHECK(json.dump().find("\"eliminated\":true") != std::string::npos);
}

TEST_CASE("loops to eliminate exist and are named once") {
  const auto check = [](const std::string& loops, const std::string& message) {
    check_refusal({"robots/parallelogram_leg.urdf", "--eliminate", loops}, "--eliminate: " + message);
  };
  check("pn", "there is no loop \"pn\"; did you mean \"pin\"?");
  check("pin,pin", "loop \"pin\" is named twice; name it once");
}

}  // namespace constraints_test
