// --external-forces and --parameters through the whole tool: what is written, and what is refused.
#include "run_featherline.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

namespace chosen_inputs_test {

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const std::string arm = "robots/arm6.urdf";

/// Generates with these flags; a refusal has to leave the folder empty.
test::Answer generate(const std::vector<std::string>& flags, const std::filesystem::path& folder) {
  std::vector<std::string> arguments{"generate", "-o", folder.string(), "--quiet"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return run_featherline(arguments);
}

void check_refusal(const std::vector<std::string>& flags, const std::string& message) {
  const cli::TemporaryFolder folder;
  const test::Answer answer = generate(flags, folder.path());
  CAPTURE(answer.err);
  CHECK(answer.exit_code == 2);
  CHECK(contains(answer.err, message));
  CHECK(test::names_in(folder.path()).empty());
}

}  // namespace

TEST_CASE("the C interface of a robot in float has no double; with double it has constants in double") {
  const auto interface = [](const std::string& scalars) {
    const cli::TemporaryFolder folder;
    REQUIRE(generate({arm, "--functions", "rnea,forward_kinematics", "--parameters", "gravity,payload:tool",
                      "--c-api", "--scalar", scalars},
                     folder.path())
                .exit_code == 0);
    return test::read_text(folder.path() / "arm6.h") + test::read_text(folder.path() / "arm6_c.cpp");
  };
  const std::string in_float = interface("float"), in_both = interface("float,double");
  std::istringstream lines(in_float);
  for (std::string line; std::getline(lines, line);) {
    const std::string code = line.substr(0, line.find("//"));
    CHECK_FALSE_MESSAGE(contains(code, "double"), line);
    CHECK_FALSE_MESSAGE(contains(code, "ParameterInfo"), line);
  }
  CHECK(contains(in_float, "const float* arm6_neutral(void);"));
  CHECK(contains(in_float, "-9.81f"));
  CHECK(contains(in_both, "const double* arm6_parameter_defaults(void);"));
  CHECK_FALSE(contains(in_both, "-9.81f"));
}

TEST_CASE("links that cannot bear a force are refused") {
  const std::string flag = "--external-forces";
  check_refusal({arm, flag, "toool"}, flag + ": there is no link \"toool\"; did you mean \"tool\"?");
  check_refusal({arm, flag, "gripper"}, "no link \"gripper\"; featherline inspect lists the links");
  check_refusal({arm, flag, "tool,forearm,tool"}, "the link \"tool\" is named twice; name it once");
  check_refusal({arm, flag, "tool", flag, "tool"}, "the link \"tool\" is named twice; name it once");
  check_refusal({arm, flag, "world"}, "the world does not move; name a link behind a joint");
  check_refusal({arm, flag, "base_link"}, "\"base_link\" is welded to the world");
  check_refusal({arm, flag, "tool,"}, "has an empty item");
  check_refusal({arm, flag, ""}, "has an empty item");
}

TEST_CASE("parameters that do not exist are refused") {
  const std::string flag = "--parameters";
  check_refusal({arm, flag, "gravty"},
                "\"gravty\" is not one of gravity, payload:LINK, inertia:LINK, anchors, stabilisation, "
                "placement:JOINT, "
                "armature, damping, friction, stiffness, rest, gear; did you mean \"gravity\"?");
  check_refusal({arm, flag, "tool"}, "did you mean \"payload:tool\"?");
  check_refusal({arm, flag, "paylod:tool"}, "did you mean \"payload:tool\"?");
  check_refusal({arm, flag, "payload:"}, "\"payload:\" names no link; write payload:LINK");
  check_refusal({arm, flag, "payload"}, "\"payload\" names no link; write payload:LINK");
  check_refusal({arm, flag, "payload:toool"}, "there is no link \"toool\"; did you mean \"tool\"?");
  check_refusal({arm, flag, "payload:base_link"}, "\"base_link\" is welded to the world");
  check_refusal({arm, flag, "payload:tool,payload:tool"}, "the link \"tool\" is named twice");
  check_refusal({arm, flag, "gravity,gravity"}, "gravity is named twice; name it once");
  check_refusal({arm, flag, "stabilisation,stabilisation"}, "stabilisation is named twice; name it once");
  check_refusal({arm, flag, ""}, "has an empty item");
}

TEST_CASE("anchors are refused where no contact is held at them") {
  const std::string flag = "--parameters";
  const std::vector<std::string> standing = {arm, "--functions", "constrained_dynamics", "--contacts",
                                             "tool"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), standing.begin(), standing.end());
    return words;
  };
  check_refusal({arm, flag, "anchors"},
                flag + ": anchors: the robot has no contacts to hold; choose some with");
  check_refusal({arm, flag, "anchor"}, "did you mean \"anchors\"?");
  check_refusal(with({flag, "anchors,anchors", "--stabilisation", "400,40"}),
                "anchors is named twice; name it once");
  check_refusal(with({flag, "anchors"}),
                flag + " anchors: KP of the stabilisation is 0, so nothing pulls at the anchors");
  check_refusal({arm, "--functions", "delassus", "--contacts", "tool", flag, "anchors"},
                flag + " anchors: none of the functions delassus depends on it");
}

