#pragma once

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/context.hpp"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

/// Rates in time by forward mode on symbols (Griewank and Walther, Evaluating Derivatives, 2nd edition, section 3.1),
/// for what has no recursion of its own.
namespace featherline::algorithms {

/// An array of inputs, or of values that count as inputs however they were computed, and the rates of its entries.
using Changing = std::pair<Coordinates, Coordinates>;

/// The rates of values of the inputs that change. All other inputs stand still.
Coordinates rates(const Coordinates& values, const std::vector<Changing>& inputs);

/// What changes while the robot moves with v: q, and where loops are eliminated the places of joints that follow.
std::vector<Changing> moving_positions(Context& context, const Coordinates& v);
/// Derivatives of values along a step of coordinate k, and by entry k of an input. What is in `held` stays.
Coordinates rates_by_step(Context& context, const Coordinates& values, int k, const Coordinates& held = {});
Coordinates rates_by(Context& context, const Coordinates& values, const Coordinates& input, int k,
                     const Coordinates& held = {});

/// Of Stumpff's c_0 and c_1 by x: -c_1 / 2 and (c_3 - c_2) / 2, where c_2(x) = c_1(x / 4)^2 / 2.
inline Scalar stumpff_slope(ir::Op op, const Scalar& x) {
  if (op == ir::Op::stumpff_0) return Scalar(-0.5) * stumpff_1(x);
  const Scalar half = stumpff_1(Scalar(0.25) * x);
  return Scalar(0.5) * stumpff_3(x) - Scalar(0.25) * (half * half);
}

/// Writes the outputs "dX_dY" of values X and inputs Y, column by column; those by q are along steps.
void output_derivatives(Context& context, const std::map<std::string, Coordinates>& values,
                        const std::vector<std::string>& inputs);

// Products of weights with derivatives, without the matrix of derivatives: reverse mode on symbols (Griewank and
// Walther, Evaluating Derivatives, 2nd edition, section 3.2). They take two to three times the operations of the
// values, whatever the number of inputs.

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
