#include "algorithms/constraints/constrained_columns.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/floating_base.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;

bool all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](const Scalar& x) { return x.is_zero(); });
}

Values column_of(const std::vector<Values>& rows, int k) {
  Values column;
  for (const Values& row : rows) column.push_back(row[index(k)]);
  return column;
}

/// The derivatives r and k, by q and by v.
struct Differentials {
  SquareMatrix r_q, r_v;
  std::vector<Values> k_q, k_v;  ///< by row
};

Differentials differentials(Context& c, const OwnFrames& own_frames, const Values& a, const Values& lambda,
                            const std::vector<ConstraintMotion>& constraints) {
  const FirstDerivatives id = first_derivatives(c, c.input("v"), a, own_frames);
  Differentials result{id.dtau_dq, id.dtau_dv, {}, {}};
  SquareMatrix force(c.nv());
  auto first = lambda.begin();
  for (const ConstraintMotion& motion : constraints) {
    const auto [by_q, by_v] = motion.derivatives();
    result.k_q.insert(result.k_q.end(), by_q.begin(), by_q.end());
    result.k_v.insert(result.k_v.end(), by_v.begin(), by_v.end());
    motion.add_force_derivative(Values(first, first + motion.num_rows()), force);
    first += motion.num_rows();
  }
  for (int j = 0; j < c.nv(); ++j) {
    for (int i = 0; i < c.nv(); ++i) result.r_q(i, j) -= force(i, j);
  }
  return result;
}

/// Lambda is held in the axes of the rows. Those of a floating base turn with it.
Values turned(const Context& c, const WorldRows& world, int k, const Values& lambda) {
  if (!has_floating_base(c.full_tree()) || k < 3 || k >= 6) return {};
  const Values rows = world.by_turn(k - 3, lambda);
  return all_zero(rows) ? Values{} : rows;
}

}  // namespace

FreeRobot::FreeRobot(Context& c, const OwnFrames& own_frames) : M(0) {
  const FirstDerivatives at_rest = first_derivatives(c, c.input("v"), c.zeros(), own_frames);
  M = at_rest.M;
  net_torque = c.input("tau");
  for (std::size_t k = 0; k < net_torque.size(); ++k) net_torque[k] -= at_rest.tau[k];
}

bool DerivativeColumn::is_zero() const { return all_zero(b) && all_zero(gamma) && turned.empty(); }

std::string DerivativeColumn::output(const char* quantity) const {
  return std::string(quantity) + (x == 'q' ? "_dq" : x == 'v' ? "_dv" : "_dtau");
}

std::vector<DerivativeColumn> derivative_columns(Context& c, const OwnFrames& own_frames, const Values& a,
                                                 const Values& lambda) {
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), a});
  const WorldRows world(c, constraints);
  const Differentials of = differentials(c, own_frames, a, lambda, constraints);
  std::vector<DerivativeColumn> columns;
  const auto negative_column = [&](const SquareMatrix& A, int k) {
    Values column = A.column(k);
    for (Scalar& x : column) x = -x;
    return column;
  };
  for (int k = 0; k < c.nv(); ++k)
    columns.push_back(
        {'q', k, negative_column(of.r_q, k), column_of(of.k_q, k), turned(c, world, k, lambda)});
  for (int k = 0; k < c.nv(); ++k)
    columns.push_back({'v', k, negative_column(of.r_v, k), column_of(of.k_v, k), {}});
  for (int k = 0; k < c.nv(); ++k) {
    Values unit = c.zeros();
    unit[index(k)] = 1.0;
    columns.push_back({'t', k, std::move(unit), Values(lambda.size()), {}});
  }
  return columns;
}

}  // namespace featherline::algorithms
