// Straight line or loops: chosen by size, forced by options, said in the report; what loops cannot give is refused.
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace featherline;
using test::Answer;
using test::contains;
using test::run_featherline;

namespace {

/// A chain of revolute joints about skew axes.
std::string chain(int joints) {
  std::string urdf = "<robot name=\"chain\"><link name=\"l0\"/>";
  for (int i = 1; i <= joints; ++i) {
    const std::string n = std::to_string(i);
    urdf += "<joint name=\"j" + n + "\" type=\"continuous\"><parent link=\"l" + std::to_string(i - 1) +
            "\"/><child link=\"l" + n +
            "\"/><origin xyz=\"0.1 0.2 0.3\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 0 1\"/>" +
            "</joint><link name=\"l" + n +
            "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" " +
            "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>";
  }
  return urdf + "</robot>";
}

class Chain {
 public:
  explicit Chain(int joints) { test::write_text(urdf(), chain(joints)); }

  std::filesystem::path folder() const { return scratch_.path() / "out"; }
  Answer generate(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"generate", urdf().string(), "-o", folder().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_featherline(arguments);
  }
  std::string formulation(const std::string& function) const {
    const auto manifest = nlohmann::json::parse(test::read_text(folder() / "chain.json"));
    return manifest["functions"].at(function)["formulation"];
  }

 private:
  std::filesystem::path urdf() const { return scratch_.path() / "chain.urdf"; }
  cli::TemporaryFolder scratch_;
};

constexpr const char* tensors = "rnea_second_derivatives";

}  // namespace

TEST_CASE("small robots are unrolled, large ones come out of loops, and the report says so") {
  const Chain small(6), large(40);
  REQUIRE(small.generate({"--functions", tensors}).exit_code == 0);
  CHECK(small.formulation(tensors) != "vector loops");
  const Answer answer = large.generate({"--functions", tensors});
  REQUIRE(answer.exit_code == 0);
  CHECK(large.formulation(tensors) == "vector loops");
  CHECK(contains(answer.out, "vector loops"));
  CHECK(contains(test::read_text(large.folder() / "chain_rnea_second_derivatives.ipp"),
                 "vector_loops::rnea_second"));
}

TEST_CASE("loops begin where the README says") {
  const auto in_loops = [](int joints, const std::string& function) {
    const Chain robot(joints);
    REQUIRE(robot.generate({"--functions", function}).exit_code == 0);
    return robot.formulation(function) == "vector loops";
  };
  CHECK_FALSE(in_loops(27, tensors));
  CHECK(in_loops(28, tensors));
  CHECK_FALSE(in_loops(29, "aba_derivatives"));
  CHECK(in_loops(30, "aba_derivatives"));
  CHECK(in_loops(30, "aba_vector_hessian"));
  CHECK_FALSE(in_loops(53, "minv"));
  CHECK(in_loops(54, "minv"));
  CHECK(in_loops(13, "aba_second_derivatives"));
}

TEST_CASE("--formulation forces loops; --max-code takes them where unrolled code would be too long") {
  const Chain robot(10);
  REQUIRE(robot.generate({"--functions", tensors, "--formulation", "rnea_second_derivatives=vector loops"})
              .exit_code == 0);
  CHECK(robot.formulation(tensors) == "vector loops");
  REQUIRE(robot.generate({"--functions", tensors}).exit_code == 0);
  CHECK(robot.formulation(tensors) != "vector loops");
  REQUIRE(robot.generate({"--functions", tensors, "--max-code", "200000"}).exit_code == 0);
  CHECK(robot.formulation(tensors) == "vector loops");
  CHECK(robot.generate({"--functions", tensors, "--max-code", "2000"}).exit_code == 1);
}

TEST_CASE("loops have no packed form and no batches") {
  const Chain robot(60);
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--functions", "rnea_second_derivatives_packed"},
        {"--functions", tensors, "--batch"}}) {
    CAPTURE(flags[1]);
    const Answer answer = robot.generate(flags);
    CHECK(answer.exit_code == 1);
    CHECK_MESSAGE(contains(answer.err, "error: this robot is too large to unroll rnea_second_derivatives"),
                  answer.err);
    CHECK(contains(answer.err, "--formulation \"rnea_second_derivatives=piecewise frames\""));
    CHECK_FALSE(std::filesystem::exists(robot.folder()));
  }
}
