#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <random>
#include <string>
#include <vector>

/// Random states, arrays of results, and how far such arrays are apart.
namespace featherline::reference {

using catalog::State;

/// q has angles in +-pi, lengths and positions in +-1 m, and uniform unit quaternions. Every entry of another input is
/// at most catalog::largest_random(). Joint limits are ignored, because the equations hold beyond them.
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

/// The largest error of the arrays (error.hpp), and the entry that is worst. It is infinite if either side has NaN or
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

Residual forward_dynamics_residual(const model::Tree& tree, const State& state, const Outputs& a);
Residual solution_residual(const model::Tree& tree, const State& state, const Outputs& solution);
Residual inverse_residual(const model::Tree& tree, const State& state, const Outputs& inverse);

}  // namespace featherline::reference
