#include "reference/expected_groups.hpp"

#include <featherline/pivot.hpp>

#include <Eigen/Jacobi>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace featherline::reference {
namespace {

using model::Constraint;
using model::ConstraintType;
using Real = long double;
using LongVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using ThreeRows = Matrix<LongNumber, 3, Eigen::Dynamic>;

/// An anchor at a position: velocities of its origin and of turning are these rows times v.
struct MovingAnchor {
  Pose<LongNumber> X;
  ThreeRows linear, angular;

  MovingAnchor(const Solver<LongNumber>& solver, const std::vector<Pose<LongNumber>>& bodies,
               const model::Link& anchor)
      : X(pose_of(anchor, bodies)) {
    const LongRows J = solver.frame_jacobian(bodies, anchor, Frame::local_world_aligned);
    linear = J.topRows(3);
    angular = J.bottomRows(3);
  }
};

/// Along the axes of a contact or of a frame that does not slide, and of turning. `e` is from where a contact is held.
Rows point_rows(const Constraint& constraint, const MovingAnchor& F) {
  Matrix3<LongNumber> axes = F.X.R;
  if (has_vectors(constraint)) axes.setIdentity();
  if (constraint.world_axes) axes = constraint.world_axes->cast<LongNumber>();
  Rows rows(6, F.linear.cols());
  rows.J << transposed(axes) * F.linear, F.angular;
  if (constraint.held_at) {
    const Vector3<LongNumber> place = constraint.held_at->cast<LongNumber>();
    rows.e.head(3) = transposed(axes) * (F.X.p - place);
  }
  return rows;
}

Rows loop_rows(const Constraint& constraint, const MovingAnchor& F1, const MovingAnchor& F2) {
  const Matrix3<LongNumber> to_F1 = transposed(F1.X.R), R = to_F1 * F2.X.R;
  const Vector3<LongNumber> between = F2.X.p - F1.X.p;
  Rows rows(6, F1.linear.cols());
  rows.J << to_F1 * (F2.linear - F1.linear + skew(between) * F1.angular), to_F1 * (F2.angular - F1.angular);
  Vector3<LongNumber> turn(-R(1, 2), R(0, 2), 0.0);
  if (constraint.type == ConstraintType::loop_weld) {
    const LongNumber scale = LongNumber(2.0) / (LongNumber(1.0) + R(0, 0) + R(1, 1) + R(2, 2));
    turn = Vector3<LongNumber>(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) * scale;
  }
  if (constraint.type == ConstraintType::loop_point) turn.setZero();
  rows.e << to_F1 * between, turn;
  return rows;
}

/// Of the point of the wheel that is lowest.
Rows rolling_rows(const Constraint& constraint, const MovingAnchor& F) {
  const Vector3<LongNumber> n = F.X.R.col(2), across(n[1], -n[0], 0.0);  // n x up
  const Vector3<LongNumber> forward = across * (LongNumber(1.0) / sqrt(n[0] * n[0] + n[1] * n[1]));
  const Vector3<LongNumber> sideways(-forward[1], forward[0], 0.0), up(0.0, 0.0, 1.0);
  const Vector3<LongNumber> from_ground = skew(forward) * n * LongNumber(constraint.radius);
  Matrix3<LongNumber> axes;
  axes << forward, sideways, up;
  Rows rows(3, F.linear.cols());
  rows.J = transposed(axes) * (F.linear + skew(from_ground) * F.angular);
  return rows;
}

/// At positions of all joints, whose velocities are G v.
Rows coupling_rows(const Constraint& constraint, const Tree& tree, const AllJoints<LongNumber>& all) {
  Rows rows(1, tree.nv);
  rows.J.setZero();
  rows.e[0] = LongNumber(-constraint.offset);
  for (const auto& [body, coefficient] : constraint.terms) {
    const model::Joint& joint = tree.bodies[static_cast<std::size_t>(body)].joint;
    const LongNumber c(coefficient);
    rows.e[0] += c * all.q[tree.clusters ? joint.all.q : joint.idx_q];
    if (tree.clusters)
      rows.J += all.G.row(joint.all.v) * c;
    else
      rows.J(0, joint.idx_v) += c;
  }
  return rows;
}

/// Finds rows that do not depend on rows before them, by Gram and Schmidt, twice, in the metric M^-1.
class RowsInOrder {
 public:
  explicit RowsInOrder(const LongMatrix& M) : factor_(M) {}

  Real squared_length(const LongVector& row) const { return row.dot(factor_.solve(row)); }
  /// Whether the row counts. `size`: what is left of it is compared with this (model/constraints.hpp).
  bool add(LongVector row, Real size) {
    constexpr Real smallest = pivot_tolerance<double>;
    Real of_rows_before = 0.0L;
    for (int pass = 0; pass < 2; ++pass) {
      for (const Direction& before : before_) {
        const Real part = before.image.dot(row);
        row -= before.unit * part;
        if (pass == 0) of_rows_before += part * part * before.error;
      }
    }
    const LongVector image = factor_.solve(row);
    const Real left = row.dot(image);
    if (!(left > smallest * (size + model::error_of_rows_before * of_rows_before))) return false;
    before_.push_back({row / std::sqrt(left), image / std::sqrt(left), (size + of_rows_before) / left});
    return true;
  }

