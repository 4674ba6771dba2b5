#include "algorithms/registry.hpp"

#include "algorithms/arguments.hpp"
#include "algorithms/forward_dynamics.hpp"
#include "algorithms/inverse_dynamics.hpp"
#include "algorithms/loops.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/second_derivatives.hpp"
#include "algorithms/vector_hessian.hpp"

#include <algorithm>

namespace featherline::algorithms {

using namespace arguments;

namespace {

using Run = void (*)(Context<Scalar>&);
using RunIn = void (*)(Context<Scalar>&, const FrameRoots&);
using FrameChoice = FrameRoots (*)(const model::CanonicalTree&);

std::function<void(Context<Scalar>&)> with(RunIn run, FrameChoice frames) {
  return [=](Context<Scalar>& context) { run(context, frames(context.tree())); };
}

/// One formulation for each choice of common frames.
std::vector<Formulation> in_frames(RunIn run) {
  return {{"piecewise frames", with(run, chosen_frames)},
          {"body frames", with(run, body_frames)},
          {"ground frame", with(run, ground_frame)}};
}

/// Loops declare arrays, which C++ wants larger than nothing.
bool has_coordinates(const model::Tree& tree) { return tree.nv > 0; }

using Estimate = double (*)(const model::Tree&);

/// The formulations given, and loops for robots too large to unroll them.
std::vector<Formulation> or_loops(std::vector<Formulation> formulations, Estimate unrolled_flops,
                                  Run loops) {
  for (Formulation& formulation : formulations) formulation.unrolled_flops = unrolled_flops;
  formulations.push_back({"vector loops", loops, has_coordinates, {}, true});
  return formulations;
}

}  // namespace

const std::vector<Algorithm>& registry() {
  static const std::vector<Algorithm> algorithms{
      {"rnea",
       "dynamics",
       "Inverse dynamics: the torques that produce the acceleration a, gravity included.",
       "Luh, Walker, Paul 1980; Featherstone, RBDA table 5.1",
       {q, v, a},
       {tau},
       {{"link frames", rnea<Scalar>}}},
      {"bias",
       "dynamics",
       "Coriolis, centrifugal and gravity torques C(q, v) v + g(q).",
       "Featherstone, RBDA section 6.1",
       {q, v},
       {tau},
       {{"link frames", bias<Scalar>}}},
      {"gravity",
       "dynamics",
       "Gravity torques g(q).",
       "Featherstone, RBDA section 6.1",
       {q},
       {tau},
       {{"link frames", gravity<Scalar>}, {"composite first moments", gravity_by_composites<Scalar>}}},
      {"mass_matrix",
       "dynamics",
       "Joint-space inertia matrix M(q).",
       "Featherstone, RBDA table 6.2",
       {q},
       {M},
       {{"link frames", mass_matrix<Scalar>}}},
      {"coriolis_matrix",
       "dynamics",
       "A Coriolis matrix C(q, v) with dM/dt - 2 C skew.",
       "Singh, Russell, Wensing, first order, eq. (23)",
       {q, v},
       {C},
       in_frames(coriolis_matrix)},
      {"aba",
       "dynamics",
       "Forward dynamics: the accelerations the torques tau produce, gravity included.",
       "Featherstone, RBDA tables 6.3, 6.5 and 7.1",
       {q, v, tau},
       {a},
       {{"sparse factor", aba_by_factor<Scalar>},
        {"articulated bodies", aba_by_articulated_bodies<Scalar>, has_own_coordinates}},
       true},
      {"aza",
       "dynamics",
       "Product with the inverse inertia: x = M(q)^-1 b.",
       "Singh, Russell, Wensing, first order with multi-DoF joints, section III-E; RBDA table 6.5",
       {q, b},
       {x},
       {{"sparse factor", aza_by_factor<Scalar>},
        {"articulated bodies", aza_by_articulated_bodies<Scalar>, has_own_coordinates}},
       true},
      {"minv",
       "dynamics",
       "Inverse of the joint-space inertia matrix.",
       "Featherstone, RBDA table 6.3; Singh, Russell, Wensing, first order with multi-DoF joints, eq. (34)",
       {q},
       {Minv},
       or_loops(
           {{"sparse factor", minv_by_factor<Scalar>}, {"AZA columns", minv_by_aza<Scalar>, has_own_coordinates}},
           unrolled_minv_flops, minv_in_loops),
       true},
      {"rnea_derivatives",
       "derivatives",
       "First derivatives of inverse dynamics with respect to q and v; with respect to a they are "
       "mass_matrix.",
       "IDSVA: Singh, Russell, Wensing, first order, Algorithm 1, with and without multi-DoF joints",
       {q, v, a},
       {dtau_dq, dtau_dv},
       in_frames(rnea_derivatives)},
      {"aba_derivatives",
       "derivatives",
       "First derivatives of forward dynamics with respect to q, v and tau.",
       "FDSVA: Singh, Russell, Wensing, first order, eq. (5); with multi-DoF joints, sections III-E and V-D",
       {q, v, tau},
       {da_dq, da_dv, da_dtau},
       or_loops({{"DMM", aba_derivatives_by_dmm<Scalar>},
                 {"sparse factor", aba_derivatives_by_factor<Scalar>},
                 {"AZA", aba_derivatives_by_aza<Scalar>, has_own_coordinates}},
                unrolled_aba_derivatives_flops, aba_derivatives_in_loops),
       true},
      {"rnea_second_derivatives",
       "second-order",
       "Second derivatives of inverse dynamics with respect to q and v, and the derivative of the inertia "
       "matrix.",
       "IDSVA: Singh, Russell, Wensing, second order, Algorithm 1",
       {q, v, a},
       {d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq},
       or_loops(in_frames(rnea_second_derivatives), unrolled_rnea_second_derivatives_flops,
                rnea_second_derivatives_in_loops)},
      {"aba_second_derivatives",
       "second-order",
       "Second derivatives of forward dynamics with respect to q, v and tau; it is linear in tau.",
       "Singh, Russell, Wensing, second order, Algorithm 1, and M a + b = tau differentiated twice",
       {q, v, tau},
       {d2a_dqdq, d2a_dvdv, d2a_dqdv, d2a_dqdtau},
       or_loops({{"unrolled", with(aba_second_derivatives, chosen_frames)}}, unrolled_aba_second_derivatives_flops,
                aba_second_derivatives_in_loops),
       true},
      {"rnea_vector_hessian",
       "second-order",
       "Second derivatives of w^T tau with respect to (q, v), without forming tensors.",
       "Singh, Russell, Wensing, second order, contracted with w before the sums are taken",
       {q, v, a, w},
       {H},
       in_frames(rnea_vector_hessian)},
      {"mass_matrix_vector_derivative",
       "second-order",
       "Derivative of M(q) w with respect to q, w held.",
       "Singh, Russell, Wensing, second order, eq. (18), contracted with w",
       {q, w},
       {dMw_dq},
       in_frames(mass_matrix_vector_derivative)},
      {"aba_vector_hessian",
       "second-order",
       "Second derivatives of w^T a, a the forward dynamics, with respect to (q, v), without forming "
       "tensors.",
       "rnea_vector_hessian with weights M^-1 w, and M a + b = tau differentiated twice",
       {q, v, tau, w},
       {H},
       or_loops(in_frames(aba_vector_hessian), unrolled_aba_vector_hessian_flops,
                aba_vector_hessian_in_loops),
       true},
      {"minv_vector_derivative",
       "second-order",
       "Derivative of M(q)^-1 w with respect to q, w held: also the second derivatives of w^T a with respect "
       "to q and tau.",
       "d(M^-1) = -M^-1 dM M^-1",
       {q, w},
       {dMinvw_dq},
       or_loops(in_frames(minv_vector_derivative), unrolled_minv_vector_derivative_flops,
                minv_vector_derivative_in_loops),
       true},
      {"forward_kinematics",
       "kinematics",
       "Pose of a link in the world.",
       "Featherstone, RBDA section 4.2",
       {q},
       {R, p},
       {}},
      {"frame_jacobian",
       "kinematics",
       "Jacobian of a link frame: its velocity is J v.",
       "Featherstone, RBDA section 4.2",
       {q},
       {J},
       {}},
  };
  return algorithms;
}

ir::Function trace(const Algorithm& algorithm, const Formulation& formulation, const model::CanonicalTree& tree) {
  std::vector<ir::Parameter> inputs;
  for (const Argument& input : algorithm.inputs)
    inputs.push_back({input.name, input.shape == "nq" ? tree.nq : tree.nv});
  ir::Function function = algorithms::trace(tree, inputs, formulation.run);
  function.name = algorithm.name;
  function.formulation = formulation.name;
  return function;
}

bool has_packed_form(const Algorithm& algorithm) {
  return !algorithm.formulations.empty() &&
         std::all_of(algorithm.outputs.begin(), algorithm.outputs.end(),
                     [](const Argument& output) { return output.shape.find(" x ") != std::string::npos; });
}

std::string packed_name(const Algorithm& algorithm) { return algorithm.name + "_packed"; }

}  // namespace featherline::algorithms
