#pragma once

#include "algorithms/constraints/link_rows.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "joints/symbolic/joints.hpp"

/// Solutions of M x = b + J^T lambda, J x = -gamma, with D = J M^-1 J^T:
///
///     D lambda = -gamma - J M^-1 b,  x = M^-1 (b + J^T lambda).
///
/// Source: Featherstone, RBDA section 3.2, eq. (3.16), and section 8.2.
namespace featherline::algorithms {

/// The columns of D in the order of rows are eliminated one by one: D = L E L^T, L unit lower triangular, E diagonal.
/// A row that depends on rows before it leaves a pivot of zero, up to rounding. It is dropped: 1/E is zero there.
/// model/constraints.hpp says what the pivot is compared with. A row of a constraint that is not active is dropped,
/// too.
class ConstraintFactor {
 public:
  /// `active`: by row, 1 or 0.
  ConstraintFactor(Context& context, const SquareMatrix& D, const Coordinates& active);
  /// Of another matrix, which the title of the section names. `sizes`: by row, what its pivot is compared with.
  ConstraintFactor(Context& context, const char* title, const SquareMatrix& D, const Coordinates& sizes,
                   const Coordinates& active);

  /// lambda with D lambda = b in the rows that are kept, zero in the others.
  Coordinates solve(Coordinates b) const;
  /// L^-1 b.
  Coordinates half(Coordinates b) const;
  /// By row: 1 / E, zero in those that are dropped.
  const Coordinates& inverse_pivots() const { return inverse_E_; }

  /// f(x) of each number, to read or replace it.
  template <class F>
  void each_number(const F& f) {
    for (int k = 0; k < L_.size(); ++k) {
      f(inverse_E_[index(k)]);
      for (int r = k + 1; r < L_.size(); ++r) f(L_(r, k));
    }
  }

 private:
  SquareMatrix L_;  ///< and L E, transposed, above the diagonal
  Coordinates inverse_E_;
};

struct ConstrainedSolution {
  Coordinates x, lambda;
};

/// Through the factor of M. Rows of J go through half of the solution only: limbs touch no other limb's rows.
class ConstrainedSolver {
 public:
  ConstrainedSolver(Context& context, SparseFactor factor, const std::vector<Coordinates>& J,
                    const Coordinates& active);

  ConstrainedSolution solve(const Coordinates& b, const Coordinates& gamma) const;

  ConstraintFactor& rows() { return rows_; }
  /// f(x) of each number, to read or replace it.
  template <class F>
  void each_number(const F& f) {
    factor_.each_number(f);
    for (Coordinates& row : Y_) {
      for (Scalar& x : row) f(x);
    }
    rows_.each_number(f);
  }

 private:
  SparseFactor factor_;
  std::vector<Coordinates> Y_;  ///< by row: L^-T J^T
  ConstraintFactor rows_;
};

/// By row of J: L^-T J^T.
std::vector<Coordinates> halves(Context& context, const SparseFactor& factor,
                                const std::vector<Coordinates>& J);
/// J M^-1 J^T from halves by row of links, and of rows behind these.
SquareMatrix delassus_matrix(Context& context, const SparseFactor& factor, const LinkRows& links,
                             const std::vector<Coordinates>& Y);

// All rows, in order.

std::vector<ConstraintMotion> constraint_motions(Context& context, const JointRates& rates,
                                                 RowAxes axes = RowAxes::of_base);
std::vector<Coordinates> constraint_jacobian(Context& context, const std::vector<ConstraintMotion>& motions);
/// J a + gamma at the accelerations of the motions.
Coordinates constraint_accelerations(const std::vector<ConstraintMotion>& motions);
/// J v.
Coordinates speeds_of_rows(const std::vector<Coordinates>& J, const Coordinates& v);
/// By row: whether its constraint is active, from the input "active".
Coordinates active_rows(const Context& context);

/// Rows of contacts, from the axes that they are written in to those of the world.
class WorldRows {
 public:
  WorldRows(Context& c, const std::vector<ConstraintMotion>& motions) {
    for (const ConstraintMotion& motion : motions) add(c, motion.folded().root, motion.constraint());
  }
  /// Of all constraints one by one.
  explicit WorldRows(Context& c);

