#include "catalog/functions.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "report/report.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

// The structural zeros of the page against the packed forms and against values of the reference solver.

using namespace featherline;

namespace {

using Patterns = std::vector<report::Matrix>;
const std::vector<std::string> square{"mass_matrix", "coriolis_matrix", "minv", "rnea_derivatives"};

struct Case {
  std::string urdf;
  bool floating;
  std::map<std::string, std::string> formulations = {};
};

/// The last ones are functions that routines of the runtime compute, which do not know all zeros.
const std::vector<Case> cases{{"robots/planar3.urdf", false},
                              {"robots/stanford_arm.urdf", false},
                              {"robots/mobile_manipulator.urdf", false},
                              {"robots/quadruped.urdf", true},
                              {"robots/quadruped.urdf", false, {{"minv", "dense kernels"}}},
                              {"robots/arm7.urdf", false, {{"rnea_derivatives", "panels"}}}};

Options options_of(const Case& one) {
  Options options;
  options.build.floating_base = one.floating;
  options.functions = square;
  options.formulations = one.formulations;
  return options;
}

Patterns patterns_of(const Robot& robot, const Options& options) {
  Diagnostics findings;
  return report::make_report(robot, make_plan(robot, options, findings), options, {}).matrices;
}

/// From the index arrays that packed forms without lanes are emitted with.
std::vector<bool> packed_pattern(const Robot& robot, Options options, const report::Matrix& matrix) {
  Diagnostics findings;
  options.functions = {catalog::packed_name(*catalog::find(matrix.function))};
  options.formulations.clear();
  options.lanes = false;  // packed forms of lanes hold zeros
  const LoweredRobot lowered = lower_robot(robot, make_plan(robot, options, findings), options);
  const LoweredFunction& function = lowered.functions.at(0);
  std::size_t output = 0;
  while (function.spec->outputs.at(output).name != matrix.output) ++output;
  std::vector<bool> nonzero(matrix.nonzero.size());
  for (const passes::PackedEntry& entry : function.packed_maps->at(output))
    nonzero.at(static_cast<std::size_t>(entry.dense_index)) = true;
  return nonzero;
}

/// The entries that are not zero in some random state.
std::vector<bool> numeric_pattern(const Robot& robot, const report::Matrix& matrix) {
  std::vector<bool> nonzero(matrix.nonzero.size());
  std::mt19937 random(1);
  for (int k = 0; k < 3; ++k) {
    const reference::State state = reference::random_state(robot.tree, random);
    for (const reference::OutputArray& array :
         reference::find_outputs(matrix.function)->compute(robot.tree, state)) {
      if (array.name != matrix.output) continue;
      for (std::size_t i = 0; i < nonzero.size(); ++i)
        nonzero[i] = nonzero[i] || std::abs(array.values.at(i)) > 1e-9;
    }
  }
  return nonzero;
}

}  // namespace

TEST_CASE("patterns are those of the packed forms, and hold all values that are not zero") {
  for (const Case& one : cases) {
    CAPTURE(one.urdf);
    Diagnostics findings;
    const Options options = options_of(one);
    const Robot robot = read_robot(one.urdf, options, findings);
    const Patterns patterns = patterns_of(robot, options);
    REQUIRE(patterns.size() == 5);
    for (const report::Matrix& matrix : patterns) {
      CAPTURE(matrix.output);
      REQUIRE(matrix.nonzero.size() == static_cast<std::size_t>(robot.tree.nv * robot.tree.nv));
      CHECK(matrix.nonzero == packed_pattern(robot, options, matrix));
      // Coriolis matrices are not unique, and ours are not those of the reference.
      if (matrix.function == "coriolis_matrix") continue;
      const std::vector<bool> numeric = numeric_pattern(robot, matrix);
      int unknown_zeros = 0;  // terms that cancel, such as those of the last of parallel axes
      for (std::size_t i = 0; i < numeric.size(); ++i) {
        CHECK_FALSE((numeric[i] && !matrix.nonzero[i]));
        unknown_zeros += matrix.nonzero[i] && !numeric[i] ? 1 : 0;
      }
      CHECK(unknown_zeros <= matrix.size);
    }
  }
}

TEST_CASE("branches make zeros, and rows and columns are not exchanged") {
  Diagnostics findings;
  const Options options = options_of({"robots/quadruped.urdf", true});
  const Robot robot = read_robot("robots/quadruped.urdf", options, findings);
  for (const report::Matrix& matrix : patterns_of(robot, options)) {
    if (matrix.output == "M") {
      CHECK(matrix.at(6, 6));
      CHECK_FALSE(matrix.at(6, 9));  // two legs
      CHECK(matrix.num_nonzeros() < matrix.size * matrix.size);
    }
    if (matrix.output != "dtau_dq") continue;
    // Where the base is has no effect on torques; how it is turned has one.
    for (int i = 0; i < matrix.size; ++i) CHECK_FALSE(matrix.at(i, 0));
    CHECK(matrix.at(0, 6));
  }
}

