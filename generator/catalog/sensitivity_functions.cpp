#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "catalog/methods.hpp"

/// Derivatives with respect to the parameters that the user chose.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

constexpr const char* rows_and_columns =
    "columns like p; 0 where the function does not depend on the parameter";

}  // namespace

std::vector<FunctionSpec> sensitivity_functions() {
  return {{.name = "rnea_parameter_derivatives",
           .inputs = {q, v, a},
           .outputs = {{"dtau_dp",
                        {nv, num_parameters},
                        std::string("d tau_i / d p_k: rows like tau [N m, N], ") + rows_and_columns}},
           .depends = on_all,
           .formulations = {{by::link_frames, rnea_parameter_derivatives, {}, needs::parameters}}},
          {.name = "aba_parameter_derivatives",
           .inputs = {q, v, tau},
           .outputs = {{"da_dp",
                        {nv, num_parameters},
                        std::string("d a_i / d p_k: rows like a [rad/s^2, m/s^2], ") + rows_and_columns}},
           .depends = on_all,
           .formulations = {{by::sparse_factor, aba_parameter_derivatives, {}, needs::parameters}},
           .inverts_inertia = true},
          {.name = "frame_parameter_jacobians",
           .inputs = {q},
           .outputs = {{"J_p",
                        {num_frame_rows, num_parameters},
                        "motion at unit rate of p_k: rows as those of frame_velocities [linear; angular], "
                        "columns like p; 0 where it does not move the frame"}},
           .formulations = {{by::columns, frame_parameter_jacobians, {}, needs::parameters}}}};
}

}  // namespace featherline::catalog
