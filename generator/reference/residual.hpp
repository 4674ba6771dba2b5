#pragma once

#include "reference/outputs.hpp"

#include <string>
#include <vector>

/// Do results solve the equation that defines them? With the reference's M and bias, rows of
///
///   M a + bias - tau of forward dynamics,        M x - b of a solution,        M Minv - I of the inverse.
///
/// A light link may accelerate a million times as fast as the trunk; here its row weighs as much as any other.
namespace featherline::reference {

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
