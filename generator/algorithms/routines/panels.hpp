#pragma once

#include "algorithms/context.hpp"

/// Derivatives in panels, for large trees with branches and for long chains. Straight-line code computes sines,
/// cosines, gravity and the placements of rare joints. Routines of the runtime (featherline/panels.hpp) do everything
/// else. They work on four degrees of freedom at a time.
namespace featherline::algorithms {

/// Whether panels can compute derivatives of this robot: there has to be more than a floating base,
/// and neither external forces nor payloads among the chosen inputs.
bool fits_panels(const model::Tree& tree);

/// The same for contracted derivatives. Behind the root, each joint needs to have one axis. Among several axes of one
/// joint, entries that are zero would come out as rounding.
bool fits_contracted_panels(const model::Tree& tree);

/// The slots of a robot, and which bodies of the tree are behind them.
struct PanelLayout {
  ir::PanelTable table;
  std::vector<int> bodies;   ///< by body of the table: its index in the tree
  std::vector<int> roots;    ///< the children of the world
  std::vector<int> varying;  ///< bodies of the tree whose placement varies

  explicit PanelLayout(const model::CanonicalTree& tree);
};

void rnea_derivatives_in_panels(Context& context);
void rnea_second_derivatives_in_panels(Context& context);
void rnea_vector_hessian_in_panels(Context& context);
void mass_matrix_vector_derivative_in_panels(Context& context);

// Derivatives of forward dynamics, with M^-1 by unrolled routines (featherline/unrolled_inverse.hpp). Only the inertia
// and the bias torques are straight-line code, in limb lanes if the tree is folded.
void aba_derivatives_in_panels(Context& context);
void aba_second_derivatives_in_panels(Context& context);
void aba_vector_hessian_in_panels(Context& context);
void minv_vector_derivative_in_panels(Context& context);

}  // namespace featherline::algorithms
