#pragma once

#include "peers/chosen.hpp"
#include "peers/pinocchio_model.hpp"

#include <pinocchio/algorithm/proximal.hpp>
#if PINOCCHIO_VERSION_AT_LEAST(4, 0, 0)
#include <pinocchio/constraints.hpp>
#else
#include <pinocchio/algorithm/contact-info.hpp>
#include <pinocchio/multibody/data.hpp>
#endif

#include <array>
#include <string>
#include <vector>

namespace featherline::bench {

/// What Pinocchio's algorithms work on, over doubles, or over another scalar that records what they do.
template <class S>
struct PinocchioWorkspace {
  explicit PinocchioWorkspace(const pinocchio::ModelTpl<S>& m) : model{m}, data{model} {}

  pinocchio::ModelTpl<S> model;
  pinocchio::DataTpl<S> data;
};

template <class S>
struct PinocchioInput {
  Eigen::VectorX<S> q, v, a;  ///< a has the torques of forward dynamics
};

/// The algorithm of the emitted function of that name, and its results in the order of the emitted outputs.
template <class S>
struct PinocchioAlgorithm {
  const char* function;
  void (*run)(PinocchioWorkspace<S>&, const PinocchioInput<S>&);
  void (*results)(const pinocchio::DataTpl<S>&, std::vector<S>&);
};

/// With all that functions need besides: frames, contacts, and room for results that Pinocchio's caller owns.
struct PinocchioRobot : PinocchioWorkspace<double> {
  PinocchioRobot(const model::Tree& tree, const Chosen& chosen);
  /// Makes room for second derivatives, once.
  void clear_tensors();

  using Matrix6x = pinocchio::Data::Matrix6x;
  pinocchio::FrameIndex link;
  std::vector<pinocchio::FrameIndex> links, frames;
  std::vector<pinocchio::RigidConstraintModel> contacts;
  std::vector<pinocchio::RigidConstraintData> contact_data;
  pinocchio::ProximalSettings settings{0.0, 0.0, 1};  ///< one exact step: no damping
  std::array<pinocchio::Data::Tensor3x, 4> tensors;
  std::vector<Matrix6x> jacobians;  ///< of the frames; cleared once
  Matrix6x jacobian;                ///< of the link, likewise
  std::vector<pinocchio::Motion> motions;
  Eigen::VectorXd no_acceleration, position, step;
  Eigen::MatrixXd delassus;
};

struct PinocchioState : PinocchioInput<double> {
  Eigen::VectorXd q1;  ///< of the next state
};

/// A function of ours: what computes it, and its results in the order of the emitted outputs.
struct PinocchioFunction {
  const char* function;
  void (*run)(PinocchioRobot&, const PinocchioState&);
  void (*results)(const PinocchioRobot&, std::vector<double>&);
};

/// None if it is in another list, or if Pinocchio has no such function.
const PinocchioAlgorithm<double>* find_pinocchio_dynamics(const std::string& function);

// Each in a source of its own: they take minutes and gigabytes to compile.
extern const std::vector<PinocchioFunction> pinocchio_kinematics, pinocchio_whole_body,
    pinocchio_second_order, pinocchio_constraints;

template <class Matrix>
void append(std::vector<double>& list, const Matrix& A) {
  const Eigen::MatrixXd columns = A;  // column-major
  list.insert(list.end(), columns.data(), columns.data() + columns.size());
}

}  // namespace featherline::bench
