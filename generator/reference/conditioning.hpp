#pragma once

#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

/// How far results move when everything they are computed from moves a little. Rounding does just that, so this says
/// what a computation with a given unit roundoff may be off by. It looks at the reference only: emitted code that
/// rounds worse than the problem does is not excused by it.
namespace featherline::reference {

/// The robot with all its numbers moved at random by up to `size`, relative to the vector or matrix they stand in:
/// emitted code has other frames, where a number shares the rounding of its neighbours. Rotations and axes move by
/// `size` itself, zeros included, and do not stay orthogonal.
model::Tree perturbed(const model::Tree& tree, double size, std::mt19937& random);

/// The state likewise: velocities, accelerations and forces relative to themselves, angles by `size` times at least one
/// radian (sines are rounded, too), quaternions by `size`.
State perturbed(const model::Tree& tree, const State& state, double size, std::mt19937& random);

/// The nearest state that float can hold.
State rounded_to_float(State state);

/// For each number of a result the largest change over random perturbations, divided by their size. They are tried in
/// two sizes: small steps show how results follow their data; steps in the last place show what the reference itself
/// rounds where terms cancel for every robot, and data do not matter.
class Condition {
 public:
  using Result = std::function<std::vector<double>(const model::Tree&, const State&)>;

  /// Keeps references to `tree` and `state`; `unperturbed` is result(tree, state).
  Condition(const model::Tree& tree, const State& state, std::vector<double> unperturbed, Result result);

  /// Tries one more perturbation. The entries only grow.
  void sample();
  int samples() const { return samples_; }
  /// Zeros before the first sample.
  double operator[](std::size_t entry) const { return largest_[entry]; }

 private:
  const model::Tree& tree_;
  const State& state_;
  std::vector<double> unperturbed_, largest_;
  Result result_;
  std::mt19937 random_{20240229};
  int samples_ = 0;
};

}  // namespace featherline::reference
