#include "catalog/methods.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/kinematics/kinematics.hpp"

/// Where links and frames are, and how they move.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

// Kinematics of links.
const Argument R{"R", {3, 3}, "rotation from link axes to world axes"};
const Argument link_position{"p", {3}, "origin of the link frame in the world", "m"};
const Argument J{"J", {6, nv}, "rows [linear; angular], in the axes and about the point the frame names"};

const Argument link_p{"p", {3, num_links}, "origins of the link frames in the world, 3 numbers a link", "m"};
const Argument link_R{
    "R", {9, num_links}, "rotations from the links' axes to the world's, a 3 x 3 matrix a link"};

// Of the chosen frames.
const Argument frame_p{"p", {3, num_frames}, "origins of the frames in the world, 3 numbers a frame", "m"};
const Argument frame_R{
    "R",
    {9, num_frames},
    "rotations from the frames' axes to the world's, a 3 x 3 matrix a frame; zero for position-only frames"};
const Argument frame_V{"V",
                       {num_frame_rows},
                       "velocities: [linear; angular] a frame, linear alone if position-only",
                       "m/s, rad/s"};
const Argument frame_A{"A",
                       {num_frame_rows},
                       "classical accelerations, without gravity: rows as those of V; A = J a + b",
                       "m/s^2, rad/s^2"};
const Argument frame_J{"J", {num_frame_rows, nv}, "Jacobians: rows as those of V, V = J v"};
const Argument frame_b{"b",
                       {num_frame_rows},
                       "what A is for a = 0: rows as those of V. In local_world_aligned axes it is dJ/dt v; "
                       "in the others the linear part of V, turned by the angular one, is in it, too",
                       "m/s^2, rad/s^2"};
const Argument dV_dq{"dV_dq", {num_frame_rows, nv}, "d V_i / d q_j: columns steps of q", "rad, m"};
const Argument dA_dq{"dA_dq", {num_frame_rows, nv}, "d A_i / d q_j: columns steps of q", "rad, m"};
const Argument dA_dv{"dA_dv", {num_frame_rows, nv}, "d A_i / d v_j: columns like v", "rad/s, m/s"};

const Argument frame_e{
    "e",
    {num_frame_rows},
    "errors: of a frame [linear; angular], the logarithm of (wanted pose)^-1 (its pose), which has the axes "
    "of the wanted pose; of a position-only frame p - p_wanted in world axes",
    "m, rad"};
const Argument de_dq{"de_dq", {num_frame_rows, nv}, "d e_i / d q_j: columns steps of q", "rad, m"};

const Argument q_all{"q_all",
                     {nq_all},
                     "positions of all joints, in the order of all_joint_names; angles that follow from "
                     "loops of bars are within half a turn",
                     "rad, m"};
const Argument v_all{"v_all", {nv_all}, "velocities of all joints: G(q) v", "rad/s, m/s"};

FunctionSpec of_frames(const char* name, std::vector<Argument> inputs, std::vector<Argument> outputs,
                       bool takes_parts = false) {
  return {.name = name,
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .formulations = {{by::columns, algorithms::frame_kinematics},
                           {by::limb_lanes, algorithms::frame_kinematics, {}, needs::frames_of_limbs}},
          .takes_parts = takes_parts};
}

FunctionSpec of_pose_errors(const char* name, const Argument& output) {
  return {.name = name,
          .inputs = {q, p_wanted, R_wanted},
          .outputs = {output},
          .formulations = {{by::columns, algorithms::frame_pose_errors},
                           {by::limb_lanes, algorithms::frame_pose_errors, {}, needs::frames_of_limbs}}};
}

}  // namespace

std::vector<FunctionSpec> kinematics_functions() {
  return {{.name = "forward_kinematics",
           .inputs = {q},
           .outputs = {R, link_position},
           .formulations = {{by::pose_steps, algorithms::forward_kinematics}},
           .takes_link = true},
          {.name = "frame_jacobian",
           .inputs = {q},
           .outputs = {J},
           .formulations = {{by::pose_steps, algorithms::frame_jacobian}},
           .takes_link = true,
           .has_reference_frame_argument = true},
          {.name = "spanning_position",
           .inputs = {q},
           .outputs = {q_all},
           .formulations = {{by::loop_closure, algorithms::spanning_position}}},
          {.name = "spanning_velocity",
           .inputs = {q, v},
           .outputs = {v_all},
           .formulations = {{by::loop_closure, algorithms::spanning_velocity}}}};
}

std::vector<FunctionSpec> frames_functions() {
  return {{.name = "link_poses",
           .inputs = {q},
           .outputs = {link_p, link_R},
           .formulations = {{by::shared_axes, algorithms::link_poses},
                            {by::limb_lanes, algorithms::link_poses, {}, needs::links_of_limbs}}},
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
