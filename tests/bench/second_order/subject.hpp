#pragma once

#include "generic/idsva.hpp"
#include "model/tree.hpp"
#include "peers/peer.hpp"
#include "reference/expected.hpp"
#include "robot_inputs.hpp"
#include "second_order/robot.hpp"

#include <Eigen/Core>

#include <optional>

namespace featherline::bench::second_order {

/// Second-order derivatives of inverse dynamics from the emitted first-order functions, one imaginary step a column:
/// 2 nv evaluations for the torques' and nv for the mass matrix's. The steps in q are in the tangent space and made by
/// the constructor, outside the measurement.
class ComplexStep {
 public:
  /// `robot` is kept by reference.
  ComplexStep(const Robot& robot, const model::Tree& tree, const std::vector<reference::State>& states);

  /// The four tensors at state `index`, laid out like those of the emitted function.
  void operator()(std::size_t index, double* tensors);

 private:
  struct Point {
    Eigen::VectorXcd q, v, a;
    std::vector<Eigen::VectorXcd> moved;  ///< q, with a step in each coordinate of v
  };

  const Robot& robot_;
  int nv_;
  std::vector<Point> points_;
  Eigen::MatrixXcd matrix_, other_;
};

/// One robot with everything that is measured on it.
class Subject {
 public:
  /// Throws std::runtime_error if the URDF or the manifest cannot be read, or where a method disagrees with the
  /// reference solver by more than 1e-10 of the largest entry of an array.
  explicit Subject(Robot robot);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const Robot& robot() const { return robot_; }
  int nv() const { return tree_.nv; }
  /// Of an emitted function; an estimate for functions in loops.
  int flops(const std::string& function) const { return facts_.at(function).flops; }
  bool in_loops(const std::string& function) const {
    return facts_.at(function).formulation == "vector loops";
  }
  std::size_t num_states() const { return states_.size(); }

  Inputs inputs(std::size_t k) const {
    const reference::State& x = states_[k];
    return {x.q.data(), x.v.data(), x.a.data(), x.tau.data(), x.w.data()};
  }
  void complex_step(std::size_t k, double* tensors) { complex_step_(k, tensors); }
  /// Whether Algorithm 1 is written for all of this robot's joints.
  bool has_generic() const { return generic_.has_value(); }
  void generic(std::size_t k) { generic_->derivatives(states_[k].q, states_[k].v, states_[k].a); }
  /// Pinocchio's tensors at state k, by its own tensors that are cleared once; empty if there is no Pinocchio.
  const std::function<void(std::size_t)>& pinocchio() const { return pinocchio_; }

 private:
  void verify();
  void verify_rivals(const reference::Outputs& tensors);

  Robot robot_;
  model::UserTree tree_;
  std::map<std::string, Facts> facts_;
  std::vector<reference::State> states_;
  ComplexStep complex_step_;
  std::optional<generic::IdsvaSecond> generic_;
  std::unique_ptr<Peer> peer_;
  std::function<void(std::size_t)> pinocchio_;
};

}  // namespace featherline::bench::second_order
