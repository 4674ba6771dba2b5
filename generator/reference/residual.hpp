#pragma once

#include "reference/outputs.hpp"

#include <string>
#include <vector>

/// Do results solve the equation that defines them? With the reference's M and bias, rows of
///
///   aba    M a + bias - tau        aza    M x - b        minv    M Minv - I
///
/// A light link may accelerate a million times as fast as the trunk; here its row weighs as much as any other.
namespace featherline::reference {

struct Residual {
  std::string name;            ///< "M a + bias - tau"
  std::vector<double> values;  ///< what is left, row by row; of minv column by column
  std::vector<double> sizes;   ///< sums of the magnitudes that cancel in each
  /// What a factorisation of M rounds relative to: its error in M is c sqrt(M_ii M_kk), not c |M_ik| (Demmel 1989;
  /// Higham, Accuracy and Stability, theorem 10.5), so that row i carries c sqrt(M_ii M_kk) |x_k|, the largest of them.
  std::vector<double> factored;
};

/// Whether the function solves such an equation.
bool has_residual(const std::string& function);

/// Of the outputs of a function with has_residual().
Residual residual(const std::string& function, const model::Tree& tree, const State& state,
                  const Outputs& outputs);

}  // namespace featherline::reference