  Coordinates operator()(Coordinates rows) const {
    for (const std::size_t r : blocks_) put(R_ * get(rows, r), r, rows);
    return rows;
  }
  /// The way back.
  Coordinates back(Coordinates rows) const {
    for (const std::size_t r : blocks_) put(R_.transposed() * get(rows, r), r, rows);
    return rows;
  }
  /// Of R_WA.
  template <class F>
  void each_number(const F& f) {
    for (Vector3& row : R_.rows) {
      for (int k = 0; k < 3; ++k) f(row[k]);
    }
  }
  /// What a step of turning of the base about its axis adds, lambda held in the axes of the base.
  Coordinates by_turn(int axis, const Coordinates& lambda) const {
    Coordinates rows(lambda.size());
    Vector3 e;
    e[axis] = 1.0;
    for (const std::size_t r : blocks_) put(R_ * cross(e, get(lambda, r)), r, rows);
    return rows;
  }

 private:
  void add(Context& c, const FrameRoot& root, const model::Constraint& constraint) {
    const bool turns = root.moves && model::kind_of(constraint.type).has_vectors;
    for (int r = 0; turns && r < constraint.num_rows(); r += 3) blocks_.push_back(num_rows_ + index(r));
    num_rows_ += index(constraint.num_rows());
    if (turns) R_ = joint_motion(c, root.body).R.matrix();
  }
  static Vector3 get(const Coordinates& rows, std::size_t r) { return {rows[r], rows[r + 1], rows[r + 2]}; }
  static void put(const Vector3& x, std::size_t r, Coordinates& rows) {
    for (int k = 0; k < 3; ++k) rows[r + index(k)] = x[k];
  }

  std::size_t num_rows_ = 0;
  std::vector<std::size_t> blocks_;  ///< where three rows begin that turn
  Matrix3 R_;
};

/// Accelerations and forces of constrained dynamics, and what they come from.
struct ConstrainedMotion {
  /// `factor` is of M.
  ConstrainedMotion(Context& context, const SparseFactor& factor, const Coordinates& net_torque);

  std::vector<ConstraintMotion> motions;
  std::vector<Coordinates> J;
  ConstrainedSolver solver;
  WorldRows world;
  Coordinates a, lambda;  ///< lambda in the axes of the rows
};
/// The same alone, forces in axes of the world.
ConstrainedSolution constrained_motion(Context& context);

/// What a step of coordinate k adds to the forces in axes of the world: lambda is held in the axes of the rows, and
/// those of a floating base turn with it. Empty: nothing.
Coordinates turned_rows(const Context& context, const WorldRows& world, int k, const Coordinates& lambda);

/// What derivatives have of constraints at the motion of `motions`: d (J^T lambda) / dq, and those of J a + gamma by
/// row.
struct ConstraintRates {
  SquareMatrix force;
  std::vector<Coordinates> by_q, by_v;
};
ConstraintRates constraint_rates(const Context& context, const std::vector<ConstraintMotion>& motions,
                                 const Coordinates& lambda);

// The columns of the derivatives of constrained dynamics, as right-hand sides. With r = d(M a + h - J^T lambda)/dx and
// k = d(J a + gamma)/dx at constant a and lambda (constrained_dynamics.hpp), the derivatives da and dlambda along x
// solve
//
//     M da - J^T dlambda = dtau/dx - r,  J da = -k.

struct DerivativeColumn {
  std::string by;        ///< "_dq", "_dv" or "_dtau"
  int coordinate;        ///< of the walked tree
  Coordinates b, gamma;  ///< dtau/dx - r, and k
  /// Is added to dlambda in axes of the world, because lambda turns along with the base. Empty: nothing.
  Coordinates turned;

  bool is_zero() const;
};

/// Those by q, then by v, then by tau. `a` and `lambda` solve the equations at this state; lambda is in the axes that
/// the rows are in.
std::vector<DerivativeColumn> derivative_columns(Context& context, const OwnFrames& own_frames,
                                                 const Coordinates& a, const Coordinates& lambda);

}  // namespace featherline::algorithms
