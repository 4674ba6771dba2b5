#include "algorithms/registry.hpp"

#include "algorithms/inverse_dynamics.hpp"
#include "algorithms/mass_matrix.hpp"

namespace featherline::algorithms {
namespace {

const Argument q{"q", "nq", "joint positions [rad, m]; quaternions are unit, order x y z w"};
const Argument v{"v", "nv", "joint velocities [rad/s, m/s]; floating: [linear; angular] in the body frame"};
const Argument a{"a", "nv", "joint accelerations [rad/s^2, m/s^2]: time derivative of v, entry by entry"};
const Argument tau{"tau", "nv", "joint torques and forces [N m, N]; floating: [force; torque] in the body frame"};
const Argument R{"R", "3 x 3, column-major", "rotation from link axes to world axes"};
const Argument p{"p", "3", "origin of the link frame in the world [m]"};
const Argument J{"J", "6 x nv, column-major", "rows [linear; angular], in the axes and about the point the frame names"};
const Argument M{"M", "nv x nv, column-major", "joint-space inertia, full and symmetric [kg m^2, kg m, kg]"};

}  // namespace

const std::vector<Algorithm>& registry() {
  static const std::vector<Algorithm> algorithms{
      {"rnea", "dynamics", "Inverse dynamics: the torques that produce the acceleration a, gravity included.",
       "Luh, Walker, Paul 1980; Featherstone, RBDA table 5.1",
       {q, v, a}, {tau}, {{"link frames", trace_rnea}}},
      {"bias", "dynamics", "Coriolis, centrifugal and gravity torques C(q, v) v + g(q).",
       "Featherstone, RBDA section 6.1",
       {q, v}, {tau}, {{"link frames", trace_bias}}},
      {"gravity", "dynamics", "Gravity torques g(q).", "Featherstone, RBDA section 6.1",
       {q}, {tau}, {{"link frames", trace_gravity}, {"composite first moments", trace_gravity_composite}}},
      {"mass_matrix", "dynamics", "Joint-space inertia matrix M(q).", "Featherstone, RBDA table 6.2",
       {q}, {M}, {{"link frames", trace_mass_matrix}}},
      {"forward_kinematics", "kinematics", "Pose of a link in the world.", "Featherstone, RBDA section 4.2", {q}, {R, p}, {}},
      {"frame_jacobian", "kinematics", "Jacobian of a link frame: its velocity is J v.",
       "Featherstone, RBDA section 4.2", {q}, {J}, {}},
  };
  return algorithms;
}

}  // namespace featherline::algorithms
