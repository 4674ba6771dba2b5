#pragma once

#include "algorithms/first_derivatives.hpp"

/// Forward dynamics, products with M^-1, and their first derivatives. Each output has several formulations; which
/// is cheapest depends on the robot: articulated bodies are O(n), the sparse factor has the smaller constant.
namespace featherline::algorithms {

ir::Function trace_aba_by_factor(const model::CanonicalTree& tree);
ir::Function trace_aba_by_articulated_bodies(const model::CanonicalTree& tree);

ir::Function trace_aza_by_factor(const model::CanonicalTree& tree);
ir::Function trace_aza_by_articulated_bodies(const model::CanonicalTree& tree);

ir::Function trace_minv_by_factor(const model::CanonicalTree& tree);
ir::Function trace_minv_by_aza(const model::CanonicalTree& tree);

/// FDSVA (papers 000 and 001): dFD = -M^-1 dID, eq. (5) of 001, the product by dense multiplication (DMM), by
/// back-substitution with the factor, or by AZA column by column.
ir::Function trace_aba_derivatives_by_dmm(const model::CanonicalTree& tree);
ir::Function trace_aba_derivatives_by_factor(const model::CanonicalTree& tree);
ir::Function trace_aba_derivatives_by_aza(const model::CanonicalTree& tree);

}  // namespace featherline::algorithms
