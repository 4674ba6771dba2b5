// expected OUTPUT: writes a header with random states and what every function gives there, in double. The states are
// exact in float, so that the firmware's error is its own.
#include "robots.hpp"

#include <cmath>
#include <cstdio>
#include <random>

namespace {

using Random = std::mt19937;

double uniform(Random& random, double bound) {
  return static_cast<double>(static_cast<float>(bound * (2.0 * (random() * 0x1p-32) - 1.0)));
}

/// Angles within pi, |v| <= 5, |a| <= 20; a floating base has a unit quaternion.
template <class X, int nq, int nv>
X random_state(Random& random) {
  X x;
  for (double& angle : x.q) angle = uniform(random, 3.14);
  if (nq > nv) {
    double norm = 0.0;
    for (int i = 3; i < 7; ++i) norm += x.q[i] * x.q[i];
    for (int i = 3; i < 7; ++i) x.q[i] = static_cast<double>(static_cast<float>(x.q[i] / std::sqrt(norm)));
  }
  for (double& rate : x.v) rate = uniform(random, 5.0);
  for (double& rate : x.a) rate = uniform(random, 20.0);
  return x;
}

void print_array(std::FILE* file, const double* values, int size) {
  std::fputs("{", file);
  for (int i = 0; i < size; ++i) std::fprintf(file, "%s%.8eF", i == 0 ? "" : ", ", values[i]);
  std::fputs("}", file);
}

/// num_states rows, each filled by `call`.
template <int size, class X>
void print_results(std::FILE* file, const X (&states)[num_states], void (*call)(const X&, double*)) {
  std::fputs("    {\n", file);
  for (const X& x : states) {
    static double y[size];
    call(x, y);
    print_array(file, y, size);
    std::fputs(",\n", file);
  }
  std::fputs("    },\n", file);
}

/// The states of a robot are the same in each call.
template <class Robot>
void fill(typename Robot::X (&states)[num_states]) {
  Random random(7);
  for (auto& x : states) x = random_state<typename Robot::X, Robot::nq, Robot::nv>(random);
}

template <class Robot>
void print_robot(std::FILE* file, const char* name) {
  using X = typename Robot::X;
  constexpr int nq = Robot::nq, nv = Robot::nv;
  X states[num_states];
  fill<Robot>(states);
  std::fprintf(file,
               "inline constexpr struct {\n  State<float, %d, %d> states[num_states];\n"
               "  float rnea[num_states][%d], aba[num_states][%d], rnea_derivatives[num_states][%d];\n"
               "  float frame_jacobian[num_states][%d];\n"
               "} expected_%s = {\n    {\n",
               nq, nv, nv, nv, 2 * nv * nv, 6 * nv, name);
  for (const X& x : states) {
    std::fputs("{", file);
    print_array(file, x.q, nq);
    std::fputs(", ", file);
    print_array(file, x.v, nv);
    std::fputs(", ", file);
    print_array(file, x.a, nv);
    std::fputs("},\n", file);
  }
  std::fputs("    },\n", file);
  print_results<nv>(file, states, Robot::rnea);
  print_results<nv>(file, states, Robot::aba);
  print_results<2 * nv * nv>(file, states, Robot::rnea_derivatives);
  print_results<6 * nv>(file, states, Robot::frame_jacobian);
  std::fputs("};\n\n", file);
}

/// What `call` gives of a robot, in a struct of its own.
template <class Robot, int size>
void print_of(std::FILE* file, const char* name, const char* array,
              void (*call)(const typename Robot::X&, double*)) {
  typename Robot::X states[num_states];
  fill<Robot>(states);
  std::fprintf(file, "inline constexpr struct {\n  float %s[num_states][%d];\n} expected_%s = {\n", array,
               size, name);
  print_results<size>(file, states, call);
  std::fputs("};\n\n", file);
}

}  // namespace

int main(int, char** arguments) {
  std::FILE* file = std::fopen(arguments[1], "w");
  if (file == nullptr) return 1;
  std::fputs("#pragma once\n\n#include \"robots.hpp\"\n\n", file);
  print_robot<Quadruped<double>>(file, "quadruped");
  print_robot<Arm6<double>>(file, "arm6");
  print_robot<Loaded<double>>(file, "loaded");
  using Arm = Arm6<double>;
  print_of<Arm, Arm::linear_model>(file, "linear_model", "both", Arm::relinearise);
  print_of<Arm, Arm::nv>(file, "contact_step", "v_next", Arm::contact_step);
  using Legs = Quadruped<double>;
  print_of<Legs, Legs::nv>(file, "feet", "v_next", Legs::contact_step);
  return std::fclose(file) == 0 ? 0 : 1;
}