TEST_CASE("anchors stand before the gains; their defaults are where contacts are with all joints at zero") {
  const cli::TemporaryFolder folder;
  const test::Answer answer = generate({arm, "--functions", "constrained_dynamics", "--contacts",
                                        "tool,forearm:weld", "--parameters", "stabilisation,anchors,gravity"},
                                       folder.path());
  REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
  const auto list = nlohmann::json::parse(test::read_text(folder.path() / "arm6.json"))["parameters"];
  REQUIRE(list.size() == 3);
  CHECK(list[1]["name"] == "anchors");
  CHECK(list[1]["index"] == 3);
  REQUIRE(list[1]["defaults"].size() == 6);
  CHECK(list[2]["name"] == "stabilisation");
  CHECK(list[2]["index"] == 9);
  const double tool[] = {0.4115, 0.1501, 1.1611}, forearm[] = {0.4318, 0.1501, 0.672};  // sums of origins
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(list[1]["defaults"][i].get<double>() == doctest::Approx(tool[i]).epsilon(1e-12));
    CHECK(list[1]["defaults"][i + 3].get<double>() == doctest::Approx(forearm[i]).epsilon(1e-12));
  }
}

TEST_CASE("an input that no function would have is refused, with those that would") {
  check_refusal(
      {arm, "--functions", "mass_matrix", "--external-forces", "tool"},
      "none of the functions mass_matrix depends on it; leave it out, or add one that does: rnea, bias,");
  check_refusal({arm, "--functions", "forward_kinematics", "--parameters", "gravity"},
                "--parameters gravity: none");
  check_refusal({arm, "--functions", "mass_matrix", "--parameters", "gravity"},
                "that does: rnea, bias, gravity,");
  check_refusal({arm, "--functions", "frame_jacobian", "--parameters", "payload:tool"},
                "--parameters payload: none of the functions frame_jacobian depends on it");
  check_refusal({arm, "--functions", "rnea", "--parameters", "stabilisation"},
                "--parameters stabilisation: none of the functions rnea depends on it");
}

TEST_CASE("functions that cannot take forces: an error if named, left out of a group") {
  check_refusal({arm, "--functions", "rnea,aba_vector_hessian", "--external-forces", "tool"},
                "aba_vector_hessian cannot take external forces");
  const test::Answer answer =
      run_featherline({"generate", arm, "--functions", "rnea,second-order", "--no-verify",
                       "--external-forces", "tool", "--dump-after", "tree"});
  CHECK(answer.exit_code == 0);
  CHECK(contains(answer.err, "aba_second_derivatives"));
  CHECK(contains(answer.err, "leave out --external-forces to get them"));
}

TEST_CASE("numbers of joints that do not exist, or are asked for twice, are refused") {
  const std::string flag = "--parameters";
  check_refusal({arm, flag, "armatur"}, "did you mean \"armature\"?");
  check_refusal({arm, flag, "armature:elbo"}, "there is no moving joint \"elbo\"; did you mean \"elbow\"?");
  check_refusal({arm, flag, "armature:tool_joint"}, "there is no moving joint \"tool_joint\"");
  check_refusal({arm, flag, "armature:"},
                "\"armature:\" names no joint; write armature:JOINT, or armature for all");
  check_refusal({arm, flag, "armature,armature"},
                "armature of joint \"waist\" is named twice; name it once, or");
  check_refusal({arm, flag, "rest:elbow,rest:elbow"}, "rest of joint \"elbow\" is named twice; name it once");
  check_refusal({arm, flag, "damping:elbow,damping"},
                "is named twice; name it once, or leave out damping:JOINT");
  check_refusal({arm, flag, "inertia"}, "\"inertia\" names no link; write inertia:LINK");
  check_refusal({arm, flag, "inertia:tool,inertia:tool"}, "the link \"tool\" is named twice");
  check_refusal({arm, flag, "inertia:base_link"}, "\"base_link\" is welded to the world");
  check_refusal({arm, flag, "friction", "--functions", "mass_matrix"},
                "--parameters friction: none of the functions mass_matrix depends on it");
  check_refusal(
      {"robots/quadruped.urdf", "--base", "floating", flag, "stiffness:root_joint"},
      "stiffness: joint \"root_joint\" is floating, and only joints that turn about or slide along axes can");
}

