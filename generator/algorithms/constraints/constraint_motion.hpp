#pragma once

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/constraints/constraint_equations.hpp"
#include "algorithms/kinematics/frame_motion.hpp"
#include "algorithms/matrices.hpp"
#include "ir/scalar.hpp"

/// The rows of the robot's constraints and their derivatives, by coordinate of the walked tree:
///
///     J a + gamma = 0,  gamma = (dJ/dt) v + kp e + kd de.
namespace featherline::algorithms {

// A value and its derivative along one direction. Formulas that are written for any scalar give both.

struct Dual {
  ir::Scalar re, du;

  Dual(double value = 0.0) : re(value) {}       // NOLINT: numbers convert, as for any scalar
  Dual(const ir::Scalar& value) : re(value) {}  // NOLINT
  Dual(const ir::Scalar& value, const ir::Scalar& derivative) : re(value), du(derivative) {}

  Dual operator-() const { return {-re, -du}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.re + b.re, a.du + b.du}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.re - b.re, a.du - b.du}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.re * b.re, a.re * b.du + a.du * b.re}; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const ir::Scalar ratio = a.re / b.re;
    return {ratio, (a.du - ratio * b.du) / b.re};
  }
  friend Dual sqrt(const Dual& x) {
    const ir::Scalar root = sqrt(x.re);
    return {root, x.du.is_zero() ? ir::Scalar(0.0) : x.du / (root + root)};
  }
};

/// A constraint, or one on each of several equal limbs.
struct FoldedConstraint {
  std::vector<int> constraints;  ///< by lane: places in model::Constraints
  std::vector<int> bodies;       ///< folded ones of its anchors, -1: the world
  int group = -1;                ///< of the limbs that carry it, -1: none
  /// Of loops the last body that both ends hang on, of wheels the world. Contacts of a robot with a floating base have
  /// their rows in the base's axes, unless they are along axes of the world. A step of the base then changes no row.
  FrameRoot root;

  int lanes() const { return static_cast<int>(constraints.size()); }
};
/// What rows of contacts are written in, where a floating base gives the choice: FoldedConstraint::root.
enum class RowAxes { of_base, of_world };
/// Nothing if a constraint ties two limbs that are computed side by side, or if equal limbs have different ones.
std::optional<std::vector<FoldedConstraint>> fold_constraints(const model::Tree& tree,
                                                              const model::Folding& folding,
                                                              RowAxes axes = RowAxes::of_base);

/// Rows of one folded constraint. Rows of contacts are in the axes of FoldedConstraint::root, derivatives, too: steps
/// of the root's joint turn them along.
class ConstraintMotion {
 public:
  using Columns = FrameDerivatives::Columns;

  /// acceleration() is J a + gamma; without accelerations in `rates`, a is zero. Where loops are eliminated, J has a
  /// column for each own coordinate, and there are no derivatives.
  ConstraintMotion(Context& context, const FoldedConstraint& folded, const JointRates& rates);

  const FoldedConstraint& folded() const { return folded_; }
  const model::Constraint& constraint() const;
  int num_rows() const { return constraint().num_rows(); }

  /// By row: its entries by coordinate. de = J v.
  std::vector<Coordinates> J() const { return J(constraint()); }
  /// The same of a contact point, with the turning of its link as three rows more.
  std::vector<Coordinates> J_with_turning() const;
  /// From where this contact point touches to where another one of the same link does, in the axes of the rows.
  Vector3 way_to(const ConstraintMotion& other) const {
    return frames_[0].way_to(other.frames_[0]) + other.way_to_ground() - way_to_ground();
  }
  /// Position errors, and J v (model/constraints.hpp).
  const ConstraintRows<Scalar>& rows() const { return rows_; }
  /// J a + gamma at the accelerations of the constructor.
  Coordinates acceleration() const;

  /// Derivatives of acceleration(), by row and coordinate, and those of J v by q.
  struct Derivatives {
    std::vector<Coordinates> by_q, by_v, velocity_by_q;
  };
  Derivatives derivatives() const;
  /// Adds d (J^T lambda)_i / d q_j, lambda held, to A(i, j).
  void add_force_derivative(const Coordinates& lambda, SquareMatrix& A) const;

 private:
  template <class T>
  std::vector<T> stabilised(const ConstraintRows<T>& rows) const;
  bool is_coupling() const { return constraint().type == model::ConstraintType::coupling; }
  ConstraintRows<Scalar> rows_of_coupling(const JointRates& rates) const;
  Coordinates coefficients() const;
  bool is_held_at_anchor() const { return constraint().is_contact() && c_.has_anchors(); }
  Vector3 way_to_ground() const;
  std::vector<FrameState<Scalar>> states() const;
  std::vector<FrameState<Scalar>> at_rest() const;
  std::vector<Coordinates> J(const model::Constraint& constraint) const;
  std::vector<Coordinates> no_rows(int count) const { return {index(count), c_.zeros()}; }
  /// Whether the axes of the rows move with the step.
  bool is_root(const FrameStep& step) const { return step.body == folded_.root.body; }

  std::shared_ptr<AllJoints> joints_;  ///< where loops are eliminated
  Context& c_;                         ///< of all joints, then
  FoldedConstraint folded_;
  FrameBodies bodies_;
  std::vector<FrameMotion> frames_;
  ConstraintRows<Scalar> rows_;  ///< none without velocities
};

}  // namespace featherline::algorithms
