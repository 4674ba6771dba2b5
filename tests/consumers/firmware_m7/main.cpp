// Runs every function at the host's states, compares with the host's results, and says what a call costs.
// Ends with 0 when all agree.
#include "expected.hpp"
#include "measure.hpp"
#include "robots.hpp"
#include "semihosting.hpp"

#include <algorithm>
#include <cmath>

int run_checks();

namespace {

/// A tenth of what is promised, and fifty times what is measured.
constexpr float largest_error = 1e-5F;

/// Largest difference relative to the largest entry.
float relative_error(const float* found, const float* wanted, int size) {
  float difference = 0.0F, largest = 0.0F;
  for (int i = 0; i < size; ++i) {
    const float d = std::fabs(found[i] - wanted[i]);
    if (!(d <= difference)) difference = d;  // keeps NaN
    largest = std::max(largest, std::fabs(wanted[i]));
  }
  return difference / largest;
}

void print_row(const char* robot, const char* function, float error, std::uint32_t stack,
               std::uint32_t instructions) {
  using semihosting::print;
  print(robot);
  print(" ");
  print(function);
  print(": error ");
  print(static_cast<std::uint32_t>(error * 1e9F));
  print("e-9, stack ");
  print(stack);
  print(", instructions ");
  print(instructions);
  print("\n");
}

/// `outputs` arrays of `size` entries each, one after the other, at every state. True when all agree.
template <class X, int size, int outputs = 1>
bool check(const char* robot, const char* function, void (*call)(const X&, float*),
           const X (&states)[num_states], const float (&wanted)[num_states][size * outputs]) {
  static float found[size * outputs];
  float worst = 0.0F;
  for (int k = 0; k < num_states; ++k) {
    call(states[k], found);
    for (int i = 0; i < outputs; ++i) {
      const float error = relative_error(found + size * i, wanted[k] + size * i, size);
      if (!(error <= worst)) worst = error;
    }
  }
  const std::uint32_t stack = measure::stack_bytes([&] { call(states[0], found); });
  const std::uint32_t instructions = measure::instructions([&] { call(states[0], found); });
  print_row(robot, function, worst, stack, instructions);
  return worst <= largest_error;
}

/// The counter is worth something only if it counts what is known: 4000 instructions.
bool counter_counts() {
  const std::uint32_t counted = measure::instructions([] { asm volatile(".rept 4000\n nop\n .endr"); });
  semihosting::print("4000 nops: instructions ");
  semihosting::print(counted);
  semihosting::print("\n");
  return counted >= 4000 && counted <= 4010;
}

template <class Robot, class Expected>
bool check_robot(const char* name, const Expected& expected) {
  using X = typename Robot::X;
  constexpr int nv = Robot::nv;
  const bool rnea = check<X, nv>(name, "rnea", Robot::rnea, expected.states, expected.rnea);
  const bool aba = check<X, nv>(name, "aba", Robot::aba, expected.states, expected.aba);
  const bool derivatives = check<X, nv * nv, 2>(name, "rnea_derivatives", Robot::rnea_derivatives,
                                                expected.states, expected.rnea_derivatives);
  const bool kinematics = check<X, 6 * nv>(name, "frame_jacobian", Robot::frame_jacobian, expected.states,
                                           expected.frame_jacobian);
  return rnea && aba && derivatives && kinematics;
}

}  // namespace

int run_checks() {
  const bool counter = counter_counts();
  const bool legs = check_robot<Quadruped<float>>("quadruped", expected_quadruped);
  const bool arm = check_robot<Arm6<float>>("arm6", expected_arm6);
  using Arm = Arm6<float>;
  const bool linear = check<Arm::X, Arm::linear_model>("arm6", "relinearise", Arm::relinearise,
                                                       expected_arm6.states, expected_linear_model.both);
  const bool steps = check<Arm::X, Arm::nv>("arm6", "contact_step", Arm::contact_step, expected_arm6.states,
                                            expected_contact_step.v_next);
  using Legs = Quadruped<float>;
  const bool feet = check<Legs::X, Legs::nv>("quadruped", "contact_step", Legs::contact_step,
                                             expected_quadruped.states, expected_feet.v_next);
  const bool load = check_robot<Loaded<float>>("loaded", expected_loaded);
  return counter && legs && arm && linear && steps && feet && load ? 0 : 1;
}
