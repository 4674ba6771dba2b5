// The acrobot swings up with a motor at its elbow alone, in a given time.
#include "collocation.hpp"

#include <double_pendulum.hpp>

#include <cstdio>

namespace {

struct Acrobot : collocation::NoLimits {
  static constexpr int n = 2, driven = 1;
  static constexpr auto aba = &double_pendulum::aba<double>;
  static constexpr auto aba_derivatives = &double_pendulum::aba_derivatives<double>;
  static constexpr auto aba_vector_hessian = &double_pendulum::aba_vector_hessian<double>;
  static constexpr auto minv_vector_derivative = &double_pendulum::minv_vector_derivative<double>;
};

}  // namespace

int main() {
  constexpr double strongest = 20.0, upright = 3.14159265358979323846, none = 1e20;
  collocation::Motion<Acrobot> motion;
  motion.intervals = 50;
  motion.shortest = motion.longest = motion.duration = 4.0;
  motion.last << upright, 0.0, 0.0, 0.0;  // it hangs at rest, and ends upright at rest
  motion.high << none, none, none, none, strongest;
  motion.low = -motion.high;
  motion.price << 1.0;
  motion.nodes = collocation::Motion<Acrobot>::Nodes::Zero(5, motion.intervals + 1);
  motion.nodes.row(0).setLinSpaced(0.0, upright);

  const collocation::Outcome outcome = collocation::solve(motion);
  const double largest = motion.nodes.row(4).cwiseAbs().maxCoeff();
  std::printf("%s after %d iterations, largest torque %.2f N m\n",
              outcome.is_solved ? "swings up" : "no solution", outcome.iterations, largest);
  return outcome.is_solved && largest <= strongest ? 0 : 1;
}
