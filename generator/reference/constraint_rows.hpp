#pragma once

#include "model/tree.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace featherline::reference {

using LongMatrix = MatrixX<long double>;
/// Time runs along e1, derivatives are taken along e2.
using LongNumbers = VectorX<LongNumber>;
using LongRows = MatrixX<LongNumber>;

/// Velocity rows J, and position errors e, which are zero but for loops and contacts with an anchor.
struct Rows {
  LongRows J;
  LongNumbers e;

  Rows(Eigen::Index rows, Eigen::Index columns) : J(rows, columns), e(LongNumbers::Zero(rows)) {}
};

inline LongMatrix real(const LongRows& x) { return part(x, &LongNumber::re); }
inline Eigen::MatrixXd values(const LongRows& x) { return real(x).cast<double>(); }
inline LongNumbers constant(const Eigen::VectorXd& x) { return lifted<long double>(x, 1.0); }

Rows velocity_rows(const model::Tree& tree, const LongNumbers& q);

/// Whether its rows are vectors: of the origin, and of turning.
bool has_vectors(const model::Constraint& constraint);

/// b -> A^-1 b.
std::function<LongMatrix(const LongMatrix&)> inverse_of(const LongMatrix& A);

/// The rows of active constraints that do not depend on rows before them, by the rule of model/constraints.hpp.
std::vector<int> kept_rows(const model::Tree& tree, const LongMatrix& M, const LongMatrix& J,
                           const Eigen::VectorXd& active);

/// The rows that do not depend on rows before them, by the same rule, in the metric of the identity.
std::vector<int> independent_rows(const LongMatrix& rows, const Eigen::VectorXd& sizes);

/// Of a symmetric matrix: the largest eigenvalue over the smallest.
double condition_of(const Eigen::MatrixXd& D);
/// Errors may be 100 times as large where D has a condition above 1e6. Above 1e8 they may grow with it.
double allowance_at(double condition);

/// J of all constraints, active or not: J v is the velocity that their rows hold (model/constraints.hpp).
Eigen::MatrixXd constraint_jacobian(const model::Tree& tree, const Eigen::VectorXd& q);

/// For each row, whether it depends on rows before it when all constraints are active.
std::vector<bool> dependent_rows(const model::Tree& tree, const State& state);

}  // namespace featherline::reference
