#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

/// What every emitted function should give, computed by the reference solver. There is one entry for each function. It
/// serves verification, `featherline check` and the property tests.
namespace featherline::reference {

// Random states, arrays of results, and how far such arrays are apart.

using catalog::State;

/// q has angles in +-pi, lengths and positions in +-1 m, and uniform unit quaternions. Every entry of another input is
/// at most catalog::largest_random(); steps in time are up to 20 ms. Joint limits are ignored, because the equations
/// hold beyond them.
State random_state(const model::Tree& tree, std::mt19937& random);

/// Sets the inputs that the user chose so that they leave the robot as it is: no forces, no payloads, its own gravity.
void set_defaults(const model::Tree& tree, State& state);

/// Entries between -largest and largest. Like random states, they are the same with every standard library.
Eigen::VectorXd uniform_vector(int size, double largest, std::mt19937& random);

/// One array of an emitted function. It is dense and laid out as emitted (column-major).
struct OutputArray {
  std::string name;
  std::vector<double> values;
};
using Outputs = std::vector<OutputArray>;

/// The largest error of the arrays, and the entry that is worst. It is infinite if either side has NaN or
/// infinity anywhere, or if the arrays do not match.
struct OutputError {
  double relative = 0.0;
  std::string entry;  ///< "M[4]"
};
OutputError compare(const Outputs& x, const Outputs& reference);

// Whether results solve the equation that defines them. With M and bias of the reference, the rows are those of
//
//   M a + bias - tau of forward dynamics,        M x - b of a solution,        M Minv - I of the inverse.
//
// A light link may accelerate a million times as fast as the trunk. Here its row counts as much as any other.

struct Residual {
  std::string name;            ///< "M a + bias - tau"
  std::vector<double> values;  ///< the residual, row by row; for the inverse column by column
  std::vector<double> sizes;   ///< for each value, the sum of the magnitudes that cancel in it
  /// The size that the rounding of a factorisation of M is relative to. Its error in M is c sqrt(M_ii M_kk), not c
  /// |M_ik| (Demmel 1989; Higham, Accuracy and Stability, theorem 10.5). So row i has the size sqrt(M_ii M_kk) |x_k|,
  /// for the k where that is largest.
  std::vector<double> factored;
};

/// Some outputs are not unique. Then other arrays, made from the outputs, are compared in their place.
struct View {
  std::vector<catalog::Argument> arrays;  ///< their names and shapes
  std::function<Outputs(const State&, const Outputs&)> make;
};

/// Directions in the tangent space.
struct Directions {
  Eigen::VectorXd x, y;
};

struct OutputFunction {
  using Compute = std::function<Outputs(const model::Tree&, const State&)>;

  std::string name;
  /// Computes all entries, in the order of the signature. A function that takes a link gives its outputs for all links,
  /// one after the other. A function that takes a frame gives that three times, for LOCAL_WORLD_ALIGNED, LOCAL and
  /// WORLD.
  Compute compute;
  /// The products that verification compares (verify/verify.hpp), if they take less time than all entries.
  std::function<std::vector<Eigen::VectorXd>(const model::Tree&, const State&, const Directions&)> probes =
      {};
  /// The equation that the outputs solve.
  std::function<Residual(const model::Tree&, const State&, const Outputs&)> residual = {};
  std::optional<View> view = {};
  /// Sizes of the terms that entries are made of, if the outputs do not show them. They have the shape of what is
  /// compared.
  Compute term_sizes = {};
  /// By how much errors may be larger in this state, because the equations amplify rounding more than is usual.
  std::function<double(const model::Tree&, const State&)> allowance = {};
  /// The same for float, where what is allowed follows from how much the results feel rounded data: by how much the
  /// solution of the equations amplifies rounding beyond that.
  std::function<double(const model::Tree&, const State&)> amplification = {};

  Outputs compared(const State& state, Outputs outputs) const {
    return view ? view->make(state, outputs) : std::move(outputs);
  }
  /// Names and shapes of what is compared. `outputs` are the outputs of the function.
  const std::vector<catalog::Argument>& compared_arrays(const std::vector<catalog::Argument>& outputs) const {
    return view ? view->arrays : outputs;
  }
};

/// The entry of a function, or nullptr if there is none.
const OutputFunction* find_outputs(const std::string& function);

// How far results move when everything that they are computed from moves a little. Rounding does just that. So this
// says how far off a computation with a given unit roundoff may be. It looks at the reference only. It does not excuse
// emitted code that rounds more than the problem demands.

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

// The one measure of error: max |x - ref| / max(1, max |ref|) of an array. The README promises that it is at most
// 1e-10. Verification, `check`, `compare`, exact quarter turns and the tests measure with the functions below.
// runtime/guide/verification.md has the table of what differs from the promise, and why.

inline constexpr double promised_error = 1e-10;

/// What errors of an array are relative to: its largest magnitude, and no less than `least`.
template <class Numbers>
double error_scale(const Numbers& reference, double least = 1.0) {
  for (const auto& value : reference) least = std::max(least, std::abs(static_cast<double>(value)));
  return least;
}

/// |x - reference| / scale, infinite if that is not a number. So NaN never passes a comparison.
inline double relative_error(double x, double reference, double scale) {
  const double error = std::abs(x - reference) / scale;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

struct ArrayError {
  double relative = 0.0;
  std::size_t entry = 0;  ///< the worst one
};

/// The measure. Both arrays have the same size. Some errors are relative to no less than `least` in place of 1.
template <class Found, class Reference>
ArrayError array_error(const Found& x, const Reference& reference, double least = 1.0) {
  const double scale = error_scale(reference, least);
  ArrayError worst;
  std::size_t entry = 0;
  auto expected = reference.begin();
  for (const auto& found : x) {
    const double error = relative_error(static_cast<double>(found), static_cast<double>(*expected++), scale);
    if (error > worst.relative) worst = {error, entry};
    ++entry;
  }
  return worst;
}

}  // namespace featherline::reference
