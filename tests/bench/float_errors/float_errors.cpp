// Prints a markdown table: robot by function, the largest error of float at random states. The states are exact in
// float, so that the error is the function's own.
#include "robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace {

using namespace featherline;
using bench::Function;
using bench::Robot;

constexpr int num_states = 200;

/// An input vector in both scalars, with equal values.
struct Values {
  std::vector<double> in_double;
  std::vector<float> in_float;

  void push(double value) {
    in_float.push_back(static_cast<float>(value));
    in_double.push_back(in_float.back());
  }
};

struct RandomState {
  Values q, v, a;
};

class StateMaker {
 public:
  /// Angles within pi, lengths within 1 m, unit quaternions, |v| <= 5, |a| <= 20.
  RandomState make(const Robot& robot) {
    RandomState x;
    for (const JointInfo& joint : robot.joints) add_coordinates(joint, x.q);
    for (int i = 0; i < robot.nv; ++i) x.v.push(uniform(5.0));
    for (int i = 0; i < robot.nv; ++i) x.a.push(uniform(20.0));
    return x;
  }

 private:
  double uniform(double bound) { return bound * (2.0 * (static_cast<double>(random_()) * 0x1p-32) - 1.0); }

  void add_quaternion(Values& q) {
    double x[4], norm = 0.0;
    while (norm < 0.1 || norm > 1.0) {
      norm = 0.0;
      for (double& component : x) component = uniform(1.0);
      for (const double component : x) norm += component * component;
    }
    for (const double component : x) q.push(component / std::sqrt(norm));
  }

  void add_coordinates(const JointInfo& joint, Values& q) {
    const bool quaternion = joint.nq > joint.nv, length = joint.type == JointType::prismatic;
    for (int k = 0; k < joint.nq - (quaternion ? 4 : 0); ++k)
      q.push(uniform(quaternion || length ? 1.0 : 3.14159));
    if (quaternion) add_quaternion(q);
  }

  std::mt19937 random_{20261121};
};

/// The worst of a function's output arrays, each relative to its own largest entry.
double error_at(const Function& function, const RandomState& x) {
  std::size_t size = 0;
  for (const int s : function.sizes) size += static_cast<std::size_t>(s);
  std::vector<double> exact(size);
  std::vector<float> found(size);
  function.in_double({x.q.in_double.data(), x.v.in_double.data(), x.a.in_double.data()}, exact.data());
  function.in_float({x.q.in_float.data(), x.v.in_float.data(), x.a.in_float.data()}, found.data());
  double worst = 0.0;
  std::size_t begin = 0;
  for (const int s : function.sizes) {
    double difference = 0.0, largest = 0.0;
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(s); ++i) {
      const double d = std::fabs(static_cast<double>(found[i]) - exact[i]);
      if (!(d <= difference)) difference = d;  // keeps NaN
      largest = std::max(largest, std::fabs(exact[i]));
    }
    if (largest > 0.0) worst = std::max(worst, difference / largest);
    begin += static_cast<std::size_t>(s);
  }
  return worst;
}

/// Worst and median over all states, as "worst (median)".
std::string cell(const Function& function, const std::vector<RandomState>& states) {
  std::vector<double> errors;
  for (const RandomState& x : states) errors.push_back(error_at(function, x));
  std::sort(errors.begin(), errors.end());
  return fmt::format("{:.0e} ({:.0e})", errors.back(), errors[errors.size() / 2]);
}

}  // namespace

int main() {
  const std::vector<Robot> robots = bench::float_error_robots();
  std::map<std::string, std::map<std::string, std::string>> cells;  // function, robot
  std::vector<std::string> functions;
  std::string head = "| function |", rule = "| --- |";
  for (const Robot& robot : robots) {
    head += fmt::format(" {} ({}) |", robot.name, robot.nv);
    rule += " --: |";
    StateMaker maker;
    std::vector<RandomState> states;
    for (int k = 0; k < num_states; ++k) states.push_back(maker.make(robot));
    for (const Function& function : robot.functions) {
      cells[function.name][robot.name] = cell(function, states);
      if (std::find(functions.begin(), functions.end(), function.name) == functions.end())
        functions.push_back(function.name);
    }
  }
  fmt::print("{}\n{}\n", head, rule);
  for (const std::string& function : functions) {
    fmt::print("| `{}` |", function);
    for (const Robot& robot : robots) fmt::print(" {} |", cells[function][robot.name]);
    fmt::print("\n");
  }
}
