#pragma once

#include "reference/outputs.hpp"

/// The second-order functions as entries of the table in outputs.cpp.
namespace featherline::reference {

Outputs rnea_second_derivatives_outputs(const model::Tree& tree, const State& x);
Outputs aba_second_derivatives_outputs(const model::Tree& tree, const State& x);

/// Contractions, from the tensors: sum over i of w_i T(i, ., .).
Outputs rnea_vector_hessian_outputs(const model::Tree& tree, const State& x);
Outputs aba_vector_hessian_outputs(const model::Tree& tree, const State& x);
Outputs mass_matrix_vector_derivative_outputs(const model::Tree& tree, const State& x);
Outputs minv_vector_derivative_outputs(const model::Tree& tree, const State& x);

}  // namespace featherline::reference
