#include "peers/pinocchio_robot.hpp"

#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

namespace featherline::bench {

namespace {

using Robot = PinocchioRobot;
using State = PinocchioState;
using List = std::vector<double>;
using Frames = std::vector<pinocchio::FrameIndex>;
constexpr auto world_aligned = pinocchio::LOCAL_WORLD_ALIGNED;

void poses(const Robot& r, const Frames& frames, List& y) {
  for (const pinocchio::FrameIndex f : frames) append(y, r.data.oMf[f].translation());
  for (const pinocchio::FrameIndex f : frames) append(y, r.data.oMf[f].rotation());
}

void motions(const Robot& r, List& y) {
  for (const pinocchio::Motion& motion : r.motions) append(y, motion.toVector());
}

/// The frames' rows one below the other.
void jacobians(const Robot& r, List& y) {
  Eigen::MatrixXd all(6 * static_cast<Eigen::Index>(r.frames.size()), r.model.nv);
  for (std::size_t f = 0; f < r.frames.size(); ++f)
    all.middleRows<6>(6 * static_cast<Eigen::Index>(f)) = r.jacobians[f];
  append(y, all);
}

}  // namespace

const std::vector<PinocchioFunction> pinocchio_kinematics = {
    {"forward_kinematics",
     [](Robot& r, const State& x) {
       pinocchio::forwardKinematics(r.model, r.data, x.q);
       pinocchio::updateFramePlacement(r.model, r.data, r.link);
     },
     [](const Robot& r, List& y) {
       append(y, r.data.oMf[r.link].rotation());
       append(y, r.data.oMf[r.link].translation());
     }},
    {"frame_jacobian",
     [](Robot& r, const State& x) {
       pinocchio::computeFrameJacobian(r.model, r.data, x.q, r.link, world_aligned, r.jacobian);
     },
     [](const Robot& r, List& y) { append(y, r.jacobian); }},
    {"link_poses",
     [](Robot& r, const State& x) {
       pinocchio::forwardKinematics(r.model, r.data, x.q);
       for (const pinocchio::FrameIndex f : r.links) pinocchio::updateFramePlacement(r.model, r.data, f);
     },
     [](const Robot& r, List& y) { poses(r, r.links, y); }},
    {"frame_poses",
     [](Robot& r, const State& x) {
       pinocchio::forwardKinematics(r.model, r.data, x.q);
       for (const pinocchio::FrameIndex f : r.frames) pinocchio::updateFramePlacement(r.model, r.data, f);
     },
     [](const Robot& r, List& y) { poses(r, r.frames, y); }},
    {"frame_velocities",
     [](Robot& r, const State& x) {
       pinocchio::forwardKinematics(r.model, r.data, x.q, x.v);
       for (std::size_t f = 0; f < r.frames.size(); ++f)
         r.motions[f] = pinocchio::getFrameVelocity(r.model, r.data, r.frames[f], world_aligned);
     },
     motions},
    {"frame_accelerations",
     [](Robot& r, const State& x) {
       pinocchio::forwardKinematics(r.model, r.data, x.q, x.v, x.a);
       for (std::size_t f = 0; f < r.frames.size(); ++f)
         r.motions[f] = pinocchio::getFrameClassicalAcceleration(r.model, r.data, r.frames[f], world_aligned);
     },
     motions},
    {"frame_jacobians",
     [](Robot& r, const State& x) {
       pinocchio::computeJointJacobians(r.model, r.data, x.q);
       for (std::size_t f = 0; f < r.frames.size(); ++f) {
         pinocchio::updateFramePlacement(r.model, r.data, r.frames[f]);
         pinocchio::getFrameJacobian(r.model, r.data, r.frames[f], world_aligned, r.jacobians[f]);
       }
     },
     jacobians},
};

}  // namespace featherline::bench
