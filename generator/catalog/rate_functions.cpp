#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/kinematics.hpp"
#include "catalog/methods.hpp"

/// Rates in time, while the robot moves with v and a.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

const Argument M_rate{"M_rate", {nv, nv}};
const Argument tau_rate{"tau_rate", {nv}, "tau_rate", {force_of_free_joints}};
const Argument J_rate{"J_rate", {num_frame_rows, nv}};

}  // namespace

std::vector<FunctionSpec> rate_functions() {
  return {{.name = "mass_matrix_rate",
           .inputs = {q, v},
           .outputs = {M_rate},
           .depends = on_inertia,
           .formulations = {{by::link_frames, mass_matrix_rate}, {by::limb_lanes, mass_matrix_rate}}},
          {.name = "rnea_rate",
           .inputs = {q, v, a, jerk},
           .outputs = {tau_rate},
           .depends = on_all,
           .formulations = {{by::link_frames, rnea_rate}, {by::limb_lanes, rnea_rate}}},
          {.name = "frame_jacobian_rates",
           .inputs = {q, v},
           .outputs = {J_rate},
           .formulations = {{by::columns, algorithms::frame_kinematics},
                            {by::limb_lanes, algorithms::frame_kinematics, {}, needs::frames_of_limbs}}}};
}

}  // namespace featherline::catalog
