#include "algorithms/panels_and_kernels.hpp"

#include "algorithms/first_derivatives.hpp"
#include "algorithms/forward_dynamics.hpp"
#include "algorithms/inverse_calls.hpp"
#include "algorithms/limb_inverse.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/panels.hpp"

namespace featherline::algorithms {
namespace {

using Values = Coordinates<Scalar>;

/// Writes M and the acceleration of the state to the locals "M" and "acceleration". Returns the factor of M.
LimbInverse write_acceleration(Context<Scalar>& c) {
  const SquareMatrix<Scalar> M = joint_space_inertia(c);
  c.local("M", M.column_major(), matrix);
  LimbInverse inverse(c, M);
  const Values net = net_torque(c, c.input("v"), c.input("tau"));
  c.begin_section("accelerations");
  c.local("acceleration", inverse.solve(net));
  return inverse;
}

/// First derivatives of inverse dynamics, to the locals "dtau_dq" and "dtau_dv".
void write_first_derivatives(Context<Scalar>& full, Panels& panels) {
  const int entries = full.nv() * full.nv();
  full.local("dtau_dq", entries);
  full.local("dtau_dv", entries);
  panels.first_derivatives("acceleration", "dtau_dq", "dtau_dv");
}

/// M^-1 w, to the local "lambda", which panels also read as an input.
void write_weights(Context<Scalar>& c, Context<Scalar>& full, const LimbInverse& inverse) {
  const Values lambda = inverse.solve(c.input("w"));
  c.local("lambda", lambda);
  full.set_input("lambda", c.by_full_coordinate(lambda));
}

}  // namespace

void aba_derivatives_in_panels(Context<Scalar>& c) {
  write_acceleration(c);
  Context<Scalar> full = c.unfolded();
  Panels panels(full);
  write_first_derivatives(full, panels);
  full.call(inverse_and_products(full, Routines::kernels, "aba_derivatives", {"M", "dtau_dq", "dtau_dv"}, 2));
}

void aba_second_derivatives_in_panels(Context<Scalar>& c) {
  write_acceleration(c);
  Context<Scalar> full = c.unfolded();
  Panels panels(full);
  write_first_derivatives(full, panels);
  constexpr bool once = false;  // the solution fills in zeros
  full.clear_outputs(once);
  panels.second_derivatives("acceleration", full.output_names());
  full.call(second_derivative_solution(full, Routines::kernels));
}

void aba_vector_hessian_in_panels(Context<Scalar>& c) {
  const LimbInverse inverse = write_acceleration(c);
  Context<Scalar> full = c.unfolded();
  write_weights(c, full, inverse);
  Panels panels(full);
  full.local("P", full.nv() * full.nv());  // cleared before the first call
  full.local("H_tau", 4 * full.nv() * full.nv());
  write_first_derivatives(full, panels);
  panels.mass_matrix_vector_derivative("lambda", "P");
  panels.vector_hessian("acceleration", "lambda", "H_tau");
  full.call(inverse_and_products(full, Routines::kernels, "aba_vector_hessian",
                                 {"M", "dtau_dq", "dtau_dv", "P", "H_tau"}, 3));
}

void minv_vector_derivative_in_panels(Context<Scalar>& c) {
  const SquareMatrix<Scalar> M = joint_space_inertia(c);
  c.local("M", M.column_major(), matrix);
  const LimbInverse inverse(c, M);
  Context<Scalar> full = c.unfolded();
  write_weights(c, full, inverse);
  full.local("P", full.nv() * full.nv());
  Panels(full).mass_matrix_vector_derivative("lambda", "P");
  full.call(inverse_and_products(full, Routines::kernels, "minv_vector_derivative", {"M", "P"}, 1));
}

void aba_derivatives_in_lanes_and_kernels(Context<Scalar>& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const Values &v = c.input("v"), &tau = c.input("tau");
  const LimbInverse inverse(c, first_derivatives(c, v, c.zeros(), own_frames).M);
  const Values net = net_torque(c, v, tau);
  c.begin_section("accelerations");
  const Values a = inverse.solve(net);
  const FirstDerivatives<Scalar> id = first_derivatives(c, v, a, own_frames);
  c.local("M", id.M.column_major(), matrix);
  c.local("dtau_dq", id.dtau_dq.column_major(), matrix);
  c.local("dtau_dv", id.dtau_dv.column_major(), matrix);
  Context<Scalar> full = c.unfolded();
  full.call(inverse_and_products(full, Routines::kernels, "aba_derivatives", {"M", "dtau_dq", "dtau_dv"}, 2));
}

void minv_in_lanes_and_kernels(Context<Scalar>& c) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  Context<Scalar> full = c.unfolded();
  full.call(inverse_and_products(full, Routines::kernels, "minv", {"M"}, 0));
}

}  // namespace featherline::algorithms
