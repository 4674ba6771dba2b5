#include "catalog/functions.hpp"

#include "algorithms/forward_dynamics.hpp"
#include "algorithms/forward_parts.hpp"
#include "algorithms/forward_second_derivatives.hpp"
#include "algorithms/inertia_loops.hpp"
#include "algorithms/inverse_dynamics.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/second_derivatives.hpp"
#include "algorithms/vector_hessian.hpp"
#include "algorithms/vector_loops.hpp"

#include <algorithm>

namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

using TraceIn = ir::Function (*)(const model::Tree&, FrameChoice);

/// One formulation for each choice of common frames.
std::vector<Formulation> in_frames(TraceIn trace) {
  const auto with = [trace](FrameChoice frames) {
    return [=](const model::Tree& tree) { return trace(tree, frames); };
  };
  return {{"piecewise frames", with(chosen_frames), {}},
          {"body frames", with(body_frames), {}},
          {"ground frame", with(ground_frame), {}}};
}

/// Loops declare arrays, which C++ wants larger than nothing.
bool has_coordinates(const model::Tree& tree) { return tree.nv > 0; }

using TraceLoops = ir::Function (*)(const model::Tree&);
using Estimate = double (*)(const model::Tree&);

/// The formulations given, and loops for robots too large to unroll them.
std::vector<Formulation> or_loops(std::vector<Formulation> formulations, Estimate unrolled_flops,
                                  TraceLoops loops) {
  for (Formulation& formulation : formulations) formulation.unrolled_flops = unrolled_flops;
  formulations.push_back({"vector loops", loops, has_coordinates, {}, true});
  return formulations;
}

ir::Function trace_aba_second_derivatives_unrolled(const model::Tree& tree) {
  return trace_aba_second_derivatives(tree, chosen_frames);
}

