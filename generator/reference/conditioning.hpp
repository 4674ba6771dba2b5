#pragma once

#include "model/tree.hpp"
#include "reference/expected.hpp"

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

/// How far results move when everything that they are computed from moves a little. Rounding does just that. So this
/// says how far off a computation with a given unit roundoff may be. It looks at the reference only. It does not excuse
/// emitted code that rounds more than the problem demands.
namespace featherline::reference {

/// The nearest state that float can hold.
State rounded_to_float(State state);

/// For each number of a result, the largest change over random perturbations, divided by the size of the perturbation.
/// There are two sizes. Small steps show how results follow their data. Steps in the last place show the rounding of
/// the reference itself, where terms cancel for every robot and the data do not matter.
class Condition {
 public:
  using Result = std::function<std::vector<double>(const model::Tree&, const State&)>;

  /// Keeps references to `tree` and `state`. `unperturbed` is result(tree, state).
  Condition(const model::Tree& tree, const State& state, std::vector<double> unperturbed, Result result);

  /// Tries one more perturbation. The changes can only grow.
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
