// The estimates of code and stack for microcontrollers against what arm-none-eabi-g++ makes of the same functions: at
// most 5 % too low and 25 % too high. Sizes are deterministic. `check --size` prints the same figures, and takes three
// times as long, because it also runs the functions and compiles them with -Os: it is tested once
// (property_sizes_by_check). Estimates of other robots are compared with sizes that were measured once
// (prediction_of_times).
#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

using namespace featherline;

namespace {

/// $CXX is a cross compiler for this core while the object lives. Where there is none the test is skipped.
class CrossCompiler {
 public:
  explicit CrossCompiler(cost::Target target) {
    if (std::system("command -v arm-none-eabi-g++ >/dev/null") != 0) {
      std::puts(
          "skipped: no arm-none-eabi-g++; install gcc-arm-none-eabi and libstdc++-arm-none-eabi-newlib");
      std::exit(77);
    }
    const std::string core = target == cost::Target::cortex_m7 ? "-mcpu=cortex-m7 -mfpu=fpv5-sp-d16"
                                                               : "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16";
    if (const char* own = std::getenv("CXX")) own_ = own;
    setenv("CXX", ("arm-none-eabi-g++ " + core + " -mfloat-abi=hard -mthumb").c_str(), 1);
  }
  ~CrossCompiler() {
    if (own_)
      setenv("CXX", own_->c_str(), 1);
    else
      unsetenv("CXX");
  }

 private:
  std::optional<std::string> own_;
};

void expect_close(int estimate, int measured) {
  CAPTURE(estimate);
  CAPTURE(measured);
  CHECK(estimate >= 0.95 * measured);
  CHECK(estimate <= 1.25 * measured);
}

void check_sizes(cost::Target target, const std::string& name, const std::vector<std::string>& functions) {
  CAPTURE(name);
  const CrossCompiler compiler(target);
  Options options;
  options.target = target;
  options.scalars = {"float"};
  options.verify = false;
  options.build.floating_base = name == "quadruped" || name == "humanoid";
  options.functions = functions;
  Diagnostics findings;
  const Robot robot = read_robot("robots/" + name + ".urdf", options, findings);
  const Emission emission = emit_robot(robot, make_plan(robot, options, findings), options);
  const cli::TemporaryFolder folder;
  cli::write_emitted(emission.files, folder.path());
  REQUIRE(emission.facts.size() == functions.size());
  std::map<std::string, int> image;  // the linker keeps one copy of each symbol
  for (const emit::FunctionFacts& f : emission.facts) {
    CAPTURE(f.name);
    const cli::MeasuredSize size = cli::measure_size(emission, f.name, folder.path());
    expect_close(f.stack_bytes, size.stack);
    expect_close(f.code_bytes, size.code);
    image.insert(size.symbols.begin(), size.symbols.end());
  }
  int image_bytes = 0;
  for (const auto& [symbol, bytes] : image) image_bytes += bytes;
  CAPTURE("all together");
  expect_close(emission.image_bytes, image_bytes);
}

const std::vector<std::string> most{
    "rnea", "bias", "gravity",          "mass_matrix",        "coriolis_matrix", "aba",
    "aza",  "minv", "rnea_derivatives", "forward_kinematics", "frame_jacobian"};

}  // namespace

TEST_CASE("estimates for a Cortex-M7 are close to what the compiler makes") {
  for (const char* robot : {"planar3", "arm6", "arm7", "mobile_manipulator", "quadruped"}) {
    check_sizes(cost::Target::cortex_m7, robot, most);
  }
  check_sizes(cost::Target::cortex_m7, "humanoid",
              {"rnea", "bias", "gravity", "mass_matrix", "aba", "forward_kinematics", "frame_jacobian"});
}

// Code of the other core differs by less than 0.5 %, stack not at all: few functions show it.
TEST_CASE("estimates for a Cortex-M4F are close to what the compiler makes") {
  check_sizes(cost::Target::cortex_m4f, "quadruped", {"rnea", "mass_matrix", "aba", "rnea_derivatives"});
}
