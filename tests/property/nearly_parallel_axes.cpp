// Arms whose axes are parallel but for a tilt: every function as emitted by default, against the reference solver that
// takes the tree as written.

#include "emitted_functions.hpp"
#include "model/canonical.hpp"
#include "support/parallel_arm.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace property::nearly_parallel_axes {

using namespace featherline;
using namespace featherline::test;

namespace {

constexpr double agreement = 1e-10;
constexpr double float_factor = 10.0;
constexpr double float_rounding = 6e-8;  // where the exact arm has no error: gravity along its axes

/// Half turns as files have them and tilts from 1e-1 to 1e-12, in turn.
test::ParallelArm rounded_arm(std::uint64_t seed) {
  test::ParallelArm arm;
  arm.seed = seed;
  arm.prismatic = seed % 3 == 2 ? 0.3 : 0.0;
  constexpr std::size_t tilts = 12;
  const std::size_t kind = seed % (test::rounded_half_turns.size() + tilts);
  if (kind < tilts) {
    arm.tilt = std::pow(10.0, -1.0 - static_cast<double>(kind));
  } else {
    arm.half_turn = test::rounded_half_turns[kind - tilts];
  }
  return arm;
}

test::ParallelArm exact_twin(test::ParallelArm arm) {
  arm.tilt = 0.0;
  if (arm.half_turn != 0.0) arm.half_turn = std::numbers::pi;
  return arm;
}

Robot read_arm(const test::ParallelArm& arm, bool floating) {
  return read_text(test::to_urdf(test::parallel_arm(arm)), floating);
}

}  // namespace

TEST_CASE("every function agrees with the reference") {  // each kind of axis once fixed, and once floating
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    test::ParallelArm arm = rounded_arm(seed);
    const bool floating = seed >= 18;
    arm.joints = 3 + static_cast<int>(seed / 2 % (floating ? 2 : 5));
    CAPTURE(seed);
    CAPTURE(arm.tilt);
    CAPTURE(arm.half_turn);
    const Robot robot = read_arm(arm, floating);
    const Functions functions = emitted_functions(robot, arm.joints > 5 ? first_order() : all_functions());
    for (const auto& [name, error] : errors_in<double>(functions, robot.tree, 1)) {
      const auto& which = name;
      CAPTURE(which);
      CHECK(error <= agreement);
    }
  }
}

TEST_CASE("seven joints on a floating base agree, too") {
  for (std::uint64_t seed = 0; seed < 18; ++seed) {
    test::ParallelArm arm = rounded_arm(seed);
    arm.joints = 5 + static_cast<int>(seed % 3);
    CAPTURE(seed);
    const Robot robot = read_arm(arm, true);
    for (const auto& [name, error] :
         errors_in<double>(emitted_functions(robot, first_order()), robot.tree, 2)) {
      const auto& which = name;
      CAPTURE(which);
      CHECK(error <= agreement);
    }
  }
}

TEST_CASE("in float, errors are those of the same arm with exact angles") {
  double worst_exact_product = 0.0, worst_product = 0.0;
  for (std::uint64_t seed = 0; seed < 18; ++seed) {  // each kind of axis once
    test::ParallelArm arm = rounded_arm(seed);
    const bool floating = seed % 2 == 1;
    arm.joints = 3 + static_cast<int>(seed / 2 % 4);
    const std::vector<std::string> names = seed % 3 == 0 && arm.joints < 6 ? all_functions() : first_order();
    const Robot rounded = read_arm(arm, floating), exact = read_arm(exact_twin(arm), floating);
    const auto errors = errors_in<float>(emitted_functions(rounded, names), rounded.tree, 4);
    const auto exact_errors = errors_in<float>(emitted_functions(exact, names), exact.tree, 4);
    for (const auto& [name, error] : errors) {
      CAPTURE(seed);
      const auto& which = name;
      CAPTURE(which);
      if (name == "aba_vjp") {
        // A product with weights may cancel: one exact arm has 5e-7, its rounded twin 1.2e-5, another exact one 5.5e-6.
        worst_product = std::max(worst_product, error);
        worst_exact_product = std::max(worst_exact_product, exact_errors.at(name));
        continue;
      }
      CHECK(error <= float_factor * std::max(exact_errors.at(name), float_rounding));
    }
  }
  CHECK(worst_product > 0.0);
  CHECK(worst_product <= float_factor * worst_exact_product);
}

TEST_CASE("frames stay within the robot's size") {
  for (std::uint64_t seed = 0; seed < 180; ++seed) {
    test::ParallelArm arm = rounded_arm(seed);
    arm.joints = 3 + static_cast<int>(seed % 5);
    const Robot robot = read_arm(arm, seed % 2 == 1);
    const double size = model::robot_size(robot.tree);
    CHECK(size < 0.9 * (arm.joints + 1));
    for (const model::Placement& frame :
         model::canonical_frames(robot.tree, model::unfolded(robot.tree), model::plain_frames(robot.tree)))
      CHECK(frame.p.norm() <= size);
  }
}

}  // namespace property::nearly_parallel_axes