std::vector<FunctionSpec> entries() {
  return {
      {.name = "rnea",
       .group = dynamics,
       .brief = "Inverse dynamics: the torques that produce the acceleration a, gravity included.",
       .source = "Luh, Walker, Paul 1980; Featherstone, RBDA table 5.1",
       .inputs = {q, v, a},
       .outputs = {tau},
       .formulations = {{"link frames", trace_rnea, {}}}},
      {.name = "bias",
       .group = dynamics,
       .brief = "Coriolis, centrifugal and gravity torques C(q, v) v + g(q).",
       .source = "Featherstone, RBDA section 6.1",
       .inputs = {q, v},
       .outputs = {tau},
       .formulations = {{"link frames", trace_bias, {}}}},
      {.name = "gravity",
       .group = dynamics,
       .brief = "Gravity torques g(q).",
       .source = "Featherstone, RBDA section 6.1",
       .inputs = {q},
       .outputs = {tau},
       .formulations = {{"link frames", trace_gravity, {}},
                        {"composite first moments", trace_gravity_composite, {}}}},
      {.name = "mass_matrix",
       .group = dynamics,
       .brief = "Joint-space inertia matrix M(q).",
       .source = "Featherstone, RBDA table 6.2",
       .inputs = {q},
       .outputs = {M},
       .formulations = {{"link frames", trace_mass_matrix, {}}}},
      {.name = "coriolis_matrix",
       .group = dynamics,
       .brief = "A Coriolis matrix C(q, v) with dM/dt - 2 C skew.",
       .source = "Singh, Russell, Wensing, first order, eq. (23)",
       .inputs = {q, v},
       .outputs = {C},
       .formulations = in_frames(trace_coriolis_matrix),
       .uses_common_frames = true},
      {.name = "aba",
       .group = dynamics,
       .brief = "Forward dynamics: the accelerations the torques tau produce, gravity included.",
       .source = "Featherstone, RBDA tables 6.3, 6.5 and 7.1",
       .inputs = {q, v, tau},
       .outputs = {a},
       .formulations = {{"sparse factor", trace_aba_by_factor, {}},
                        {"articulated bodies", trace_aba_by_articulated_bodies, has_own_coordinates}},
       .inverts_inertia = true},
      {.name = "aza",
       .group = dynamics,
       .brief = "Product with the inverse inertia: x = M(q)^-1 b.",
       .source = "Singh, Russell, Wensing, first order with multi-DoF joints, section III-E; RBDA table 6.5",
       .inputs = {q, b},
       .outputs = {x},
       .formulations = {{"sparse factor", trace_aza_by_factor, {}},
                        {"articulated bodies", trace_aza_by_articulated_bodies, has_own_coordinates}},
       .inverts_inertia = true},
      {.name = "minv",
       .group = dynamics,
       .brief = "Inverse of the joint-space inertia matrix.",
       .source = "Featherstone, RBDA table 6.3; Singh, Russell, Wensing, first order with multi-DoF joints, "
                 "eq. (34)",
       .inputs = {q},
       .outputs = {Minv},
       .formulations = or_loops(
           {{"sparse factor", trace_minv_by_factor}, {"AZA columns", trace_minv_by_aza, has_own_coordinates}},
           unrolled_minv_flops, trace_minv_in_loops),
       .inverts_inertia = true},
      {.name = "rnea_derivatives",
       .group = derivatives,
       .brief = "First derivatives of inverse dynamics with respect to q and v; with respect to a they are "
                "mass_matrix.",
       .source =
           "IDSVA: Singh, Russell, Wensing, first order, Algorithm 1, with and without multi-DoF joints",
       .inputs = {q, v, a},
       .outputs = {dtau_dq, dtau_dv},
       .formulations = in_frames(trace_rnea_derivatives),
       .uses_common_frames = true},
      {.name = "aba_derivatives",
       .group = derivatives,
       .brief = "First derivatives of forward dynamics with respect to q, v and tau.",
       .source = "FDSVA: Singh, Russell, Wensing, first order, eq. (5); with multi-DoF joints, sections "
                 "III-E and V-D",
       .inputs = {q, v, tau},
       .outputs = {da_dq, da_dv, da_dtau},
       .formulations = or_loops({{"DMM", trace_aba_derivatives_by_dmm},
                                 {"sparse factor", trace_aba_derivatives_by_factor},
                                 {"AZA", trace_aba_derivatives_by_aza, has_own_coordinates}},
                                unrolled_aba_derivatives_flops, trace_aba_derivatives_in_loops),
       .inverts_inertia = true,
       .uses_common_frames = true},
      {.name = "rnea_second_derivatives",
       .group = second_order,
       .brief = "Second derivatives of inverse dynamics with respect to q and v, and the derivative of the "
                "inertia "
                "matrix.",
       .source = "IDSVA: Singh, Russell, Wensing, second order, Algorithm 1",
       .inputs = {q, v, a},
       .outputs = {d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq},
       .formulations =
           or_loops(in_frames(trace_rnea_second_derivatives), unrolled_rnea_second_derivatives_flops,
                    trace_rnea_second_derivatives_in_loops),
       .uses_common_frames = true},
      {.name = "aba_second_derivatives",
       .group = second_order,
       .brief = "Second derivatives of forward dynamics with respect to q, v and tau; it is linear in tau.",
       .source = "Singh, Russell, Wensing, second order, Algorithm 1, and M a + b = tau differentiated twice",
       .inputs = {q, v, tau},
       .outputs = {d2a_dqdq, d2a_dvdv, d2a_dqdv, d2a_dqdtau},
       .formulations = or_loops({{"unrolled", trace_aba_second_derivatives_unrolled}},
                                unrolled_aba_second_derivatives_flops, trace_aba_second_derivatives_in_loops),
       .inverts_inertia = true,
       .uses_common_frames = true},
      {.name = "rnea_vector_hessian",
       .group = second_order,
       .brief = "Second derivatives of w^T tau with respect to (q, v), without forming tensors.",
       .source = "Singh, Russell, Wensing, second order, contracted with w before the sums are taken",
       .inputs = {q, v, a, w},
       .outputs = {H},
       .formulations = in_frames(trace_rnea_vector_hessian),
       .uses_common_frames = true},
      {.name = "mass_matrix_vector_derivative",
       .group = second_order,
       .brief = "Derivative of M(q) w with respect to q, w held.",
       .source = "Singh, Russell, Wensing, second order, eq. (18), contracted with w",
       .inputs = {q, w},
       .outputs = {dMw_dq},
       .formulations = in_frames(trace_mass_matrix_vector_derivative),
       .uses_common_frames = true},
      {.name = "aba_vector_hessian",
       .group = second_order,
       .brief =
           "Second derivatives of w^T a, a the forward dynamics, with respect to (q, v), without forming "
           "tensors.",
       .source = "rnea_vector_hessian with weights M^-1 w, and M a + b = tau differentiated twice",
       .inputs = {q, v, tau, w},
       .outputs = {H},
       .formulations = or_loops(in_frames(trace_aba_vector_hessian), unrolled_aba_vector_hessian_flops,
                                trace_aba_vector_hessian_in_loops),
       .inverts_inertia = true,
       .uses_common_frames = true},
      {.name = "minv_vector_derivative",
       .group = second_order,
       .brief = "Derivative of M(q)^-1 w with respect to q, w held: also the second derivatives of w^T a "
                "with respect "
                "to q and tau.",
       .source = "d(M^-1) = -M^-1 dM M^-1",
       .inputs = {q, w},
       .outputs = {dMinvw_dq},
       .formulations = or_loops(in_frames(trace_minv_vector_derivative),
                                unrolled_minv_vector_derivative_flops, trace_minv_vector_derivative_in_loops),
       .inverts_inertia = true,
       .uses_common_frames = true},
      {.name = "forward_kinematics",
       .group = kinematics,
       .brief = "Pose of a link in the world.",
       .source = "Featherstone, RBDA section 4.2",
       .inputs = {q},
       .outputs = {R, p},
       .takes_link = true},
      {.name = "frame_jacobian",
       .group = kinematics,
       .brief = "Jacobian of a link frame: its velocity is J v.",
       .source = "Featherstone, RBDA section 4.2",
       .inputs = {q},
       .outputs = {J},
       .takes_link = true,
       .takes_frame = true},
  };
}

}  // namespace

