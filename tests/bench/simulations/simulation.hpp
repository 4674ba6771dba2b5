#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

/// Motions of the three robots of paper 004, section 5, simulated with the reference solver.
namespace featherline::bench {

inline constexpr double step = 1e-3;  ///< [s]

struct SimulatedRobot {
  std::string name;
  model::UserTree tree;
  Eigen::RowVectorXd row;  ///< A of its constraint A a = 0; empty for none
};

/// A fixed arm with 50 revolute joints, and the two mobile manipulators of `robots`.
std::vector<SimulatedRobot> simulated_robots(const std::string& robots);

/// One sample for each step: q, v, the torques of a controller, and the accelerations a that they cause.
/// The controller follows velocities A sin(w_k t + phi_k) by inverse dynamics, with wrong masses.
std::vector<catalog::State> simulate(const SimulatedRobot& robot, double seconds);

}  // namespace featherline::bench
