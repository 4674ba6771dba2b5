/// Motions of the three robots of paper 004, section 5, simulated with the reference solver.
/// How alike waveforms are (paper 004, Table 2).

#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

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

using Waveform = std::vector<double>;

/// Coefficient of multiple correlation of waveforms of equal length (Kadaba et al. 1989, within-day form):
///
///   CMC = sqrt(1 - (sum_wt (x_wt - mean_t)^2 / (T (W - 1))) / (sum_wt (x_wt - mean)^2 / (W T - 1)))
///
/// with W waveforms of T values, mean_t the mean at time t, and mean that of all values. 1: equal; 0: as far apart
/// as the waveforms themselves vary, or farther.
double multiple_correlation(const std::vector<Waveform>& waveforms);

/// Butterworth low-pass filter of second order, made discrete by the bilinear transform. `cutoff` in Hz, `interval` in
/// s. It starts at rest on the first value.
Waveform low_passed(const Waveform& x, double cutoff, double interval);

/// Derivative by the second-order forward difference (-3 x_k + 4 x_k+1 - x_k+2) / (2 interval); shorter by two.
Waveform forward_differences(const Waveform& x, double interval);

}  // namespace featherline::bench
