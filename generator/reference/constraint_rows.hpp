#pragma once

#include "model/tree.hpp"
#include "reference/outputs.hpp"
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

Rows velocity_rows(const model::Tree& tree, const LongNumbers& q);

/// Whether its rows are vectors: of the origin, and of turning.
bool has_vectors(const model::Constraint& constraint);

/// b -> A^-1 b.
std::function<LongMatrix(const LongMatrix&)> inverse_of(const LongMatrix& A);

/// The rows of active constraints that do not depend on rows before them, by the rule of model/constraints.hpp.
std::vector<int> kept_rows(const model::Tree& tree, const LongMatrix& M, const LongMatrix& J,
                           const Eigen::VectorXd& active);

/// J of all constraints, active or not: J v is the velocity that their rows hold (model/constraints.hpp).
Eigen::MatrixXd constraint_jacobian(const model::Tree& tree, const Eigen::VectorXd& q);

/// For each row, whether it depends on rows before it when all constraints are active.
std::vector<bool> dependent_rows(const model::Tree& tree, const State& state);

}  // namespace featherline::reference