 private:
  struct Direction {
    LongVector unit, image;  ///< M^-1 times it
    Real error;              ///< relative, in units of rounding
  };

  Eigen::PartialPivLU<LongMatrix> factor_;
  std::vector<Direction> before_;
};

/// Of a symmetric matrix, by Jacobi's method. Eigen's own solver takes ten seconds to compile.
Eigen::VectorXd eigenvalues(Eigen::MatrixXd A) {
  constexpr int sweeps = 12;  // convergence is quadratic
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index q = 1; q < A.rows(); ++q) {
      for (Eigen::Index p = 0; p < q; ++p) {
        Eigen::JacobiRotation<double> turn;
        if (!turn.makeJacobi(A, p, q)) continue;
        A.applyOnTheLeft(p, q, turn.adjoint());
        A.applyOnTheRight(p, q, turn);
      }
    }
  }
  return A.diagonal();
}

}  // namespace

bool has_vectors(const Constraint& constraint) {
  return model::may_open(constraint.type) || constraint.type == ConstraintType::contact_weld;
}

Rows velocity_rows(const Tree& tree, const LongNumbers& q) {
  Solver<LongNumber> solver(tree);
  const std::vector<Pose<LongNumber>> bodies = solver.body_poses(q);
  const auto moving = [&](const model::Anchor& anchor) {
    return MovingAnchor(solver, bodies, link_at(tree, anchor));
  };
  Rows all(tree.constraints.num_rows(), tree.nv);
  for (const Constraint& constraint : tree.constraints.all) {
    if (constraint.type == ConstraintType::coupling) {
      const LongNumbers rest = LongNumbers::Zero(tree.nv);
      const Rows own = coupling_rows(constraint, tree, solver.all_joints(q, rest, rest));
      all.J.row(constraint.first_row) = own.J;
      all.e[constraint.first_row] = own.e[0];
      continue;
    }
    const MovingAnchor F = moving(constraint.anchors.front());
    const Rows own = constraint.is_loop() ? loop_rows(constraint, F, moving(constraint.anchors.at(1)))
                     : constraint.type == ConstraintType::rolling ? rolling_rows(constraint, F)
                                                                  : point_rows(constraint, F);
    const bool along_z =
        constraint.type == ConstraintType::contact_normal || constraint.type == ConstraintType::no_sliding;
    const int first = along_z ? 2 : 0;
    all.J.middleRows(constraint.first_row, constraint.num_rows()) =
        own.J.middleRows(first, constraint.num_rows());
    all.e.segment(constraint.first_row, constraint.num_rows()) = own.e.segment(first, constraint.num_rows());
  }
  return all;
}

std::function<LongMatrix(const LongMatrix&)> inverse_of(const LongMatrix& A) {
  return [factor = Eigen::PartialPivLU<LongMatrix>(A)](const LongMatrix& b) -> LongMatrix {
    return factor.solve(b);
  };
}

std::vector<int> kept_rows(const Tree& tree, const LongMatrix& M, const LongMatrix& J,
                           const Eigen::VectorXd& active) {
  const model::FreeBodyRows of_free_body = model::free_body_rows(tree);
  RowsInOrder rows(M);
  std::vector<int> kept;
  for (int k = 0; k < tree.constraints.count(); ++k) {
    if (active[k] < 0.5) continue;
    const Constraint& constraint = tree.constraints.all[static_cast<std::size_t>(k)];
    const int turning = constraint.first_row + constraint.num_linear_rows();
    for (const bool linear : {true, false}) {  // rows of one unit
      const int first = linear ? constraint.first_row : turning,
                end = linear ? turning : constraint.first_row + constraint.num_rows();
      Real size = model::least_row * (linear ? of_free_body.linear : of_free_body.turning);
      for (int r = first; r < end; ++r) size += rows.squared_length(J.row(r).transpose());
      for (int r = first; r < end; ++r) {
        if (rows.add(J.row(r).transpose(), size)) kept.push_back(r);
      }
    }
  }
  return kept;
}

std::vector<int> independent_rows(const LongMatrix& rows, const Eigen::VectorXd& sizes) {
  RowsInOrder in_order(LongMatrix::Identity(rows.cols(), rows.cols()));
  std::vector<int> kept;
  for (int r = 0; r < rows.rows(); ++r) {
    if (in_order.add(rows.row(r).transpose(), sizes[r])) kept.push_back(r);
  }
  return kept;
}

double condition_of(const Eigen::MatrixXd& D) {
  if (D.rows() == 0) return 1.0;
  const Eigen::VectorXd of_D = eigenvalues(D);
  const double smallest = of_D.minCoeff();
  return smallest > 0.0 ? of_D.maxCoeff() / smallest : std::numeric_limits<double>::infinity();
}

double allowance_at(double condition) {
  return condition > 1e6 ? 100.0 * std::max(1.0, condition / 1e8) : 1.0;
}

}  // namespace featherline::reference
