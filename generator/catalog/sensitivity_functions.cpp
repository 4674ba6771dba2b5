#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "catalog/methods.hpp"

/// Derivatives with respect to the parameters that the user chose.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

std::vector<FunctionSpec> sensitivity_functions() {
  return {{.name = "rnea_parameter_derivatives",
           .inputs = {q, v, a},
           .outputs = {{"dtau_dp", {nv, num_parameters}}},
           .depends = on_all,
           .formulations = {{by::link_frames, rnea_parameter_derivatives, {}, needs::parameters}}},
          {.name = "aba_parameter_derivatives",
           .inputs = {q, v, tau},
           .outputs = {{"da_dp", {nv, num_parameters}}},
           .depends = on_all,
           .formulations = {{by::sparse_factor, aba_parameter_derivatives, {}, needs::parameters}},
           .inverts_inertia = true},
          {.name = "frame_parameter_jacobians",
           .inputs = {q},
           .outputs = {{"J_p", {num_frame_rows, num_parameters}}},
           .formulations = {{by::columns, frame_parameter_jacobians, {}, needs::parameters}}}};
}

}  // namespace featherline::catalog
