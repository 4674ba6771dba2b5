// Straight line or loops: chosen by size, forced by options, said in the report; what loops cannot give is refused.
#include "selection/function_plan.hpp"

#include "pipeline.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <functional>
#include <sstream>

namespace size_policy_test {

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

  std::filesystem::path urdf() const { return scratch_.path() / "chain.urdf"; }
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
  cli::TemporaryFolder scratch_;
};

model::UserTree chain_tree(int joints) {
  const Chain robot(joints);
  Diagnostics findings;
  return read_robot(robot.urdf().string(), {}, findings).tree;
}

/// The shortest chain for which `is_so`.
int shortest_chain(const std::function<bool(const model::UserTree&)>& is_so) {
  for (int joints = 1; joints < 150; ++joints) {
    if (is_so(chain_tree(joints))) return joints;
  }
  return -1;
}

/// Joints of the shortest chain whose dense function is too large to unroll.
int first_in_loops(const std::string& function) {
  Options few_flops;
  few_flops.optimise_for = Goal::flops;
  return shortest_chain([&](const model::UserTree& tree) {
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (algorithm.name != function) continue;
      for (const catalog::Formulation& formulation : algorithm.formulations) {
        if (formulation.in_loops()) return is_candidate(formulation, algorithm, tree, few_flops, false);
      }
    }
    return false;
  });
}

/// Joints of the shortest chain for which a group leaves out the packed form.
int first_without_packed_form(const std::string& function) {
  return shortest_chain([&](const model::UserTree& tree) {
    Diagnostics findings;
    return drop_unrolled_only({function + "_packed"}, {{}, tree, "chain.urdf", findings}).empty();
  });
}

std::string page_on_one_line() {
  std::istringstream words(test::read_text("runtime/guide/formulations.md"));
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Whether routines of the runtime compute the outputs: vector loops, panels or dense kernels.
bool runs_routines(const std::string& function, const std::string& name) {
  for (const catalog::Formulation& formulation : catalog::find(function)->formulations) {
    if (formulation.name == name) return formulation.in_loops();
  }
  return false;
}

constexpr const char* tensors = "rnea_second_derivatives";

}  // namespace

TEST_CASE("small robots are unrolled, large ones come out of loops, and the report says so") {
  const Chain small(4), large(40);
  REQUIRE(small.generate({"--functions", tensors}).exit_code == 0);
  CHECK_FALSE(runs_routines(tensors, small.formulation(tensors)));
  const Answer answer = large.generate({"--functions", tensors});
  REQUIRE(answer.exit_code == 0);
  CHECK(runs_routines(tensors, large.formulation(tensors)));
  CHECK(contains(answer.out, large.formulation(tensors)));
  const bool in_panels = large.formulation(tensors) == "panels";
  const std::string text = test::read_text(large.folder() / "chain_rnea_second_derivatives.ipp");
  CHECK(contains(text, in_panels ? "panels::rnea_second" : "vector_loops::rnea_second"));
  // The tensors have 256,000 numbers, so that prepare reads the table and does not call the function.
  const std::string table = "featherline::panels::touch_table<detail::rnea_second_derivatives_panels, S>();";
  CHECK(contains(text, table) == in_panels);
}

TEST_CASE("the first function in loops is in loops") {
  const Chain unrolled(12), looped(13);
  REQUIRE(unrolled.generate({"--functions", "minv", "--quiet"}).exit_code == 0);
  CHECK_FALSE(runs_routines("minv", unrolled.formulation("minv")));
  REQUIRE(looped.generate({"--functions", "aba_second_derivatives"}).exit_code == 0);
  CHECK(runs_routines("aba_second_derivatives", looped.formulation("aba_second_derivatives")));
}

TEST_CASE("loops begin, and packed forms and batches end, where the guide says") {
  const std::string page = page_on_one_line();
  for (const std::string function : {"aba_second_derivatives", "rnea_second_derivatives", "aba_derivatives",
                                     "aba_vector_hessian", "minv_vector_derivative", "minv"}) {
    const std::string row = "| `" + function + "` | " + std::to_string(first_in_loops(function)) + " | " +
                            std::to_string(first_without_packed_form(function)) + " |";
    CHECK_MESSAGE(contains(page, row), row);
  }
}

TEST_CASE("--formulation forces loops; --max-code takes them where unrolled code would be too long") {
  const Chain robot(10);
  REQUIRE(robot.generate({"--functions", tensors, "--formulation", "rnea_second_derivatives=vector loops"})
              .exit_code == 0);
  CHECK(robot.formulation(tensors) == "vector loops");
  REQUIRE(robot.generate({"--functions", tensors}).exit_code == 0);
  CHECK(robot.formulation(tensors) != "vector loops");
  REQUIRE(robot.generate({"--functions", tensors, "--max-code", "200000"}).exit_code == 0);
  CHECK(runs_routines(tensors, robot.formulation(tensors)));
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
    CHECK_MESSAGE(
        contains(answer.err,
                 "cannot be emitted: this robot is too large to unroll \"rnea_second_derivatives\""),
        answer.err);
    CHECK(contains(answer.err, "--formulation \"rnea_second_derivatives=piecewise frames\""));
    CHECK_FALSE(std::filesystem::exists(robot.folder()));
  }
}

TEST_CASE("of a group, a very large robot gets the functions whose arrays are not too large") {
  model::UserTree tree;
  tree.nq = tree.nv = 3000;
  const auto drop = [&](const std::vector<std::string>& functions, const std::vector<std::string>& named,
                        Diagnostics& findings) {
    Options options;
    options.named_functions = named;
    return drop_oversized(functions, {options, tree, "a.urdf", findings});
  };
  Diagnostics group, named, nothing_left;
  CHECK(drop({"rnea", "mass_matrix", "aba"}, {"dynamics"}, group) == std::vector<std::string>{"rnea"});
  CHECK(format_text(group) ==
        "a.urdf: warning: the robot has 3000 degrees of freedom; arrays of more than 8 million entries would "
        "be "
        "needed for mass_matrix, aba: left out; ask for other functions (--functions rnea), or make joints "
        "fixed "
        "(--lock) [large-left-out]\n");
  drop({"rnea", "mass_matrix"}, {"rnea", "mass_matrix"}, named);
  CHECK(named.has_errors());
  CHECK(contains(format_text(named), "would be needed for mass_matrix; ask for other functions"));
  drop({"mass_matrix", "minv"}, {"derivatives"}, nothing_left);
  CHECK(nothing_left.has_errors());
}

}  // namespace size_policy_test