const std::vector<FunctionSpec>& functions() {
  static const std::vector<FunctionSpec> all = [] {
    std::vector<FunctionSpec> list = entries();
    for (FunctionSpec& function : list)
      function.inputs.insert(function.inputs.end(), of_every_function.begin(), of_every_function.end());
    return list;
  }();
  return all;
}

std::vector<Group> groups() { return {dynamics, derivatives, second_order, kinematics}; }

bool has_packed_form(const FunctionSpec& function) {
  return !function.takes_link && std::all_of(function.outputs.begin(), function.outputs.end(),
                                             [](const Argument& output) { return output.shape.rank() > 1; });
}

std::string packed_name(const FunctionSpec& function) { return function.name + "_packed"; }

const FunctionSpec* find(const std::string& name) {
  for (const FunctionSpec& function : functions()) {
    if (function.name == name || (has_packed_form(function) && packed_name(function) == name))
      return &function;
  }
  return nullptr;
}

ir::Function trace(const FunctionSpec& function, const Formulation& formulation, const model::Tree& tree) {
  ir::Function traced = formulation.trace(tree);
  for (std::size_t i = traced.inputs.size(); i < function.inputs.size(); ++i) {
    const Argument& input = function.inputs[i];
    traced.inputs.push_back({input.name, static_cast<int>(input.shape.size(tree.nq, tree.nv))});
  }
  return traced;
}

}  // namespace featherline::catalog