TEST_CASE("derivatives by parameters of which there are none, and columns that no regressor has") {
  const std::string none = "no parameters are chosen that they depend on; choose some with --parameters";
  check_refusal({arm, "--functions", "rnea,rnea_parameter_derivatives"}, none);
  check_refusal({arm, "--functions", "sensitivities"}, none);
  check_refusal({arm, "--functions", "rnea,frame_parameter_jacobians", "--parameters", "armature"}, none);
  const std::string flag = "--regressor-columns";
  check_refusal({arm, "--functions", "regressor", flag, "frction"}, "did you mean \"friction\"?");
  check_refusal(
      {arm, "--functions", "rnea", flag, "friction"},
      flag +
          ": none of the functions rnea depends on it; leave it out, or add one that does: regressor, "
          "base_regressor");
}

TEST_CASE("placements and gears: of joints that do not exist or mimic none, and for functions with tables") {
  const std::string flag = "--parameters";
  check_refusal({arm, flag, "placement"}, "placement names no joint; write placement:JOINT");
  check_refusal({arm, flag, "placement:elbo"}, "there is no moving joint \"elbo\"; did you mean \"elbow\"?");
  check_refusal({arm, flag, "placement:elbow,placement:elbow"},
                "placement of joint \"elbow\" is named twice");
  check_refusal({arm, flag, "gear:elbow"},
                "gear: joint \"elbow\" is revolute, and only joints that mimic another one can have it");
  check_refusal({arm, flag, "gear"}, "gear: the robot has no joints that mimic another one");
  check_refusal({arm, flag, "placement:elbow", "--functions", "rnea,base_regressor"},
                "base_regressor cannot take placements and gears as inputs: its base parameters are chosen "
                "for those of the file; ask for regressor, or leave out placement and gear");
  check_refusal({arm, flag, "placement:elbow", "--functions", "integrate"},
                "--parameters placement: none of the functions integrate depends on it");
  const test::Answer answer =
      run_featherline({"generate", arm, "--functions", "kinematics,whole-body", "--no-verify", flag,
                       "placement:elbow", "--dump-after", "tree"});
  CHECK(answer.exit_code == 0);
  CHECK(contains(answer.err,
                 "placements and gears cannot be inputs of these functions: base_regressor left out; leave "
                 "out placement"));
}

TEST_CASE("numbers of joints stand behind anchors in joint order, with the defaults of --joint-dynamics") {
  const cli::TemporaryFolder folder;
  test::write_text(folder.path() / "drives.txt", "* 0.5 0.25 0.125 8 -1\nelbow 1 2 3 4 5\n");
  const test::Answer answer = generate(
      {arm, "--functions", "rnea,mass_matrix,gravity,rnea_derivatives", "--joint-dynamics",
       (folder.path() / "drives.txt").string(), "--parameters", "rest:elbow,armature,inertia:forearm"},
      folder.path() / "out");
  REQUIRE_MESSAGE(answer.exit_code == 0, answer.err);
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "out/arm6.json"));
  const auto& list = manifest["parameters"];
  REQUIRE(list.size() == 3);
  CHECK(list[0]["name"] == "inertia:forearm");
  CHECK(list[0]["defaults"][0].get<double>() > 0.0);
  CHECK(list[1]["name"] == "rest:elbow");
  CHECK(list[1]["index"] == 10);
  CHECK(list[1]["defaults"] == nlohmann::json{5.0});
  CHECK(list[2]["name"] == "armature");
  CHECK(list[2]["defaults"] == nlohmann::json{0.125, 0.125, 3.0, 0.125, 0.125, 0.125});
  CHECK(list[2]["joints"][2] == "elbow");
  CHECK(contains(test::read_text(folder.path() / "out/arm6.hpp"), "armature of joints waist ... "));
  const test::Answer without =
      generate({arm, "--functions", "bias,mass_matrix", "--parameters", "armature,rest,stiffness"},
               folder.path() / "2");
  REQUIRE_MESSAGE(without.exit_code == 0, without.err);
  const auto functions = nlohmann::json::parse(test::read_text(folder.path() / "2/arm6.json"))["functions"];
  CHECK(functions["bias"]["chosen_inputs"] == nlohmann::json{"p"});
}

TEST_CASE("functions have p only where they depend on it") {
  const cli::TemporaryFolder folder;
  const auto having = [&](const std::string& parameter) {
    REQUIRE(generate({arm, "--functions", "rnea,bias,gravity,mass_matrix,rnea_derivatives", "--parameters",
                      parameter},
                     folder.path() / parameter)
                .exit_code == 0);
    const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / parameter / "arm6.json"));
    std::string names;
    for (const auto& [name, function] : manifest["functions"].items())
      names += function.contains("chosen_inputs") ? name + " " : "";
    return names;
  };
  CHECK(having("armature") == "mass_matrix rnea ");
  CHECK(having("friction") == "bias rnea rnea_derivatives ");
  CHECK(having("inertia:tool") == "bias gravity mass_matrix rnea rnea_derivatives ");
}