TEST_CASE("functions are those that were asked for, with the figures of generate") {
  for (const Case& one : cases) {
    Diagnostics findings;
    const Options options = options_of(one);
    const Robot robot = read_robot(one.urdf, options, findings);
    const Plan plan = make_plan(robot, options, findings);
    const report::Report page = report::make_report(robot, plan, options, {});
    const Emission emission = emit_robot(robot, plan, options);
    REQUIRE(page.functions.size() == square.size());
    CHECK(page.image_bytes == emission.image_bytes);
    for (std::size_t k = 0; k < square.size(); ++k) {
      const emit::FunctionFacts &shown = page.functions[k], &generated = emission.facts[k];
      CHECK(shown.name == generated.name);
      CHECK(shown.flops == generated.flops);
      CHECK(shown.code_bytes == generated.code_bytes);
      CHECK(shown.ns == generated.ns);
      CHECK(shown.error == generated.error);
      CHECK(shown.formulation == generated.formulation);
    }
  }
}

using model::Vector3;

namespace {

description::Link link(double mass, const Vector3& moments, const Vector3& rpy = Vector3::Zero()) {
  description::Link made;
  made.inertial.emplace();
  made.inertial->mass = mass;
  made.inertial->origin.rpy = rpy;
  made.inertial->inertia = moments.asDiagonal();
  return made;
}

/// Of a homogeneous ellipsoid about its centre.
Vector3 moments_of(double mass, const Vector3& semi_axes) {
  const Vector3 squares = semi_axes.cwiseAbs2();
  return mass / 5.0 *
         Vector3(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
}

}  // namespace

TEST_CASE("the semi-axes of a homogeneous ellipsoid come back, largest first") {
  const auto found = report::equivalent_ellipsoid(link(3.0, moments_of(3.0, {0.2, 0.5, 0.3})));
  REQUIRE(found);
  CHECK(found->semi_axes.isApprox(Vector3(0.5, 0.3, 0.2), 1e-12));
  CHECK(found->moments[0] < found->moments[1]);
  CHECK(found->moments[1] < found->moments[2]);
  CHECK(found->flaw.empty());
}

TEST_CASE("the shape is in the axes of the link") {
  const Vector3 semi_axes(0.2, 0.5, 0.3), rpy(0.4, -0.7, 1.1);
  const auto found = report::equivalent_ellipsoid(link(3.0, moments_of(3.0, semi_axes), rpy));
  REQUIRE(found);
  const model::Matrix3 R = model::rotation_from_rpy(rpy);
  const model::Matrix3 expected = R * semi_axes.cwiseAbs2().asDiagonal() * R.transpose();
  CHECK(found->shape.isApprox(expected, 1e-12));
}

TEST_CASE("a quaternion turns the shape, too") {
  description::Link turned = link(3.0, moments_of(3.0, {0.2, 0.5, 0.3}));
  turned.inertial->origin.quat_xyzw = {0.5, 0.5, 0.5, 0.5};  // x to y to z to x
  const auto found = report::equivalent_ellipsoid(turned);
  REQUIRE(found);
  CHECK(found->shape.diagonal().isApprox(Vector3(0.09, 0.04, 0.25), 1e-12));
}

TEST_CASE("a rod and a point are possible") {
  const auto rod = report::equivalent_ellipsoid(link(2.0, {0.0, 0.1, 0.1}));
  REQUIRE(rod);
  CHECK(rod->flaw.empty());
  CHECK(rod->semi_axes.isApprox(Vector3(0.5, 0.0, 0.0), 1e-12));
  const auto point = report::equivalent_ellipsoid(link(2.0, Vector3::Zero()));
  REQUIRE(point);
  CHECK(point->flaw.empty());
  CHECK(point->semi_axes.isZero());
}

TEST_CASE("what no body has is marked, and its numbers stay finite") {
  const struct {
    double mass;
    Vector3 moments;
    const char* flaw;
  } links[] = {
      {1.0, {0.1, 0.1, 0.5}, "one principal moment is larger than the sum of the other two"},
      {1.0, {-0.1, 0.2, 0.3}, "a principal moment is negative"},
      {-1.0, {0.1, 0.1, 0.1}, "its mass is negative"},
      {0.0, {0.1, 0.1, 0.1}, "it has no mass"},
  };
  for (const auto& one : links) {
    const auto found = report::equivalent_ellipsoid(link(one.mass, one.moments));
    REQUIRE(found);
    CHECK(found->flaw == one.flaw);
    CHECK(found->semi_axes.allFinite());
    CHECK(found->shape.allFinite());
  }
}

TEST_CASE("there is none without inertia") {
  CHECK_FALSE(report::equivalent_ellipsoid(description::Link{}));
  CHECK_FALSE(report::equivalent_ellipsoid(link(0.0, Vector3::Zero())));
}
