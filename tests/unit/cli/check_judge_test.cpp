// What `check` allows: honest rounding in double and float, and nothing that is wrong by more than that. The judge is
// given results made here, so that each criterion is seen to fail where only it can.
#pragma GCC diagnostic ignored "-Warray-bounds"  // of g++ 12 about casts to Vector3f, none of which is wrong
#include "cli/check/check.hpp"
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "reference/solver.ipp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace featherline;
using cli::Judge;
using cli::Verdict;
using reference::Outputs;
using reference::State;

namespace {

model::UserTree read_tree(const std::string& robot, bool floating = false) {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = floating;
  return model::build_tree(formats::read_file("robots/" + robot + ".urdf", findings), options, findings);
}

std::vector<State> float_states(const model::Tree& tree, int count) {
  std::mt19937 random(3);
  std::vector<State> states;
  for (int k = 0; k < count; ++k)
    states.push_back(reference::rounded_to_float(reference::random_state(tree, random)));
  return states;
}

const reference::OutputFunction& function(const std::string& name) { return *reference::find_outputs(name); }

template <class Matrix>
Outputs outputs(const std::string& name, const Matrix& x) {
  const Eigen::MatrixXd y = x.template cast<double>();
  return {{name, {y.data(), y.data() + y.size()}}};
}

/// The reference's algorithms run in float: honest rounding, by code that the judge does not share.
Outputs computed_in_float(const std::string& name, const model::Tree& tree, const State& x) {
  reference::Solver<float> solver(tree);
  const Eigen::VectorXf q = x.q.cast<float>(), v = x.v.cast<float>();
  if (name == "rnea") return outputs("tau", solver.rnea(q, v, x.a.cast<float>()));
  if (name == "mass_matrix") return outputs("M", solver.crba(q));
  if (name == "minv") return outputs("Minv", solver.minv(q));
  return outputs("a", solver.aba(q, v, x.tau.cast<float>()));
}

/// What a double program with another robot would give, rounded to float.
Outputs with_other_numbers(const std::string& name, const model::Tree& tree, const State& x) {
  Outputs result = function(name).compute(tree, x);
  for (reference::OutputArray& array : result) {
    for (double& value : array.values) value = static_cast<double>(static_cast<float>(value));
  }
  return result;
}

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

/// Whether the judge of float refuses the results at one of the states.
template <class Results>
bool refused(const std::string& name, const model::Tree& tree, const Results& results) {
  for (const State& x : float_states(tree, 20)) {
    Judge judge(function(name), tree, x, cli::of_float);
    if (!judge.judge(results(x)).agrees()) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("float: another algorithm's rounding is allowed") {
  double worst = 0.0;
  for (const auto& [robot, floating] : {std::pair<std::string, bool>{"planar3", false},
                                        {"arm6", false},
                                        {"stanford_arm", false},
                                        {"quadruped", true},
                                        {"humanoid", false}}) {
    const model::UserTree tree = read_tree(robot, floating);
    for (const std::string name : {"rnea", "mass_matrix", "aba", "minv"}) {
      const auto& of_robot = robot;
      CAPTURE(of_robot);
      CAPTURE(name);
      for (const State& x : float_states(tree, 10)) {
        Judge judge(function(name), tree, x, cli::of_float);
        const Verdict verdict = judge.judge(computed_in_float(name, tree, x));
        CHECK(verdict.agrees());
        worst = std::max(worst, verdict.worst_share);
      }
    }
  }
  CHECK(worst > 0.05);  // a bound that nothing comes near would allow mistakes, too
}

TEST_CASE("float: a number of the robot that is off by 1e-5 is refused by the function it matters most to") {
  const auto refused_by_one = [](const model::Tree& tree, const model::Tree& wrong) {
    for (const std::string name : {"mass_matrix", "minv", "rnea", "gravity", "aba"}) {
      if (refused(name, tree, [&](const State& x) { return with_other_numbers(name, wrong, x); }))
        return true;
    }
    return false;
  };
  for (const std::string robot : {"planar3", "arm6"}) {
    const model::UserTree tree = read_tree(robot);
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      CAPTURE(robot);
      CAPTURE(tree.bodies[i].joint.name);
      // What turns with the first joint feels all that hangs on it: its own inertia is a small part of that.
      const double wrong = 1.0 + (i == 0 ? 2e-5 : 1e-5);
      model::UserTree inertia = tree, placement = tree;
      inertia.bodies[i].inertia.mass *= wrong;
      inertia.bodies[i].inertia.h *= wrong;
      inertia.bodies[i].inertia.J *= wrong;
      CHECK(refused_by_one(tree, inertia));
      placement.bodies[i].joint.placement.p *= wrong;
      // Moving the first joint of a fixed arm changes nothing, nor does an origin that is zero or on the axis.
      const bool matters = robot == "planar3" ? i > 0 : i > 0 && i < 4;
      CHECK(refused_by_one(tree, placement) == matters);
    }
    model::UserTree gravity = tree;
    gravity.gravity *= 1.0 + 1e-5;
    CHECK(
        refused("gravity", tree, [&](const State& x) { return with_other_numbers("gravity", gravity, x); }));
  }
}

TEST_CASE("float: a dropped term is refused") {
  const model::UserTree tree = read_tree("arm6");
  CHECK(refused("rnea", tree, [&](const State& x) {
    State slower = x;
    slower.v[5] = 0.0;  // the velocity of the last and lightest link
    return with_other_numbers("rnea", tree, slower);
  }));
}

TEST_CASE("double: an entry beneath one that is a million times as large") {
  model::UserTree tree = read_tree("planar3");
  for (double* number : {&tree.bodies[2].inertia.mass, &tree.bodies[2].inertia.h[0],
                         &tree.bodies[2].inertia.h[1], &tree.bodies[2].inertia.h[2]}) {
    *number *= 1e-7;
  }
  tree.bodies[2].inertia.J *= 1e-7;
  std::mt19937 random(1);
  const State x = reference::random_state(tree, random);
  Judge judge(function("aba"), tree, x, cli::of_double);
  Outputs a = judge.expected();
  CHECK(std::abs(a[0].values[2]) > 1e6 * std::abs(a[0].values[0]));
  CHECK(judge.judge(a).agrees());
  a[0].values[0] *= 1.0 + 1e-6;
  const Verdict verdict = judge.judge(a);
  CHECK(verdict.whole() < 1.0);  // what `check` used to look at
  CHECK(verdict.entries > 10.0);
  CHECK(*verdict.residual > 10.0);  // the equation of motion sees it, too
  CHECK_FALSE(verdict.agrees());
}

TEST_CASE("double: an entry of small size is judged by its own size, zeros by the terms that cancel") {
  const model::UserTree tree = read_tree("planar3");
  std::mt19937 random(1);
  const State x = reference::random_state(tree, random);
  Judge judge(function("rnea_derivatives"), tree, x, cli::of_double);
  Outputs d = judge.expected();
  // dtau3/dv3 is zero for every robot: a link's own centrifugal force passes through its axis.
  d[1].values[8] += 1e-16;
  CHECK(judge.judge(d).agrees());
  d[1].values[8] += 3e-11;
  const Verdict verdict = judge.judge(d);
  CHECK(verdict.whole() < 1.0);
  CHECK_FALSE(verdict.agrees());
}

TEST_CASE("double: layers that are zero for all robots may round, and no more") {
  // No force changes where the root of a robot slides to: layer 0 is zero but for its friction.
  model::UserTree slide = read_tree("arm6");
  slide.bodies[0].joint.type = model::JointType::prismatic;
  slide.bodies[0].joint.friction = 0.1;
  // No acceleration within a robot changes where its free root turns to.
  const model::UserTree free = read_tree("quadruped", true);
  struct Case {
    std::string function;
    const model::UserTree& tree;
    std::size_t row, coordinate;
  };
  for (const auto& [name, tree, row, zero] : {Case{"rnea_second_derivatives", slide, 1, 0},
                                              {"aba_second_derivatives", slide, 1, 0},
                                              {"aba_second_derivatives", free, 7, 3}}) {
    const auto& which = name;
    CAPTURE(which);
    std::mt19937 random(1);
    const State x = reference::random_state(tree, random);
    Judge judge(function(name), tree, x, cli::of_double);
    const auto n = static_cast<std::size_t>(tree.nv);
    double scale = 0.0;  // of the row
    for (std::size_t i = row; i < n * n * n; i += n)
      scale = std::max(scale, std::abs(judge.expected()[0].values[i]));
    for (const std::size_t entry : {row + n * zero + n * n * 2, row + n * 2 + n * n * zero}) {
      Outputs d = judge.expected();
      double& value = d[0].values[entry];
      CHECK(std::abs(value) < 1e-15 * scale);
      value += 1e-15 * scale;
      CHECK(judge.judge(d).agrees());
      value += 1e-8 * scale;
      CHECK_FALSE(judge.judge(d).agrees());
    }
  }
}

TEST_CASE("double: an entry that is wrong by 1e-6 of its layer is refused, and a layer that is missing") {
  for (const std::string robot : {"arm6", "planar3"}) {
    const model::UserTree tree = read_tree(robot);
    std::mt19937 random(1);
    const State x = reference::random_state(tree, random);
    const auto layer = static_cast<std::size_t>(tree.nv * tree.nv);
    for (const std::string name : {"rnea_second_derivatives", "aba_second_derivatives"}) {
      CAPTURE(robot);
      CAPTURE(name);
      Judge judge(function(name), tree, x, cli::of_double);
      for (std::size_t first = 0; first < static_cast<std::size_t>(tree.nv) * layer; first += layer) {
        CAPTURE(first / layer);
        Outputs d = judge.expected();
        std::vector<double>& values = d[0].values;
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        const double scale = largest({begin, begin + static_cast<std::ptrdiff_t>(layer)});
        if (scale < 1e-12 * largest(values)) continue;  // turning the whole robot about the vertical
        for (std::size_t i = first; i < first + layer; ++i) {
          const double value = values[i];
          values[i] += 1e-6 * scale;
          CHECK_FALSE(judge.judge(d).agrees());
          values[i] = value;
        }
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(layer), 0.0);
        CHECK_FALSE(judge.judge(d).agrees());
      }
    }
  }
}

TEST_CASE("the equation of motion is held where the results themselves are ill conditioned") {
  // Two joints about one axis, next to nothing between them: only the sum of their accelerations is certain.
  model::UserTree tree = read_tree("planar3");
  tree.bodies[1].joint.placement = {};
  tree.bodies[0].inertia.mass = 0.0;
  tree.bodies[0].inertia.h.setZero();
  tree.bodies[0].inertia.J = 1e-5 * model::Matrix3::Identity();
  const State x = float_states(tree, 1).front();
  Judge judge(function("aba"), tree, x, cli::of_float);
  CHECK(judge.judge(judge.expected()).agrees());
  CHECK(judge.judge(computed_in_float("aba", tree, x)).agrees());
  Outputs shifted = judge.expected(), opposite = shifted;
  const double step = 1e-4 * std::abs(shifted[0].values[1]);
  opposite[0].values[0] += step;
  opposite[0].values[1] -= step;
  shifted[0].values[0] += step;
  shifted[0].values[1] += step;
  CHECK(judge.judge(opposite).agrees());  // no less than the condition of M lets one expect
  const Verdict verdict = judge.judge(shifted);
  CHECK(verdict.entries < 1.0);
  CHECK(*verdict.residual > 10.0);
  CHECK(verdict.worst.array == "M a + bias - tau");
}

TEST_CASE("what is not a number is the worst of all, in whichever entry") {
  const model::UserTree tree = read_tree("planar3");
  std::mt19937 random(1);
  const State x = reference::random_state(tree, random);
  for (const cli::Precision& precision : {cli::of_double, cli::of_float}) {
    Judge judge(function("minv"), tree, x, precision);
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -HUGE_VAL}) {
      Outputs spoilt = judge.expected();
      spoilt[0].values[7] = bad;
      const Verdict verdict = judge.judge(spoilt);
      CHECK(verdict.worst_share == HUGE_VAL);
      CHECK(verdict.worst.index == 7);
    }
  }
}
