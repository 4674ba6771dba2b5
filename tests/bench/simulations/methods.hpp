#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

/// The accelerations of a robot by every formulation that the catalogue has, run by the interpreter after all passes.
namespace featherline::bench {

struct Method {
  std::string name;  ///< e.g. "rnea: dual quaternions"
  /// a of the state's q, v, tau and active.
  std::function<Eigen::VectorXd(const catalog::State&)> accelerations;
};

/// A robot without constraints, three ways:
///   rnea   M and bias by one call for each coordinate and one more, as paper 004, section 6 counts; then solved densely
///   M, C, g   of formulations that have mass_matrix and coriolis_matrix; then solved densely
///   aba    directly
/// A robot with constraints: constrained_dynamics directly, and M, C, g with eq. (60) of paper 004 for `row`, one
/// row A of constant constraints A a = 0.
std::vector<Method> acceleration_methods(const model::UserTree& tree, const Eigen::RowVectorXd& row);

}  // namespace featherline::bench
