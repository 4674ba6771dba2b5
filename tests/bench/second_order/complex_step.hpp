#pragma once

#include "model/tree.hpp"
#include "reference/outputs.hpp"
#include "second_order/robot.hpp"

#include <Eigen/Core>

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

}  // namespace featherline::bench::second_order
