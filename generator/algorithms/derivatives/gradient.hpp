#pragma once

#include "algorithms/clusters/all_joints.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

/// Products of weights with derivatives, without the matrix of derivatives: reverse mode on symbols (Griewank and
/// Walther, Evaluating Derivatives, 2nd edition, section 3.2). They take two to three times the operations of the
/// values, whatever the number of inputs.
namespace featherline::algorithms {

/// Derivatives of the sum of weights[k] values[k]. The weights are held constant.
class Gradient {
 public:
  /// `held`: values that count as inputs, however they were computed.
  Gradient(Context& context, const Coordinates& values, const Coordinates& weights,
           const Coordinates& held = {});

  /// With respect to an input or to values that are held, entry by entry.
  Coordinates by(const Coordinates& x) const;
  /// With respect to steps of q in the tangent space.
  Coordinates by_steps() const;

 private:
  std::vector<AllJoints::Follower> followers() const;
  std::vector<ir::NodeId> results_first(const Coordinates& values, const Coordinates& held) const;
  /// Adds to the adjoint of node `id`. `lanes`: of the value that depends on it, which may have one for several limbs.
  void add(ir::NodeId id, Scalar more, int lanes);
  /// Adds to the adjoints of the operands of node `id`, whose own is complete.
  void pass_on(ir::NodeId id);

  Context& c_;
  std::shared_ptr<AllJoints> joints_;  ///< where loops are eliminated
  ir::Graph* graph_ = nullptr;         ///< none if all values are numbers
  std::unordered_map<ir::NodeId, Scalar> adjoints_;
};

}  // namespace featherline::algorithms