TEST_CASE("armature, damping and friction as inputs cost a tenth of forward dynamics with them as numbers") {
  const cli::TemporaryFolder folder;
  test::write_text(folder.path() / "drives.txt", "* 0.5 0.25 0.125\n");
  const auto flops = [&](const std::string& name, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"robots/quadruped.urdf", "--base", "floating", "--functions", "aba",
                                 "--joint-dynamics", (folder.path() / "drives.txt").string()});
    REQUIRE(generate(flags, folder.path() / name).exit_code == 0);
    return nlohmann::json::parse(
               test::read_text(folder.path() / name / "quadruped.json"))["functions"]["aba"]["flops"]
        .get<int>();
  };
  CHECK(flops("inputs", {"--parameters", "armature,damping,friction"}) <= 1.1 * flops("numbers", {}));
}

TEST_CASE("of several robots the one without the link is named, and nothing is written") {
  check_refusal({arm, "robots/arm7.urdf", "--functions", "rnea", "--external-forces", "tool"},
                "robots/arm7.urdf: --external-forces: there is no link \"tool\"");
}

TEST_CASE("names of links may have commas and blanks") {
  const cli::TemporaryFolder folder;
  std::string urdf = test::read_text(arm);
  for (std::size_t at = 0; (at = urdf.find("\"tool\"", at)) != std::string::npos;)
    urdf.replace(at, 6, "\"a, b\"");
  const std::filesystem::path file = folder.path() / "robot.urdf";
  test::write_text(file, urdf);
  const test::Answer answer = generate({file.string(), "--functions", "rnea", "--external-forces",
                                        "forearm, a\\, b", "--parameters", "payload:a\\, b"},
                                       folder.path() / "out");
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "out/arm6.json"));
  CHECK(manifest["external_forces"] == nlohmann::json{"forearm", "a, b"});
  CHECK(manifest["parameters"][0]["name"] == "payload:a, b");
  const std::string flags = manifest["options"];
  CHECK(contains(flags, "--external-forces 'forearm,a\\, b' --parameters 'payload:a\\, b'"));
}

TEST_CASE("header and manifest say what is an input, and where") {
  const cli::TemporaryFolder folder;
  const test::Answer answer =
      generate({arm, "--functions", "rnea,gravity,mass_matrix,forward_kinematics", "--batch",
                "--external-forces", "tool,forearm", "--parameters", "gravity,payload:tool", "--c-api"},
               folder.path());
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
  const std::string header = test::read_text(folder.path() / "arm6.hpp");
  CHECK(contains(header, "gravity is p[0], p[1], p[2] in world axes."));
  CHECK_FALSE(contains(header, "gravity is ("));
  CHECK(contains(header, "p[3] ... p[12]        payload of link tool, which body 6 carries"));
  CHECK(contains(header, "fext at fext + k * 6 * num_external_forces, "));
  CHECK(contains(header, "    0.0, 0.0, -9.81,\n"));
  const auto manifest = nlohmann::json::parse(test::read_text(folder.path() / "arm6.json"));
  const auto& functions = manifest["functions"];
  CHECK(functions["rnea"]["chosen_inputs"] == nlohmann::json{"fext", "p"});
  CHECK(functions["gravity"]["chosen_inputs"] == nlohmann::json{"p"});
  CHECK(functions["mass_matrix"]["chosen_inputs"] == nlohmann::json{"p"});
  CHECK_FALSE(functions["forward_kinematics"].contains("chosen_inputs"));
}

TEST_CASE("inspect shows what is chosen") {
  const std::vector<std::string> flags{
      "inspect", arm, "--external-forces", "forearm,tool", "--parameters", "gravity,payload:tool"};
  const test::Answer text = run_featherline(flags);
  CHECK(contains(text.out, "-9.81 m/s^2 in world axes, the default of p[0..2]"));
  CHECK(contains(text.out, "fext[6..11]  force on \"tool\""));
  CHECK(contains(text.out, "p[3..12]     \"payload:tool\""));
  std::vector<std::string> as_json = flags;
  as_json.emplace_back("--format=json");
  const auto json = nlohmann::json::parse(run_featherline(as_json).out);
  CHECK(json["external_forces"] == nlohmann::json{"forearm", "tool"});
  CHECK(json["parameters"][1]["index"] == 3);
}

}  // namespace chosen_inputs_test
