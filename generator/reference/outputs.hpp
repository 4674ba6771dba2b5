#pragma once

#include "catalog/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <random>
#include <string>
#include <vector>

/// Random states, and arrays of results and how far they are apart.
namespace featherline::reference {

using catalog::State;

/// q: angles in +-pi, lengths and positions in +-1 m, uniform unit quaternions; every other input entry by entry up to
/// catalog::largest_random(). Limits are not looked at: the equations hold beyond them.
State random_state(const model::Tree& tree, std::mt19937& random);

/// Entries between -largest and largest. As random states, they are the same whatever the standard library.
Eigen::VectorXd uniform_vector(int size, double largest, std::mt19937& random);

/// One array of an emitted function, dense, laid out as emitted (column-major).
struct OutputArray {
  std::string name;
  std::vector<double> values;
};
using Outputs = std::vector<OutputArray>;

/// The largest max |x - ref| / max(1, max |ref|) of the arrays, with the entry that is worst. NaN or infinity anywhere
/// in either, or arrays that do not match, give infinity.
struct OutputError {
  double relative = 0.0;
  std::string entry;  ///< "M[4]"
};
OutputError compare(const Outputs& x, const Outputs& reference);

// Do results solve the equation that defines them? With the reference's M and bias, rows of
//
//   M a + bias - tau of forward dynamics,        M x - b of a solution,        M Minv - I of the inverse.
//
// A light link may accelerate a million times as fast as the trunk; here its row weighs as much as any other.

struct Residual {
  std::string name;            ///< "M a + bias - tau"
  std::vector<double> values;  ///< what is left, row by row; of the inverse column by column
  std::vector<double> sizes;   ///< sums of the magnitudes that cancel in each
  /// What a factorisation of M rounds relative to: its error in M is c sqrt(M_ii M_kk), not c |M_ik| (Demmel 1989;
  /// Higham, Accuracy and Stability, theorem 10.5), so that row i carries c sqrt(M_ii M_kk) |x_k|, the largest of them.
  std::vector<double> factored;
};

Residual forward_dynamics_residual(const model::Tree& tree, const State& state, const Outputs& a);
Residual solution_residual(const model::Tree& tree, const State& state, const Outputs& solution);
Residual inverse_residual(const model::Tree& tree, const State& state, const Outputs& inverse);

}  // namespace featherline::reference
