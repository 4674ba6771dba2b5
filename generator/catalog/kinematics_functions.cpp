#include "catalog/methods.hpp"

#include "algorithms/clusters/all_joints.hpp"

/// Where links and frames are, and how they move.
namespace featherline::catalog {

namespace {

// Kinematics of links.
const Argument R{"R", {3, 3}, "R of one link"};
const Argument link_position{"p", {3}, "p of one link"};
const Argument J{"J", {6, nv}, "J of one link"};

const Argument link_p{"p", {3, num_links}, "p of links"};
const Argument link_R{"R", {9, num_links}, "R of links"};

// Of the chosen frames.
const Argument frame_p{"p", {3, num_frames}, "p of frames"};
const Argument frame_R{"R", {9, num_frames}, "R of frames"};
const Argument frame_V{"V", {num_frame_rows}};
const Argument frame_A{"A", {num_frame_rows}, "A of frames"};
const Argument frame_J{"J", {num_frame_rows, nv}, "J of frames"};
const Argument frame_b{"b", {num_frame_rows}, "b of frames"};
const Argument dV_dq{"dV_dq", {num_frame_rows, nv}};
const Argument dA_dq{"dA_dq", {num_frame_rows, nv}};
const Argument dA_dv{"dA_dv", {num_frame_rows, nv}};

const Argument frame_e{"e", {num_frame_rows}, "e of frames"};
const Argument de_dq{"de_dq", {num_frame_rows, nv}};

const Argument q_all{"q_all", {nq_all}};
const Argument v_all{"v_all", {nv_all}};

FunctionSpec of_frames(const char* name, std::vector<Argument> inputs, std::vector<Argument> outputs,
                       bool takes_parts = false) {
  return function(name, std::move(inputs), std::move(outputs), {},
                  {{by::columns, algorithms::frame_kinematics},
                   {by::limb_lanes, algorithms::frame_kinematics, {}, needs::frames_of_limbs}},
                  {.takes_parts = takes_parts});
}

FunctionSpec of_pose_errors(const char* name, const Argument& output) {
  return function(name, {q, p_wanted, R_wanted}, {output}, {},
                  {{by::columns, algorithms::frame_pose_errors},
                   {by::limb_lanes, algorithms::frame_pose_errors, {}, needs::frames_of_limbs}});
}

}  // namespace

std::vector<FunctionSpec> kinematics_functions() {
  return {
      function("forward_kinematics", {q}, {R, link_position}, {},
               {{by::pose_steps, algorithms::forward_kinematics}}, {.takes_link = true}),
      function("frame_jacobian", {q}, {J}, {}, {{by::pose_steps, algorithms::frame_jacobian}},
               {.takes_link = true, .has_reference_frame_argument = true}),
      function("spanning_position", {q}, {q_all}, {}, {{by::loop_closure, algorithms::spanning_position}}),
      function("spanning_velocity", {q, v}, {v_all}, {},
               {{by::loop_closure, algorithms::spanning_velocity}})};
}

std::vector<FunctionSpec> frames_functions() {
  return {function("link_poses", {q}, {link_p, link_R}, {},
                   {{by::shared_axes, algorithms::link_poses},
                    {by::limb_lanes, algorithms::link_poses, {}, needs::links_of_limbs}}),
          of_frames("frame_poses", {q}, {frame_p, frame_R}),
          of_frames("frame_velocities", {q, v}, {frame_V}),
          of_frames("frame_accelerations", {q, v, a}, {frame_A}),
          of_frames("frame_jacobians", {q}, {frame_J}),
          of_frames("frame_bias", {q, v}, {frame_b}),
          of_frames("frame_velocity_derivatives", {q, v}, {dV_dq}),
          of_frames("frame_acceleration_derivatives", {q, v, a}, {dA_dq, dA_dv}),
          of_pose_errors("frame_pose_errors", frame_e),
          of_pose_errors("frame_pose_error_derivatives", de_dq),
          of_frames("frame_kinematics", {q, v}, {frame_p, frame_R, frame_V, frame_J, frame_b}, true)};
}

}  // namespace featherline::catalog
