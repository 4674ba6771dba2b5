#include "catalog/functions.hpp"

#include <algorithm>

namespace featherline::catalog {
namespace {

const char* const of_rnea = "rnea_derivatives";
const char* const of_aba = "aba_derivatives";
const char* const of_constrained = "constrained_dynamics_derivatives";
const char* const of_constrained_inverse = "constrained_inverse_dynamics_derivatives";
const char* const torques_by_parameters = "rnea_parameter_derivatives";
const char* const by_step = "@step";
const char* const of_frame_jacobians = "frame_jacobians";
const char* const of_frame_accelerations = "frame_acceleration_derivatives";

}  // namespace

const std::vector<Companions>& all_companions() {
  static const std::vector<Companions> all{
      {.function = "rnea",
       .blocks = {{"tau", "q", of_rnea, "dtau_dq"},
                  {"tau", "v", of_rnea, "dtau_dv"},
                  {"tau", "a", "mass_matrix", "M"}},
       .product = "rnea_vjp",
       .hessian = "rnea_vector_hessian",
       .mixed = "mass_matrix_vector_derivative",
       .by_parameters = torques_by_parameters,
       .parameters_array = "dtau_dp"},
      {.function = "bias",
       .blocks = {{"tau", "q", of_rnea, "dtau_dq"}, {"tau", "v", of_rnea, "dtau_dv"}},
       .product = "rnea_vjp",
       .hessian = "rnea_vector_hessian",
       .by_parameters = torques_by_parameters,
       .parameters_array = "dtau_dp"},
      {.function = "gravity",
       .blocks = {{"tau", "q", of_rnea, "dtau_dq"}},
       .product = "rnea_vjp",
       .by_parameters = torques_by_parameters,
       .parameters_array = "dtau_dp"},
      {.function = "aba",
       .blocks = {{"a", "q", of_aba, "da_dq"}, {"a", "v", of_aba, "da_dv"}, {"a", "tau", of_aba, "da_dtau"}},
       .product = "aba_vjp",
       .hessian = "aba_vector_hessian",
       .mixed = "minv_vector_derivative",
       .by_parameters = "aba_parameter_derivatives",
       .parameters_array = "da_dp"},
      {.function = "aza",
       .blocks = {{"x", "q", "minv_vector_derivative", "dMinvw_dq"}, {"x", "b", "minv", "Minv"}},
       .renamed = "b"},
      {.function = "frame_poses",
       .blocks = {{"p", "q", "@frame_poses", ""}, {"R", "q", "@frame_poses", ""}},
       .product = "frame_poses_vjp",
       .of_binding = {of_frame_jacobians, "frame_poses"}},
      {.function = "frame_velocities",
       .blocks = {{"V", "q", "frame_velocity_derivatives", "dV_dq"}, {"V", "v", of_frame_jacobians, "J"}}},
      {.function = "frame_accelerations",
       .blocks = {{"A", "q", of_frame_accelerations, "dA_dq"},
                  {"A", "v", of_frame_accelerations, "dA_dv"},
                  {"A", "a", of_frame_jacobians, "J"}}},
      {.function = "frame_bias",
       .blocks = {{"b", "q", of_frame_accelerations, "dA_dq"}, {"b", "v", of_frame_accelerations, "dA_dv"}}},
      {.function = "center_of_mass", .blocks = {{"c", "q", "center_of_mass_jacobian", "J"}}},
      {.function = "centroidal_momentum",
       .blocks = {{"h", "q", "centroidal_momentum_derivatives", "dh_dq"},
                  {"h", "v", "centroidal_momentum_matrix", "A"}}},
      {.function = "potential_energy", .blocks = {{"U", "q", "gravity", "tau"}}},
      {.function = "constrained_dynamics",
       .blocks = {{"a", "q", of_constrained, "da_dq"},
                  {"a", "v", of_constrained, "da_dv"},
                  {"a", "tau", of_constrained, "da_dtau"},
                  {"lambda", "q", of_constrained, "dlambda_dq"},
                  {"lambda", "v", of_constrained, "dlambda_dv"},
                  {"lambda", "tau", of_constrained, "dlambda_dtau"}}},
      {.function = "constrained_inverse_dynamics",
       .blocks = {{"tau", "q", of_constrained_inverse, "dtau_dq"},
                  {"tau", "v", of_constrained_inverse, "dtau_dv"},
                  {"tau", "a", of_constrained_inverse, "dtau_da"},
                  {"lambda", "q", of_constrained_inverse, "dlambda_dq"},
                  {"lambda", "v", of_constrained_inverse, "dlambda_dv"},
                  {"lambda", "a", of_constrained_inverse, "dlambda_da"}}},
      {.function = "step",
       .blocks = {{"q_next", "q", by_step, ""},
                  {"q_next", "v", by_step, ""},
                  {"q_next", "tau", by_step, ""},
                  {"v_next", "q", by_step, ""},
                  {"v_next", "v", by_step, ""},
                  {"v_next", "tau", by_step, ""}},
       .of_binding = {"step_derivatives", "step"}}};
  return all;
}

const Companions* companions_of(std::string_view function) {
  const auto found = std::ranges::find(all_companions(), function, &Companions::function);
  return found == all_companions().end() ? nullptr : &*found;
}

std::vector<std::string> with_companions(std::vector<std::string> names) {
  std::vector<std::string> wanted = names;
  for (const std::string& name : names) {
    const Companions* companions = companions_of(name);
    if (companions == nullptr) continue;
    for (const DerivativeBlock& block : companions->blocks) wanted.emplace_back(block.function);
    wanted.emplace_back(companions->product);
    wanted.insert(wanted.end(), companions->of_binding.begin(), companions->of_binding.end());
  }
  for (const std::string& name : wanted) {
    if (find(name) != nullptr && std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return names;
}

bool have_companions(const Companions& companions, const model::Tree& tree) {
  if (companions.function == "gravity")
    return !model::may_have(tree, &model::Joint::stiffness) &&
           std::ranges::all_of(tree.tendons, [](const model::Tendon& t) { return t.stiffness == 0.0; });
  // Rows of frame_jacobians are velocities of the frames' origins, in world axes.
  return companions.function != "frame_poses" || tree.frames.axes == model::FrameAxes::local_world_aligned;
}

}  // namespace featherline::catalog
