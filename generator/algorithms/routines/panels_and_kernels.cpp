#include "algorithms/routines/panels_and_kernels.hpp"

#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/dynamics/floating_base.hpp"
#include "algorithms/routines/inverse_calls.hpp"
#include "algorithms/routines/panels.hpp"
#include "algorithms/routines/tree_axes.hpp"

namespace featherline::algorithms {
namespace {

using Values = Coordinates;

constexpr Routines kernels = Routines::kernels;

/// M^-1 and the acceleration of the state, to `Minv` and the local "acceleration".
Context call_acceleration(Context& c, const std::string& Minv) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  c.local("net", net_torque(c, c.input("v"), c.input("tau")));
  Context full = c.unfolded();
  full.scratch("acceleration", full.nv());
  full.call(inverse_call(full, kernels, "M", Minv));
  full.call(solve_call(full, kernels, Minv, "net", "acceleration"));
  return full;
}

/// First derivatives of inverse dynamics, to two arrays.
void call_first_derivatives(Context& full, Panels& panels) {
  const int entries = full.nv() * full.nv();
  full.local("dtau_dq", entries);
  full.local("dtau_dv", entries);
  panels.first_derivatives("acceleration", "dtau_dq", "dtau_dv");
}

/// M^-1 w, to the local "lambda".
void call_weights(Context& full) {
  full.scratch("lambda", full.nv());
  full.call(solve_call(full, kernels, "Minv", "w", "lambda"));
}

}  // namespace

void aba_derivatives_in_panels(Context& c) {
  // Panels leave out columns of a floating base that are zero. Products read them, unless they are known. Panels of
  // coupled joints add.
  constexpr bool once = false;
  if (!FloatingBase(c, c.input("v")).applies() || !has_no_mimic(c.tree())) c.clear_outputs(once);
  Context full = call_acceleration(c, "da_dtau");
  Panels(full).first_derivatives("acceleration", "da_dq", "da_dv");
  call_aba_derivatives(full, kernels);
}

void aba_second_derivatives_in_panels(Context& c) {
  c.scratch("Minv", c.full_tree().nv * c.full_tree().nv);
  Context full = call_acceleration(c, "Minv");
  Panels panels(full);
  call_first_derivatives(full, panels);
  constexpr bool once = false;  // the solution fills in zeros
  full.clear_outputs(once);
  panels.second_derivatives("acceleration", full.output_names());
  full.call(second_derivative_solution(full, kernels));
}

void aba_vector_hessian_in_panels(Context& c) {
  c.scratch("Minv", c.full_tree().nv * c.full_tree().nv);
  Context full = call_acceleration(c, "Minv");
  call_weights(full);
  Panels panels(full);
  full.local("P", full.nv() * full.nv());  // panels leave zeros out
  full.local("H_tau", 4 * full.nv() * full.nv());
  call_first_derivatives(full, panels);
  panels.mass_matrix_vector_derivative("lambda", "P");
  panels.vector_hessian("acceleration", "lambda", "H_tau");
  full.call(hessian_call(full, kernels));
}

void minv_vector_derivative_in_panels(Context& c) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  c.scratch("Minv", c.full_tree().nv * c.full_tree().nv);
  Context full = c.unfolded();
  full.call(inverse_call(full, kernels, "M", "Minv"));
  call_weights(full);
  constexpr bool once = false;  // the product overwrites zeros
  full.clear_outputs(once);
  Panels(full).mass_matrix_vector_derivative("lambda", "dMinvw_dq");
  full.call(product_call(full, kernels, "negative_product", {"Minv", "dMinvw_dq"}, 1));
}

}  // namespace featherline::algorithms
