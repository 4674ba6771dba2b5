// Verification, check and the decision on quarter turns measure errors as the README says: a result that is off by a
// little less than 1e-10 of max(1, max |ref|) is right for each of them, and one that is off by a little more is wrong.
#include "cli/check/check.hpp"
#include "passes/simplify.hpp"
#include "pipeline.hpp"
#include "run_featherline.hpp"
#include "selection/quarter_turns.hpp"
#include "support/as_emitted.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace featherline;

namespace {

/// A weight on a vertical slide. Its M is `mass` and its gravity 9.81 `mass`, in all states.
Robot slide(double mass) {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path() / "slide.urdf";
  test::write_text(
      file,
      fmt::format("<robot name='slide'><link name='base'/><link name='weight'><inertial><mass value='{0}'/>"
                  "<inertia ixx='{0}' iyy='{0}' izz='{0}' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                  "<joint name='j' type='prismatic'><parent link='base'/><child link='weight'/>"
                  "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>",
                  mass));
  Diagnostics findings;
  return read_robot(file, {}, findings);
}

/// `error` added to the last result.
class AddToLast : public passes::Rewriter {
 public:
  AddToLast(const ir::Kernel& function, double error) : Rewriter(function), error_(error) {}

 private:
  ir::Scalar rewrite(ir::NodeId id) override {
    return id == source().stores.back().value ? rebuild(id) + error_ : rebuild(id);
  }
  double error_;
};

/// What `generate` reports. It throws where verification refuses the function.
double verified_error(const Robot& robot, const std::string& function, double error) {
  Observer observer;
  observer.tamper = [error](const ir::Kernel& kernel) { return AddToLast(kernel, error).run(); };
  return *emit_robot(robot, test::only({function}), observer).facts.front().error;
}

cli::Verdict checked(const Robot& robot, const std::string& function, double error) {
  std::mt19937 random(1);
  const reference::State x = reference::random_state(robot.tree, random);
  cli::Judge judge(*reference::find_outputs(function), robot.tree, x, cli::of_double);
  reference::Outputs found = judge.expected();
  found.back().values.back() += error;
  return judge.judge(found);
}

constexpr double slightly_less = 0.99e-10, slightly_more = 1.01e-10;

}  // namespace

TEST_CASE("verification and check allow 1e-10 of max(1, max |ref|)") {
  struct Case {
    std::string function;
    double mass, scale;
  };
  for (const Case& known :
       {Case{"gravity", 1e3, 9810.0}, Case{"mass_matrix", 1e3, 1e3}, Case{"mass_matrix", 1.0, 1.0}}) {
    CAPTURE(known.function);
    CAPTURE(known.mass);
    const Robot robot = slide(known.mass);
    CHECK(verified_error(robot, known.function, slightly_less * known.scale) ==
          doctest::Approx(slightly_less).epsilon(1e-3));
    CHECK_THROWS_AS(verified_error(robot, known.function, slightly_more * known.scale), InputError);
    const cli::Verdict less = checked(robot, known.function, slightly_less * known.scale);
    CHECK(less.relative == doctest::Approx(slightly_less).epsilon(1e-3));
    CHECK(less.agrees());
    const cli::Verdict more = checked(robot, known.function, slightly_more * known.scale);
    CHECK(more.relative == doctest::Approx(slightly_more).epsilon(1e-3));
    CHECK(more.whole() > 1.0);
  }
}

TEST_CASE("results of a robot of grams are verified by its own m L^2, and checked entry by entry") {
  const Robot robot = slide(1e-3);
  for (const std::string function : {"mass_matrix", "gravity"}) {
    CAPTURE(function);
    const double size = function == "gravity" ? 9.81e-3 : 1e-3;
    CHECK(verified_error(robot, function, slightly_less * size) ==
          doctest::Approx(slightly_less).epsilon(1e-3));
    CHECK_THROWS_AS(verified_error(robot, function, slightly_more * size), InputError);
    CHECK(checked(robot, function, slightly_less * size).agrees());
    CHECK_FALSE(checked(robot, function, 2.0 * slightly_more * size).agrees());
  }
}

TEST_CASE("exact quarter turns may change results by half of what is promised") {
  const Robot robot = slide(1e3);
  const auto may_weigh = [&](double factor) {
    return may_be_exact(slide(1e3 * (1.0 + factor * allowed_deviation)).tree, robot.tree);
  };
  CHECK(may_weigh(0.99));
  CHECK_FALSE(may_weigh(1.01));
  CHECK(2.0 * allowed_deviation <= reference::promised_error);
}
